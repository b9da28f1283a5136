// SPDX-License-Identifier: Apache-2.0
// ANeuralNetworksModel_*: null, state, index and data errors of each function, and what finish accepts.
#include <limits>

#include "api_fixture.hpp"

namespace avocet::test {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A model on which finish() has failed, and one on which it has succeeded: both refuse every change.
class ClosedModel : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) {
      build_add(model);
    } else {
      EXPECT_EQ(model.finish(), ANEURALNETWORKS_BAD_DATA);
    }
  }
  Model model;
};

TEST_P(ClosedModel, RefusesEveryChange) {
  const float value = 1;
  const uint32_t index = 0;
  const float scales[] = {1};
  const ANeuralNetworksSymmPerChannelQuantParams params{0, 1, scales};
  File file(4096);
  const MemoryPtr memory = map(file, 4096);
  Model other;
  build_add(other);
  EXPECT_EQ(ANeuralNetworksModel_addOperand(model, float_tensor({2}).get()), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValue(model, 99, &value, 4), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromMemory(model, 99, memory.get(), 0, 4), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromModel(model, 99, other), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(model, 99, &params), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksModel_addOperation(model, -1, 1, &index, 1, &index), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksModel_identifyInputsAndOutputs(model, 1, &index, 1, &index), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksModel_relaxComputationFloat32toFloat16(model, true), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksModel_finish(model), ANEURALNETWORKS_BAD_STATE);
}

