// SPDX-License-Identifier: Apache-2.0
#include "model_draft.hpp"

#include <algorithm>

#include "draw_rows.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::random_models {
namespace {

using tools::Lifetime;

constexpr size_t kMostElements = 1500;  // of an operand that is taken again

std::vector<uint8_t> bytes_of(int32_t type, const std::vector<double>& stored) {
  std::vector<uint8_t> bytes;
  for (const double value : stored) tools::append_element(type, value, bytes);
  return bytes;
}

size_t byte_count(int32_t type, const Dims& dims) { return count_of(dims) * tools::operand_type_info(type)->element_bytes; }

}  // namespace

uint32_t ModelDraft::add_operand(tools::Operand operand, Tensor tensor) {
  test_.main.operands.push_back(std::move(operand));
  tensors_.push_back(std::move(tensor));
  return static_cast<uint32_t>(tensors_.size() - 1);
}

bool ModelDraft::allowed(const DrawRow& row, const Tensor& tensor) const {
  if (!tensor.usable || tensor.data_dependent || count_of(tensor.dims) > kMostElements) return false;
  if (row.needs_non_negative && !tensor.non_negative) return false;
  const bool empty = count_of(tensor.dims) == 0;
  return !empty || runtime::find_operation(row.code)->signature->zero_sized;
}

/// An operand that the operation can start from: the type of one of its rows and a rank within its rule.
std::optional<uint32_t> ModelDraft::pick_primary(const DrawRow& row) const {
  if (row.primary < 0 || !random_.chance(75)) return std::nullopt;
  std::vector<uint32_t> list;
  for (uint32_t i = 0; i < tensors_.size(); ++i) {
    if (!allowed(row, tensors_[i]) || (tensors_[i].wild && !random_.chance(20))) continue;
    const uint32_t times = tensors_[i].uses == 0 ? 4 : 1;  // what nobody reads yet makes deeper graphs
    list.insert(list.end(), times, i);
  }
  if (list.empty()) return std::nullopt;
  return random_.pick(list);
}

bool ModelDraft::draw_operands(OperationDraw& draw, const DrawRow& row, bool (*function)(OperationDraw&)) {
  const auto primary = pick_primary(row);
  const int32_t type = primary ? test_.main.operands[*primary].type : -1;
  if (!draw.choose(row.primary, type, profile_.quantised_only)) return false;
  if (primary) {
    const size_t at = static_cast<size_t>(row.primary);
    const OperandDraw& operand = draw.in[at];
    const tools::Operand& from = test_.main.operands[*primary];
    const Dims& dims = tensors_[*primary].dims;
    const runtime::OperandRule& rule = *operand.rule;
    const bool rank_fits = dims.size() >= rule.min_rank && (rule.max_rank == runtime::kAnyRank || dims.size() <= rule.max_rank);
    const bool only_batch_empty = !rule.is_image || count_of(dims) > 0 || count_of(Dims(dims.begin() + 1, dims.end())) > 0;
    if (!only_batch_empty) return false;
    if (!rank_fits || dims.size() > 6 || from.type == ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL) return false;
    draw.feed(at, *primary, dims, from.scale, from.zero_point);
  }
  return function(draw) && draw.finish();
}

bool ModelDraft::add(int32_t code) { return add(code, draw_row(code).draw); }

bool ModelDraft::add(int32_t code, bool (*function)(OperationDraw&)) {
  if (!function) return add_control_flow(code);
  const DrawRow& row = draw_row(code);
  for (int attempt = 0; attempt < 8; ++attempt) {
    OperationDraw draw(random_, *runtime::find_operation(code));
    if (draw_operands(draw, row, function) && append(draw, row)) return true;
  }
  return false;
}

/// An operand of the graph that can stand for this one: the same type, dimensions and, where bound, quantisation.
std::optional<uint32_t> ModelDraft::find_match(const OperationDraw& draw, const OperandDraw& operand) const {
  const bool empty = count_of(operand.dims) == 0;
  if (operand.fresh || !is_tensor_type(operand.type) || (!empty && !random_.chance(60))) return std::nullopt;
  std::vector<uint32_t> list;
  for (uint32_t i = 0; i < tensors_.size(); ++i) {
    const tools::Operand& candidate = test_.main.operands[i];
    if (!allowed(draw_row(draw.code()), tensors_[i]) || candidate.type != operand.type || tensors_[i].dims != operand.dims) continue;
    if (tensors_[i].wild) continue;
    if (candidate.scale == operand.scale && candidate.zero_point == operand.zero_point) list.push_back(i);
  }
  if (list.empty()) return std::nullopt;
  return random_.pick(list);
}

