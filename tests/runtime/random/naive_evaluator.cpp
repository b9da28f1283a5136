// SPDX-License-Identifier: Apache-2.0
// The table of the evaluator's functions, and graphs: IF and WHILE run theirs by the same functions.
#include "naive_evaluator.hpp"

#include <algorithm>
#include <stdexcept>

#include "naive_rows.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::random_models {
namespace {

struct NaiveRow {
  int32_t code;
  void (*evaluate)(Call&);
  Accuracy accuracy = {};
};

constexpr Accuracy kMoves = {.exact = true};
constexpr Accuracy kChooses = {.exact = true, .compares = true};
/// The 16 bit cell has 12 fraction bits before the gates and 11 in the cell state, to which two products of gates are added. The
/// quantised LSTM's own function says how far off each element may be.
constexpr Accuracy kLstm16 = {.quanta8 = 2, .quanta16 = 8};
constexpr Accuracy kQuantisedLstm = {.quanta8 = 2, .quanta16 = 4};
/// Whole graphs: a step more or less may be doubled by each operation that follows.
constexpr Accuracy kGraph = {.quanta8 = 16, .quanta16 = 16};

constexpr NaiveRow kRows[] = {
    {ANEURALNETWORKS_ADD, naive::add},
    {ANEURALNETWORKS_AVERAGE_POOL_2D, naive::average_pool_2d},
    {ANEURALNETWORKS_CONCATENATION, naive::concatenation},
    {ANEURALNETWORKS_CONV_2D, naive::conv_2d},
    {ANEURALNETWORKS_DEPTHWISE_CONV_2D, naive::depthwise_conv_2d},
    {ANEURALNETWORKS_DEPTH_TO_SPACE, naive::depth_to_space, kMoves},
    {ANEURALNETWORKS_DEQUANTIZE, naive::dequantize},
    {ANEURALNETWORKS_EMBEDDING_LOOKUP, naive::embedding_lookup, kMoves},
    {ANEURALNETWORKS_FLOOR, naive::floor, kMoves},
    {ANEURALNETWORKS_FULLY_CONNECTED, naive::fully_connected},
    {ANEURALNETWORKS_HASHTABLE_LOOKUP, naive::hashtable_lookup, kMoves},
    {ANEURALNETWORKS_L2_NORMALIZATION, naive::l2_normalization},
    {ANEURALNETWORKS_L2_POOL_2D, naive::l2_pool_2d},
    {ANEURALNETWORKS_LOCAL_RESPONSE_NORMALIZATION, naive::local_response_normalization},
    {ANEURALNETWORKS_LOGISTIC, naive::logistic},
    {ANEURALNETWORKS_LSH_PROJECTION, naive::lsh_projection},
    {ANEURALNETWORKS_LSTM, naive::lstm},
    {ANEURALNETWORKS_MAX_POOL_2D, naive::max_pool_2d},
    {ANEURALNETWORKS_MUL, naive::mul},
    {ANEURALNETWORKS_RELU, naive::relu},
    {ANEURALNETWORKS_RELU1, naive::relu1},
    {ANEURALNETWORKS_RELU6, naive::relu6},
    {ANEURALNETWORKS_RESHAPE, naive::reshape, kMoves},
    {ANEURALNETWORKS_RESIZE_BILINEAR, naive::resize_bilinear},
    {ANEURALNETWORKS_RNN, naive::rnn},
    {ANEURALNETWORKS_SOFTMAX, naive::softmax},
    {ANEURALNETWORKS_SPACE_TO_DEPTH, naive::space_to_depth, kMoves},
    {ANEURALNETWORKS_SVDF, naive::svdf},
    {ANEURALNETWORKS_TANH, naive::tanh},
    {ANEURALNETWORKS_BATCH_TO_SPACE_ND, naive::batch_to_space_nd, kMoves},
    {ANEURALNETWORKS_DIV, naive::div},
    {ANEURALNETWORKS_MEAN, naive::mean},
    {ANEURALNETWORKS_PAD, naive::pad, kMoves},
    {ANEURALNETWORKS_SPACE_TO_BATCH_ND, naive::space_to_batch_nd, kMoves},
    {ANEURALNETWORKS_SQUEEZE, naive::squeeze, kMoves},
    {ANEURALNETWORKS_STRIDED_SLICE, naive::strided_slice, kMoves},
    {ANEURALNETWORKS_SUB, naive::sub},
    {ANEURALNETWORKS_TRANSPOSE, naive::transpose, kMoves},
    {ANEURALNETWORKS_ABS, naive::abs, kMoves},
    {ANEURALNETWORKS_ARGMAX, naive::argmax},
    {ANEURALNETWORKS_ARGMIN, naive::argmin},
    {ANEURALNETWORKS_AXIS_ALIGNED_BBOX_TRANSFORM, naive::axis_aligned_bbox_transform},
    {ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_LSTM, naive::bidirectional_sequence_lstm},
    {ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_RNN, naive::bidirectional_sequence_rnn},
    {ANEURALNETWORKS_BOX_WITH_NMS_LIMIT, naive::box_with_nms_limit},
    {ANEURALNETWORKS_CAST, naive::cast},
    {ANEURALNETWORKS_CHANNEL_SHUFFLE, naive::channel_shuffle, kMoves},
    {ANEURALNETWORKS_DETECTION_POSTPROCESSING, naive::detection_postprocessing},
    {ANEURALNETWORKS_EQUAL, naive::equal},
    {ANEURALNETWORKS_EXP, naive::exp},
    {ANEURALNETWORKS_EXPAND_DIMS, naive::expand_dims, kMoves},
    {ANEURALNETWORKS_GATHER, naive::gather, kMoves},
    {ANEURALNETWORKS_GENERATE_PROPOSALS, naive::generate_proposals},
    {ANEURALNETWORKS_GREATER, naive::greater},
    {ANEURALNETWORKS_GREATER_EQUAL, naive::greater_equal},
    {ANEURALNETWORKS_GROUPED_CONV_2D, naive::grouped_conv_2d},
    {ANEURALNETWORKS_HEATMAP_MAX_KEYPOINT, naive::heatmap_max_keypoint},
    {ANEURALNETWORKS_INSTANCE_NORMALIZATION, naive::instance_normalization},
    {ANEURALNETWORKS_LESS, naive::less},
    {ANEURALNETWORKS_LESS_EQUAL, naive::less_equal},
    {ANEURALNETWORKS_LOG, naive::log},
    {ANEURALNETWORKS_LOGICAL_AND, naive::logical_and},
    {ANEURALNETWORKS_LOGICAL_NOT, naive::logical_not},
    {ANEURALNETWORKS_LOGICAL_OR, naive::logical_or},
    {ANEURALNETWORKS_LOG_SOFTMAX, naive::log_softmax},
    {ANEURALNETWORKS_MAXIMUM, naive::maximum},
    {ANEURALNETWORKS_MINIMUM, naive::minimum},
    {ANEURALNETWORKS_NEG, naive::neg, kMoves},
    {ANEURALNETWORKS_NOT_EQUAL, naive::not_equal},
    {ANEURALNETWORKS_PAD_V2, naive::pad_v2, kMoves},
    {ANEURALNETWORKS_POW, naive::pow},
    {ANEURALNETWORKS_PRELU, naive::prelu},
    {ANEURALNETWORKS_QUANTIZE, naive::quantize},
    {ANEURALNETWORKS_QUANTIZED_16BIT_LSTM, naive::quantized_16bit_lstm, kLstm16},
    {ANEURALNETWORKS_RANDOM_MULTINOMIAL, naive::random_multinomial},
    {ANEURALNETWORKS_REDUCE_ALL, naive::reduce_all},
    {ANEURALNETWORKS_REDUCE_ANY, naive::reduce_any},
    {ANEURALNETWORKS_REDUCE_MAX, naive::reduce_max, kChooses},
    {ANEURALNETWORKS_REDUCE_MIN, naive::reduce_min, kChooses},
    {ANEURALNETWORKS_REDUCE_PROD, naive::reduce_prod},
    {ANEURALNETWORKS_REDUCE_SUM, naive::reduce_sum},
    {ANEURALNETWORKS_ROI_ALIGN, naive::roi_align},
    {ANEURALNETWORKS_ROI_POOLING, naive::roi_pooling, kChooses},
    {ANEURALNETWORKS_RSQRT, naive::rsqrt},
    {ANEURALNETWORKS_SELECT, naive::select},
    {ANEURALNETWORKS_SIN, naive::sin},
    {ANEURALNETWORKS_SLICE, naive::slice, kMoves},
    {ANEURALNETWORKS_SPLIT, naive::split, kMoves},
    {ANEURALNETWORKS_SQRT, naive::sqrt},
    {ANEURALNETWORKS_TILE, naive::tile, kMoves},
    {ANEURALNETWORKS_TOPK_V2, naive::topk_v2, kChooses},
    {ANEURALNETWORKS_TRANSPOSE_CONV_2D, naive::transpose_conv_2d},
    {ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_LSTM, naive::unidirectional_sequence_lstm},
    {ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_RNN, naive::unidirectional_sequence_rnn},
    {ANEURALNETWORKS_RESIZE_NEAREST_NEIGHBOR, naive::resize_nearest_neighbor, kMoves},
    {ANEURALNETWORKS_QUANTIZED_LSTM, naive::quantized_lstm, kQuantisedLstm},
    {ANEURALNETWORKS_IF, nullptr, kGraph},
    {ANEURALNETWORKS_WHILE, nullptr, kGraph},
    {ANEURALNETWORKS_ELU, naive::elu},
    {ANEURALNETWORKS_HARD_SWISH, naive::hard_swish},
    {ANEURALNETWORKS_FILL, naive::fill, kMoves},
    {ANEURALNETWORKS_RANK, naive::rank, kMoves},
};
static_assert(std::size(kRows) == ANEURALNETWORKS_RANK + 1);

const NaiveRow& row_of(int32_t code) {
  const NaiveRow& row = kRows[code];
  if (row.code != code) throw std::logic_error("the rows of the naive evaluator are out of order");
  return row;
}

/// Results of a referenced graph as expectations, with the error that a few float operations in a row may have.
std::vector<Expected> expect_values(std::vector<Expected> outputs, const std::vector<Value>& values) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].dims = values[i].dims;
    outputs[i].real = values[i].real;
    for (size_t e = 0; is_float_type(outputs[i].type) && e < values[i].real.size(); ++e) {
      outputs[i].set_slack(e, std::fabs(values[i].real[e]) * 0x1p-18);
    }
  }
  return outputs;
}

