// SPDX-License-Identifier: Apache-2.0
// IF and WHILE: the referenced models must agree with the operation in number, types and dimensions of their operands.
#include "model.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime {
namespace {

bool is_condition(const Operand& operand) {
  return operand.type == ANEURALNETWORKS_TENSOR_BOOL8 && operand.dims == Dimensions{1};
}

/// One list of a referenced model (`inner`, indices into it) against one of the operation's (`outer`).
Status check_list(const char* what, const Model& inner_model, std::span<const uint32_t> inner, const Model& outer_model,
                  std::span<const uint32_t> outer) {
  if (inner.size() != outer.size()) return bad_data(what, ": ", inner.size(), " operands, required are ", outer.size());
  for (size_t i = 0; i < inner.size(); ++i) {
    const Operand& a = inner_model.operand(inner[i]);
    const Operand& b = outer_model.operand(outer[i]);
    if (!same_type(a, b)) return bad_data(what, " ", i, " has another type than the operation's operand");
    if (!compatible(a.dims, b.dims)) {
      return bad_data(what, " ", i, " is ", dims_text(a.dims), ", the operation's operand ", dims_text(b.dims));
    }
  }
  return {};
}

/// The model an input of the operation refers to; null when it is not set, which is an error in a complete model.
Status referenced(const Model& model, uint32_t index, bool complete, const Model** result) {
  const Operand& operand = model.operand(index);
  *result = operand.lifetime == Lifetime::kModel ? operand.model : nullptr;
  if (operand.type != ANEURALNETWORKS_MODEL) return bad_data("operand ", index, " is not a MODEL");
  if (!*result && complete) return bad_data("operand ", index, " refers to no model");
  return {};
}

Status check_if(const Model& model, const ModelOperation& operation, bool complete) {
  if (operation.inputs.size() < 3 || operation.outputs.empty()) return bad_data("IF needs 3 inputs and an output");
  if (!is_condition(model.operand(operation.inputs[0])))
    return bad_data("IF: the condition is not a TENSOR_BOOL8 of shape [1]");
  const std::span<const uint32_t> arguments = std::span(operation.inputs).subspan(3);
  for (int branch = 1; branch <= 2; ++branch) {
    const Model* inner = nullptr;
    AVOCET_RETURN_IF_FAILED(referenced(model, operation.inputs[branch], complete, &inner));
    if (!inner) continue;
    AVOCET_RETURN_IF_FAILED(check_list("IF: input of a branch", *inner, inner->inputs(), model, arguments));
    AVOCET_RETURN_IF_FAILED(check_list("IF: output of a branch", *inner, inner->outputs(), model, operation.outputs));
  }
  return {};
}

Status check_while(const Model& model, const ModelOperation& operation, bool complete) {
  if (operation.inputs.size() < 3 || operation.outputs.empty()) return bad_data("WHILE needs 3 inputs and an output");
  const std::span<const uint32_t> arguments = std::span(operation.inputs).subspan(2);
  const Model *condition = nullptr, *body = nullptr;
  AVOCET_RETURN_IF_FAILED(referenced(model, operation.inputs[0], complete, &condition));
  AVOCET_RETURN_IF_FAILED(referenced(model, operation.inputs[1], complete, &body));
  if (condition) {
    AVOCET_RETURN_IF_FAILED(
        check_list("WHILE: input of the condition", *condition, condition->inputs(), model, arguments));
    if (condition->outputs().size() != 1 || !is_condition(condition->operand(condition->outputs()[0]))) {
      return bad_data("WHILE: the condition does not have one TENSOR_BOOL8 of shape [1] as output");
    }
  }
  if (body) {
    const std::vector<uint32_t>& results = body->outputs();
    AVOCET_RETURN_IF_FAILED(check_list("WHILE: input of the body", *body, body->inputs(), model, arguments));
    if (results.size() < operation.outputs.size() || results.size() > arguments.size()) {
      return bad_data("WHILE: the body has ", results.size(), " outputs, the operation ", operation.outputs.size(),
                      " outputs and ", arguments.size(), " values");
    }
    AVOCET_RETURN_IF_FAILED(check_list("WHILE: output of the body", *body,
                                       std::span(results).first(operation.outputs.size()), model, operation.outputs));
    AVOCET_RETURN_IF_FAILED(
        check_list("WHILE: output of the body", *body, results, model, arguments.first(results.size())));
  }
  if (operation.outputs.size() > arguments.size()) return bad_data("WHILE: more outputs than values");
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    const Operand& output = model.operand(operation.outputs[i]);
    if (!same_type(output, model.operand(arguments[i]))) {
      return bad_data("WHILE: output ", i, " has another type than its initial value");
    }
  }
  return {};
}

}  // namespace

Status check_control_flow(const Model& model, const ModelOperation& operation, bool complete) {
  if (operation.code == ANEURALNETWORKS_IF) return check_if(model, operation, complete);
  if (operation.code == ANEURALNETWORKS_WHILE) return check_while(model, operation, complete);
  return {};
}

}  // namespace avocet::runtime
