// SPDX-License-Identifier: Apache-2.0
// isa.md: the contract as pages to read.
#include "text.hpp"
#include "writers.hpp"

namespace avocet::isa_generator {
namespace {

std::string bits_of(unsigned lsb, unsigned bits) {
  if (bits == 1) return std::to_string(lsb);
  return std::to_string(lsb + bits - 1) + ":" + std::to_string(lsb);
}

// A cell must not end its column.
std::string cell(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string constants(const Contract& contract) {
  std::string out = "\n## Constants\n\n| name | value | meaning |\n| --- | --- | --- |\n";
  for (const Constant& row : contract.constants)
    out += "| `" + row.name + "` | " + row.spelling + " | " + cell(row.doc) + " |\n";
  return out;
}

std::string registers(const Contract& contract) {
  std::string out =
      "\n## Registers\n\nByte offsets in a window of REGISTER_BYTES; aligned 32-bit accesses only. Access: `ro` read "
      "only, "
      "`rw` read and write, `wo` write only, `w1c` write 1 to clear, `core` for the management core alone. Reading all "
      "ones "
      "from ID means that the device is gone.\n\n"
      "| offset | name | access | bits | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const Register& row : contract.registers) {
    out += "| " + hex(row.offset, 3) + " | `" + row.name + "` | " + row.access + " | 31:0 | " + cell(row.doc) + " |\n";
    for (const BitField& field : row.fields)
      out += "| | `." + field.name + "` | | " + bits_of(field.lsb, field.bits) + " | " + cell(field.doc) + " |\n";
  }
  return out;
}

std::string structs(const Contract& contract) {
  std::string out = "\n## Structures in memory\n\nLittle-endian, naturally aligned, without hidden padding.\n";
  for (const Struct& row : contract.structs) {
    out += "\n### avocet_" + row.name + ", " + std::to_string(layout_of(contract, row).bytes) + " bytes\n\n" + row.doc +
           "\n\n";
    out += "| offset | name | type | meaning |\n| --- | --- | --- | --- |\n";
    uint64_t offset = 0;
    for (const Member& member : row.members) {
      std::string array = member.count == 1 ? "" : "[" + std::to_string(member.count) + "]";
      out += "| " + hex(offset, 2) + " | `" + member.name + "` | " + member.type + array + " | " + cell(member.doc) +
             " |\n";
      offset += layout_of_type(contract, member.type)->bytes * member.count;
    }
  }
  return out;
}

std::string enums(const Contract& contract) {
  std::string out = "\n## Enums\n";
  for (const Enum& row : contract.enums) {
    out += "\n### " + row.name + "\n\n" + row.doc + "\n\n| value | name | meaning |\n| --- | --- | --- |\n";
    for (const EnumValue& value : row.values)
      out += "| " + std::to_string(value.value) + " | `" + value.name + "` | " + cell(value.doc) + " |\n";
  }
  return out;
}

std::string term_text(const Command& command, const Term& term) {
  std::string out;
  if (term.factor != 1 || term.fields.empty()) out = std::to_string(term.factor);
  for (unsigned field : term.fields) out += (out.empty() ? "" : " × ") + command.fields[field].name;
  return out;
}

std::string access_text(const Command& command, const Access& access) {
  std::string verb = access.mode == "r" ? "reads" : access.mode == "w" ? "writes" : "reads and writes";
  std::string out = "- " + verb + " " + access.space;
  if (access.region) out += "[" + command.fields[*access.region].name + "]";
  out += ": " + term_text(command, access.bytes) + (access.space == "acc" ? " row(s)" : " bytes") + " at " +
         command.fields[access.address].name;
  if (access.single_if) out += " (one if " + command.fields[*access.single_if].name + ")";
  for (const Dimension& dimension : access.dimensions)
    out += ", " + term_text(command, dimension.count) + " times every " + term_text(command, dimension.stride);
  return out + "\n";
}

std::string commands(const Contract& contract) {
  std::string out =
      "\n## Commands\n\n" + contract.header_doc + ". Reserved bits are zero. Opcode 0 and all ones are illegal.\n\n";
  out += "| word | bits | header |\n| --- | --- | --- |\n";
  for (const BitField* field : {&contract.opcode, &contract.length, &contract.tag})
    out += "| 0 | " + bits_of(field->lsb, field->bits) + " | `" + field->name + "` |\n";
  out +=
      "\nFields of kind `count_minus_one` are stored minus one; everywhere else (C structures, text form, rules) their "
      "real "
      "value is meant.\n";
  for (const Command& command : contract.commands) {
    out += "\n### " + command.name + "\n\nOpcode " + hex(command.opcode, 2) + ", " + std::to_string(command.words()) +
           (command.words() == 1 ? " word" : " words") + ", unit: " + command.unit + ".\n\n" + command.doc + "\n";
    if (!command.fields.empty()) out += "\n| word | bits | field | kind | meaning |\n| --- | --- | --- | --- | --- |\n";
    for (const Field& field : command.fields)
      out += "| " + std::to_string(field.word) + " | " + bits_of(field.lsb, field.bits) + " | `" + field.name + "` | " +
             kind_name(field.kind) + (field.enum_name.empty() ? "" : " " + field.enum_name) + " | " + cell(field.doc) +
             " |\n";
    if (!command.accesses.empty()) out += "\nAccesses:\n";
    for (const Access& access : command.accesses) out += access_text(command, access);
  }
  return out;
}

}  // namespace

std::string write_pages(const Contract& contract) {
  return "<!-- SPDX-License-Identifier: Apache-2.0 -->\n<!-- Generated from contract.json by isa_generate; change the "
         "rows, not "
         "this file. -->\n# The Avocet contract, version " +
         std::to_string(contract.major) + "." + std::to_string(contract.minor) + "\n" + constants(contract) +
         registers(contract) + enums(contract) + structs(contract) + commands(contract);
}

}  // namespace avocet::isa_generator
