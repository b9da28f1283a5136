// SPDX-License-Identifier: Apache-2.0
// Parts under the API that have rules of their own: the errno table, deadlines, memory planning, the thread pool.
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "api_fixture.hpp"
#include "deadline.hpp"
#include "memory_plan.hpp"
#include "result_code.hpp"
#include "thread_pool.hpp"

namespace avocet::test {
namespace {

namespace rt = avocet::runtime;

TEST(ResultCode, FromErrno) {
  EXPECT_EQ(rt::result_from_errno(0), ANEURALNETWORKS_NO_ERROR);
  const struct {
    int error, code;
  } rows[] = {{ENOMEM, ANEURALNETWORKS_OUT_OF_MEMORY},
              {EINVAL, ANEURALNETWORKS_BAD_DATA},
              {EIO, ANEURALNETWORKS_OP_FAILED},
              {ETIME, ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT},
              {ETIMEDOUT, ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT},
              {ENODEV, ANEURALNETWORKS_UNAVAILABLE_DEVICE},
              {EPIPE, ANEURALNETWORKS_DEAD_OBJECT},
              {EBUSY, ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT},
              {ENOSPC, ANEURALNETWORKS_RESOURCE_EXHAUSTED_PERSISTENT},
              {ELOOP, ANEURALNETWORKS_OP_FAILED}};
  for (const auto& row : rows) {
    EXPECT_EQ(rt::result_from_errno(row.error), row.code) << row.error;
    EXPECT_EQ(rt::result_from_errno(-row.error), row.code) << row.error;
  }
  for (int error = 1; error < 200; ++error) EXPECT_NE(rt::result_from_errno(error), ANEURALNETWORKS_NO_ERROR) << error;
  EXPECT_NE(rt::result_from_errno(INT32_MIN), ANEURALNETWORKS_NO_ERROR);
}

TEST(ResultCode, Names) {
  EXPECT_STREQ(rt::result_name(ANEURALNETWORKS_NO_ERROR), "NO_ERROR");
  EXPECT_STREQ(rt::result_name(ANEURALNETWORKS_DEAD_OBJECT), "DEAD_OBJECT");
  EXPECT_STREQ(rt::result_name(-1), rt::result_name(15));
}

TEST(Deadline, Saturates) {
  EXPECT_FALSE(rt::Deadline().set());
  EXPECT_FALSE(rt::Deadline::after(0).set()) << "0 is infinite";
  EXPECT_FALSE(rt::Deadline::after(UINT64_MAX).set());
  EXPECT_FALSE(rt::Deadline::after(UINT64_MAX).passed());
  EXPECT_FALSE(rt::Deadline::after(INT64_MAX).set());
  EXPECT_TRUE(rt::Deadline::after(INT64_MAX / 2).set());
  EXPECT_FALSE(rt::Deadline::after(INT64_MAX / 2).passed());
  const rt::Deadline past = rt::Deadline::after(1, rt::Deadline::Clock::now() - std::chrono::seconds(1));
  EXPECT_TRUE(past.passed());
  EXPECT_EQ(past.left()->count(), 0);
  EXPECT_TRUE(rt::Deadline::earlier(past, rt::Deadline()).passed());
  EXPECT_TRUE(rt::Deadline::earlier(rt::Deadline::after(INT64_MAX / 2), past).passed());
}

/// Buffers alive at one time never overlap, for many random lifetimes; and memory is shared where it can be.
TEST(MemoryPlan, NoTwoLiveBuffersOverlap) {
  uint32_t seed = 7;
  const auto random = [&](uint32_t limit) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % limit;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<rt::PlannedBuffer> buffers(1 + random(40));
    size_t sum = 0;
    for (auto& b : buffers) {
      b.first = random(20);
      b.last = b.first + random(10);
      b.bytes = random(5) == 0 ? 0 : random(1000);
      sum += (b.bytes + 63) / 64 * 64;
    }
    const size_t total = rt::plan_memory(buffers);
    EXPECT_LE(total, sum);
    for (size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_EQ(buffers[i].offset % rt::kBufferAlignment, 0u);
      EXPECT_LE(buffers[i].offset + buffers[i].bytes, total);
      for (size_t k = 0; k < i; ++k) {
        const auto &a = buffers[i], &b = buffers[k];
        const bool together = a.first <= b.last && b.first <= a.last && a.bytes && b.bytes;
        const bool apart = a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
        EXPECT_TRUE(!together || apart) << round << ": " << i << " and " << k;
      }
    }
  }
}

TEST(MemoryPlan, AChainNeedsTwoBuffers) {
  std::vector<rt::PlannedBuffer> chain;
  for (uint32_t i = 0; i < 100; ++i) chain.push_back({640, i, i + 1, 0});
  EXPECT_EQ(rt::plan_memory(chain), 1280u);
}

class ThreadPool : public ::testing::Test {
 protected:
  void TearDown() override { rt::set_pool_threads(0); }
};

TEST_F(ThreadPool, CoversEveryIndexOnce) {
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    rt::set_pool_threads(threads);
    for (size_t count : {0u, 1u, 7u, 1000u}) {
      std::vector<std::atomic<int>> seen(count);
      rt::pool_parallel_for()(count, 3, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) ++seen[i];
      });
      for (size_t i = 0; i < count; ++i) ASSERT_EQ(seen[i], 1) << i;
    }
  }
}

TEST_F(ThreadPool, NestedAndConcurrentJobs) {
  rt::set_pool_threads(4);
  std::atomic<long> sum{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        rt::pool_parallel_for()(16, 1, [&](size_t begin, size_t end) {
          for (size_t i = begin; i < end; ++i) {
            rt::pool_parallel_for()(10, 1, [&](size_t b, size_t e) { sum += static_cast<long>(e - b); });
          }
        });
      }
    });
  }
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(sum, 4L * 50 * 16 * 10);
}

TEST_F(ThreadPool, ExceptionsComeOut) {
  rt::set_pool_threads(3);
  for (int round = 0; round < 20; ++round) {
    EXPECT_THROW(rt::pool_parallel_for()(100, 1,
                                         [](size_t begin, size_t) {
                                           if (begin >= 40) throw std::runtime_error("piece");
                                         }),
                 std::runtime_error);
  }
  std::atomic<size_t> done{0};
  rt::pool_parallel_for()(100, 1, [&](size_t b, size_t e) { done += e - b; });
  EXPECT_EQ(done, 100u) << "and the pool goes on";
}

/// A child of fork() has none of the parent's threads, and works.
TEST_F(ThreadPool, SurvivesFork) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "tsan ends a child of fork() that starts threads";
#endif
  rt::set_pool_threads(3);
  const auto sum = [] {
    std::atomic<size_t> total{0};
    rt::pool_parallel_for()(1000, 1, [&](size_t b, size_t e) { total += e - b; });
    return total.load();
  };
  ASSERT_EQ(sum(), 1000u);
  const pid_t child = fork();
  if (child == 0) _exit(sum() == 1000 ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(sum(), 1000u);
}

}  // namespace
}  // namespace avocet::test
