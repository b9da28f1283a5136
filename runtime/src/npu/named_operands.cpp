// SPDX-License-Identifier: Apache-2.0
#include "npu/named_operands.hpp"

#include <cstring>

#include "operations/failure.hpp"
#include "operations/shape.hpp"

namespace avocet::runtime::npu {

Status NamedOperands::open(const Model& model, const ModelOperation& operation) {
  model_ = &model;
  operation_ = &operation;
  for (uint32_t operand : operation.inputs) inputs_.push_back(view_of(model.operand(operand)));
  for (uint32_t operand : operation.outputs) outputs_.push_back(view_of(model.operand(operand)));
  for (OperandView& view : inputs_) {
    const bool is_parameter = !is_tensor(view.type) || view.type == ANEURALNETWORKS_TENSOR_INT32;
    if (!is_parameter || !view.data) continue;
    const auto* bytes = static_cast<const uint8_t*>(view.data);
    copies_.emplace_back(bytes, bytes + view.bytes);
    view.data = copies_.back().data();
  }
  context_.inputs = inputs_;
  context_.outputs = outputs_;
  match_ = match_signature(operation.name(), *operation.row->signature, context_);
  return match_.status;
}

std::optional<size_t> NamedOperands::position(std::string_view name) const {
  const size_t count = inputs_.size();
  for (size_t i = 0; i < count; ++i) {
    const OperandRule* rule = rule_of(*match_.inputs, i, count);
    if (rule && name == rule->name && !inputs_[i].omitted) return i;
  }
  return std::nullopt;
}

Status NamedOperands::scalar(std::string_view name, int32_t absent, int32_t* value) const {
  *value = absent;
  const std::optional<size_t> at = position(name);
  if (!at) return {};
  const OperandView& input = inputs_[*at];
  if (!input.data) return op_failed("its ", name, " is not a constant");
  *value = input.type == ANEURALNETWORKS_BOOL ? *input.as<uint8_t>() : *input.as<int32_t>();
  return {};
}

Status NamedOperands::values(std::string_view name, std::vector<int32_t>* values, bool* given) const {
  const std::optional<size_t> at = position(name);
  if (given) *given = at.has_value();
  if (!at && given) return {};
  if (!at || !inputs_[*at].data) return op_failed("its ", name, " is not a constant");
  const OperandView& input = inputs_[*at];
  values->resize(input.bytes / sizeof(int32_t));
  std::memcpy(values->data(), input.data, values->size() * sizeof(int32_t));
  return {};
}

Status NamedOperands::infer() const {
  const Operation& row = *operation_->row;
  if (!row.infer) return op_failed(operation_->name(), " is not among the operations the NPU runs");
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const OperandView& input = inputs_[i];
    if (input.omitted || input.data || is_quant8(input.type)) continue;
    const OperandRule* rule = rule_of(*match_.inputs, i, inputs_.size());
    return op_failed("its ", rule ? rule->name : "input", " is not a constant");
  }
  std::vector<OperandView> outputs = outputs_;
  OperationContext context;
  context.inputs = inputs_;
  context.outputs = outputs;
  return row.infer(context);
}

}  // namespace avocet::runtime::npu