INSTANTIATE_TEST_SUITE_P(Model, ClosedModel, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Finished" : "Invalid"; });

TEST(Model, NullArguments) {
  Model model;
  const uint32_t index = 0;
  const float value = 0;
  const ANeuralNetworksSymmPerChannelQuantParams no_scales{0, 0, nullptr};
  EXPECT_EQ(ANeuralNetworksModel_create(nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  ANeuralNetworksModel_free(nullptr);
  EXPECT_EQ(ANeuralNetworksModel_finish(nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_addOperand(nullptr, float_tensor({1}).get()), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_addOperand(model, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValue(nullptr, 0, &value, 4), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValue(model, 0, nullptr, 4), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(nullptr, 0, &no_scales),
            ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(model, 0, nullptr),
            ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromMemory(model, 0, nullptr, 0, 4), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromMemory(nullptr, 0, nullptr, 0, 4), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromModel(model, 0, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromModel(nullptr, 0, model), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_addOperation(nullptr, ANEURALNETWORKS_ABS, 1, &index, 1, &index),
            ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_ABS, 0, nullptr, 1, &index),
            ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_ABS, 1, &index, 0, nullptr),
            ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_identifyInputsAndOutputs(nullptr, 1, &index, 1, &index),
            ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_identifyInputsAndOutputs(model, 0, nullptr, 1, &index),
            ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_identifyInputsAndOutputs(model, 1, &index, 0, nullptr),
            ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksModel_relaxComputationFloat32toFloat16(nullptr, true), ANEURALNETWORKS_UNEXPECTED_NULL);
}

struct TypeCase {
  const char* what;
  Type type;
  int expected;
};

TEST(Model, OperandTypes) {
  const Dims overflow{5, 4, 4, 786433, 5, 3, 16777216, 4, 5};
  const TypeCase cases[] = {
      {"scalar", int32_scalar(), ANEURALNETWORKS_NO_ERROR},
      {"tensor", float_tensor({2, 3}), ANEURALNETWORKS_NO_ERROR},
      {"unknown extent", float_tensor({2, 0}), ANEURALNETWORKS_NO_ERROR},
      {"unknown rank", float_tensor({}), ANEURALNETWORKS_NO_ERROR},
      {"model", Type(ANEURALNETWORKS_MODEL), ANEURALNETWORKS_NO_ERROR},
      {"vendor scalar", Type(10000), ANEURALNETWORKS_NO_ERROR},
      {"vendor tensor", Type(10001, {4}), ANEURALNETWORKS_NO_ERROR},
      {"unknown type", Type(-1), ANEURALNETWORKS_BAD_DATA},
      {"type after the last", Type(16), ANEURALNETWORKS_BAD_DATA},
      {"scalar with dimensions", Type(ANEURALNETWORKS_INT32, {1}), ANEURALNETWORKS_BAD_DATA},
      {"model with dimensions", Type(ANEURALNETWORKS_MODEL, {1}), ANEURALNETWORKS_BAD_DATA},
      {"product overflow", float_tensor(overflow), ANEURALNETWORKS_BAD_DATA},
      {"bytes overflow", float_tensor({1u << 30}), ANEURALNETWORKS_BAD_DATA},
      {"largest", Type(ANEURALNETWORKS_TENSOR_BOOL8, {UINT32_MAX}), ANEURALNETWORKS_NO_ERROR},
      {"float with scale", Type(ANEURALNETWORKS_TENSOR_FLOAT32, {1}, 1.0f), ANEURALNETWORKS_BAD_DATA},
      {"float with zero point", Type(ANEURALNETWORKS_TENSOR_FLOAT32, {1}, 0.0f, 1), ANEURALNETWORKS_BAD_DATA},
      {"scalar with scale", Type(ANEURALNETWORKS_INT32, {}, 1.0f), ANEURALNETWORKS_BAD_DATA},
      {"bool8 with scale", Type(ANEURALNETWORKS_TENSOR_BOOL8, {1}, 1.0f), ANEURALNETWORKS_BAD_DATA},
      {"float16 with scale", Type(ANEURALNETWORKS_TENSOR_FLOAT16, {1}, 1.0f), ANEURALNETWORKS_BAD_DATA},
      {"int32 with scale", Type(ANEURALNETWORKS_TENSOR_INT32, {1}, 0.5f), ANEURALNETWORKS_NO_ERROR},
      {"int32 with negative scale", Type(ANEURALNETWORKS_TENSOR_INT32, {1}, -0.5f), ANEURALNETWORKS_BAD_DATA},
      {"int32 with zero point", Type(ANEURALNETWORKS_TENSOR_INT32, {1}, 0.5f, 1), ANEURALNETWORKS_BAD_DATA},
      {"quant8", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1}, 1.0f, 255), ANEURALNETWORKS_NO_ERROR},
      {"quant8 without scale", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1}), ANEURALNETWORKS_BAD_DATA},
      {"quant8 negative scale", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1}, -1.0f), ANEURALNETWORKS_BAD_DATA},
      {"quant8 nan", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1}, kNaN), ANEURALNETWORKS_BAD_DATA},
      {"quant8 infinity", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1}, kInfinity), ANEURALNETWORKS_BAD_DATA},
      {"quant8 zero point -1", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1}, 1.0f, -1), ANEURALNETWORKS_BAD_DATA},
      {"quant8 zero point 256", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1}, 1.0f, 256), ANEURALNETWORKS_BAD_DATA},
      {"signed", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, {1}, 1.0f, -128), ANEURALNETWORKS_NO_ERROR},
      {"signed 128", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, {1}, 1.0f, 128), ANEURALNETWORKS_BAD_DATA},
      {"signed -129", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, {1}, 1.0f, -129), ANEURALNETWORKS_BAD_DATA},
      {"symm", Type(ANEURALNETWORKS_TENSOR_QUANT8_SYMM, {1}, 1.0f), ANEURALNETWORKS_NO_ERROR},
      {"symm zero point", Type(ANEURALNETWORKS_TENSOR_QUANT8_SYMM, {1}, 1.0f, 1), ANEURALNETWORKS_BAD_DATA},
      {"quant16 symm zero point", Type(ANEURALNETWORKS_TENSOR_QUANT16_SYMM, {1}, 1.0f, 1), ANEURALNETWORKS_BAD_DATA},
      {"quant16 asymm", Type(ANEURALNETWORKS_TENSOR_QUANT16_ASYMM, {1}, 1.0f, 65535), ANEURALNETWORKS_NO_ERROR},
      {"quant16 asymm 65536", Type(ANEURALNETWORKS_TENSOR_QUANT16_ASYMM, {1}, 1.0f, 65536), ANEURALNETWORKS_BAD_DATA},
      {"per channel with scale", Type(ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL, {1}, 1.0f),
       ANEURALNETWORKS_BAD_DATA},
      {"per channel", Type(ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL, {1}), ANEURALNETWORKS_NO_ERROR},
  };
  for (const TypeCase& c : cases) {
    Model model;
    EXPECT_EQ(ANeuralNetworksModel_addOperand(model, c.type.get()), c.expected) << c.what;
  }
}

