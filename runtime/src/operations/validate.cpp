// SPDX-License-Identifier: Apache-2.0
// Generic validation from the signature row: which form and type row the operands have, then each operand by its rule.
// Scale, zero point and relations of extents are not looked at here: they are checked when the operation runs (run_checks.cpp).
#include <algorithm>
#include <cmath>

#include "failure.hpp"
#include "float16.hpp"
#include "shape.hpp"
#include "signature.hpp"

namespace avocet::runtime {
namespace {

std::string operand_text(const char* direction, size_t index, const OperandRule& rule) {
  return std::string(direction) + " " + std::to_string(index) + " (" + rule.name + ")";
}

bool count_fits(const Form& form, size_t count) {
  size_t required = 0, total = form.operands.size();
  bool repeats = false;
  for (const OperandRule& rule : form.operands) {
    required += !rule.may_be_absent;
    repeats |= rule.repeats;
  }
  if (count < required || (count > total && !repeats)) return false;
  // A joined operand may not be cut off from the one before it.
  return count >= total || !form.operands[count].with_previous;
}

std::string counts_text(std::span<const Form> forms) {
  std::string text;
  for (const Form& form : forms) {
    size_t low = form.operands.size(), high = low;
    bool repeats = false;
    for (const OperandRule& rule : form.operands) {
      low -= rule.may_be_absent;
      repeats |= rule.repeats;
    }
    if (!text.empty()) text += " or ";
    text += std::to_string(low);
    if (repeats) text += " or more";
    else if (low != high) text += " to " + std::to_string(high);
    if (*form.name) text += std::string(" (") + form.name + ")";
  }
  return text;
}

bool type_fits(Type wanted, int32_t actual, const TypeRow* row) {
  if (wanted == Type::kAny) return true;
  if (wanted == Type::kAnyTensor) return is_tensor(actual);
  if (wanted >= Type::kColumnA) {
    if (!row) return false;
    wanted = row->columns[static_cast<size_t>(wanted) - static_cast<size_t>(Type::kColumnA)];
  }
  return static_cast<int32_t>(wanted) == actual;
}

/// Index of the first operand whose type does not fit, or the count when all fit.
size_t first_misfit(const Form& form, std::span<const OperandView> operands, const TypeRow* row) {
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!type_fits(rule_of(form, i, operands.size())->type, operands[i].type, row)) return i;
  }
  return operands.size();
}

/// Value of a scalar whose data is known.
double scalar_value(const OperandView& operand) {
  switch (operand.type) {
    case ANEURALNETWORKS_INT32: return *operand.as<int32_t>();
    case ANEURALNETWORKS_UINT32: return *operand.as<uint32_t>();
    case ANEURALNETWORKS_BOOL: return *operand.as<uint8_t>() ? 1 : 0;
    case ANEURALNETWORKS_FLOAT32: return *operand.as<float>();
    case ANEURALNETWORKS_FLOAT16: return static_cast<float>(*operand.as<Float16>());
    default: return 0;
  }
}

/// Number of operands without the trailing ones that say what their absence would: they ask for no newer level.
size_t count_without_defaults(const Form& form, std::span<const OperandView> operands) {
  size_t count = operands.size();
  for (; count > 0; --count) {
    const OperandRule& rule = *rule_of(form, count - 1, operands.size());
    const OperandView& operand = operands[count - 1];
    if (!rule.may_be_absent || is_tensor(operand.type) || !operand.constant || !operand.data) break;
    if (scalar_value(operand) != rule.default_value) break;
  }
  return count;
}

Status check_rank(const OperandRule& rule, const OperandView& operand, const std::string& where, int* level) {
  const size_t rank = operand.dims.size();
  if (!is_tensor(operand.type) || rank == 0) return {};  // scalars, and tensors of unknown rank
  // Clients declare an optional operand that they will leave out at execution with the dimensions [0].
  if (rule.may_be_omitted && rank == 1 && operand.dims[0] == 0) return {};
  if (rank < rule.min_rank || (rule.max_rank != kAnyRank && rank > rule.max_rank)) {
    return bad_data(where, " has rank ", rank, "; allowed is ", int{rule.min_rank},
                    rule.max_rank == kAnyRank            ? std::string(" or more")
                    : rule.max_rank == rule.min_rank ? std::string()
                                                     : " to " + std::to_string(rule.max_rank));
  }
  if (rule.old_ranks && !((rule.old_ranks >> rank) & 1)) *level = std::max(*level, 29);
  return {};
}

}  // namespace

Status check_scalar_value(const OperandRule& rule, const OperandView& operand, size_t index) {
  if (is_tensor(operand.type) || !operand.data || operand.type == ANEURALNETWORKS_MODEL) return {};
  const double value = scalar_value(operand);
  if (rule.one_of) {
    if (value < 0 || value > 31 || !((rule.one_of >> static_cast<uint32_t>(value)) & 1)) {
      return bad_data(operand_text("input", index, rule), " is ", value, ", which is none of its documented values");
    }
  } else if (!(value >= rule.lowest && value <= rule.highest) && (rule.lowest != -kNoLimit || rule.highest != kNoLimit)) {
    return bad_data(operand_text("input", index, rule), " is ", value, "; allowed is ", rule.lowest, " to ", rule.highest);
  }
  return {};
}