/// A constant (copied or from memory) or a model input.
uint32_t ModelDraft::add_fresh(const OperandDraw& operand) {
  tools::Operand result;
  result.type = operand.type;
  result.scale = operand.scale;
  result.zero_point = operand.zero_point;
  result.channel_scales = operand.channel_scales;
  result.channel_dim = operand.channel_dim;
  Tensor tensor;
  tensor.dims = operand.dims;
  const bool scalar = !is_tensor_type(operand.type);
  if (operand.omitted) {
    // Clients leave optional operands out in the model, or at execution.
    result.dims = scalar ? Dims{} : operand.shaped ? operand.dims : Dims{0};
    result.lifetime = scalar || random_.chance(70) ? Lifetime::no_value : Lifetime::input;
    if (result.lifetime == Lifetime::input) {
      result.value.emplace();
      test_.main.inputs.push_back(static_cast<uint32_t>(tensors_.size()));
    }
    return add_operand(std::move(result), std::move(tensor));
  }
  result.dims = operand.dims;
  result.value = bytes_of(operand.type, operand.stored);
  const uint32_t percent_constant = scalar ? 95 : operand.fresh ? 70 : 25;
  // A per-channel tensor is the filter of a convolution, which the API wants to be constant.
  const bool constant = random_.chance(profile_.quantised_only && operand.fresh ? 92 : percent_constant) || !operand.channel_scales.empty();
  if (constant) {
    result.lifetime = random_.chance(50) ? Lifetime::constant_copy : Lifetime::constant_reference;
  } else {
    result.lifetime = Lifetime::input;
    test_.main.inputs.push_back(static_cast<uint32_t>(tensors_.size()));
    tensor.usable = !scalar && !operand.fresh;
  }
  return add_operand(std::move(result), std::move(tensor));
}

uint32_t ModelDraft::attach_input(const OperationDraw& draw, const OperandDraw& operand) {
  uint32_t index = 0;
  if (operand.fed) {
    index = *operand.fed;
  } else if (const auto match = operand.omitted ? std::nullopt : find_match(draw, operand)) {
    index = *match;
  } else {
    index = add_fresh(operand);
  }
  ++tensors_[index].uses;
  return index;
}

/// Some, or all, extents of an output that the model does not tell.
void ModelDraft::make_unknown(uint32_t index) {
  Dims& dims = test_.main.operands[index].dims;
  if (random_.chance(40)) {
    dims.clear();
    return;
  }
  for (uint32_t& extent : dims) {
    if (random_.chance(60)) extent = 0;
  }
}

bool ModelDraft::append(OperationDraw& draw, const DrawRow& row) {
  for (const OperandDraw& out : draw.out) {
    if (count_of(out.dims) > 4000 || out.dims.size() > 8) return false;
  }
  for (const OperandDraw& operand : draw.in) {  // neither a constant nor an input can be empty
    if (count_of(operand.dims) > 6000) return false;
    const bool needs_match = !operand.omitted && !operand.fed && count_of(operand.dims) == 0;
    if (needs_match && !find_match(draw, operand)) return false;
  }
  tools::OperationDescription operation;
  operation.code = draw.code();
  for (const OperandDraw& operand : draw.in) operation.inputs.push_back(attach_input(draw, operand));
  for (const OperandDraw& out : draw.out) {
    tools::Operand operand;
    operand.type = out.type;
    operand.dims = out.dims;
    operand.scale = out.scale;
    operand.zero_point = out.zero_point;
    Tensor tensor;
    tensor.dims = out.dims;
    tensor.data_dependent = out.data_dependent;
    tensor.usable = is_tensor_type(out.type);
    tensor.non_negative = row.results == DrawRow::kNonNegative && is_float_type(out.type);
    tensor.wild = row.results == DrawRow::kWild && is_float_type(out.type);
    if (out.data_dependent) operand.dims[0] = 0;  // the numbers of boxes, in all such operations
    const uint32_t index = add_operand(std::move(operand), std::move(tensor));
    // Extents of 0 mean "unknown" in a model: an empty result cannot be declared as such.
    if (is_tensor_type(out.type) && random_.chance(profile_.quantised_only ? 4 : 12)) make_unknown(index);
    operation.outputs.push_back(index);
  }
  test_.main.operations.push_back(std::move(operation));
  return true;
}

