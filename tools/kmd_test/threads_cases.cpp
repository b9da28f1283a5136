// SPDX-License-Identifier: Apache-2.0
// Several threads at once.
#include <avocet_isa.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <mutex>
#include <thread>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

/// Runs body(thread) on each of `count` threads; the first failure is the case's.
void on_threads(int count, const std::function<void(int)>& body) {
  std::mutex mutex;
  std::string failure;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; i++)
    threads.emplace_back([&, i] {
      try {
        body(i);
      } catch (const std::exception& error) {
        const std::lock_guard lock(mutex);
        if (failure.empty()) failure = error.what();
      }
    });
  for (auto& thread : threads) thread.join();
  if (!failure.empty()) throw Failure(failure);
}

const Case kCases[] = {
    {"threads.a_file_each", "four threads, each with its file, context and verified jobs", [] {
       on_threads(4, [](int thread) {
         Client client;
         CopyWork work(client);
         for (uint32_t i = 0; i < 50; i++) work.run(static_cast<uint32_t>(thread) * 1000 + i);
       });
     }},
    {"threads.one_file", "four threads with contexts of one file", [] {
       Client client;
       on_threads(4, [&](int thread) {
         CopyWork work(client);
         for (uint32_t i = 0; i < 50; i++) work.run(static_cast<uint32_t>(thread) * 1000 + i);
       });
     }},
    {"threads.one_context", "four threads submit to one context; EBUSY is the only refusal, all jobs complete", [] {
       Client client;
       CopyWork work(client);
       std::atomic<int64_t> completed{0};
       on_threads(4, [&](int) {
         for (int i = 0; i < 100; i++) {
           uint64_t id = 0;
           int error = 0;
           const int64_t until = in_ms(kBoundMs);
           do {
             error = client.submit(work.context(), work.job(), &id);
           } while (error == -EBUSY && now_ns() < until);
           expect_ok(error, "SUBMIT");
           client.must_complete(work.context(), id);
           completed++;
         }
       });
       expect_equal(static_cast<int64_t>(client.counters(work.context()).jobs_completed), completed, "jobs_completed");
     }},
    {"threads.open_and_close", "files come and go on four threads", [] {
       on_threads(4, [](int) {
         for (int i = 0; i < 30; i++) {
           Client client;
           const uint32_t context = client.context();
           client.must_complete(context, client.must_submit_empty(context));
         }
       });
     }},
    {"threads.contexts_destroyed_while_used", "one thread destroys what another submits to: ENOENT or an aborted job, no crash", [] {
       Client client;
       for (int round = 0; round < 30; round++) {
         CopyWork work(client, 64);
         std::atomic<bool> started{false};
         std::thread user([&] {
           for (int i = 0; i < 100; i++) {
             uint64_t id = 0;
             const int error = client.submit(work.context(), work.job(), &id);
             started = true;
             if (error == -ENOENT) return;
             if (!error) client.wait(work.context(), id, in_ms(kBoundMs));
           }
         });
         while (!started) std::this_thread::yield();
         const int error = client.destroy(work.context());
         user.join();
         expect_ok(error, "CONTEXT_DESTROY");
       }
     }},
    {"threads.a_file_closed_while_used", "requests on it give EBADF, or what they gave before", [] {
       for (int round = 0; round < 30; round++) {
         Client client;
         CopyWork work(client, 64);
         const int file = client.file();
         std::atomic<bool> started{false}, bad{false};
         std::thread user([&] {
           for (int i = 0; i < 100; i++) {
             avocet_accel_job job = work.job();
             avocet_accel_submit submit{work.context(), 0, 1, sizeof job, reinterpret_cast<uint64_t>(&job)};
             const int error = avocet_ioctl(file, AVOCET_ACCEL_SUBMIT, &submit);
             started = true;
             if (error == -EBADF) return;
             bad = bad || (error != 0 && error != -EBUSY);
           }
         });
         while (!started) std::this_thread::yield();
         const int error = client.close();
         user.join();
         expect_ok(error, "close");
         expect(!bad, "EBADF is the only new answer");
       }
     }, ""},
};

}  // namespace

std::span<const Case> threads_cases() { return kCases; }

}  // namespace avocet::kmd
