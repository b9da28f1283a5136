// SPDX-License-Identifier: Apache-2.0
// Events, sync fences, asynchronous and fenced executions, and bursts.
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <atomic>
#include <thread>

#include "api_fixture.hpp"

namespace avocet::test {
namespace {

EventPtr start(const ExecutionPtr& e) {
  ANeuralNetworksEvent* event = nullptr;
  EXPECT_EQ(ANeuralNetworksExecution_startCompute(e.get(), &event), ANEURALNETWORKS_NO_ERROR);
  return EventPtr(event);
}

EventPtr start_after(const ExecutionPtr& e, const std::vector<const ANeuralNetworksEvent*>& dependencies,
                     uint64_t duration = 0) {
  ANeuralNetworksEvent* event = nullptr;
  EXPECT_EQ(ANeuralNetworksExecution_startComputeWithDependencies(
                e.get(), dependencies.data(), static_cast<uint32_t>(dependencies.size()), duration, &event),
            ANEURALNETWORKS_NO_ERROR);
  return EventPtr(event);
}

EventPtr event_of_fd(int fd) {
  ANeuralNetworksEvent* event = nullptr;
  EXPECT_EQ(ANeuralNetworksEvent_createFromSyncFenceFd(fd, &event), ANEURALNETWORKS_NO_ERROR);
  return EventPtr(event);
}

int fence_of(const EventPtr& event) {
  int fd = -1;
  EXPECT_EQ(ANeuralNetworksEvent_getSyncFenceFd(event.get(), &fd), ANEURALNETWORKS_NO_ERROR);
  return fd;
}

bool readable(int fd, int timeout_ms = 0) {
  pollfd p{fd, POLLIN, 0};
  return poll(&p, 1, timeout_ms) == 1 && (p.revents & POLLIN);
}

/// A result while an execution waits for a fence. The thread sanitizer must not see it: it does not know that poll(), with which the
/// runtime waits, comes behind the client's write().
__attribute__((noinline, no_sanitize_thread)) float peek(const float* value) { return *value; }

/// A fence of the client's that has not signalled yet.
struct ClientFence {
  ClientFence() : fd(eventfd(0, EFD_CLOEXEC)) {}
  ~ClientFence() { close(fd); }
  void signal() const {
    const uint64_t one = 1;
    EXPECT_EQ(write(fd, &one, sizeof one), static_cast<ssize_t>(sizeof one));
  }
  int fd;
};

TEST(Event, Errors) {
  int fd = 0;
  ANeuralNetworksEvent* event = reinterpret_cast<ANeuralNetworksEvent*>(1);
  EXPECT_EQ(ANeuralNetworksEvent_wait(nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  ANeuralNetworksEvent_free(nullptr);
  EXPECT_EQ(ANeuralNetworksEvent_createFromSyncFenceFd(-1, &event), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(event, nullptr);
  EXPECT_EQ(ANeuralNetworksEvent_createFromSyncFenceFd(987654, &event), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksEvent_createFromSyncFenceFd(1, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksEvent_getSyncFenceFd(nullptr, &fd), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(fd, -1) << "written even so";
  ReadyAdd add;
  const EventPtr e = start(add.execution);
  EXPECT_EQ(ANeuralNetworksEvent_getSyncFenceFd(e.get(), nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  fd = 0;
  EXPECT_EQ(ANeuralNetworksEvent_getSyncFenceFd(e.get(), &fd), ANEURALNETWORKS_BAD_DATA)
      << "startCompute makes no fence";
  EXPECT_EQ(fd, -1);
}

TEST(Event, ManyMayWaitManyTimes) {
  ReadyAdd add;
  const EventPtr event = start(add.execution);
  std::vector<std::thread> waiters;
  std::atomic<int> good{0};
  for (int i = 0; i < 4; ++i) {
    waiters.emplace_back([&] {
      for (int k = 0; k < 10; ++k) good += ANeuralNetworksEvent_wait(event.get()) == ANEURALNETWORKS_NO_ERROR;
    });
  }
  for (std::thread& t : waiters) t.join();
  EXPECT_EQ(good, 40);
  add.expect_result();
}

TEST(Event, MayBeFreedBeforeTheEnd) {
  ReadyAdd add;
  start(add.execution).reset();
  add.execution.reset();  // waits
  add.expect_result();
}

TEST(Event, ReportsFailure) {
  Model model;
  const uint32_t a = model.operand(float_tensor({1})), activation = model.constant(999),
                 out = model.operand(float_tensor({1}));
  ASSERT_EQ(model.operation(ANEURALNETWORKS_ADD, {a, a, activation}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({a}, {out});
  const CompilationPtr compilation = compile(model);
  const std::vector<float> x{1};
  std::vector<float> y(1);
  const auto make = [&] {
    ExecutionPtr e = create_execution(compilation);
    set_input(e, 0, x);
    set_output(e, 0, y);
    return e;
  };
  const ExecutionPtr async = make(), fenced = make(), after = make(), late = make();
  const EventPtr event = start(async);
  EXPECT_EQ(ANeuralNetworksEvent_wait(event.get()), ANEURALNETWORKS_OP_FAILED);
  const EventPtr failed = start_after(fenced, {});
  const int fd = fence_of(failed);
  EXPECT_EQ(ANeuralNetworksEvent_wait(failed.get()), ANEURALNETWORKS_OP_FAILED);
  EXPECT_TRUE(readable(fd, 5000)) << "a fence signals failures too";
  const EventPtr copy = event_of_fd(fd);
  close(fd);
  EXPECT_EQ(ANeuralNetworksEvent_wait(copy.get()), ANEURALNETWORKS_OP_FAILED) << "and tells them apart";
  // A dependency that has failed already, or a fence of one, is an error of the call.
  for (const EventPtr* bad : {&event, &failed, &copy}) {
    ANeuralNetworksEvent* made = reinterpret_cast<ANeuralNetworksEvent*>(1);
    const ANeuralNetworksEvent* list[] = {bad->get()};
    EXPECT_NE(ANeuralNetworksExecution_startComputeWithDependencies(after.get(), list, 1, 0, &made),
              ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(made, nullptr);
  }
}

TEST(Fence, DescriptorsArePollable) {
  ReadyAdd add;
  ClientFence fence;
  const EventPtr gate = event_of_fd(fence.fd);
  const EventPtr event = start_after(add.execution, {gate.get()});
  const int before = fence_of(event), second = fence_of(event);
  EXPECT_NE(before, second);
  EXPECT_FALSE(readable(before)) << "the execution waits for its dependency";
  for (const float& value : add.out) EXPECT_EQ(peek(&value), 0.0f);
  fence.signal();
  EXPECT_TRUE(readable(before, 10000));
  EXPECT_TRUE(readable(second, 10000));
  EXPECT_EQ(ANeuralNetworksEvent_wait(event.get()), ANEURALNETWORKS_NO_ERROR);
  add.expect_result();
  const int after = fence_of(event);
  EXPECT_TRUE(readable(after)) << "of an event that is over";
  // A fence made of a descriptor, and a dependency on it.
  const EventPtr copy = event_of_fd(after);
  EXPECT_EQ(ANeuralNetworksEvent_wait(copy.get()), ANEURALNETWORKS_NO_ERROR);
  const int copied = fence_of(copy);
  EXPECT_TRUE(readable(copied));
  for (int fd : {before, second, after, copied}) close(fd);
}

TEST(Fence, TheClientMayCloseItsDescriptor) {
  auto fence = std::make_unique<ClientFence>();
  const int other = fcntl(fence->fd, F_DUPFD_CLOEXEC, 0);
  const EventPtr event = event_of_fd(fence->fd);
  fence.reset();
  const uint64_t one = 1;
  ASSERT_EQ(write(other, &one, sizeof one), 8);
  EXPECT_EQ(ANeuralNetworksEvent_wait(event.get()), ANEURALNETWORKS_NO_ERROR);
  close(other);
}

/// 0 is a descriptor like any other.
TEST(Fence, DescriptorZero) {
  const int saved = dup(0);
  ClientFence fence;
  ASSERT_EQ(dup2(fence.fd, 0), 0);
  const EventPtr event = event_of_fd(0);
  fence.signal();
  EXPECT_EQ(ANeuralNetworksEvent_wait(event.get()), ANEURALNETWORKS_NO_ERROR);
  if (saved >= 0) {
    dup2(saved, 0);
    close(saved);
  } else {
    close(0);
  }
}

TEST(Fence, HungUpIsAnError) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const EventPtr event = event_of_fd(ends[0]);
  close(ends[1]);
  EXPECT_EQ(ANeuralNetworksEvent_wait(event.get()), ANEURALNETWORKS_OP_FAILED);
  close(ends[0]);
}

TEST(Fenced, Errors) {
  ReadyAdd add;
  ANeuralNetworksExecution* e = add.execution.get();
  ClientFence fence;
  const EventPtr gate = event_of_fd(fence.fd);
  const ANeuralNetworksEvent* list[] = {gate.get(), nullptr};
  ANeuralNetworksEvent* event = reinterpret_cast<ANeuralNetworksEvent*>(1);
  const auto call = ANeuralNetworksExecution_startComputeWithDependencies;
  EXPECT_EQ(call(nullptr, list, 1, 0, &event), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(event, nullptr);
  EXPECT_EQ(call(e, nullptr, 1, 0, &event), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(call(e, list, 1, 0, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(call(e, list, 2, 0, &event), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(call(e, nullptr, 0, 1, &event), ANEURALNETWORKS_BAD_DATA) << "a duration needs one device";
  const EventPtr good = start_after(add.execution, {});
  EXPECT_EQ(ANeuralNetworksEvent_wait(good.get()), ANEURALNETWORKS_NO_ERROR);
}

TEST(Fenced, OutputsMustBeFullySpecified) {
  Model model;
  const uint32_t in = model.operand(float_tensor({0})), out = model.operand(float_tensor({0}));
  ASSERT_EQ(model.operation(ANEURALNETWORKS_RELU, {in}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({in}, {out});
  const CompilationPtr compilation = compile(model);
  const std::vector<float> x{1, -1};
  std::vector<float> y(2);
  const Type two = float_tensor({2});
  ANeuralNetworksEvent* event = nullptr;
  ExecutionPtr e = create_execution(compilation);
  set_input(e, 0, x, &two);
  set_output(e, 0, y);
  EXPECT_EQ(ANeuralNetworksExecution_startComputeWithDependencies(e.get(), nullptr, 0, 0, &event),
            ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR) << "the others take it";
  e = create_execution(compilation);
  set_input(e, 0, x, &two);
  set_output(e, 0, y, &two);
  const EventPtr good = start_after(e, {});
  EXPECT_EQ(ANeuralNetworksEvent_wait(good.get()), ANEURALNETWORKS_NO_ERROR);
}

/// Four executions, each adding to what the one before wrote.
TEST(Fenced, ChainsInOrder) {
  Model model;
  build_add(model, {1});
  const CompilationPtr compilation = compile(model);
  ClientFence fence;
  std::vector<std::vector<float>> values(5, std::vector<float>(1));
  values[0][0] = 1;
  const std::vector<float> one{1};
  std::vector<ExecutionPtr> executions;
  std::vector<EventPtr> events;
  events.push_back(event_of_fd(fence.fd));
  for (int i = 0; i < 4; ++i) {
    executions.push_back(create_execution(compilation));
    set_input(executions.back(), 0, values[i]);
    set_input(executions.back(), 1, one);
    set_output(executions.back(), 0, values[i + 1]);
    events.push_back(start_after(executions.back(), {events.back().get()}));
  }
  const EventPtr last = std::move(events.back());
  events.clear();  // dependencies may be freed while others wait for them
  const int end = fence_of(last);
  EXPECT_FALSE(readable(end)) << "all wait for the client";
  EXPECT_EQ(peek(&values[4][0]), 0.0f);
  fence.signal();
  EXPECT_EQ(ANeuralNetworksEvent_wait(last.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(values[4][0], 5.0f);
  close(end);
}

TEST(Fenced, ADependencyThatFailsLater) {
  ReadyAdd add;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const EventPtr gate = event_of_fd(ends[0]);
  const EventPtr event = start_after(add.execution, {gate.get()});
  close(ends[1]);
  EXPECT_NE(ANeuralNetworksEvent_wait(event.get()), ANEURALNETWORKS_NO_ERROR);
  uint32_t n = 0;
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(add.execution.get(), 0, &n), ANEURALNETWORKS_BAD_STATE);
  close(ends[0]);
}

TEST(Fenced, Timeouts) {
  ReadyAdd add{{cpu()}};
  ClientFence never;
  const EventPtr gate = event_of_fd(never.fd);
  // setTimeout counts from the call: it runs out while the execution waits.
  ASSERT_EQ(ANeuralNetworksExecution_setTimeout(add.execution.get(), 1'000'000), ANEURALNETWORKS_NO_ERROR);
  const EventPtr late = start_after(add.execution, {gate.get()});
  EXPECT_EQ(ANeuralNetworksEvent_wait(late.get()), ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT);
  // The duration counts from the last dependency.
  const ExecutionPtr fast = add.make(), endless = add.make();
  const EventPtr missed = start_after(fast, {}, 1);
  EXPECT_EQ(ANeuralNetworksEvent_wait(missed.get()), ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT);
  ASSERT_EQ(ANeuralNetworksExecution_setTimeout(endless.get(), UINT64_MAX), ANEURALNETWORKS_NO_ERROR);
  const EventPtr good = start_after(endless, {}, UINT64_MAX);
  EXPECT_EQ(ANeuralNetworksEvent_wait(good.get()), ANEURALNETWORKS_NO_ERROR);
}

TEST(Burst, Errors) {
  ReadyAdd add;
  Model other;
  build_add(other);
  const CompilationPtr unfinished = create_compilation(other);
  auto* burst = reinterpret_cast<ANeuralNetworksBurst*>(1);
  EXPECT_EQ(ANeuralNetworksBurst_create(nullptr, &burst), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(burst, nullptr);
  EXPECT_EQ(ANeuralNetworksBurst_create(add.compilation.get(), nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksBurst_create(unfinished.get(), &burst), ANEURALNETWORKS_BAD_STATE);
  ANeuralNetworksBurst_free(nullptr);
  const CompilationPtr second = compile(add.model);
  ASSERT_EQ(ANeuralNetworksBurst_create(second.get(), &burst), ANEURALNETWORKS_NO_ERROR);
  const BurstPtr owner(burst);
  EXPECT_EQ(ANeuralNetworksExecution_burstCompute(nullptr, burst), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_burstCompute(add.execution.get(), nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_burstCompute(add.execution.get(), burst), ANEURALNETWORKS_BAD_DATA)
      << "of another compilation";
  EXPECT_EQ(ANeuralNetworksExecution_compute(add.execution.get()), ANEURALNETWORKS_NO_ERROR)
      << "and not used up by that";
}

TEST(Burst, OneAtATime) {
  ReadyAdd add;
  ANeuralNetworksBurst* raw = nullptr;
  ASSERT_EQ(ANeuralNetworksBurst_create(add.compilation.get(), &raw), ANEURALNETWORKS_NO_ERROR);
  const BurstPtr burst(raw);
  std::atomic<int> good{0}, busy{0}, other{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const std::vector<float> a{1, 2}, b{3, 4};
      for (int i = 0; i < 200; ++i) {
        std::vector<float> out(2);
        const ExecutionPtr e = create_execution(add.compilation);
        set_input(e, 0, a);
        set_input(e, 1, b);
        set_output(e, 0, out);
        const int result = ANeuralNetworksExecution_burstCompute(e.get(), raw);
        if (result == ANEURALNETWORKS_NO_ERROR && out[1] == 6.0f)
          ++good;
        else if (result == ANEURALNETWORKS_BAD_STATE)
          ++busy;
        else
          ++other;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(other, 0);
  EXPECT_GT(good, 0);
  EXPECT_EQ(good + busy, 800);
}

TEST(Burst, MemoryAndBurstMayGoInAnyOrder) {
  for (bool memory_first : {true, false}) {
    ReadyAdd add;
    File file(4096);
    MemoryPtr memory = map(file, 8);
    ANeuralNetworksBurst* raw = nullptr;
    ASSERT_EQ(ANeuralNetworksBurst_create(add.compilation.get(), &raw), ANEURALNETWORKS_NO_ERROR);
    BurstPtr burst(raw);
    ExecutionPtr e = create_execution(add.compilation);
    set_input(e, 0, add.a);
    set_input(e, 1, add.b);
    ASSERT_EQ(ANeuralNetworksExecution_setOutputFromMemory(e.get(), 0, nullptr, memory.get(), 0, 8),
              ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksExecution_burstCompute(e.get(), burst.get()), ANEURALNETWORKS_NO_ERROR);
    e.reset();
    if (memory_first) memory.reset();
    burst.reset();
    memory.reset();
    EXPECT_EQ(file.read<float>(2), (std::vector<float>{11, 22}));
  }
}

}  // namespace
}  // namespace avocet::test
