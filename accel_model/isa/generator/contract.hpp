// SPDX-License-Identifier: Apache-2.0
// The contract in memory: one structure per kind of row of contract.json. Order is that of the file; every output keeps
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace avocet::isa_generator {

// A row that cannot be used: what() says where it stands and what is wrong.
struct ContractError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Constant {
  std::string name, spelling, doc;  // spelling: as in the file, decimal or hexadecimal
  uint64_t value = 0;
};

struct EnumValue {
  std::string name, doc;
  uint32_t value = 0;
};

struct Enum {
  std::string name, doc;
  std::vector<EnumValue> values;
};

struct BitField {
  std::string name, doc;
  unsigned lsb = 0, bits = 0;
};

struct Register {
  std::string name, access, doc;
  uint32_t offset = 0;
  std::vector<BitField> fields;
};

struct Member {
  std::string name, type, doc;
  unsigned count = 1;
};

struct Struct {
  std::string name, doc;
  std::vector<Member> members;
};

enum class Kind {
  flag,
  scalar,
  is_signed,
  count_minus_one,
  length,
  stride,
  sram,
  dram,
  acc,
  unit,
  channel,
  region,
  enumeration
};

struct Field {
  std::string name, doc;
  unsigned word = 0, lsb = 0, bits = 0;
  Kind kind = Kind::scalar;
  std::string enum_name;  // of Kind::enumeration
};

// A product of one number and up to two fields (indices into the command's fields).
struct Term {
  uint32_t factor = 1;
  std::vector<unsigned> fields;
};

struct Dimension {
  Term count, stride;
};

// `bytes` contiguous units at `address` (one when the flag `single_if` is set), repeated over the dimensions; the unit is
// a byte, or an accumulator row.
struct Access {
  std::string space, mode;
  unsigned address = 0;
  std::optional<unsigned> region;
  Term bytes;
  std::optional<unsigned> single_if;
  std::vector<Dimension> dimensions;
};

struct Command {
  std::string name, unit, doc;
  uint32_t opcode = 0;
  std::vector<Field> fields;
  std::vector<Access> accesses;
  unsigned words() const;  // length including word 0
};

struct Contract {
  uint32_t major = 0, minor = 0;
  std::vector<Constant> constants;
  std::vector<Enum> enums;
  std::vector<Register> registers;
  std::vector<Struct> structs;
  BitField opcode, length, tag;  // of word 0
  std::string header_doc;
  std::vector<Command> commands;

  uint64_t constant(const std::string& name) const;  // throws when there is none
  const Enum* find_enum(const std::string& name) const;
  const Struct* find_struct(const std::string& name) const;
};

// Size and alignment in bytes of one element of a member's type; nullopt for an unknown type.
struct Layout {
  uint64_t bytes = 0, alignment = 1;
};
std::optional<Layout> layout_of_type(const Contract& contract, const std::string& type);
Layout layout_of(const Contract& contract, const Struct& row);

// Name of a kind in tables and pages, and its spelling in the C tables.
std::string kind_name(Kind kind);
std::optional<Kind> kind_from(const std::string& text);  // without "enum:"

// Reads the rows, refusing unknown keys, types and names of fields in expressions.
Contract read_contract(const std::filesystem::path& path);
// The rules between rows: uniqueness, overlaps, ranges, layout. Throws ContractError at the first violation.
void check_contract(const Contract& contract);

}  // namespace avocet::isa_generator
