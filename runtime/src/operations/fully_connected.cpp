// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED: rows of the flattened input times the weights, packed once per compilation when they are constant.
#include <memory>
#include <optional>

#include "convolution_rows.hpp"
#include "float_gemm.hpp"
#include "int8_gemm.hpp"
#include "output_stage.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kTypes[] = {{27, {kTensorFloat32, kTensorFloat32}},
                              {27, {kQuant8, kTensorInt32}},
                              {29, {kTensorFloat16, kTensorFloat16}},
                              {30, {kQuant8Signed, kTensorInt32}}};
constexpr OperandRule kInput[] = {tensor("input", kColumnA, 2, 4), shaped("weights", kColumnA, "units,input_size"),
                                  shaped("bias", kColumnB, "units"), activation()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("output", kColumnA, "batch,units")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

Status infer(OperationContext& context) {
  const Dimensions& weights = context.input(1).dims;
  AVOCET_RETURN_IF_FAILED(check_bias_scale(context.input(0), context.input(1), context.input(2)));
  const uint32_t count = element_count(context.input(0).dims).value_or(0);
  if (weights[0] == 0) return op_failed("weights of shape ", dims_text(weights), " have no units");
  if (weights[1] == 0 || count % weights[1] != 0) {
    return op_failed("the input of shape ", dims_text(context.input(0).dims), " cannot be divided into rows of ", weights[1]);
  }
  context.output(0).dims = {count / weights[1], weights[0]};
  return {};
}

struct PreparedLayer : PreparedState {
  std::optional<PackedWeights> weights;
  std::optional<PackedFloatWeights> float_weights;
};

PackedWeights pack_quantised(const OperandView& w) {
  if (w.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM) return {w.as<uint8_t>(), w.dims[0], w.dims[1], w.zero_point};
  return {w.as<int8_t>(), w.dims[0], w.dims[1], w.zero_point};
}

PackedFloatWeights pack_float(const OperandView& w) { return {w.as<float>(), w.dims[0], w.dims[1]}; }

Status execute_float(OperationContext& context) {
  const auto* prepared = static_cast<const PreparedLayer*>(context.prepared);
  std::optional<PackedFloatWeights> packed_now;
  const PackedFloatWeights& weights =
      prepared && prepared->float_weights ? *prepared->float_weights : packed_now.emplace(pack_float(context.input(1)));
  const size_t columns = weights.columns(), depth = weights.depth(), rows = context.output(0).dims[0];
  const Range<float> range = float_activation_range(context.scalar<int32_t>(3, 0));
  for_product_blocks(context, rows, depth * sizeof(float), weights.panels(), [&](size_t r0, size_t r1, size_t p0, size_t p1) {
    multiply_add_clamp(context.in<float>(0) + r0 * depth, depth, r1 - r0, weights, p0, p1, context.in<float>(2), range,
                       context.out<float>(0) + r0 * columns, columns);
  });
  return {};
}

Status execute_quantised(OperationContext& context) {
  const OperandView& input = context.input(0);
  const OperandView& output = context.output(0);
  const auto* prepared = static_cast<const PreparedLayer*>(context.prepared);
  std::optional<PackedWeights> packed_now;
  const PackedWeights& weights =
      prepared && prepared->weights ? *prepared->weights : packed_now.emplace(pack_quantised(context.input(1)));
  std::vector<QuantisedMultiplier> multipliers;
  AVOCET_RETURN_IF_FAILED(convolution_multipliers(FilteredLayer::kFullyConnected, input, context.input(1), output, &multipliers));
  const OutputStage stage(weights.columns(), context.in<int32_t>(2), multipliers, output.zero_point,
                          quantised_activation_range(context.scalar<int32_t>(3, 0), output));
  const bool is_signed = input.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
  const size_t depth = context.input(1).dims[1], stride = weights.row_length(), columns = weights.columns();
  for_product_blocks(
      context, output.dims[0], stride * sizeof(int16_t), weights.panels(), [&](size_t r0, size_t r1, size_t p0, size_t p1) {
        int16_t* left = thread_scratch<int16_t>((r1 - r0) * stride);
        for (size_t r = r0; r < r1; ++r) {
          int16_t* row = left + (r - r0) * stride;
          row[stride - 1] = 0;
          widen_row(input.as<uint8_t>() + r * depth, is_signed, input.zero_point, row, depth);
        }
        multiply_requantise(left, stride, r1 - r0, weights, p0, p1, stage, context.out<uint8_t>(0) + r0 * columns, columns);
      });
  return {};
}

Status execute(OperationContext& context) {
  return is_quant8(context.input(0).type) ? execute_quantised(context) : execute_float(context);
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) {
  const OperandView& weights = context.input(1);
  if (!weights.constant || !weights.data) return nullptr;
  auto prepared = std::make_unique<PreparedLayer>();
  if (is_quant8(context.input(0).type)) {
    prepared->weights.emplace(pack_quantised(weights));
  } else {
    prepared->float_weights.emplace(pack_float(weights));
  }
  return prepared;
}

}  // namespace

constinit const Operation kFullyConnected =
    operation<kSignature, infer, execute, Halves::kWidened, prepare>(ANEURALNETWORKS_FULLY_CONNECTED, "FULLY_CONNECTED");

}  // namespace avocet::runtime
