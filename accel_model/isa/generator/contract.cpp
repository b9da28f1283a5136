// SPDX-License-Identifier: Apache-2.0
// Questions that several writers ask of the contract: look-ups, kinds, struct layout.
#include "contract.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace avocet::isa_generator {
namespace {

constexpr std::array<std::pair<Kind, const char*>, 13> kKinds{{
    {Kind::flag, "flag"},
    {Kind::scalar, "scalar"},
    {Kind::is_signed, "signed"},
    {Kind::count_minus_one, "count_minus_one"},
    {Kind::length, "length"},
    {Kind::stride, "stride"},
    {Kind::sram, "sram"},
    {Kind::dram, "dram"},
    {Kind::acc, "acc"},
    {Kind::unit, "unit"},
    {Kind::channel, "channel"},
    {Kind::region, "region"},
    {Kind::enumeration, "enum"},
}};

template <typename Row>
const Row* find_named(const std::vector<Row>& rows, const std::string& name) {
  auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace

unsigned Command::words() const {
  unsigned last = 0;
  for (const Field& field : fields) last = std::max(last, field.word);
  return last + 1;
}

uint64_t Contract::constant(const std::string& name) const {
  const Constant* row = find_named(constants, name);
  if (!row) throw ContractError("constants: " + name + " is needed but absent");
  return row->value;
}

const Enum* Contract::find_enum(const std::string& name) const { return find_named(enums, name); }
const Struct* Contract::find_struct(const std::string& name) const { return find_named(structs, name); }

std::string kind_name(Kind kind) {
  for (auto [value, name] : kKinds)
    if (value == kind) return name;
  throw std::logic_error("kind without a name");
}

std::optional<Kind> kind_from(const std::string& text) {
  for (auto [value, name] : kKinds)
    if (text == name) return value;
  return std::nullopt;
}

std::optional<Layout> layout_of_type(const Contract& contract, const std::string& type) {
  if (type == "u8") return Layout{1, 1};
  if (type == "u16") return Layout{2, 2};
  if (type == "u32") return Layout{4, 4};
  if (type == "u64") return Layout{8, 8};
  if (const Struct* row = contract.find_struct(type)) return layout_of(contract, *row);
  return std::nullopt;
}

Layout layout_of(const Contract& contract, const Struct& row) {
  Layout total;
  for (const Member& member : row.members) {
    std::optional<Layout> element = layout_of_type(contract, member.type);
    if (!element) throw ContractError("struct " + row.name + "." + member.name + ": unknown type " + member.type);
    total.alignment = std::max(total.alignment, element->alignment);
    total.bytes += element->bytes * member.count;
  }
  return total;
}

}  // namespace avocet::isa_generator