const OperandRule* rule_of(const Form& form, size_t index, size_t count) {
  const size_t rules = form.operands.size();
  for (size_t r = 0; r < rules; ++r) {
    if (!form.operands[r].repeats) continue;
    if (index < r) break;
    const size_t after = rules - r - 1;
    const size_t covered = count > rules - 1 ? count - (rules - 1) : 0;
    if (index < r + covered) return &form.operands[r];
    index = index - covered + 1;  // as if the rule stood for one operand
    return index <= r + after ? &form.operands[index] : nullptr;
  }
  return index < rules ? &form.operands[index] : nullptr;
}

Match match_signature(const char* name, const Signature& signature, const OperationContext& context) {
  static constexpr TypeRow kNoTable{};
  const std::span<const TypeRow> rows =
      signature.types.empty() ? std::span<const TypeRow>(&kNoTable, 1) : signature.types;
  bool input_count_fits = false, output_count_fits = false;
  size_t best = 0;
  const OperandRule* best_rule = nullptr;
  Match match;
  for (const Form& inputs : signature.inputs) {
    if (!count_fits(inputs, context.inputs.size())) continue;
    input_count_fits = true;
    for (const Form& outputs : signature.outputs) {
      if (!count_fits(outputs, context.outputs.size())) continue;
      output_count_fits = true;
      for (const TypeRow& row : rows) {
        const TypeRow* table = signature.types.empty() ? nullptr : &row;
        size_t fitting = first_misfit(inputs, context.inputs, table);
        const bool inputs_fit = fitting == context.inputs.size();
        if (inputs_fit) fitting += first_misfit(outputs, context.outputs, table);
        if (fitting == context.inputs.size() + context.outputs.size()) {
          match.inputs = &inputs;
          match.outputs = &outputs;
          match.types = table;
          return match;
        }
        if (!best_rule || fitting > best) {
          best = fitting;
          best_rule = inputs_fit ? rule_of(outputs, fitting - context.inputs.size(), context.outputs.size())
                                 : rule_of(inputs, fitting, context.inputs.size());
        }
      }
    }
  }
  if (!input_count_fits) {
    match.status = bad_data(name, " has ", context.inputs.size(), " inputs; allowed is ", counts_text(signature.inputs));
  } else if (!output_count_fits) {
    match.status = bad_data(name, " has ", context.outputs.size(), " outputs; allowed is ", counts_text(signature.outputs));
  } else {
    const bool is_input = best < context.inputs.size();
    const size_t index = is_input ? best : best - context.inputs.size();
    const OperandView& operand = is_input ? context.inputs[index] : context.outputs[index];
    match.status = bad_data(name, ": ", operand_text(is_input ? "input" : "output", index, *best_rule), " is ",
                            type_name(operand.type), ", which does not go with the other operands");
  }
  return match;
}

Status validate_signature(const char* name, const Signature& signature, const OperationContext& context, int* min_level) {
  int level = signature.level;
  const Match match = match_signature(name, signature, context);
  if (!match.status.ok()) return match.status;
  level = std::max({level, int{match.inputs->level}, int{match.outputs->level}, match.types ? int{match.types->level} : 27});

  const auto check = [&](const char* direction, const Form& form, auto operands) -> Status {
    const size_t telling = count_without_defaults(form, operands);
    for (size_t i = 0; i < operands.size(); ++i) {
      const OperandRule& rule = *rule_of(form, i, operands.size());
      const OperandView& operand = operands[i];
      const std::string where = std::string(name) + ": " + operand_text(direction, i, rule);
      if (i < telling) level = std::max(level, int{rule.from_level});
      if (operand.omitted) {
        if (!rule.may_be_omitted) return bad_data(where, " has no value but is required");
        continue;
      }
      AVOCET_RETURN_IF_FAILED(check_rank(rule, operand, where, &level));
      if (operand.type == ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL && rule.channel_dim >= 0 &&
          operand.channel_dim != static_cast<uint32_t>(rule.channel_dim)) {
        return bad_data(where, " has channel dimension ", operand.channel_dim, "; required is ", int{rule.channel_dim});
      }
      if (Status status = check_scalar_value(rule, operand, i); !status.ok()) {
        return failure(status.code, name, ": ", status.message);
      }
    }
    return {};
  };
  AVOCET_RETURN_IF_FAILED(check("input", *match.inputs, context.inputs));
  AVOCET_RETURN_IF_FAILED(check("output", *match.outputs, context.outputs));
  if (min_level) *min_level = level;
  return {};
}

Status validate_operation(const Operation& operation, const OperationContext& context, int* min_feature_level) {
  AVOCET_RETURN_IF_FAILED(validate_signature(operation.name, *operation.signature, context, min_feature_level));
  if (!operation.check) return {};
  Status status = operation.check(context);
  if (!status.ok()) status.message = std::string(operation.name) + ": " + status.message;
  return status;
}

}  // namespace avocet::runtime
