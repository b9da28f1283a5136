// SPDX-License-Identifier: Apache-2.0
#include "operation_draw.hpp"

#include <algorithm>

namespace avocet::random_models {
namespace {

using runtime::Form;
using runtime::OperandRule;
using runtime::Type;

bool is_scalar(int32_t type) { return !is_tensor_type(type); }

/// A number of operands that the form allows.
size_t draw_count(Random& random, const Form& form) {
  size_t count = form.operands.size();
  bool repeats = false;
  while (count > 0 && form.operands[count - 1].may_be_absent && random.chance(50)) --count;
  // A joined operand is there exactly when the one before it is.
  while (count < form.operands.size() && count > 0 && form.operands[count].with_previous) --count;
  for (const OperandRule& rule : form.operands) repeats |= rule.repeats;
  if (!repeats) return count;
  for (const OperandRule& rule : form.operands) {
    if (rule.repeats && rule.may_be_absent) return form.operands.size() - 1 + random.below(4);
  }
  return form.operands.size() + random.below(3);
}

/// Small, but now and then longer than the vectors of any processor.
uint32_t draw_extent(Random& random, std::string_view name) {
  const bool may_be_long = name == "width" || name.starts_with("depth") || name == "units" || name == "input_size";
  if (may_be_long && random.chance(7)) return random.extent(10, 70);
  if (name == "height" || name == "width") return random.extent(1, 9);
  if (name.starts_with("batch")) return random.extent(1, 3);
  if (name.starts_with("depth")) return random.extent(1, 8);
  if (name.starts_with("filter_")) return random.extent(1, 4);
  return random.extent(1, 5);
}

}  // namespace

int32_t OperationDraw::resolve(Type type) const {
  if (type >= Type::kColumnA && type <= Type::kColumnD) {
    type = types_->columns[static_cast<size_t>(type) - static_cast<size_t>(Type::kColumnA)];
  }
  return static_cast<int32_t>(type);
}

bool OperationDraw::choose_types(int primary, int32_t primary_type, bool quantised_only) {
  const runtime::Signature& row = signature();
  if (row.types.empty()) return !quantised_only && (primary_type < 0 || resolve(inputs_->operands[0].type) == primary_type);
  std::vector<const runtime::TypeRow*> fitting;
  for (const runtime::TypeRow& types : row.types) {
    types_ = &types;
    const bool fits = primary < 0 || primary_type < 0 || resolve(inputs_->operands[static_cast<size_t>(primary)].type) == primary_type;
    const int32_t column = static_cast<int32_t>(types.columns[0]);
    const bool quantised = column == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM || column == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
    if (fits && (quantised || !quantised_only)) fitting.push_back(&types);
  }
  if (fitting.empty()) return false;
  types_ = random.pick(fitting);
  return true;
}

bool OperationDraw::choose(int primary, int32_t primary_type, bool quantised_only) {
  inputs_ = &signature().inputs[random.below(signature().inputs.size())];
  outputs_ = &signature().outputs[random.below(signature().outputs.size())];
  if (!choose_types(primary, primary_type, quantised_only)) return false;
  add_operands(*inputs_, draw_count(random, *inputs_), in);
  add_operands(*outputs_, draw_count(random, *outputs_), out);
  for (OperandDraw& operand : in) {
    if (operand.rule->may_be_omitted && random.chance(30)) operand.omitted = true;
    if (is_scalar(operand.type) && operand.type != ANEURALNETWORKS_MODEL) draw_scalar(operand);
  }
  return true;
}

void OperationDraw::add_operands(const Form& form, size_t count, std::vector<OperandDraw>& list) {
  list.clear();
  for (size_t i = 0; i < count; ++i) {
    OperandDraw& operand = list.emplace_back();
    operand.rule = rule_of(form, i, count);
    operand.type = resolve(operand.rule->type);
    operand.shaped = is_scalar(operand.type);
  }
}

void OperationDraw::repeat_inputs(size_t count) { add_operands(*inputs_, inputs_->operands.size() - 1 + count, in); }
void OperationDraw::repeat_outputs(size_t count) { add_operands(*outputs_, outputs_->operands.size() - 1 + count, out); }

void OperationDraw::draw_scalar(OperandDraw& operand) {
  const OperandRule& rule = *operand.rule;
  double value = 0;
  if (rule.one_of) {
    do value = random.below(32);
    while (!((rule.one_of >> static_cast<uint32_t>(value)) & 1));
  } else if (operand.type == ANEURALNETWORKS_BOOL) {
    value = random.below(2);
  } else if (is_float_type(operand.type)) {
    value = random.real(std::max(rule.lowest, 0.0), std::min(rule.highest, 3.0));
    if (rule.lowest > 0) value = std::max(value, 0.1);
  } else {
    const double low = std::max(rule.lowest, -2.0);
    value = static_cast<double>(random.between(static_cast<int64_t>(low), static_cast<int64_t>(std::min(rule.highest, low + 2))));
  }
  if (rule.may_be_absent && random.chance(30)) value = rule.default_value;
  Value like;
  like.type = operand.type;
  operand.stored = {to_stored(like, value)};
  operand.fresh = true;
}

OperandDraw* OperationDraw::find(std::string_view name) {
  for (OperandDraw& operand : in) {
    if (operand.rule->name == name) return &operand;
  }
  return nullptr;
}

double OperationDraw::scalar(std::string_view name, double absent) {
  const OperandDraw* operand = find(name);
  return operand && !operand->omitted && !operand->stored.empty() ? operand->stored[0] : absent;
}

void OperationDraw::set_scalar(std::string_view name, double value) {
  OperandDraw& operand = input(name);
  Value like;
  like.type = operand.type;
  operand.stored = {to_stored(like, value)};
  operand.fresh = true;
}

bool OperationDraw::nchw() { return scalar("nchw", 0) != 0; }

uint32_t OperationDraw::symbol(const std::string& name) {
  const auto found = symbols_.find(name);
  return found != symbols_.end() ? found->second : symbols_[name] = draw_extent(random, name);
}

void OperationDraw::feed(size_t i, uint32_t index, const Dims& dims, float scale, int32_t zero_point) {
  OperandDraw& operand = in[i];
  operand.fed = index;
  operand.omitted = false;
  operand.shape(dims);
  operand.quantise(scale, zero_point);
  if (operand.rule->extents) shape_by_symbols(operand, true);
}

/// Either binds names to the extents that the operand has, or gives it the extents of the names. "4*classes" is a product.
bool OperationDraw::shape_by_symbols(OperandDraw& operand, bool bind) {
  static constexpr size_t kNchwPosition[] = {0, 2, 3, 1};
  const bool swap = operand.rule->is_image && nchw();
  std::string_view rest = operand.rule->extents;
  Dims dims(operand.rule->min_rank, 0);
  for (size_t d = 0; d < dims.size(); ++d) {
    const size_t comma = rest.find(',');
    std::string_view text = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    uint32_t& extent = dims[swap ? kNchwPosition[d] : d];
    uint32_t factor = 1;
    if (const size_t star = text.find('*'); star != std::string_view::npos) {
      factor = static_cast<uint32_t>(std::stoul(std::string(text.substr(0, star))));
      text = text.substr(star + 1);
    }
    const bool number = text[0] >= '0' && text[0] <= '9';
    if (bind) {
      const uint32_t given = operand.dims[swap ? kNchwPosition[d] : d];
      if (number) continue;
      set(std::string(text), given / factor);
    } else {
      extent = number ? static_cast<uint32_t>(std::stoul(std::string(text))) : symbol(std::string(text)) * factor;
    }
  }
  if (!bind) operand.shape(dims);
  return true;
}

const Dims& OperationDraw::shape_input(size_t i, uint32_t most) {
  OperandDraw& operand = in[i];
  if (operand.shaped) return operand.dims;
  if (operand.rule->extents) {
    shape_by_symbols(operand, false);
    return operand.dims;
  }
  const uint32_t highest = operand.rule->max_rank == runtime::kAnyRank ? 5 : operand.rule->max_rank;
  Dims dims(random.extent(std::max<uint32_t>(operand.rule->min_rank, 1), highest));
  for (uint32_t& extent : dims) extent = random.chance(20) ? 1 : random.extent(1, most);
  if (random.chance(8)) random.pick(dims) = random.extent(8, 100);
  operand.shape(dims);
  return operand.dims;
}

bool OperationDraw::finish() {
  for (size_t i = 0; i < in.size(); ++i) {
    if (!in[i].omitted) shape_input(i);
  }
  for (OperandDraw& operand : out) {
    if (operand.shaped) continue;
    if (operand.rule->extents) {
      shape_by_symbols(operand, false);
    } else {
      operand.shape(in[0].dims);
    }
  }
  for (OperandDraw& operand : in) draw_quantisation(operand);
  for (OperandDraw& operand : out) draw_quantisation(operand);
  for (OperandDraw& operand : in) {
    if (!operand.omitted && !operand.fed && operand.stored.empty()) draw_values(operand);
  }
  return true;
}

}  // namespace avocet::random_models
