// SPDX-License-Identifier: Apache-2.0
#include "reference_page.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include "shape.hpp"
#include "signature.hpp"

namespace avocet::runtime {
namespace {

constexpr const char* kColumnNames[kTypeColumns] = {"A", "B", "C", "D"};

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string name_of(Type type) {
  switch (type) {
    case Type::kAny: return "any";
    case Type::kAnyTensor: return "any tensor";
    default: break;
  }
  if (type >= Type::kColumnA && type <= Type::kColumnD) {
    return std::string("column ") + kColumnNames[static_cast<int>(type) - static_cast<int>(Type::kColumnA)];
  }
  return type_name(static_cast<int32_t>(type));
}

std::string set_of(uint32_t bits) {
  std::string text;
  for (unsigned value = 0; value < 32; ++value) {
    if (bits >> value & 1) text += (text.empty() ? "" : ", ") + std::to_string(value);
  }
  return text;
}

std::string shape_of(const OperandRule& rule) {
  if (rule.extents) return std::string("[") + rule.extents + "]";
  if (rule.max_rank == 0) return "scalar";
  std::string text = "rank ";
  text += std::to_string(rule.min_rank);
  if (rule.max_rank == kAnyRank) {
    text += " or more";
  } else if (rule.max_rank != rule.min_rank) {
    text += " to " + std::to_string(rule.max_rank);
  }
  return text;
}

std::string range_of(const OperandRule& rule) {
  const bool below = std::isfinite(rule.lowest), above = std::isfinite(rule.highest);
  if (below && above) return number(rule.lowest) + " to " + number(rule.highest);
  if (below && rule.lowest > 0 && rule.lowest < std::numeric_limits<float>::min()) return "above 0";
  return below ? "at least " + number(rule.lowest) : "at most " + number(rule.highest);
}

/// What the columns for name, type and shape do not say.
std::string notes_of(const OperandRule& rule, uint8_t form_level) {
  std::string text;
  auto note = [&text](const std::string& sentence) { text += (text.empty() ? "" : "; ") + sentence; };
  if (rule.from_level > form_level) note("level " + std::to_string(rule.from_level));
  if (rule.old_ranks) note("before level 29 only rank " + set_of(rule.old_ranks));
  if (rule.repeats) note(rule.may_be_absent ? "none or more" : "one or more");
  if (rule.may_be_absent && !rule.repeats) note("optional, default " + number(rule.default_value));
  if (rule.may_be_omitted && !rule.may_be_absent) note("may have no value");
  if (rule.with_previous) note("given with the operand before it");
  if (rule.is_image) note("NHWC, or NCHW where nchw is true");
  if (rule.channel_dim >= 0) note("per channel of dimension " + std::to_string(rule.channel_dim));
  if (rule.one_of) note("one of " + set_of(rule.one_of));
  if (std::isfinite(rule.lowest) || std::isfinite(rule.highest)) note(range_of(rule));
  if (rule.quantisation == Quantisation::kSameAsInput) note("scale and zero point of input " + std::to_string(rule.same_as));
  if (rule.quantisation == Quantisation::kFixed) {
    note("scale " + number(rule.fixed_scale) + ", zero point " + std::to_string(rule.fixed_zero_unsigned) + " (signed: " +
         std::to_string(rule.fixed_zero_signed) + ")");
  }
  return text;
}

void write_types(const Signature& signature, std::ostringstream& page) {
  if (signature.types.empty()) return;
  page << "\n| level |";
  size_t columns = 0;
  for (const TypeRow& row : signature.types) {
    for (size_t c = 0; c < kTypeColumns; ++c) {
      if (static_cast<int>(row.columns[c]) != 0) columns = std::max(columns, c + 1);
    }
  }
  columns = std::max<size_t>(columns, 1);
  for (size_t c = 0; c < columns; ++c) page << " column " << kColumnNames[c] << " |";
  page << "\n| --- |";
  for (size_t c = 0; c < columns; ++c) page << " --- |";
  page << "\n";
  for (const TypeRow& row : signature.types) {
    page << "| " << int{std::max(row.level, signature.level)} << " |";
    for (size_t c = 0; c < columns; ++c) page << " " << name_of(row.columns[c]) << " |";
    page << "\n";
  }
}

void write_form(const char* what, const Form& form, uint8_t level, std::ostringstream& page) {
  page << "\n" << what;
  if (*form.name) page << ", " << form.name;
  const uint8_t form_level = std::max(form.level, level);
  if (form_level > level) page << " (level " << int{form_level} << ")";
  page << ":\n\n| | name | type | shape | |\n| --- | --- | --- | --- | --- |\n";
  for (size_t i = 0; i < form.operands.size(); ++i) {
    const OperandRule& rule = form.operands[i];
    page << "| " << i << " | `" << rule.name << "` | " << name_of(rule.type) << " | " << shape_of(rule) << " | "
         << notes_of(rule, form_level) << " |\n";
  }
}

}  // namespace

std::string reference_page(std::span<const Operation> operations) {
  std::ostringstream page;
  page << "# Operations\n\nWritten from the operations' rows. Equal names in shapes are equal extents. A type table has one row for each\n"
          "combination of types and the feature level from which it exists.\n";
  for (const Operation& operation : operations) {
    const Signature& signature = *operation.signature;
    page << "\n## " << operation.name << "\n\nCode " << operation.code << ", feature level " << int{signature.level};
    if (signature.zero_sized) page << "; inputs may be empty (level 29)";
    if (signature.random) page << "; results differ from run to run";
    page << ".\n";
    write_types(signature, page);
    for (const Form& form : signature.inputs) write_form("Inputs", form, signature.level, page);
    for (const Form& form : signature.outputs) write_form("Outputs", form, signature.level, page);
  }
  return page.str();
}

}  // namespace avocet::runtime