std::vector<Value> run_if(const std::vector<Value>& inputs, std::span<const tools::ModelDescription> referenced) {
  const auto chosen = static_cast<size_t>(inputs[inputs[0].real[0] != 0 ? 1 : 2].real[0]);
  return evaluate_graph(referenced[chosen], {inputs.begin() + 3, inputs.end()}, referenced);
}

std::vector<Value> run_while(const std::vector<Value>& inputs, std::span<const tools::ModelDescription> referenced) {
  const tools::ModelDescription& condition = referenced[static_cast<size_t>(inputs[0].real[0])];
  const tools::ModelDescription& body = referenced[static_cast<size_t>(inputs[1].real[0])];
  std::vector<Value> values(inputs.begin() + 2, inputs.end());
  for (int turns = 0; evaluate_graph(condition, values, referenced)[0].real[0] != 0; ++turns) {
    if (turns > 1000) throw std::runtime_error("a loop does not end");
    const std::vector<Value> next = evaluate_graph(body, values, referenced);
    std::copy(next.begin(), next.end(), values.begin());
  }
  return values;
}

}  // namespace

Accuracy accuracy_of(int32_t operation) { return row_of(operation).accuracy; }

std::vector<Expected> evaluate_operation(const tools::ModelDescription& graph, const tools::OperationDescription& operation,
                                         std::vector<Value> inputs, std::span<const tools::ModelDescription> referenced) {
  std::vector<Expected> outputs;
  for (const uint32_t index : operation.outputs) {
    const tools::Operand& operand = graph.operands[index];
    Expected& output = outputs.emplace_back();
    output.type = operand.type;
    if (operand.scale != 0) output.scale = double{operand.scale};
    output.zero_point = operand.zero_point;
  }
  if (operation.code == ANEURALNETWORKS_IF) return expect_values(outputs, run_if(inputs, referenced));
  if (operation.code == ANEURALNETWORKS_WHILE) return expect_values(outputs, run_while(inputs, referenced));
  Call call(std::move(inputs), outputs);
  row_of(operation.code).evaluate(call);
  return outputs;
}

