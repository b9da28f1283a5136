// SPDX-License-Identifier: Apache-2.0
// What the API lets several threads do at once. Worth most under tsan: the results must be right everywhere.
#include <atomic>
#include <avocet/runtime/introspection.hpp>
#include <functional>
#include <thread>

#include "api_fixture.hpp"

namespace avocet::test {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 50;

void in_parallel(const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back(body, t);
  for (std::thread& t : threads) t.join();
}

/// a + a + ... + a through temporaries, of dims that may be unknown.
void build_sums(Model& model, const Dims& dims) {
  const Type t = float_tensor(dims);
  const uint32_t in = model.operand(t), none = model.constant(0);
  uint32_t last = in;
  for (int i = 0; i < 6; ++i) {
    const uint32_t next = model.operand(t);
    EXPECT_EQ(model.operation(ANEURALNETWORKS_ADD, {last, in, none}, {next}), ANEURALNETWORKS_NO_ERROR);
    last = next;
  }
  model.done({in}, {last});
}

TEST(Threads, ExecutionsOfOneCompilation) {
  runtime::set_cpu_threads(3);
  for (const Dims& dims : {Dims{4096}, Dims{0}}) {
    Model model;
    build_sums(model, dims);
    const CompilationPtr compilation = compile(model);
    in_parallel([&](int t) {
      for (int i = 0; i < kRounds; ++i) {
        const float value = static_cast<float>(t * kRounds + i);
        const std::vector<float> in(4096, value);
        std::vector<float> out(4096);
        const Type type = float_tensor({4096});
        const ExecutionPtr e = create_execution(compilation);
        set_input(e, 0, in, &type);
        set_output(e, 0, out);
        if (i % 3 == 0) {
          ANeuralNetworksEvent* event = nullptr;
          ASSERT_EQ(ANeuralNetworksExecution_startCompute(e.get(), &event), ANEURALNETWORKS_NO_ERROR);
          EXPECT_EQ(ANeuralNetworksEvent_wait(event), ANEURALNETWORKS_NO_ERROR);
          ANeuralNetworksEvent_free(event);
        } else {
          EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
        }
        EXPECT_EQ(out, std::vector<float>(4096, 7 * value));
      }
    });
  }
  runtime::set_cpu_threads(0);
}

TEST(Threads, CompilationsOfOneModel) {
  Model model;
  build_sums(model, {16});
  in_parallel([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      const CompilationPtr compilation = compile(model);
      const ExecutionPtr e = create_execution(compilation);
      const std::vector<float> in(16, 1.0f);
      std::vector<float> out(16);
      set_input(e, 0, in);
      set_output(e, 0, out);
      EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
      EXPECT_EQ(out[15], 7.0f);
    }
  });
}

TEST(Threads, ModelsOfTheirOwn) {
  in_parallel([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      ReadyAdd add;
      EXPECT_EQ(ANeuralNetworksExecution_compute(add.execution.get()), ANEURALNETWORKS_NO_ERROR);
      add.expect_result();
    }
  });
}

/// A memory that many executions read, and events that many threads depend on.
TEST(Threads, SharedMemoryAndEvents) {
  ReadyAdd add;
  File file(4096);
  file.write(add.a);
  const MemoryPtr memory = map(file, 8, PROT_READ);
  ANeuralNetworksEvent* first = nullptr;
  ASSERT_EQ(ANeuralNetworksExecution_startComputeWithDependencies(add.execution.get(), nullptr, 0, 0, &first),
            ANEURALNETWORKS_NO_ERROR);
  const EventPtr gate(first);
  in_parallel([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      std::vector<float> out(2);
      const ExecutionPtr e = create_execution(add.compilation);
      ASSERT_EQ(ANeuralNetworksExecution_setInputFromMemory(e.get(), 0, nullptr, memory.get(), 0, 8),
                ANEURALNETWORKS_NO_ERROR);
      set_input(e, 1, add.b);
      set_output(e, 0, out);
      const ANeuralNetworksEvent* dependencies[] = {gate.get()};
      ANeuralNetworksEvent* event = nullptr;
      ASSERT_EQ(ANeuralNetworksExecution_startComputeWithDependencies(e.get(), dependencies, 1, 0, &event),
                ANEURALNETWORKS_NO_ERROR);
      int fd = -1;
      EXPECT_EQ(ANeuralNetworksEvent_getSyncFenceFd(event, &fd), ANEURALNETWORKS_NO_ERROR);
      close(fd);
      EXPECT_EQ(ANeuralNetworksEvent_wait(event), ANEURALNETWORKS_NO_ERROR);
      ANeuralNetworksEvent_free(event);
      EXPECT_EQ(out, (std::vector<float>{11, 22}));
    }
  });
}

/// Two threads that start one execution: exactly one succeeds.
TEST(Threads, AnExecutionStartsOnce) {
  ReadyAdd add;
  for (int i = 0; i < kRounds; ++i) {
    const ExecutionPtr e = add.make();
    std::atomic<int> good{0}, refused{0};
    in_parallel([&](int) {
      const int result = ANeuralNetworksExecution_compute(e.get());
      if (result == ANEURALNETWORKS_NO_ERROR) ++good;
      if (result == ANEURALNETWORKS_BAD_STATE) ++refused;
    });
    EXPECT_EQ(good, 1);
    EXPECT_EQ(refused, kThreads - 1);
  }
}

}  // namespace
}  // namespace avocet::test
