// SPDX-License-Identifier: Apache-2.0
// ANeuralNetworksExecution_*: arguments, states, single use, results and durations. Memory arguments: api_memory.cpp.
#include "api_fixture.hpp"

namespace avocet::test {
namespace {

TEST(Execution, NullArguments) {
  ReadyAdd add;
  ANeuralNetworksExecution* e = add.execution.get();
  ANeuralNetworksExecution* made = nullptr;
  ANeuralNetworksEvent* event = nullptr;
  uint32_t n = 0;
  uint64_t duration = 0;
  float x = 0;
  File file(4096);
  const MemoryPtr memory = map(file, 4096);
  EXPECT_EQ(ANeuralNetworksExecution_create(nullptr, &made), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_create(add.compilation.get(), nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  ANeuralNetworksExecution_free(nullptr);
  EXPECT_EQ(ANeuralNetworksExecution_setInput(nullptr, 0, nullptr, &x, 4), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_setInput(e, 0, nullptr, nullptr, 4), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_setOutput(nullptr, 0, nullptr, &x, 4), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_setOutput(e, 0, nullptr, nullptr, 4), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_setInputFromMemory(nullptr, 0, nullptr, memory.get(), 0, 4),
            ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_setInputFromMemory(e, 0, nullptr, nullptr, 0, 4), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_setOutputFromMemory(nullptr, 0, nullptr, memory.get(), 0, 4),
            ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_setOutputFromMemory(e, 0, nullptr, nullptr, 0, 4),
            ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_setTimeout(nullptr, 1), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_setLoopTimeout(nullptr, 1), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_setMeasureTiming(nullptr, true), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_compute(nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_startCompute(nullptr, &event), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_startCompute(e, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(nullptr, 0, &n), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(e, 0, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandDimensions(nullptr, 0, &n), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandDimensions(e, 0, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_getDuration(nullptr, 0, &duration), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksExecution_getDuration(e, 0, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
}

TEST(Execution, NeedsAFinishedCompilation) {
  Model model;
  build_add(model);
  const CompilationPtr unfinished = create_compilation(model);
  auto* e = reinterpret_cast<ANeuralNetworksExecution*>(1);
  EXPECT_EQ(ANeuralNetworksExecution_create(unfinished.get(), &e), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(e, nullptr);
}

TEST(Execution, Computes) {
  ReadyAdd add;
  EXPECT_EQ(ANeuralNetworksExecution_compute(add.execution.get()), ANEURALNETWORKS_NO_ERROR);
  add.expect_result();
  EXPECT_EQ(output_dims(add.execution, 0), (Dims{2}));
}

/// setInput and setOutput have the same rules for fully specified operands.
class SetArgument : public ::testing::TestWithParam<bool> {
 protected:
  int set(int32_t index, const ANeuralNetworksOperandType* type, void* buffer, size_t length) {
    return GetParam() ? ANeuralNetworksExecution_setInput(execution.get(), index, type, buffer, length)
                      : ANeuralNetworksExecution_setOutput(execution.get(), index, type, buffer, length);
  }
  void SetUp() override {
    build_add(model);
    compilation = compile(model);
    execution = create_execution(compilation);
  }
  Model model;
  CompilationPtr compilation;
  ExecutionPtr execution;
  float buffer[8] = {};
};

TEST_P(SetArgument, Checks) {
  EXPECT_EQ(set(99, nullptr, buffer, 8), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(-1, nullptr, buffer, 8), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(0, nullptr, buffer, 20), ANEURALNETWORKS_BAD_DATA) << "length";
  EXPECT_EQ(set(0, nullptr, buffer, 4), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(0, nullptr, buffer, 0), ANEURALNETWORKS_BAD_DATA) << "a buffer of length 0";
  EXPECT_EQ(set(0, nullptr, buffer, size_t{1} << 32), ANEURALNETWORKS_BAD_DATA);
  const uint32_t two = 2;
  const ANeuralNetworksOperandType no_pointer{ANEURALNETWORKS_TENSOR_FLOAT32, 1, nullptr, 0, 0};
  const ANeuralNetworksOperandType no_count{ANEURALNETWORKS_TENSOR_FLOAT32, 0, &two, 0, 0};
  EXPECT_EQ(set(0, &no_pointer, buffer, 8), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(0, &no_count, buffer, 8), ANEURALNETWORKS_BAD_DATA);
  for (const Type& wrong :
       {Type(ANEURALNETWORKS_TENSOR_INT32, {2}), float_tensor({1, 2}), float_tensor({3}), float_tensor({0}),
        float_tensor({}), Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {2}, 1.0f)}) {
    EXPECT_EQ(set(0, wrong.get(), buffer, 8), ANEURALNETWORKS_BAD_DATA) << wrong.type.type;
  }
  EXPECT_EQ(set(0, float_tensor({2}).get(), buffer, 8), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(set(0, nullptr, buffer, 8), ANEURALNETWORKS_BAD_STATE) << "provided already";
  EXPECT_EQ(set(0, nullptr, buffer, 4), ANEURALNETWORKS_BAD_STATE) << "which comes before the length";
  EXPECT_EQ(set(0, float_tensor({3}).get(), buffer, 8), ANEURALNETWORKS_BAD_DATA) << "but after the type";
}

INSTANTIATE_TEST_SUITE_P(Execution, SetArgument, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Input" : "Output"; });

/// What may set the quantisation of a tensor may only repeat it.
TEST(Execution, TypeMustRepeatQuantisation) {
  Model model;
  const Type q(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {0}, 0.5f, 3);
  const uint32_t in = model.operand(q), out = model.operand(q);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_RELU, {in}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({in}, {out});
  const CompilationPtr compilation = compile(model);
  const ExecutionPtr e = create_execution(compilation);
  const std::vector<uint8_t> x{1, 2};
  const Type other_scale(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {2}, 0.25f, 3);
  const Type other_zero(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {2}, 0.5f, 4);
  const Type same(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {2}, 0.5f, 3);
  EXPECT_EQ(set_input(e, 0, x), ANEURALNETWORKS_BAD_DATA) << "an unknown extent must be filled in";
  EXPECT_EQ(set_input(e, 0, x, &other_scale), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set_input(e, 0, x, &other_zero), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set_input(e, 0, x, &same), ANEURALNETWORKS_NO_ERROR);
}

TEST(Execution, ProductOverflowOfAType) {
  AVOCET_SKIP_WITHOUT(ANEURALNETWORKS_ABS);
  Model model;
  const Type t = float_tensor({5, 4, 4, 0, 5, 3, 0, 4, 5});
  const uint32_t in = model.operand(t), out = model.operand(t);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_ABS, {in}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({in}, {out});
  const CompilationPtr compilation = compile(model);
  const ExecutionPtr e = create_execution(compilation);
  const Type large = float_tensor({5, 4, 4, 786433, 5, 3, 16777216, 4, 5});
  std::vector<uint8_t> bytes(20);
  EXPECT_EQ(set_input(e, 0, bytes, &large), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set_output(e, 0, bytes, &large), ANEURALNETWORKS_BAD_DATA);
}

TEST(Execution, AllArgumentsMustBeSet) {
  ReadyAdd add;
  for (int missing = 0; missing < 3; ++missing) {
    const ExecutionPtr e = create_execution(add.compilation);
    if (missing != 0) set_input(e, 0, add.a);
    if (missing != 1) set_input(e, 1, add.b);
    if (missing != 2) set_output(e, 0, add.out);
    ANeuralNetworksEvent* event = nullptr;
    EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(ANeuralNetworksExecution_startCompute(e.get(), &event), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(ANeuralNetworksExecution_startComputeWithDependencies(e.get(), nullptr, 0, 0, &event),
              ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(event, nullptr);
    // An execution that could not start is still one that can be set up.
    if (missing == 0) set_input(e, 0, add.a);
    if (missing == 1) set_input(e, 1, add.b);
    if (missing == 2) set_output(e, 0, add.out);
    EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  }
}

TEST(Execution, AnOmittedInputThatIsRequiredFails) {
  ReadyAdd add;
  const ExecutionPtr e = create_execution(add.compilation);
  EXPECT_EQ(ANeuralNetworksExecution_setInput(e.get(), 0, nullptr, nullptr, 0), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksExecution_setInput(e.get(), 0, nullptr, nullptr, 0), ANEURALNETWORKS_BAD_STATE);
  set_input(e, 1, add.b);
  set_output(e, 0, add.out);
  EXPECT_NE(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
}

TEST(Execution, AnOutputMayBeOmitted) {
  ReadyAdd add;
  const ExecutionPtr e = create_execution(add.compilation);
  set_input(e, 0, add.a);
  set_input(e, 1, add.b);
  EXPECT_EQ(ANeuralNetworksExecution_setOutput(e.get(), 0, nullptr, nullptr, 0), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
}

enum class Way { kSync, kAsync, kBurst, kFenced };

const char* name_of(Way way) {
  static constexpr const char* kNames[] = {"Sync", "Async", "Burst", "Fenced"};
  return kNames[static_cast<int>(way)];
}

/// Each way of computing uses the execution up, at once and for good.
class SingleUse : public ::testing::TestWithParam<Way> {
 protected:
  ReadyAdd add{{cpu()}};
  File file{4096};
  MemoryPtr memory = map(file, 4096);

  void expect_closed() {
    ANeuralNetworksExecution* e = add.execution.get();
    EXPECT_EQ(ANeuralNetworksExecution_setLoopTimeout(e, 1), ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(ANeuralNetworksExecution_setTimeout(e, 1), ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(ANeuralNetworksExecution_setMeasureTiming(e, true), ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(set_input(add.execution, 99, add.a), ANEURALNETWORKS_BAD_STATE) << "before the index";
    EXPECT_EQ(set_output(add.execution, 99, add.out), ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(ANeuralNetworksExecution_setInputFromMemory(e, 0, nullptr, memory.get(), 0, 8),
              ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(ANeuralNetworksExecution_setOutputFromMemory(e, 0, nullptr, memory.get(), 0, 8),
              ANEURALNETWORKS_BAD_STATE);
    ANeuralNetworksEvent* event = nullptr;
    EXPECT_EQ(ANeuralNetworksExecution_startCompute(e, &event), ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(ANeuralNetworksExecution_startComputeWithDependencies(e, nullptr, 0, 0, &event),
              ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(ANeuralNetworksExecution_compute(e), ANEURALNETWORKS_BAD_STATE);
    ANeuralNetworksBurst* burst = nullptr;
    ASSERT_EQ(ANeuralNetworksBurst_create(add.compilation.get(), &burst), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksExecution_burstCompute(e, burst), ANEURALNETWORKS_BAD_STATE);
    ANeuralNetworksBurst_free(burst);
  }
};

TEST_P(SingleUse, IsEnforced) {
  ANeuralNetworksExecution* e = add.execution.get();
  ASSERT_EQ(ANeuralNetworksExecution_setMeasureTiming(e, true), ANEURALNETWORKS_NO_ERROR);
  uint32_t n = 0;
  uint64_t duration = 0;
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(e, 0, &n), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandDimensions(e, 0, &n), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksExecution_getDuration(e, 0, &duration), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(duration, UINT64_MAX);
  ANeuralNetworksEvent* event = nullptr;
  ANeuralNetworksBurst* burst = nullptr;
  switch (GetParam()) {
    case Way::kSync:
      ASSERT_EQ(ANeuralNetworksExecution_compute(e), ANEURALNETWORKS_NO_ERROR);
      break;
    case Way::kAsync:
      ASSERT_EQ(ANeuralNetworksExecution_startCompute(e, &event), ANEURALNETWORKS_NO_ERROR);
      break;
    case Way::kBurst:
      ASSERT_EQ(ANeuralNetworksBurst_create(add.compilation.get(), &burst), ANEURALNETWORKS_NO_ERROR);
      ASSERT_EQ(ANeuralNetworksExecution_burstCompute(e, burst), ANEURALNETWORKS_NO_ERROR);
      ANeuralNetworksBurst_free(burst);
      break;
    case Way::kFenced:
      ASSERT_EQ(ANeuralNetworksExecution_startComputeWithDependencies(e, nullptr, 0, 0, &event),
                ANEURALNETWORKS_NO_ERROR);
      break;
  }
  expect_closed();
  if (event) {
    EXPECT_EQ(ANeuralNetworksEvent_wait(event), ANEURALNETWORKS_NO_ERROR);
  }
  ANeuralNetworksEvent_free(event);
  expect_closed();
  add.expect_result();

  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(e, -1, &n), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(e, 1, &n), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandDimensions(e, -1, &n), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandDimensions(e, 1, &n), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(output_dims(add.execution, 0), (Dims{2}));

  uint64_t durations[4];
  for (int32_t code = 0; code < 4; ++code) {
    EXPECT_EQ(ANeuralNetworksExecution_getDuration(e, code, &durations[code]), ANEURALNETWORKS_NO_ERROR) << code;
  }
  EXPECT_LE(durations[ANEURALNETWORKS_DURATION_ON_HARDWARE], durations[ANEURALNETWORKS_DURATION_IN_DRIVER]);
  EXPECT_LE(durations[ANEURALNETWORKS_FENCED_DURATION_ON_HARDWARE], durations[ANEURALNETWORKS_DURATION_ON_HARDWARE]);
  EXPECT_LE(durations[ANEURALNETWORKS_FENCED_DURATION_IN_DRIVER], durations[ANEURALNETWORKS_DURATION_IN_DRIVER]);
  EXPECT_EQ(ANeuralNetworksExecution_getDuration(e, -1, &duration), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksExecution_getDuration(e, 4, &duration), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(duration, UINT64_MAX);
}

INSTANTIATE_TEST_SUITE_P(Execution, SingleUse, ::testing::Values(Way::kSync, Way::kAsync, Way::kBurst, Way::kFenced),
                         [](const auto& info) { return name_of(info.param); });

TEST(Execution, TimeoutAndTimingAreForOneDevice) {
  ReadyAdd any;
  EXPECT_EQ(ANeuralNetworksExecution_setTimeout(any.execution.get(), 1), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksExecution_setMeasureTiming(any.execution.get(), true), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksExecution_setMeasureTiming(any.execution.get(), false), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksExecution_compute(any.execution.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksExecution_setTimeout(any.execution.get(), 1), ANEURALNETWORKS_BAD_DATA)
      << "before the state";
  EXPECT_EQ(ANeuralNetworksExecution_setMeasureTiming(any.execution.get(), true), ANEURALNETWORKS_BAD_DATA);
}

TEST(Execution, NoDurationWithoutMeasurement) {
  ReadyAdd add{{cpu()}};
  EXPECT_EQ(ANeuralNetworksExecution_compute(add.execution.get()), ANEURALNETWORKS_NO_ERROR);
  uint64_t duration = 0;
  EXPECT_EQ(ANeuralNetworksExecution_getDuration(add.execution.get(), 0, &duration), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(duration, UINT64_MAX);
}

TEST(Execution, Timeouts) {
  ReadyAdd add{{cpu()}};
  for (uint64_t duration : {uint64_t{0}, uint64_t{10'000'000'000}, UINT64_MAX}) {
    const ExecutionPtr e = add.make();
    EXPECT_EQ(ANeuralNetworksExecution_setTimeout(e.get(), duration), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR) << duration;
  }
  const ExecutionPtr late = add.make();
  EXPECT_EQ(ANeuralNetworksExecution_setTimeout(late.get(), 1), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksExecution_setMeasureTiming(late.get(), true), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksExecution_compute(late.get()), ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT);
  uint32_t n = 0;
  uint64_t duration = 0;
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(late.get(), 0, &n), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandDimensions(late.get(), 0, &n), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksExecution_getDuration(late.get(), 0, &duration), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(duration, UINT64_MAX);
}

TEST(Execution, LoopTimeoutConstants) {
  EXPECT_EQ(ANeuralNetworks_getDefaultLoopTimeout(), 2'000'000'000u);
  EXPECT_EQ(ANeuralNetworks_getMaximumLoopTimeout(), 15'000'000'000u);
  ReadyAdd add;
  EXPECT_EQ(ANeuralNetworksExecution_setLoopTimeout(add.execution.get(), UINT64_MAX), ANEURALNETWORKS_NO_ERROR)
      << "capped";
  EXPECT_EQ(ANeuralNetworksExecution_compute(add.execution.get()), ANEURALNETWORKS_NO_ERROR);
}

TEST(Execution, ScalarOutput) {
  AVOCET_SKIP_WITHOUT(ANEURALNETWORKS_RANK);
  Model model;
  const uint32_t in = model.operand(float_tensor({2, 3})), rank = model.operand(int32_scalar());
  ASSERT_EQ(model.operation(ANEURALNETWORKS_RANK, {in}, {rank}), ANEURALNETWORKS_NO_ERROR);
  model.done({in}, {rank});
  const CompilationPtr compilation = compile(model);
  const ExecutionPtr e = create_execution(compilation);
  const std::vector<float> x(6);
  std::vector<int32_t> y(1);
  set_input(e, 0, x);
  set_output(e, 0, y);
  ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(y[0], 2);
  uint32_t n = 9;
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(e.get(), 0, &n), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(n, 0u);
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandDimensions(e.get(), 0, &n), ANEURALNETWORKS_BAD_DATA);
}

}  // namespace
}  // namespace avocet::test
