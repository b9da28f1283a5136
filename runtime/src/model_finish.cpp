// SPDX-License-Identifier: Apache-2.0
// Finishing a model: every operand has exactly one source, the operations have an order. A failure is for good.
#include <algorithm>
#include <functional>
#include <queue>

#include "api.hpp"
#include "model.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime {
namespace {

// Models in models in models: running one takes stack for each level, so the levels are bounded.
constexpr uint32_t kMaxDepth = 64;

constexpr uint32_t kNone = UINT32_MAX;

}  // namespace

Status Model::finish() {
  AVOCET_RETURN_IF_FAILED(check_building());
  finished_ = true;
  invalid_ = true;  // until everything below, which may also throw, has succeeded
  AVOCET_RETURN_IF_FAILED(finish_graph());
  invalid_ = false;
  return {};
}

Status Model::finish_graph() {
  if (inputs_.empty() || outputs_.empty()) return bad_data("a model needs at least one input and one output");
  AVOCET_RETURN_IF_FAILED(check_operands());
  for (const ModelOperation& operation : operations_) {
    AVOCET_RETURN_IF_FAILED(check_control_flow(*this, operation, true));
  }
  AVOCET_RETURN_IF_FAILED(sort_operations());
  set_missing_kernel();
  set_depth();
  if (depth_ > kMaxDepth) return bad_data("models are nested ", depth_, " deep; at most ", kMaxDepth);
  return {};
}

Status Model::check_operands() const {
  std::vector<uint32_t> writers(operands_.size());
  for (const ModelOperation& operation : operations_) {
    for (uint32_t index : operation.outputs) ++writers[index];
  }
  // An input or output may have got a value after it was identified: then its lifetime is no longer the list's.
  std::vector<bool> listed(operands_.size());
  for (uint32_t index : inputs_) {
    if (operands_[index].lifetime != Lifetime::kInput)
      return bad_data("operand ", index, " is an input and has a value");
    listed[index] = true;
  }
  for (uint32_t index : outputs_) {
    if (operands_[index].lifetime != Lifetime::kOutput)
      return bad_data("operand ", index, " is an output and has a value");
    listed[index] = true;
  }
  for (uint32_t index = 0; index < operands_.size(); ++index) {
    const Operand& operand = operands_[index];
    const bool written = operand.lifetime == Lifetime::kTemporary || operand.lifetime == Lifetime::kOutput;
    if (writers[index] > 1) return bad_data("operand ", index, " is written by ", writers[index], " operations");
    if (!written && writers[index]) return bad_data("operand ", index, " is written but is an input or a constant");
    if (written && !writers[index]) return bad_data("operand ", index, " has no value and is never written");
    if (operand.type == ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL && operand.channel_scales.empty() &&
        operand.lifetime != Lifetime::kNoValue) {
      return bad_data("operand ", index, " has no scales for its channels");
    }
  }
  return {};
}

Status Model::sort_operations() {
  // Kahn's algorithm with the smallest index first: an order of adding that works is kept.
  std::vector<uint32_t> writer(operands_.size(), kNone);
  for (uint32_t i = 0; i < operations_.size(); ++i) {
    for (uint32_t operand : operations_[i].outputs) writer[operand] = i;
  }
  std::vector<uint32_t> waiting(operations_.size());
  std::vector<std::vector<uint32_t>> readers(operations_.size());
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t i = 0; i < operations_.size(); ++i) {
    for (uint32_t operand : operations_[i].inputs) {
      if (writer[operand] == kNone) continue;
      readers[writer[operand]].push_back(i);
      ++waiting[i];
    }
    if (waiting[i] == 0) ready.push(i);
  }
  order_.clear();
  while (!ready.empty()) {
    const uint32_t operation = ready.top();
    ready.pop();
    order_.push_back(operation);
    for (uint32_t reader : readers[operation]) {
      if (--waiting[reader] == 0) ready.push(reader);
    }
  }
  if (order_.size() != operations_.size()) return bad_data("the operations form a cycle");
  return {};
}

void Model::set_missing_kernel() {
  // Models referred to know theirs already: asking them anew each time would take time exponential in the depth.
  for (const ModelOperation& operation : operations_) {
    const bool control_flow = operation.code == ANEURALNETWORKS_IF || operation.code == ANEURALNETWORKS_WHILE;
    if (!control_flow && (!operation.row || !operation.row->execute)) missing_kernel_ = operation.name();
  }
  for (const Reference<const Model>& model : models_) {
    if (model->missing_kernel_) missing_kernel_ = model->missing_kernel_;
  }
}

void Model::set_depth() {
  depth_ = 1;
  for (const Reference<const Model>& model : models_) depth_ = std::max(depth_, model->depth_ + 1);
}

}  // namespace avocet::runtime
