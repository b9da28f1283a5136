// SPDX-License-Identifier: Apache-2.0
// RELU, RELU1, RELU6, LOGISTIC and TANH. The quantised curves are tables made in float32.
#include <cmath>

#include "byte_table.hpp"
#include "requantise.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kReluOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kReluOutputs[] = {{.operands = kReluOutput}};
constexpr Signature kReluSignature{
    .level = 27, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kReluOutputs, .zero_sized = true};

constexpr OperandRule kLogisticOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as(1.0f / 256, 0, -128)};
constexpr Form kLogisticOutputs[] = {{.operands = kLogisticOutput}};
constexpr Signature kLogisticSignature{
    .level = 27, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kLogisticOutputs, .zero_sized = true};

constexpr OperandRule kTanhOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as(1.0f / 128, 128, 0)};
constexpr Form kTanhOutputs[] = {{.operands = kTanhOutput}};
constexpr Signature kTanhSignature{
    .level = 27, .types = kFloatsAndLaterQuant8, .inputs = kInputs, .outputs = kTanhOutputs, .zero_sized = true};

template <typename Function>
Status apply_float(OperationContext& context, const Function& function) {
  const float* from = context.in<float>(0);
  float* to = context.out<float>(0);
  constexpr size_t kGrain = 8192;
  context.parallel_for(count_of(context.input(0)), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) to[i] = function(from[i]);
  });
  return {};
}

void apply_table(OperationContext& context, const ByteTable& table) {
  apply_byte_table(context, table, context.in<uint8_t>(0), context.out<uint8_t>(0), count_of(context.input(0)));
}

template <int32_t fuse_code>
Status execute_relu(OperationContext& context) {
  if (!is_quant8(context.input(0).type)) {
    constexpr Range<float> range = float_activation_range(fuse_code);
    return apply_float(context, [](float x) { return clamp_to(x, range); });
  }
  // Input and output have the same scale and zero point, so that stored values are only clamped.
  const Range<int32_t> type = type_range(context.input(0).type), range = quantised_activation_range(fuse_code, context.output(0));
  ByteTable table{};
  for (int32_t value = type.low; value <= type.high; ++value) {
    table[static_cast<uint8_t>(value)] = static_cast<uint8_t>(clamp_to(value, range));
  }
  apply_table(context, table);
  return {};
}

template <typename Function>
Status execute_curve(OperationContext& context, const Function& function) {
  if (!is_quant8(context.input(0).type)) return apply_float(context, function);
  apply_table(context, make_byte_table(context.input(0), context.output(0), function));
  return {};
}

Status execute_logistic(OperationContext& context) {
  return execute_curve(context, [](float x) { return 1.0f / (1.0f + std::exp(-x)); });
}

Status execute_tanh(OperationContext& context) {
  return execute_curve(context, [](float x) { return std::tanh(x); });
}

}  // namespace

constinit const Operation kRelu =
    operation<kReluSignature, infer_same_shape, execute_relu<ANEURALNETWORKS_FUSED_RELU>>(ANEURALNETWORKS_RELU, "RELU");
constinit const Operation kRelu1 =
    operation<kReluSignature, infer_same_shape, execute_relu<ANEURALNETWORKS_FUSED_RELU1>>(ANEURALNETWORKS_RELU1, "RELU1");
constinit const Operation kRelu6 =
    operation<kReluSignature, infer_same_shape, execute_relu<ANEURALNETWORKS_FUSED_RELU6>>(ANEURALNETWORKS_RELU6, "RELU6");
constinit const Operation kLogistic =
    operation<kLogisticSignature, infer_same_shape, execute_logistic>(ANEURALNETWORKS_LOGISTIC, "LOGISTIC");
constinit const Operation kTanh =
    operation<kTanhSignature, infer_same_shape, execute_tanh>(ANEURALNETWORKS_TANH, "TANH");

}  // namespace avocet::runtime