bool ModelDraft::add_empty_regions() {
  if (profile_.quantised_only || !add(ANEURALNETWORKS_BOX_WITH_NMS_LIMIT, draw::no_boxes)) return false;
  const std::vector<uint32_t> boxes = test_.main.operations.back().outputs;
  const DrawRow& row = draw_row(ANEURALNETWORKS_ROI_ALIGN);
  for (int attempt = 0; attempt < 8; ++attempt) {
    OperationDraw draw(random_, *runtime::find_operation(row.code));
    const tools::Operand &scores = test_.main.operands[boxes[0]], &rois = test_.main.operands[boxes[1]];
    if (!draw.choose(0, scores.type, false)) return false;
    draw.feed(1, boxes[1], tensors_[boxes[1]].dims, rois.scale, rois.zero_point);
    draw.feed(2, boxes[3], tensors_[boxes[3]].dims, 0, 0);
    if (row.draw(draw) && draw.finish() && append(draw, row)) return true;
  }
  return false;
}

/// Results that nobody reads are mostly outputs, others sometimes.
void ModelDraft::choose_outputs() {
  tools::ModelDescription& graph = test_.main;
  std::vector<uint32_t> results;
  for (const auto& operation : graph.operations) results.insert(results.end(), operation.outputs.begin(), operation.outputs.end());
  for (const uint32_t i : results) {
    if (random_.chance(tensors_[i].uses == 0 ? 95 : 10)) graph.outputs.push_back(i);
  }
  if (graph.outputs.empty()) graph.outputs.push_back(results.back());
  for (const uint32_t i : graph.outputs) graph.operands[i].lifetime = Lifetime::output;
}

/// A model has at least one input.
void ModelDraft::ensure_input() {
  tools::ModelDescription& graph = test_.main;
  const bool has_value = std::any_of(graph.inputs.begin(), graph.inputs.end(), [&](uint32_t i) { return !graph.operands[i].value->empty(); });
  if (has_value) return;
  std::vector<uint32_t> constants;
  for (uint32_t i = 0; i < graph.operands.size(); ++i) {
    const tools::Operand& operand = graph.operands[i];
    const bool constant = operand.lifetime == Lifetime::constant_copy || operand.lifetime == Lifetime::constant_reference;
    // Filters quantised per channel stay constant, unless there is nothing else.
    if (constant && (operand.channel_scales.empty() || constants.empty())) constants.push_back(i);
  }
  if (constants.size() > 1 && !graph.operands[constants[0]].channel_scales.empty()) constants.erase(constants.begin());
  const uint32_t chosen = random_.pick(constants);
  graph.operands[chosen].lifetime = Lifetime::input;
  graph.inputs.push_back(chosen);
}

RandomModel ModelDraft::finish(uint64_t seed) {
  choose_outputs();
  ensure_input();
  tools::ModelDescription& graph = test_.main;
  random_.shuffle(graph.inputs);
  random_.shuffle(graph.outputs);
  if (random_.chance(30)) random_.shuffle(graph.operations);  // operations may be added in any order
  graph.relaxed = random_.chance(10);
  for (const uint32_t i : graph.outputs) graph.operands[i].value.emplace(byte_count(graph.operands[i].type, tensors_[i].dims));
  RandomModel model;
  model.seed = seed;
  test_.name = "random_" + std::to_string(seed);
  test_.min_feature_level = 30;
  for (const Tensor& tensor : tensors_) {
    model.dims.push_back(tensor.dims);
    model.data_dependent.push_back(tensor.data_dependent);
  }
  model.test = std::move(test_);
  return model;
}

}  // namespace avocet::random_models
