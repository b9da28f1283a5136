// SPDX-License-Identifier: Apache-2.0
// avocet_pkg.sv: the same names for the RTL.
#include <algorithm>

#include "text.hpp"
#include "writers.hpp"

namespace avocet::isa_generator {
namespace {

std::string literal(unsigned bits, uint64_t value) {
  return std::to_string(bits) + "'h" + hex(value, (bits + 3) / 4).substr(2);
}

std::string parameter(unsigned bits, const std::string& name, uint64_t value) {
  return "  localparam logic [" + std::to_string(bits - 1) + ":0] " + name + " = " + literal(bits, value) + ";\n";
}

std::string comment(const std::string& text) { return wrapped(text, "  // ", "  // ", ""); }

std::string enum_type(const Enum& row) {
  uint32_t largest = 0;
  for (const EnumValue& value : row.values) largest = std::max(largest, value.value);
  unsigned bits = 1;
  while (largest >> bits) ++bits;
  std::string out = "\n" + comment(row.doc) + "  typedef enum logic [" + std::to_string(bits - 1) + ":0] {\n";
  for (size_t i = 0; i < row.values.size(); ++i)
    out += "    " + upper(row.name) + "_" + row.values[i].name + " = " + literal(bits, row.values[i].value) +
           (i + 1 < row.values.size() ? ",\n" : "\n");
  return out + "  } " + row.name + "_e;\n";
}

std::string commands(const Contract& contract) {
  std::string out = "\n" + comment(contract.header_doc);
  for (const BitField* field : {&contract.opcode, &contract.length, &contract.tag}) {
    out += "  localparam int unsigned COMMAND_" + upper(field->name) + "_LSB = " + std::to_string(field->lsb) + ";\n";
    out += "  localparam int unsigned COMMAND_" + upper(field->name) + "_BITS = " + std::to_string(field->bits) + ";\n";
  }
  unsigned bits = contract.opcode.bits;
  out += "\n  typedef enum logic [" + std::to_string(bits - 1) + ":0] {\n";
  for (size_t i = 0; i < contract.commands.size(); ++i)
    out += "    OP_" + contract.commands[i].name + " = " + literal(bits, contract.commands[i].opcode) +
           (i + 1 < contract.commands.size() ? ",\n" : "\n");
  out += "  } opcode_e;\n\n  // Lengths in words, word 0 included\n";
  for (const Command& row : contract.commands)
    out += "  localparam int unsigned " + row.name + "_WORDS = " + std::to_string(row.words()) + ";\n";
  return out;
}

}  // namespace

std::string write_sv_package(const Contract& contract) {
  std::string out =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Generated from contract.json by isa_generate; change the rows, not this file.\n"
      "// The contract for RTL: the names of avocet_isa.h without AVOCET_. A module uses only some of them.\n\n"
      "/* verilator lint_off UNUSEDPARAM */\npackage avocet_pkg;\n\n";
  out += parameter(32, "VERSION_MAJOR", contract.major) + parameter(32, "VERSION_MINOR", contract.minor);
  out += parameter(32, "VERSION", contract.major << 16 | contract.minor) + "\n";
  for (const Constant& row : contract.constants) out += comment(row.doc) + parameter(32, row.name, row.value);
  for (const Enum& row : contract.enums) out += enum_type(row);
  out += "\n  // Registers: byte offsets, and masks of their fields\n";
  for (const Register& row : contract.registers) {
    out += parameter(32, "REG_" + row.name, row.offset);
    for (const BitField& field : row.fields)
      out += parameter(32, row.name + "_" + field.name, field_mask(field.lsb, field.bits));
  }
  return out + commands(contract) + "\nendpackage\n/* verilator lint_on UNUSEDPARAM */\n";
}

}  // namespace avocet::isa_generator