TEST(Model, DimensionCountAndPointerMustAgree) {
  Model model;
  const uint32_t one = 1;
  const ANeuralNetworksOperandType no_pointer{ANEURALNETWORKS_TENSOR_FLOAT32, 1, nullptr, 0, 0};
  const ANeuralNetworksOperandType no_count{ANEURALNETWORKS_TENSOR_FLOAT32, 0, &one, 0, 0};
  EXPECT_EQ(ANeuralNetworksModel_addOperand(model, &no_pointer), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksModel_addOperand(model, &no_count), ANEURALNETWORKS_BAD_DATA);
}

TEST(Model, SetOperandValue) {
  Model model;
  const auto set = [&](int32_t index, const void* buffer, size_t length) {
    return ANeuralNetworksModel_setOperandValue(model, index, buffer, length);
  };
  const float values[64] = {};
  model.operand(Type(ANEURALNETWORKS_FLOAT32));
  model.operand(float_tensor({64}));
  model.operand(float_tensor({0}));
  model.operand(float_tensor({}));
  model.operand(Type(ANEURALNETWORKS_MODEL));
  model.operand(Type(10000));
  EXPECT_EQ(set(0, values, 4), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(set(0, values, 4), ANEURALNETWORKS_NO_ERROR) << "a value may be replaced";
  EXPECT_EQ(set(0, values, 3), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(0, values, 20), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(0, values, 0), ANEURALNETWORKS_BAD_DATA) << "a buffer of length 0";
  EXPECT_EQ(set(1, values, 256), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(set(1, values, 128), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(2, values, 4), ANEURALNETWORKS_BAD_DATA) << "unknown extent";
  EXPECT_EQ(set(3, values, 4), ANEURALNETWORKS_BAD_DATA) << "unknown rank";
  EXPECT_EQ(set(4, values, 4), ANEURALNETWORKS_BAD_DATA) << "a model is no value";
  EXPECT_EQ(set(5, values, 20), ANEURALNETWORKS_NO_ERROR) << "the vendor knows its length";
  EXPECT_EQ(set(6, values, 4), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(-1, values, 4), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(2, nullptr, 0), ANEURALNETWORKS_NO_ERROR) << "omitted";
  EXPECT_EQ(set(-1, nullptr, 0), ANEURALNETWORKS_BAD_DATA);
}

/// Up to 128 bytes are copied at once, so the client's buffer may change; longer ones are referred to.
TEST(Model, ShortValuesAreCopied) {
  for (const uint32_t count : {32u, 33u}) {
    Model model;
    std::vector<float> constant(count, 1.0f), in(count, 10.0f), out(count);
    const uint32_t a = model.operand(float_tensor({count}));
    const uint32_t b = model.constant(float_tensor({count}), constant);
    const uint32_t none = model.constant(0);
    const uint32_t sum = model.operand(float_tensor({count}));
    ASSERT_EQ(model.operation(ANEURALNETWORKS_ADD, {a, b, none}, {sum}), ANEURALNETWORKS_NO_ERROR);
    model.done({a}, {sum});
    if (count * sizeof(float) <= 128) constant.assign(count, 99.0f);
    const CompilationPtr compilation = compile(model);
    const ExecutionPtr execution = create_execution(compilation);
    set_input(execution, 0, in);
    set_output(execution, 0, out);
    ASSERT_EQ(ANeuralNetworksExecution_compute(execution.get()), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(out, std::vector<float>(count, 11.0f)) << count;
  }
}

TEST(Model, ChannelParams) {
  Model model;
  const float scales[] = {1.0f, 2.0f, 0.0f, -1.0f, kNaN, kInfinity};
  model.operand(Type(ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL, {2, 3, 0}));
  model.operand(float_tensor({2}));
  const auto set = [&](int32_t index, uint32_t dim, uint32_t count, const float* s) {
    const ANeuralNetworksSymmPerChannelQuantParams params{dim, count, s};
    return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(model, index, &params);
  };
  EXPECT_EQ(set(2, 0, 2, scales), ANEURALNETWORKS_BAD_DATA) << "no such operand";
  EXPECT_EQ(set(-1, 0, 2, scales), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(1, 0, 2, scales), ANEURALNETWORKS_BAD_DATA) << "another type";
  EXPECT_EQ(set(0, 3, 2, scales), ANEURALNETWORKS_BAD_DATA) << "no such dimension";
  EXPECT_EQ(set(0, 0, 3, scales), ANEURALNETWORKS_BAD_DATA) << "wrong number";
  EXPECT_EQ(set(0, 2, 0, scales), ANEURALNETWORKS_BAD_DATA) << "unknown number of channels";
  EXPECT_EQ(set(0, 0, 2, scales + 1), ANEURALNETWORKS_BAD_DATA) << "a scale of 0";
  EXPECT_EQ(set(0, 0, 2, scales + 2), ANEURALNETWORKS_BAD_DATA) << "a negative scale";
  EXPECT_EQ(set(0, 0, 2, scales + 4), ANEURALNETWORKS_BAD_DATA) << "not finite";
  EXPECT_EQ(set(0, 0, 2, nullptr), ANEURALNETWORKS_BAD_DATA) << "a null inside of a structure is bad data";
  EXPECT_EQ(set(0, 0, 2, scales), ANEURALNETWORKS_NO_ERROR);
}

TEST(Model, ChannelParamsAreRequired) {
  Model model;
  const uint32_t in = model.operand(float_tensor({2})), out = model.operand(float_tensor({2}));
  const uint32_t filter =
      model.constant(Type(ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL, {2}), std::vector<int8_t>{1, 2});
  (void)filter;
  ASSERT_EQ(model.operation(ANEURALNETWORKS_RELU, {in}, {out}), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(model.identify({in}, {out}), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(model.finish(), ANEURALNETWORKS_BAD_DATA);
}

TEST(Model, SetOperandValueFromMemory) {
  Model model;
  File file(8192);
  const MemoryPtr memory = map(file, 20);
  model.operand(float_tensor({1}));
  model.operand(float_tensor({0}));
  model.operand(Type(ANEURALNETWORKS_MODEL));
  const auto set = [&](int32_t index, size_t offset, size_t length) {
    return ANeuralNetworksModel_setOperandValueFromMemory(model, index, memory.get(), offset, length);
  };
  EXPECT_EQ(set(-1, 0, 4), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(3, 0, 4), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(0, 0, 20), ANEURALNETWORKS_BAD_DATA) << "wrong length";
  EXPECT_EQ(set(0, 0, 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(0, 21, 4), ANEURALNETWORKS_BAD_DATA) << "offset after the end";
  EXPECT_EQ(set(0, 17, 4), ANEURALNETWORKS_BAD_DATA) << "end after the end";
  EXPECT_EQ(set(0, SIZE_MAX, 4), ANEURALNETWORKS_BAD_DATA) << "sum overflows";
  EXPECT_EQ(set(0, 2, 4), ANEURALNETWORKS_BAD_DATA) << "not aligned to the element";
  EXPECT_EQ(set(1, 0, 4), ANEURALNETWORKS_BAD_DATA) << "unknown extent";
  EXPECT_EQ(set(2, 0, 4), ANEURALNETWORKS_BAD_DATA) << "a model is no value";
  EXPECT_EQ(set(0, 16, 4), ANEURALNETWORKS_NO_ERROR);
  const MemoryPtr hidden = map(file, 20, PROT_NONE);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromMemory(model, 0, hidden.get(), 0, 4), ANEURALNETWORKS_UNMAPPABLE);
}

TEST(Model, ConstantsFromMemoryOutliveTheHandle) {
  Model model;
  File file(4096);
  file.write(std::vector<float>{5, 6}, 8);
  MemoryPtr memory = map(file, 4096);
  const uint32_t a = model.operand(float_tensor({2})), b = model.operand(float_tensor({2}));
  const uint32_t none = model.constant(0);
  const uint32_t sum = model.operand(float_tensor({2}));
  ASSERT_EQ(ANeuralNetworksModel_setOperandValueFromMemory(model, static_cast<int32_t>(b), memory.get(), 8, 8),
            ANEURALNETWORKS_NO_ERROR);
  memory.reset();  // a mistake of the client, but not a crash
  ASSERT_EQ(model.operation(ANEURALNETWORKS_ADD, {a, b, none}, {sum}), ANEURALNETWORKS_NO_ERROR);
  model.done({a}, {sum});
  const CompilationPtr compilation = compile(model);
  const ExecutionPtr execution = create_execution(compilation);
  const std::vector<float> in{1, 2};
  std::vector<float> out(2);
  set_input(execution, 0, in);
  set_output(execution, 0, out);
  ASSERT_EQ(ANeuralNetworksExecution_compute(execution.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(out, (std::vector<float>{6, 8}));
}

TEST(Model, SetOperandValueFromModel) {
  Model model, value, unfinished;
  build_add(value);
  model.operand(Type(ANEURALNETWORKS_MODEL));
  model.operand(float_tensor({1}));
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromModel(model, 0, unfinished), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromModel(model, 0, model), ANEURALNETWORKS_BAD_STATE) << "itself";
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromModel(model, -1, value), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromModel(model, 2, value), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromModel(model, 1, value), ANEURALNETWORKS_BAD_DATA) << "another type";
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromModel(model, 0, value), ANEURALNETWORKS_NO_ERROR);
}

TEST(Model, AddOperation) {
  Model model;
  const uint32_t in = model.operand(float_tensor({2})), out = model.operand(float_tensor({2}));
  const uint32_t scalar = model.operand(int32_scalar());
  EXPECT_EQ(model.operation(-1, {in}, {out}), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(model.operation(102, {in}, {out}), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(model.operation(ANEURALNETWORKS_RELU, {99}, {out}), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(model.operation(ANEURALNETWORKS_RELU, {in}, {99}), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(model.operation(ANEURALNETWORKS_RELU, {in, in}, {out}), ANEURALNETWORKS_BAD_DATA) << "too many inputs";
  EXPECT_EQ(model.operation(ANEURALNETWORKS_RELU, {in}, {out, out}), ANEURALNETWORKS_BAD_DATA) << "too many outputs";
  EXPECT_EQ(model.operation(ANEURALNETWORKS_RELU, {scalar}, {out}), ANEURALNETWORKS_BAD_DATA) << "wrong type";
  EXPECT_EQ(ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_RELU, 0, &in, 1, &out), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_RELU, 1, &in, 0, &out), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(model.operation(ANEURALNETWORKS_RELU, {in}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({in, scalar}, {out});
}

TEST(Model, Identify) {
  const auto fresh = [](Model& model) {
    for (int i = 0; i < 2; ++i) model.operand(float_tensor({1}));
    model.constant(float_tensor({1}), std::vector<float>{1});
    return model.operation(ANEURALNETWORKS_RELU, {0}, {1});
  };
  struct Case {
    const char* what;
    std::vector<uint32_t> inputs, outputs;
    int expected;
  } cases[] = {
      {"good", {0}, {1}, ANEURALNETWORKS_NO_ERROR},
      {"duplicate input", {0, 0}, {1}, ANEURALNETWORKS_BAD_DATA},
      {"duplicate output", {0}, {1, 1}, ANEURALNETWORKS_BAD_DATA},
      {"input is output", {0}, {1, 0}, ANEURALNETWORKS_BAD_DATA},
      {"output is input", {0, 1}, {1}, ANEURALNETWORKS_BAD_DATA},
      {"input out of range", {3}, {1}, ANEURALNETWORKS_BAD_DATA},
      {"output out of range", {0}, {3}, ANEURALNETWORKS_BAD_DATA},
      {"constant as input", {0, 2}, {1}, ANEURALNETWORKS_BAD_DATA},
      {"constant as output", {0}, {1, 2}, ANEURALNETWORKS_BAD_DATA},
  };
  for (const Case& c : cases) {
    Model model;
    ASSERT_EQ(fresh(model), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(model.identify(c.inputs, c.outputs), c.expected) << c.what;
  }
}

TEST(Model, FinishRejects) {
  const Type t = float_tensor({1});
  {
    Model empty;
    EXPECT_EQ(empty.finish(), ANEURALNETWORKS_BAD_DATA) << "empty";
  }
  {
    Model m;
    const uint32_t in = m.operand(t), out = m.operand(t);
    m.operation(ANEURALNETWORKS_RELU, {in}, {out});
    EXPECT_EQ(m.finish(), ANEURALNETWORKS_BAD_DATA) << "inputs and outputs not identified";
  }
  {
    Model m;
    const uint32_t in = m.operand(t), out = m.operand(t);
    m.operand(t);
    m.operation(ANEURALNETWORKS_RELU, {in}, {out});
    m.identify({in}, {out});
    EXPECT_EQ(m.finish(), ANEURALNETWORKS_BAD_DATA) << "an operand that is neither written nor read";
  }
  {
    Model m;
    const uint32_t in = m.operand(t), hole = m.operand(t), out = m.operand(t);
    m.operation(ANEURALNETWORKS_RELU, {hole}, {out});
    m.identify({in}, {out});
    EXPECT_EQ(m.finish(), ANEURALNETWORKS_BAD_DATA) << "read but never written";
  }
  {
    Model m;
    const uint32_t in = m.operand(t), out = m.operand(t);
    for (int i = 0; i < 2; ++i) m.operation(ANEURALNETWORKS_RELU, {in}, {out});
    m.identify({in}, {out});
    EXPECT_EQ(m.finish(), ANEURALNETWORKS_BAD_DATA) << "written twice";
  }
  {
    Model m;
    const uint32_t in = m.operand(t), other = m.operand(t), out = m.operand(t);
    m.operation(ANEURALNETWORKS_RELU, {in}, {out});
    m.operation(ANEURALNETWORKS_RELU, {in}, {other});
    m.identify({in, other}, {out});
    EXPECT_EQ(m.finish(), ANEURALNETWORKS_BAD_DATA) << "an input is written";
  }
  {
    Model m;
    const uint32_t in = m.operand(t), out = m.operand(t);
    const uint32_t constant = m.constant(t, std::vector<float>{1});
    m.operation(ANEURALNETWORKS_RELU, {in}, {constant});
    m.operation(ANEURALNETWORKS_RELU, {in}, {out});
    m.identify({in}, {out});
    EXPECT_EQ(m.finish(), ANEURALNETWORKS_BAD_DATA) << "a constant is written";
  }
  {
    Model m;
    const float one = 1;
    const uint32_t in = m.operand(t), out = m.operand(t);
    m.operation(ANEURALNETWORKS_RELU, {in}, {out});
    m.identify({in}, {out});
    ANeuralNetworksModel_setOperandValue(m, static_cast<int32_t>(in), &one, 4);
    EXPECT_EQ(m.finish(), ANEURALNETWORKS_BAD_DATA) << "an input has got a value";
  }
  {
    Model m;
    const uint32_t in = m.operand(t), a = m.operand(t), b = m.operand(t), out = m.operand(t);
    const uint32_t none = m.constant(0);
    m.operation(ANEURALNETWORKS_ADD, {in, b, none}, {a});
    m.operation(ANEURALNETWORKS_ADD, {in, a, none}, {b});
    m.operation(ANEURALNETWORKS_ADD, {b, in, none}, {out});
    m.identify({in}, {out});
    EXPECT_EQ(m.finish(), ANEURALNETWORKS_BAD_DATA) << "cycle";
  }
  {
    Model m;
    const uint32_t in = m.operand(t), out = m.operand(t);
    m.operation(ANEURALNETWORKS_RELU, {out}, {out});
    m.identify({in}, {out});
    EXPECT_EQ(m.finish(), ANEURALNETWORKS_BAD_DATA) << "an operation that reads its own output";
  }
}

TEST(Model, OperationsMayBeAddedInAnyOrder) {
  Model model;
  const Type t = float_tensor({1});
  const uint32_t in = model.operand(t), out = model.operand(t), middle = model.operand(t);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_RELU1, {middle}, {out}), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_RELU6, {in}, {middle}), ANEURALNETWORKS_NO_ERROR);
  model.done({in}, {out});
  const CompilationPtr compilation = compile(model);
  const ExecutionPtr execution = create_execution(compilation);
  const std::vector<float> x{5};
  std::vector<float> y(1);
  set_input(execution, 0, x);
  set_output(execution, 0, y);
  ASSERT_EQ(ANeuralNetworksExecution_compute(execution.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(y[0], 1.0f);
}

/// A wrong value of a scalar constant is found when the operation runs: models and compilations with it can be made.
TEST(Model, WrongActivationFailsAtExecution) {
  Model model;
  const uint32_t a = model.operand(float_tensor({1})), b = model.constant(float_tensor({1}), std::vector<float>{0});
  const uint32_t activation = model.constant(999);
  const uint32_t out = model.operand(float_tensor({1}));
  ASSERT_EQ(model.operation(ANEURALNETWORKS_ADD, {a, b, activation}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({a}, {out});
  const CompilationPtr compilation = compile(model);
  const ExecutionPtr execution = create_execution(compilation);
  const std::vector<float> x{1};
  std::vector<float> y(1);
  set_input(execution, 0, x);
  set_output(execution, 0, y);
  EXPECT_EQ(ANeuralNetworksExecution_compute(execution.get()), ANEURALNETWORKS_OP_FAILED);
}

/// Constants are packed when the compilation is finished: a group count of 0 divided there.
TEST(Model, WrongGroupCountFailsAtExecution) {
  Model model;
  const uint32_t image = model.operand(float_tensor({1, 1, 1, 2}));
  const uint32_t filter = model.constant(float_tensor({2, 1, 1, 1}), std::vector<float>{1, 2});
  const uint32_t bias = model.constant(float_tensor({2}), std::vector<float>{0, 0});
  const uint32_t scheme = model.constant(ANEURALNETWORKS_PADDING_VALID), one = model.constant(1), zero = model.constant(0);
  const uint32_t nchw = model.constant(Type(ANEURALNETWORKS_BOOL), std::vector<uint8_t>{0});
  const uint32_t out = model.operand(float_tensor({1, 1, 1, 2}));
  ASSERT_EQ(model.operation(ANEURALNETWORKS_GROUPED_CONV_2D, {image, filter, bias, scheme, one, one, zero, zero, nchw}, {out}),
            ANEURALNETWORKS_NO_ERROR);
  model.done({image}, {out});
  const CompilationPtr compilation = compile(model);
  const ExecutionPtr execution = create_execution(compilation);
  const std::vector<float> x{1, 1};
  std::vector<float> y(2);
  set_input(execution, 0, x);
  set_output(execution, 0, y);
  EXPECT_EQ(ANeuralNetworksExecution_compute(execution.get()), ANEURALNETWORKS_OP_FAILED);
}

TEST(Model, ModelsOutliveTheirHandles) {
  auto model = std::make_unique<Model>();
  build_add(*model);
  CompilationPtr compilation = compile(*model);
  model.reset();  // again a mistake that must not crash
  const ExecutionPtr execution = create_execution(compilation);
  const std::vector<float> a{1, 2}, b{3, 4};
  std::vector<float> out(2);
  set_input(execution, 0, a);
  set_input(execution, 1, b);
  set_output(execution, 0, out);
  compilation.reset();
  ASSERT_EQ(ANeuralNetworksExecution_compute(execution.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(out, (std::vector<float>{4, 6}));
}

}  // namespace
}  // namespace avocet::test
