// SPDX-License-Identifier: Apache-2.0
// avocet_isa_tables.h and .c: the rows as X-macros and as constant tables.
#include <algorithm>

#include "text.hpp"
#include "writers.hpp"

namespace avocet::isa_generator {
namespace {

constexpr const char* kHead =
    "/* SPDX-License-Identifier: Apache-2.0 */\n"
    "/* Generated from contract.json by isa_generate; change the rows, not this file.\n";

// Lines of a macro body, each ending in a backslash but the last.
class XMacro {
 public:
  explicit XMacro(const std::string& name) : text_("#define AVOCET_" + name + "(X)") {}
  void row(const std::string& arguments) { text_ += " \\\n  X(" + arguments + ")"; }
  std::string text() const { return text_ + "\n"; }

 private:
  std::string text_;
};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string unit_value(const Command& command) {
  if (command.unit == "sequencer") return "AVOCET_UNIT_COUNT";
  return "AVOCET_UNIT_" + (command.unit == "dma" ? std::string("DMA0") : upper(command.unit));
}

std::string x_macros(const Contract& contract) {
  XMacro constants("CONSTANTS"), enums("ENUMS"), registers("REGISTERS"), bit_fields("REGISTER_FIELDS"),
      structs("STRUCTS");
  XMacro commands("COMMANDS"), fields("FIELDS");
  for (const Constant& row : contract.constants) constants.row(row.name + ", " + row.spelling + "u");
  for (const Enum& row : contract.enums) enums.row(row.name);
  for (const Register& row : contract.registers) {
    registers.row(row.name + ", " + hex(row.offset, 3) + "u, " + upper(row.access));
    for (const BitField& field : row.fields)
      bit_fields.row(row.name + ", " + field.name + ", " + std::to_string(field.lsb) + ", " +
                     std::to_string(field.bits));
  }
  for (const Struct& row : contract.structs)
    structs.row(row.name + ", " + std::to_string(layout_of(contract, row).bytes) + "u");
  for (const Command& row : contract.commands) {
    commands.row(row.name + ", " + lower(row.name) + ", " + hex(row.opcode, 2) + "u, " + std::to_string(row.words()) +
                 "u, " + upper(row.unit));
    for (const Field& field : row.fields)
      fields.row(row.name + ", " + lower(row.name) + ", " + field.name + ", " + std::to_string(field.word) + ", " +
                 std::to_string(field.lsb) + ", " + std::to_string(field.bits) + ", " + upper(kind_name(field.kind)));
  }
  std::string out = "/* X(name, value) */\n" + constants.text() +
                    "\n/* X(name): AVOCET_ENUM_<NAME>(X) lists its values */\n" + enums.text();
  for (const Enum& row : contract.enums) {
    XMacro values("ENUM_" + upper(row.name));
    for (const EnumValue& value : row.values)
      values.row(value.name + ", " + std::to_string(value.value) + "u, " + quoted(value.doc));
    out += "\n/* enum avocet_" + row.name + ": X(NAME, value, description) */\n" + values.text();
  }
  out += "\n/* X(NAME, offset, access) */\n" + registers.text();
  out += "\n/* X(REGISTER, FIELD, lsb, bits) */\n" + bit_fields.text();
  out += "\n/* X(name, bytes) */\n" + structs.text();
  out += "\n/* X(NAME, name, opcode, words, unit) */\n" + commands.text();
  return out + "\n/* X(COMMAND, command, field, word, lsb, bits, kind) */\n" + fields.text();
}

std::string term(const Term& value) {
  auto field = [&](size_t i) { return i < value.fields.size() ? std::to_string(value.fields[i]) : std::string("-1"); };
  return "{" + std::to_string(value.factor) + "u, {" + field(0) + ", " + field(1) + "}}";
}

std::string access_row(const Access& access) {
  std::string mode = access.mode == "r"   ? "AVOCET_MODE_READ"
                     : access.mode == "w" ? "AVOCET_MODE_WRITE"
                                          : "AVOCET_MODE_READ | AVOCET_MODE_WRITE";
  std::string out = "    {AVOCET_SPACE_" + upper(access.space) + ", " + mode + ", " + std::to_string(access.address) +
                    ", " + (access.region ? std::to_string(*access.region) : "-1") + ", " +
                    (access.single_if ? std::to_string(*access.single_if) : "-1") + ", " +
                    std::to_string(access.dimensions.size()) + ", " + term(access.bytes) + ",\n     {";
  for (size_t i = 0; i < access.dimensions.size(); ++i)
    out += std::string(i ? ", " : "") + "{" + term(access.dimensions[i].count) + ", " +
           term(access.dimensions[i].stride) + "}";
  if (access.dimensions.empty()) out += "{{0u, {-1, -1}}, {0u, {-1, -1}}}";
  return out + "}},\n";
}

std::string field_row(const Field& field) {
  std::string names = field.kind == Kind::enumeration ? "&enum_" + field.enum_name
                      : field.kind == Kind::unit      ? "&enum_unit"
                                                      : "0";
  return "    {" + quoted(field.name) + ", " + std::to_string(field.word) + ", " + std::to_string(field.lsb) + ", " +
         std::to_string(field.bits) + ", AVOCET_KIND_" + upper(kind_name(field.kind)) + ", " + names + "},\n";
}

std::string command_tables(const Contract& contract, const Command& command) {
  std::string name = lower(command.name), out;
  if (!command.fields.empty()) {
    out += "\nstatic const struct avocet_field_info fields_" + name + "[] = {\n";
    for (const Field& field : command.fields) out += field_row(field);
    out += "};\n";
  }
  if (!command.accesses.empty()) {
    out += "static const struct avocet_access_info accesses_" + name + "[] = {\n";
    for (const Access& access : command.accesses) out += access_row(access);
    out += "};\n";
  }
  std::vector<uint32_t> defined(command.words());
  for (const BitField* field : {&contract.opcode, &contract.length, &contract.tag})
    defined[0] |= field_mask(field->lsb, field->bits);
  for (const Field& field : command.fields) defined[field.word] |= field_mask(field.lsb, field.bits);
  std::string values = "static const uint32_t bits_" + name + "[] = {";
  for (size_t i = 0; i < defined.size(); ++i) values += (i ? ", " : "") + hex(defined[i], 8) + "u";
  return (out.empty() ? "\n" : "") + out + wrapped(values, "", "    ", "};");
}

std::string command_row(const Command& command) {
  std::string name = lower(command.name), channel = "-1";
  for (size_t i = 0; i < command.fields.size(); ++i)
    if (command.fields[i].kind == Kind::channel) channel = std::to_string(i);
  return "    {" + quoted(command.name) + ", AVOCET_OP_" + command.name + ", AVOCET_" + command.name + "_WORDS, " +
         unit_value(command) + ", " + channel + ", " + std::to_string(command.fields.size()) + ", " +
         std::to_string(command.accesses.size()) + ",\n     " + (command.fields.empty() ? "0" : "fields_" + name) +
         ", " + (command.accesses.empty() ? "0" : "accesses_" + name) + ", bits_" + name + "},\n";
}

std::string register_tables(const Contract& contract) {
  std::string out, rows = "\nconst struct avocet_register_info avocet_registers[AVOCET_REGISTER_COUNT] = {\n";
  for (const Register& row : contract.registers) {
    std::string name = "register_" + lower(row.name);
    if (!row.fields.empty()) {
      out += "\nstatic const struct avocet_bit_field_info " + name + "[] = {\n";
      for (const BitField& field : row.fields)
        out += "    {" + quoted(field.name) + ", AVOCET_" + row.name + "_" + field.name + "},\n";
      out += "};\n";
    }
    rows += "    {" + quoted(row.name) + ", AVOCET_REG_" + row.name + ", AVOCET_REGISTER_" + upper(row.access) + ", " +
            std::to_string(row.fields.size()) + ", " + (row.fields.empty() ? "0" : name) + "},\n";
  }
  return out + rows + "};\n";
}

std::string enum_tables(const Contract& contract) {
  std::string out, rows = "\nconst struct avocet_enum_info *const avocet_enums[AVOCET_ENUM_COUNT] = {\n";
  for (const Enum& row : contract.enums) {
    out += "\nstatic const struct avocet_enum_value_info values_" + row.name + "[] = {\n";
    for (const EnumValue& value : row.values)
      out += "    {" + quoted(value.name) + ", AVOCET_" + upper(row.name) + "_" + value.name + "},\n";
    out += "};\nstatic const struct avocet_enum_info enum_" + row.name + " = {" + quoted(row.name) + ", " +
           std::to_string(row.values.size()) + ", values_" + row.name + "};\n";
    rows += "    &enum_" + row.name + ",\n";
  }
  return out + rows + "};\n";
}

}  // namespace

std::string write_tables_header(const Contract& contract) {
  size_t most_fields = 0, most_accesses = 0, longest = 0;
  for (const Command& command : contract.commands) {
    most_fields = std::max(most_fields, command.fields.size());
    most_accesses = std::max(most_accesses, command.accesses.size());
    longest = std::max<size_t>(longest, command.words());
  }
  auto count = [](const char* name, size_t value) {
    return std::string("#define AVOCET_") + name + " " + std::to_string(value) + "\n";
  };
  return std::string(kHead) +
         " * The contract's rows twice: as X-macros, for code that needs one statement per row, and as constant "
         "tables, for\n"
         " * loops over rows (types: avocet_isa_rows.h). */\n"
         "#ifndef AVOCET_ISA_TABLES_H\n#define AVOCET_ISA_TABLES_H\n\n#include \"avocet_isa_rows.h\"\n\n" +
         x_macros(contract) + "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" +
         count("COMMAND_COUNT", contract.commands.size()) + count("REGISTER_COUNT", contract.registers.size()) +
         count("ENUM_COUNT", contract.enums.size()) + "/* Of any one command */\n" + count("FIELDS_MAX", most_fields) +
         count("ACCESSES_MAX", most_accesses) + count("WORDS_MAX", longest) +
         "\nextern const struct avocet_command_info avocet_commands[AVOCET_COMMAND_COUNT];\n"
         "extern const struct avocet_register_info avocet_registers[AVOCET_REGISTER_COUNT];\n"
         "extern const struct avocet_enum_info *const avocet_enums[AVOCET_ENUM_COUNT];\n"
         "/* Indexed by opcode; null for an illegal one. */\n"
         "extern const struct avocet_command_info *const avocet_command_by_opcode[256];\n\n"
         "#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

std::string write_tables_source(const Contract& contract) {
  std::string out = std::string(kHead) + " * See avocet_isa_tables.h. */\n#include \"avocet_isa_tables.h\"\n";
  out += enum_tables(contract) + register_tables(contract);
  std::string rows = "\nconst struct avocet_command_info avocet_commands[AVOCET_COMMAND_COUNT] = {\n";
  std::string index = "\nconst struct avocet_command_info *const avocet_command_by_opcode[256] = {\n";
  for (size_t i = 0; i < contract.commands.size(); ++i) {
    const Command& command = contract.commands[i];
    out += command_tables(contract, command);
    rows += command_row(command);
    index += "    [AVOCET_OP_" + command.name + "] = &avocet_commands[" + std::to_string(i) + "],\n";
  }
  return out + rows + "};\n" + index + "};\n";
}

}  // namespace avocet::isa_generator
