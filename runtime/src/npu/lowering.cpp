// SPDX-License-Identifier: Apache-2.0
// The table of what the NPU runs.
#include "npu/lowering.hpp"

#include <algorithm>

#include "npu/lowering_rows.hpp"
#include "operations/failure.hpp"
#include "operations/shape.hpp"

namespace avocet::runtime::npu {
namespace {

struct LoweringRow {
  int32_t code;
  Status (*lower)(OperationLowering&);
};

constexpr LoweringRow kRows[] = {
    {ANEURALNETWORKS_CONV_2D, lower_convolution},
    {ANEURALNETWORKS_DEPTHWISE_CONV_2D, lower_depthwise},
    {ANEURALNETWORKS_GROUPED_CONV_2D, lower_grouped},
    {ANEURALNETWORKS_TRANSPOSE_CONV_2D, lower_transposed},
    {ANEURALNETWORKS_FULLY_CONNECTED, lower_fully_connected},
    {ANEURALNETWORKS_AVERAGE_POOL_2D, lower_average_pool},
    {ANEURALNETWORKS_MAX_POOL_2D, lower_max_pool},
    {ANEURALNETWORKS_ADD, lower_add},
    {ANEURALNETWORKS_SUB, lower_sub},
    {ANEURALNETWORKS_MUL, lower_mul},
    {ANEURALNETWORKS_MAXIMUM, lower_maximum},
    {ANEURALNETWORKS_MINIMUM, lower_minimum},
    {ANEURALNETWORKS_PRELU, lower_prelu},
    {ANEURALNETWORKS_RELU, lower_unary},
    {ANEURALNETWORKS_RELU1, lower_unary},
    {ANEURALNETWORKS_RELU6, lower_unary},
    {ANEURALNETWORKS_LOGISTIC, lower_unary},
    {ANEURALNETWORKS_TANH, lower_unary},
    {ANEURALNETWORKS_ELU, lower_unary},
    {ANEURALNETWORKS_HARD_SWISH, lower_unary},
    {ANEURALNETWORKS_SOFTMAX, lower_softmax},
    {ANEURALNETWORKS_L2_NORMALIZATION, lower_l2_normalization},
    {ANEURALNETWORKS_MEAN, lower_mean},
    {ANEURALNETWORKS_REDUCE_MAX, lower_reduce_max},
    {ANEURALNETWORKS_REDUCE_MIN, lower_reduce_min},
    {ANEURALNETWORKS_ARGMAX, lower_argmax},
    {ANEURALNETWORKS_ARGMIN, lower_argmin},
    {ANEURALNETWORKS_RESIZE_BILINEAR, lower_resize_bilinear},
    {ANEURALNETWORKS_RESHAPE, lower_reshape},
    {ANEURALNETWORKS_SQUEEZE, lower_reshape},
    {ANEURALNETWORKS_EXPAND_DIMS, lower_reshape},
    {ANEURALNETWORKS_TRANSPOSE, lower_transpose},
    {ANEURALNETWORKS_CONCATENATION, lower_concatenation},
    {ANEURALNETWORKS_SPLIT, lower_split},
    {ANEURALNETWORKS_SLICE, lower_slice},
    {ANEURALNETWORKS_STRIDED_SLICE, lower_strided_slice},
    {ANEURALNETWORKS_PAD, lower_pad},
    {ANEURALNETWORKS_PAD_V2, lower_pad},
    {ANEURALNETWORKS_TILE, lower_tile},
    {ANEURALNETWORKS_GATHER, lower_gather},
    {ANEURALNETWORKS_CHANNEL_SHUFFLE, lower_channel_shuffle},
    {ANEURALNETWORKS_SPACE_TO_DEPTH, lower_space_to_depth},
    {ANEURALNETWORKS_DEPTH_TO_SPACE, lower_depth_to_space},
    {ANEURALNETWORKS_SPACE_TO_BATCH_ND, lower_space_to_batch},
    {ANEURALNETWORKS_BATCH_TO_SPACE_ND, lower_batch_to_space},
    {ANEURALNETWORKS_RESIZE_NEAREST_NEIGHBOR, lower_resize_nearest},
    {ANEURALNETWORKS_DEQUANTIZE, lower_dequantize},
    {ANEURALNETWORKS_QUANTIZE, lower_quantize},
};

const LoweringRow* find_row(int32_t code) {
  return std::find_if(std::begin(kRows), std::end(kRows), [&](const LoweringRow& row) { return row.code == code; });
}

/// Whether inputs 1 and 2 are weights and biases.
bool has_weights(int32_t code) {
  switch (code) {
    case ANEURALNETWORKS_CONV_2D:
    case ANEURALNETWORKS_DEPTHWISE_CONV_2D:
    case ANEURALNETWORKS_GROUPED_CONV_2D:
    case ANEURALNETWORKS_TRANSPOSE_CONV_2D:
    case ANEURALNETWORKS_FULLY_CONNECTED:
      return true;
    default:
      return false;
  }
}

/// Whether its output is TENSOR_INT32.
bool makes_indices(int32_t code) { return code == ANEURALNETWORKS_ARGMAX || code == ANEURALNETWORKS_ARGMIN; }

bool works_on_floats(int32_t code) { return code == ANEURALNETWORKS_QUANTIZE || code == ANEURALNETWORKS_DEQUANTIZE; }

Status add_operation(GraphLowering& lowering, uint32_t index) {
  const ModelOperation& operation = lowering.model().operations()[index];
  const LoweringRow* row = find_row(operation.code);
  if (row == std::end(kRows)) return op_failed(operation.name(), " is not among the operations the NPU runs");
  OperationLowering op(lowering, index);
  AVOCET_RETURN_IF_FAILED(op.open());
  return row->lower(op);
}

}  // namespace

Status lower(const Model& model, std::span<const uint32_t> operations, std::span<const uint32_t> inputs,
             std::span<const uint32_t> outputs, compiler::Graph* graph) {
  GraphLowering lowering(model, graph);
  for (uint32_t operation : operations) AVOCET_RETURN_IF_FAILED(add_operation(lowering, operation));
  for (uint32_t operand : inputs) AVOCET_RETURN_IF_FAILED(lowering.tensor_of(operand, &graph->inputs.emplace_back()));
  for (uint32_t operand : outputs) AVOCET_RETURN_IF_FAILED(lowering.tensor_of(operand, &graph->outputs.emplace_back()));
  return {};
}

Status lower_one(const Model& model, uint32_t index, compiler::Graph* graph) {
  GraphLowering lowering(model, graph);
  const std::vector<uint32_t> together = lowered_with(model, index);
  for (uint32_t i : together) AVOCET_RETURN_IF_FAILED(add_operation(lowering, i));
  std::vector<bool> made(graph->tensors.size()), listed(graph->tensors.size());
  for (const compiler::Operation& operation : graph->operations) {
    for (uint32_t tensor : operation.inputs) {
      if (graph->tensors[tensor].data || made[tensor] || listed[tensor]) continue;
      graph->inputs.push_back(tensor);
      listed[tensor] = true;
    }
    for (uint32_t tensor : operation.outputs) made[tensor] = true;
  }
  for (uint32_t i : together) {
    if (model.operations()[i].code == ANEURALNETWORKS_DEQUANTIZE) continue;  // nobody but the others reads its result
    for (uint32_t operand : model.operations()[i].outputs)
      AVOCET_RETURN_IF_FAILED(lowering.tensor_of(operand, &graph->outputs.emplace_back()));
  }
  return {};
}

bool may_lower(const Model& model, uint32_t index, std::vector<uint32_t>* constants) {
  const ModelOperation& operation = model.operations()[index];
  if (find_row(operation.code) == std::end(kRows) || operation.inputs.empty()) return false;
  if (works_on_floats(operation.code)) {
    const std::vector<uint32_t> together = lowered_with(model, index);
    if (together.size() < 2) return false;
    return std::any_of(together.begin(), together.end(), [&](uint32_t i) {
      const Operand& output = model.operand(model.operations()[i].outputs[0]);
      return !fully_specified(output.type, output.dims);
    });
  }
  if (!is_quant8(model.operand(operation.inputs[0]).type)) return false;
  bool unknown = false;
  const auto note_extents = [&](const Operand& operand) {
    unknown = unknown || (operand.lifetime != Lifetime::kNoValue && !fully_specified(operand.type, operand.dims));
  };
  for (uint32_t operand : operation.outputs) {
    if (!is_quant8(model.operand(operand).type) && !makes_indices(operation.code)) return false;
    note_extents(model.operand(operand));
  }
  for (size_t i = 0; i < operation.inputs.size(); ++i) {
    const Operand& operand = model.operand(operation.inputs[i]);
    note_extents(operand);
    if (operand.lifetime == Lifetime::kConstant || operand.lifetime == Lifetime::kNoValue) continue;
    const bool weights = has_weights(operation.code) && (i == 1 || i == 2);
    if (weights || !is_quant8(operand.type)) constants->push_back(operation.inputs[i]);
  }
  return unknown || !constants->empty();
}

}  // namespace avocet::runtime::npu
