// SPDX-License-Identifier: Apache-2.0
// What stands between the seam and a kernel: run-time checks from the signature, and the NCHW view. See row.hpp.
#include "row.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "layout.hpp"
#include "shape.hpp"

namespace avocet::runtime {

Status check_scalar_value(const OperandRule& rule, const OperandView& operand, size_t index);  // validate.cpp

namespace {

/// Values of the names in symbolic extents, in one fixed array: no operation documents more names.
class Symbols {
 public:
  /// False when `symbol` was bound to another extent before.
  bool bind(std::string_view symbol, uint32_t extent, uint32_t* bound) {
    for (size_t i = 0; i < count_; ++i) {
      if (names_[i] != symbol) continue;
      *bound = extents_[i];
      return extents_[i] == extent;
    }
    if (count_ < names_.size()) {
      names_[count_] = symbol;
      extents_[count_++] = extent;
    }
    return true;
  }

 private:
  std::array<std::string_view, 24> names_;
  std::array<uint32_t, 24> extents_{};
  size_t count_ = 0;
};

bool is_number(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

Status check_extents(const OperandRule& rule, const OperandView& operand, size_t index, bool nchw, Symbols& symbols) {
  static constexpr size_t kNchwPosition[] = {0, 2, 3, 1};  // where NHWC's n, h, w and c stand in NCHW
  std::string_view rest = rule.extents;
  for (size_t d = 0; d < operand.dims.size(); ++d) {
    const size_t comma = rest.find(',');
    const std::string_view symbol = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const uint32_t extent = operand.dims[rule.is_image && nchw ? kNchwPosition[d] : d];
    uint32_t expected = 0;
    if (is_number(symbol)) {
      for (char c : symbol) expected = expected * 10 + static_cast<uint32_t>(c - '0');
      if (expected == extent) continue;
    } else if (!is_name(symbol) || symbols.bind(symbol, extent, &expected)) {
      continue;
    }
    return op_failed("input ", index, " (", rule.name, ") has the shape ", dims_text(operand.dims), " with ", symbol, " = ",
                     extent, " where ", expected, " is needed");
  }
  return {};
}

Status check_quantisation(const OperandRule& rule, const OperandView& operand, std::span<const OperandView> inputs,
                          const char* direction, size_t index) {
  if (rule.quantisation == Quantisation::kFree || operand.scale == 0.0f) return {};  // not a quantised type
  float scale = rule.fixed_scale;
  int32_t zero = operand.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED ? rule.fixed_zero_signed : rule.fixed_zero_unsigned;
  if (rule.quantisation == Quantisation::kSameAsInput) {
    scale = inputs[rule.same_as].scale;
    zero = inputs[rule.same_as].zero_point;
  }
  if (operand.scale == scale && operand.zero_point == zero) return {};
  return op_failed(direction, " ", index, " (", rule.name, ") has scale ", operand.scale, " and zero point ", operand.zero_point,
                   " where ", scale, " and ", zero, " are required");
}

Status check_input(const Signature& signature, const OperandRule& rule, const OperationContext& context, size_t i, bool nchw,
                   Symbols& symbols) {
  const OperandView& operand = context.inputs[i];
  if (operand.omitted) {
    return rule.may_be_omitted ? Status{} : op_failed("input ", i, " (", rule.name, ") has no value but is required");
  }
  if (!is_tensor(operand.type)) {
    Status status = check_scalar_value(rule, operand, i);
    if (!status.ok()) status.code = ANEURALNETWORKS_OP_FAILED;
    return status;
  }
  const size_t rank = operand.dims.size();
  if (rank < rule.min_rank || (rule.max_rank != kAnyRank && rank > rule.max_rank)) {
    return op_failed("input ", i, " (", rule.name, ") has rank ", rank, ", which is not allowed");
  }
  if (!signature.zero_sized && std::find(operand.dims.begin(), operand.dims.end(), 0u) != operand.dims.end()) {
    return op_failed("input ", i, " (", rule.name, ") is empty, its shape is ", dims_text(operand.dims));
  }
  if (rule.extents) AVOCET_RETURN_IF_FAILED(check_extents(rule, operand, i, nchw, symbols));
  return check_quantisation(rule, operand, context.inputs, "input", i);
}

Status check_output(const Match& match, const OperationContext& context, size_t i, const Dimensions& declared) {
  const OperandView& output = context.outputs[i];
  const OperandRule& rule = *rule_of(*match.outputs, i, context.outputs.size());
  if (!is_tensor(output.type)) return {};
  bool agrees = declared.empty() || declared.size() == output.dims.size();
  for (size_t d = 0; agrees && d < declared.size(); ++d) agrees = declared[d] == 0 || declared[d] == output.dims[d];
  if (!agrees) {
    return op_failed("output ", i, " (", rule.name, ") comes out as ", dims_text(output.dims), " but was declared as ",
                     dims_text(declared));
  }
  const auto count = element_count(output.dims);
  if (!count || uint64_t{*count} * element_size(output.type) > UINT32_MAX) {
    return op_failed("output ", i, " (", rule.name, ") of shape ", dims_text(output.dims), " is too large");
  }
  return check_quantisation(rule, output, context.inputs, "output", i);
}

}  // namespace

Status infer_checked(const Signature& signature, OperationContext& context, InferFunction infer) {
  const Match match = match_signature("the operation", signature, context);
  if (!match.status.ok()) return match.status;
  const bool nchw = is_nchw(*match.inputs, context);
  Symbols symbols;
  for (size_t i = 0; i < context.inputs.size(); ++i) {
    AVOCET_RETURN_IF_FAILED(
        check_input(signature, *rule_of(*match.inputs, i, context.inputs.size()), context, i, nchw, symbols));
  }
  // Most operations have one output; its declared dimensions are kept without allocating a vector of vectors.
  Dimensions first_declared;
  std::vector<Dimensions> declared;
  if (context.outputs.size() == 1) {
    first_declared = context.outputs[0].dims;
  } else {
    for (const OperandView& output : context.outputs) declared.push_back(output.dims);
  }
  AVOCET_RETURN_IF_FAILED(nchw ? infer_in_nhwc(match, context, infer) : infer(context));
  for (size_t i = 0; i < context.outputs.size(); ++i) {
    AVOCET_RETURN_IF_FAILED(check_output(match, context, i, declared.empty() ? first_declared : declared[i]));
  }
  return {};
}

Status execute_adapted(const Signature& signature, OperationContext& context, ExecuteFunction execute, Halves halves) {
  const bool all_empty = std::all_of(context.output_buffers.begin(), context.output_buffers.end(), [](void* p) { return !p; });
  if (all_empty) return {};
  if (may_be_nchw(signature)) {
    const Match match = match_signature("the operation", signature, context);
    if (!match.status.ok()) return match.status;
    if (is_nchw(*match.inputs, context)) return execute_in_nhwc(match, context, execute, halves);
  }
  return halves == Halves::kWidened ? run_in_float32(context, execute) : execute(context);
}

std::unique_ptr<PreparedState> prepare_checked(const Signature& signature, const OperationContext& context,
                                               PrepareFunction prepare, Halves halves) {
  const Match match = match_signature("the operation", signature, context);
  if (!match.status.ok()) return nullptr;
  const bool nchw = is_nchw(*match.inputs, context);
  Symbols symbols;
  for (size_t i = 0; i < context.inputs.size(); ++i) {
    const OperandView& operand = context.inputs[i];
    if (!operand.omitted && !operand.data && !is_tensor(operand.type)) return nullptr;
    if (!operand.data && !operand.omitted) continue;  // a tensor that comes with each execution
    const OperandRule& rule = *rule_of(*match.inputs, i, context.inputs.size());
    if (!check_input(signature, rule, context, i, nchw, symbols).ok()) return nullptr;
  }
  return halves == Halves::kWidened ? prepare_in_float32(context, prepare) : prepare(context);
}

Status infer_same_shape(OperationContext& context) {
  context.output(0).dims = context.input(0).dims;
  return {};
}

}  // namespace avocet::runtime
