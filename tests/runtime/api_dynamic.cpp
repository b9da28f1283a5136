// SPDX-License-Identifier: Apache-2.0
// Dimensions that are known only when an execution runs: unknown extents and ranks, insufficient buffers, tensors
// without elements, sizes that overflow, values that live in memory used twice.
#include "api_fixture.hpp"

namespace avocet::test {
namespace {

/// out = max(0, in + in), every dimension unknown.
struct Dynamic {
  explicit Dynamic(const Dims& dims) {
    const Type t = float_tensor(dims);
    const uint32_t in = model.operand(t), none = model.constant(0), sum = model.operand(t), out = model.operand(t);
    EXPECT_EQ(model.operation(ANEURALNETWORKS_ADD, {in, in, none}, {sum}), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(model.operation(ANEURALNETWORKS_RELU, {sum}, {out}), ANEURALNETWORKS_NO_ERROR);
    model.done({in}, {out});
    compilation = compile(model);
  }
  Model model;
  CompilationPtr compilation;
};

TEST(DynamicShapes, InputsMustBeKnownOutputsNeedNot) {
  for (const Dims& declared : {Dims{0, 3}, Dims{0, 0}, Dims{}}) {
    Dynamic m(declared);
    for (uint32_t rows : {1u, 2u, 7u}) {
      const ExecutionPtr e = create_execution(m.compilation);
      const std::vector<float> x(rows * 3, 1.5f);
      std::vector<float> y(64);
      const Type type = float_tensor({rows, 3});
      EXPECT_EQ(set_input(e, 0, x), ANEURALNETWORKS_BAD_DATA) << "unknown dimensions";
      ASSERT_EQ(set_input(e, 0, x, &type), ANEURALNETWORKS_NO_ERROR);
      ASSERT_EQ(set_output(e, 0, y), ANEURALNETWORKS_NO_ERROR) << "any length";
      ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
      EXPECT_EQ(output_dims(e, 0), (Dims{rows, 3}));
      y.resize(rows * 3);
      EXPECT_EQ(y, std::vector<float>(rows * 3, 3.0f));
    }
  }
}

TEST(DynamicShapes, InsufficientOutput) {
  Dynamic m({0, 0});
  const ExecutionPtr e = create_execution(m.compilation);
  const Type type = float_tensor({2, 3});
  const std::vector<float> x(6, 1.0f);
  std::vector<float> y(5, 42.0f);
  set_input(e, 0, x, &type);
  set_output(e, 0, y);
  EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE);
  EXPECT_EQ(output_dims(e, 0, ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE), (Dims{2, 3}));
  EXPECT_EQ(y, std::vector<float>(5, 42.0f)) << "not written";
  uint64_t duration = 0;
  EXPECT_EQ(ANeuralNetworksExecution_getDuration(e.get(), 0, &duration), ANEURALNETWORKS_BAD_STATE);
}

/// One output fits and the other does not; the dimensions of both are known.
TEST(DynamicShapes, SomeOutputsInsufficient) {
  Model model;
  const Type t = float_tensor({0});
  const uint32_t in = model.operand(t), small = model.operand(t), large = model.operand(t);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_RELU, {in}, {small}), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_RELU6, {small}, {large}), ANEURALNETWORKS_NO_ERROR);
  model.done({in}, {small, large});
  const CompilationPtr compilation = compile(model);
  const ExecutionPtr e = create_execution(compilation);
  const Type type = float_tensor({3});
  const std::vector<float> x{-1.5f, 2.5f, -3.5f};
  std::vector<float> a(2), b(8);
  set_input(e, 0, x, &type);
  set_output(e, 0, a);
  set_output(e, 1, b);
  EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE);
  EXPECT_EQ(output_dims(e, 0, ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE), (Dims{3}));
  EXPECT_EQ(output_dims(e, 1, ANEURALNETWORKS_NO_ERROR), (Dims{3}));
}

