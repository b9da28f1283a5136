// SPDX-License-Identifier: Apache-2.0
// What the importer makes of small files: operand types, scales, codes, and the sentence for what it refuses.
#include <android/NeuralNetworks.h>
#include <gtest/gtest.h>

#include "importer/importer.hpp"
#include "importer/tflite_file.hpp"
#include "input_error.hpp"
#include "nnapi/operand_types.hpp"
#include "tflite_writer.hpp"

namespace avocet::tools {
namespace {

using test::TfliteWriter;
using tflite::BuiltinOperator;
using tflite::TensorType;

ImportedModel import(const std::vector<uint8_t>& bytes) { return import_tflite(TfliteFile(bytes, "m.tflite")); }

std::string refusal(const std::vector<uint8_t>& bytes) {
  try {
    import(bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<std::string> operation_names(const ImportedModel& model) {
  std::vector<std::string> names;
  for (const auto& operation : model.description.operations) names.push_back(operation_name(operation.code));
  return names;
}

TEST(Importer, ConvertsAConvolutionNetwork) {
  const ImportedModel model = import(test::small_convolution_model());
  EXPECT_EQ(operation_names(model), (std::vector<std::string>{"CONV_2D", "AVERAGE_POOL_2D", "RESHAPE", "SOFTMAX"}));
  const auto& conv = model.description.operations[0];
  ASSERT_EQ(conv.inputs.size(), 7u);
  const Operand& input = model.description.operands[conv.inputs[0]];
  EXPECT_EQ(input.type, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED);
  EXPECT_EQ(input.zero_point, -3);
  EXPECT_EQ(input.lifetime, Lifetime::input);
  const Operand& filter = model.description.operands[conv.inputs[1]];
  EXPECT_EQ(filter.type, ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL);
  EXPECT_EQ(filter.channel_dim, 0u);
  EXPECT_EQ(filter.channel_scales, (std::vector<float>{0.1f, 0.2f, 0.3f}));
  const Operand& bias = model.description.operands[conv.inputs[2]];
  EXPECT_EQ(bias.type, ANEURALNETWORKS_TENSOR_INT32);
  EXPECT_EQ(bias.scale, 0.0f);
  const auto scalar = [&](size_t i) {
    return read_element(ANEURALNETWORKS_INT32, model.description.operands[conv.inputs[i]].value->data());
  };
  EXPECT_EQ(scalar(3), ANEURALNETWORKS_PADDING_SAME);
  EXPECT_EQ(scalar(6), ANEURALNETWORKS_FUSED_RELU);
  ASSERT_EQ(model.outputs.size(), 1u);
  EXPECT_EQ(model.outputs[0].type, "int8");
  EXPECT_EQ(model.outputs[0].dims, (std::vector<uint32_t>{1, 12}));
  EXPECT_EQ(model.operators[1].name, "AVERAGE_POOL_2D");
}

TEST(Importer, FillsInAMissingBiasAndItsScale) {
  TfliteWriter w;
  const int in = w.int8({1, 4}, 0.5f, 0);
  const int weights = w.constant<int8_t>(TensorType::INT8, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, {0.25f}, {0});
  const int out = w.int8({1, 2}, 1.0f, 0);
  w.op(BuiltinOperator::FULLY_CONNECTED, {in, weights, -1}, {out});
  const ImportedModel model = import(w.finish({in}, {out}));
  const auto& operation = model.description.operations.at(0);
  const Operand& bias = model.description.operands[operation.inputs[2]];
  EXPECT_EQ(bias.scale, 0.125f);
  EXPECT_EQ(*bias.value, std::vector<uint8_t>(8));
  EXPECT_EQ(model.description.operands[operation.inputs[1]].type, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED);
}

TEST(Importer, RepeatsASingleConvolutionScaleForEachChannel) {
  TfliteWriter w;
  const int in = w.int8({1, 1, 1, 1}, 0.5f, 0);
  const int filter = w.constant<int8_t>(TensorType::INT8, {3, 1, 1, 1}, {1, 2, 3}, {0.25f}, {0});
  const int out = w.int8({1, 1, 1, 3}, 1.0f, 0);
  w.op(BuiltinOperator::CONV_2D, {in, filter}, {out}, tflite::BuiltinOptions::Conv2DOptions,
       [](auto& b) { return tflite::CreateConv2DOptions(b, tflite::Padding::VALID, 1, 1).Union(); });
  const ImportedModel model = import(w.finish({in}, {out}));
  const Operand& operand = model.description.operands[model.description.operations[0].inputs[1]];
  EXPECT_EQ(operand.channel_scales, std::vector<float>(3, 0.25f));
}

TEST(Importer, TakesTheLargerOperatorCode) {
  // RESIZE_NEAREST_NEIGHBOR is 97: an old file has it in the byte alone, and code 0 (ADD) in the field added later.
  flatbuffers::FlatBufferBuilder b;
  const std::vector<int32_t> shape = {1, 2, 2, 1}, larger = {1, 4, 4, 1}, two = {2};
  const std::vector<uint8_t> size = {4, 0, 0, 0, 4, 0, 0, 0};
  const std::vector buffers = {tflite::CreateBuffer(b), tflite::CreateBufferDirect(b, &size)};
  const std::vector tensors = {tflite::CreateTensorDirect(b, &shape, TensorType::FLOAT32),
                               tflite::CreateTensorDirect(b, &two, TensorType::INT32, 1),
                               tflite::CreateTensorDirect(b, &larger, TensorType::FLOAT32)};
  const std::vector<int32_t> in = {0, 1}, out = {2}, graph_in = {0};
  const std::vector codes = {tflite::CreateOperatorCodeDirect(b, 97)};
  const std::vector operators = {tflite::CreateOperatorDirect(b, 0, &in, &out)};
  const std::vector graphs = {tflite::CreateSubGraphDirect(b, &tensors, &graph_in, &out, &operators)};
  tflite::FinishModelBuffer(b, tflite::CreateModelDirect(b, 3, &codes, &graphs, "", &buffers));
  const ImportedModel model = import({b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize()});
  EXPECT_EQ(operation_names(model), std::vector<std::string>{"RESIZE_NEAREST_NEIGHBOR"});
}

TEST(Importer, RequantisesWithADepthwiseConvolution) {
  TfliteWriter w;
  const int in = w.int8({2, 3}, 0.5f, 1);
  const int out = w.int8({2, 3}, 0.7f, -2);
  w.op(BuiltinOperator::QUANTIZE, {in}, {out});
  const ImportedModel model = import(w.finish({in}, {out}));
  EXPECT_EQ(operation_names(model), (std::vector<std::string>{"RESHAPE", "DEPTHWISE_CONV_2D", "RESHAPE"}));
}

TEST(Importer, FlipsTheSignThroughFloat) {
  TfliteWriter w;
  const int in = w.uint8({2, 3}, 0.5f, 127);
  const int out = w.int8({2, 3}, 0.5f, -1);
  w.op(BuiltinOperator::QUANTIZE, {in}, {out});
  EXPECT_EQ(operation_names(import(w.finish({in}, {out}))), (std::vector<std::string>{"DEQUANTIZE", "QUANTIZE"}));
}

TEST(Importer, NamesAnOperatorWithoutAForm) {
  TfliteWriter w;
  const int in = w.int8({2, 3}, 0.5f, 0);
  const int middle = w.int8({2, 3}, 0.5f, 0);
  const int out = w.int8({2, 3}, 0.5f, 0);
  w.op(BuiltinOperator::RELU, {in}, {middle});
  w.op(BuiltinOperator::FLOOR_MOD, {middle, middle}, {out});
  EXPECT_EQ(refusal(w.finish({in}, {out})),
            "m.tflite: operator 1 (FLOOR_MOD): the Neural Networks API has no such operation");
}

TEST(Importer, NamesACustomOperator) {
  TfliteWriter w;
  const int in = w.int8({2, 3}, 0.5f, 0);
  const int out = w.int8({2, 3}, 0.5f, 0);
  w.op(BuiltinOperator::CUSTOM, {in}, {out}, tflite::BuiltinOptions::NONE, {}, "Magic");
  EXPECT_EQ(refusal(w.finish({in}, {out})),
            "m.tflite: operator 0 (CUSTOM:Magic): a custom operator has no form in the API");
}

TEST(Importer, RefusesATensorReadBeforeItIsWritten) {
  TfliteWriter w;
  const int in = w.int8({2}, 0.5f, 0);
  const int never = w.int8({2}, 0.5f, 0);
  const int out = w.int8({2}, 0.5f, 0);
  w.op(BuiltinOperator::ADD, {in, never}, {out});
  EXPECT_EQ(refusal(w.finish({in}, {out})), "m.tflite: operator 0 (ADD): tensor 1 is read before it is written");
}

TEST(Importer, RefusesAFusedActivationWithoutAForm) {
  TfliteWriter w;
  const int in = w.int8({2}, 0.5f, 0);
  const int out = w.int8({2}, 0.5f, 0);
  w.op(BuiltinOperator::ADD, {in, in}, {out}, tflite::BuiltinOptions::AddOptions,
       [](auto& b) { return tflite::CreateAddOptions(b, tflite::Activation::TANH).Union(); });
  EXPECT_EQ(refusal(w.finish({in}, {out})),
            "m.tflite: operator 0 (ADD): fused activation TANH has no form in the API");
}

TEST(Importer, RefusesOptionsOfAnotherOperator) {
  TfliteWriter w;
  const int in = w.int8({1, 2, 2, 1}, 0.5f, 0);
  const int out = w.int8({1, 2, 2, 1}, 0.5f, 0);
  w.op(BuiltinOperator::MAX_POOL_2D, {in}, {out}, tflite::BuiltinOptions::AddOptions,
       [](auto& b) { return tflite::CreateAddOptions(b).Union(); });
  EXPECT_EQ(refusal(w.finish({in}, {out})), "m.tflite: operator 0 (MAX_POOL_2D): options of another operator");
}

TEST(Importer, ExposesEveryOperatorsOutputOnce) {
  ImportedModel model = import(test::small_convolution_model());
  expose_all_operators(model);
  EXPECT_EQ(model.outputs.size(), 4u);
  EXPECT_EQ(model.description.outputs.size(), 4u);
  EXPECT_EQ(model.outputs[0].dims, (std::vector<uint32_t>{1, 4, 4, 3}));
}

TEST(Importer, WidensInt64Results) {
  TfliteWriter w;
  const int in = w.int8({1, 5}, 0.5f, 0);
  const int axis = w.constant<int32_t>(TensorType::INT32, {1}, {-1});
  const int out = w.tensor(TensorType::INT64, {1});
  w.op(BuiltinOperator::ARG_MAX, {in, axis}, {out});
  const ImportedModel model = import(w.finish({in}, {out}));
  EXPECT_TRUE(model.outputs[0].widened);
  EXPECT_EQ(model.outputs[0].type, "int64");
  EXPECT_EQ(model.outputs[0].operand_bytes(), 4u);
}

}  // namespace
}  // namespace avocet::tools