std::optional<Value> fixed_value(const tools::Operand& operand) {
  Value value;
  value.type = operand.type;
  switch (operand.lifetime) {
    case tools::Lifetime::no_value: value.omitted = true; return value;
    case tools::Lifetime::subgraph: value.real = {static_cast<double>(operand.subgraph)}; return value;
    case tools::Lifetime::constant_copy:
    case tools::Lifetime::constant_reference: return read_value(operand, operand.dims, *operand.value);
    default: return std::nullopt;
  }
}

Value rounded(const Expected& expected) {
  Value value;
  value.type = expected.type;
  value.dims = expected.dims;
  value.scale = expected.scale;
  value.zero_point = expected.zero_point;
  for (const double real : expected.real) value.real.push_back(to_real(value, to_stored(value, real)));
  return value;
}

std::vector<Value> evaluate_graph(const tools::ModelDescription& graph, std::vector<Value> inputs,
                                  std::span<const tools::ModelDescription> referenced) {
  std::vector<std::optional<Value>> values;
  for (const tools::Operand& operand : graph.operands) values.push_back(fixed_value(operand));
  for (size_t i = 0; i < graph.inputs.size(); ++i) values[graph.inputs[i]] = std::move(inputs[i]);
  std::vector<const tools::OperationDescription*> pending;
  for (const tools::OperationDescription& operation : graph.operations) pending.push_back(&operation);
  while (!pending.empty()) {
    const auto ready = std::find_if(pending.begin(), pending.end(), [&](const tools::OperationDescription* operation) {
      return std::all_of(operation->inputs.begin(), operation->inputs.end(), [&](uint32_t i) { return values[i].has_value(); });
    });
    if (ready == pending.end()) throw std::runtime_error("the operations of a graph depend on one another");
    std::vector<Value> arguments;
    for (const uint32_t i : (*ready)->inputs) arguments.push_back(*values[i]);
    const auto results = evaluate_operation(graph, **ready, std::move(arguments), referenced);
    for (size_t i = 0; i < results.size(); ++i) values[(*ready)->outputs[i]] = rounded(results[i]);
    pending.erase(ready);
  }
  std::vector<Value> outputs;
  for (const uint32_t i : graph.outputs) outputs.push_back(*values[i]);
  return outputs;
}

}  // namespace avocet::random_models