TEST(DynamicShapes, OutputTypeMayFillInAndMustAgree) {
  Dynamic m({0, 0});
  const Type input = float_tensor({2, 3}), right = float_tensor({2, 3}), wrong = float_tensor({3, 2}),
             open = float_tensor({2, 0});
  const std::vector<float> x(6, 1.0f);
  std::vector<float> y(6);
  {
    const ExecutionPtr e = create_execution(m.compilation);
    set_input(e, 0, x, &input);
    std::vector<float> longer(7);
    EXPECT_EQ(set_output(e, 0, longer, &right), ANEURALNETWORKS_BAD_DATA) << "a known size must be met";
    EXPECT_EQ(set_output(e, 0, y, &right), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  }
  {
    const ExecutionPtr e = create_execution(m.compilation);
    set_input(e, 0, x, &input);
    EXPECT_EQ(set_output(e, 0, y, &open), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  }
  {
    const ExecutionPtr e = create_execution(m.compilation);
    set_input(e, 0, x, &input);
    EXPECT_EQ(set_output(e, 0, y, &wrong), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_OP_FAILED);
  }
}

/// 65536x1 times 1x65536 floats are more than 2^32 bytes: an error, not a wrapped size.
TEST(DynamicShapes, OutputOverflow) {
  Model model;
  const uint32_t in = model.operand(float_tensor({0, 1})), weights = model.operand(float_tensor({0, 1}));
  const uint32_t bias = model.operand(float_tensor({0})), none = model.constant(0),
                 out = model.operand(float_tensor({0, 0}));
  ASSERT_EQ(model.operation(ANEURALNETWORKS_FULLY_CONNECTED, {in, weights, bias, none}, {out}),
            ANEURALNETWORKS_NO_ERROR);
  model.done({in, weights, bias}, {out});
  const CompilationPtr compilation = compile(model);
  const ExecutionPtr e = create_execution(compilation);
  constexpr uint32_t kLarge = 1 << 16;
  const Type matrix = float_tensor({kLarge, 1}), vector = float_tensor({kLarge});
  const std::vector<float> x(kLarge);
  std::vector<float> y(kLarge);
  ASSERT_EQ(set_input(e, 0, x, &matrix), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(set_input(e, 1, x, &matrix), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(set_input(e, 2, x, &vector), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(set_output(e, 0, y), ANEURALNETWORKS_NO_ERROR);
  EXPECT_NE(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
}

/// A slice of size 0 is a real tensor without elements, through ADD to the output.
TEST(DynamicShapes, EmptyTensors) {
  AVOCET_SKIP_WITHOUT(ANEURALNETWORKS_SLICE);
  Model model;
  const uint32_t in = model.operand(float_tensor({4}));
  const uint32_t begin = model.constant(Type(ANEURALNETWORKS_TENSOR_INT32, {1}), std::vector<int32_t>{1});
  const uint32_t size = model.operand(Type(ANEURALNETWORKS_TENSOR_INT32, {1}));
  const uint32_t none = model.constant(0);
  const uint32_t slice = model.operand(float_tensor({0})), out = model.operand(float_tensor({0}));
  ASSERT_EQ(model.operation(ANEURALNETWORKS_SLICE, {in, begin, size}, {slice}), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_ADD, {slice, slice, none}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({in, size}, {out});
  const CompilationPtr compilation = compile(model);
  const std::vector<float> x{1, 2, 3, 4};
  for (int32_t n : {2, 0, 3}) {
    const ExecutionPtr e = create_execution(compilation);
    const std::vector<int32_t> wanted{n};
    std::vector<float> y(4, -1.0f);
    set_input(e, 0, x);
    set_input(e, 1, wanted);
    set_output(e, 0, y);
    const int result = ANeuralNetworksExecution_compute(e.get());
    if (n == 0 && result != ANEURALNETWORKS_NO_ERROR) continue;  // SLICE may refuse to make one, but not crash
    ASSERT_EQ(result, ANEURALNETWORKS_NO_ERROR) << n;
    EXPECT_EQ(output_dims(e, 0), (Dims{static_cast<uint32_t>(n)}));
    for (int32_t i = 0; i < n; ++i) EXPECT_EQ(y[i], 2 * x[i + 1]);
  }
}

/// A chain whose temporaries share memory, run alternately with small and large inputs.
TEST(DynamicShapes, MemoryIsUsedAgain) {
  Model model;
  const Type t = float_tensor({0});
  const uint32_t in = model.operand(t), none = model.constant(0);
  uint32_t last = in;
  for (int i = 0; i < 20; ++i) {
    const uint32_t next = model.operand(t);
    ASSERT_EQ(model.operation(ANEURALNETWORKS_ADD, {last, in, none}, {next}), ANEURALNETWORKS_NO_ERROR);
    last = next;
  }
  model.done({in}, {last});
  const CompilationPtr compilation = compile(model);
  for (uint32_t n : {10u, 1000u, 3u, 5000u, 1u}) {
    const ExecutionPtr e = create_execution(compilation);
    const std::vector<float> x(n, 2.0f);
    std::vector<float> y(n);
    const Type type = float_tensor({n});
    set_input(e, 0, x, &type);
    set_output(e, 0, y);
    ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(y, std::vector<float>(n, 42.0f));
  }
}

/// An output that later operations read, and two outputs from one chain: nothing overwrites them.
TEST(StaticShapes, OutputsInTheMiddle) {
  Model model;
  const Type t = float_tensor({100});
  const uint32_t in = model.operand(t), none = model.constant(0);
  std::vector<uint32_t> chain{in};
  for (int i = 0; i < 8; ++i) {
    chain.push_back(model.operand(t));
    ASSERT_EQ(model.operation(ANEURALNETWORKS_ADD, {chain[i], in, none}, {chain[i + 1]}), ANEURALNETWORKS_NO_ERROR);
  }
  model.done({in}, {chain[3], chain[8]});
  const CompilationPtr compilation = compile(model);
  const std::vector<float> x(100, 1.0f);
  for (int i = 0; i < 3; ++i) {
    const ExecutionPtr e = create_execution(compilation);
    std::vector<float> a(100), b(100);
    set_input(e, 0, x);
    set_output(e, 0, a);
    set_output(e, 1, b);
    ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(a, std::vector<float>(100, 4.0f));
    EXPECT_EQ(b, std::vector<float>(100, 9.0f));
  }
}

}  // namespace
}  // namespace avocet::test
