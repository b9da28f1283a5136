// SPDX-License-Identifier: Apache-2.0
// avocet_isa.h: constants, enums, registers, memory structures and, for each command, a structure of natural values
// with its encoder and decoder.
#include "text.hpp"
#include "writers.hpp"

namespace avocet::isa_generator {
namespace {

std::string c_type(const std::string& type) {
  if (type == "u8") return "uint8_t";
  if (type == "u16") return "uint16_t";
  if (type == "u32") return "uint32_t";
  if (type == "u64") return "uint64_t";
  return "struct avocet_" + type;
}

// One line of code with its description behind it, or above it when the line would be too long.
std::string documented(const std::string& code, const std::string& doc) {
  if (doc.empty()) return code + "\n";
  std::string line = code + " /* " + doc + " */\n";
  if (line.size() <= 121) return line;
  return c_comment(doc, static_cast<unsigned>(code.find_first_not_of(' '))) + code + "\n";
}

std::string define(const std::string& name, const std::string& value, const std::string& doc) {
  return documented("#define AVOCET_" + name + " " + value, doc);
}

std::string prologue(const Contract& contract) {
  std::string out =
      "/* SPDX-License-Identifier: Apache-2.0 */\n"
      "/* Generated from contract.json by isa_generate; change the rows, not this file.\n"
      " * The contract between driver, firmware, compiler and device. Words are 32-bit and little-endian. */\n"
      "#ifndef AVOCET_ISA_H\n#define AVOCET_ISA_H\n\n"
      "/* In a kernel the fixed-width types come from the includer. */\n"
      "#ifndef __KERNEL__\n#include <stdint.h>\n#endif\n\n"
      "#ifdef __cplusplus\nextern \"C\" {\n#define AVOCET_STATIC_ASSERT static_assert\n"
      "#else\n#define AVOCET_STATIC_ASSERT _Static_assert\n#endif\n\n";
  out += define("VERSION_MAJOR", std::to_string(contract.major) + "u", "another MAJOR is refused");
  out += define("VERSION_MINOR", std::to_string(contract.minor) + "u", "");
  out += define("VERSION", "((AVOCET_VERSION_MAJOR << 16) | AVOCET_VERSION_MINOR)", "");
  return out;
}

std::string constants(const Contract& contract) {
  std::string out = "\n/* ---- constants ---- */\n\n";
  for (const Constant& row : contract.constants) out += define(row.name, row.spelling + "u", row.doc);
  return out;
}

std::string enums(const Contract& contract) {
  std::string out = "\n/* ---- enums ---- */\n";
  for (const Enum& row : contract.enums) {
    out += "\n" + c_comment(row.doc) + "enum avocet_" + row.name + " {\n";
    for (const EnumValue& value : row.values)
      out += documented("  AVOCET_" + upper(row.name) + "_" + value.name + " = " + std::to_string(value.value) + ",",
                        value.doc);
    out += "};\n";
  }
  return out;
}

std::string registers(const Contract& contract) {
  std::string out = "\n/* ---- registers: byte offsets; below each register the masks of its fields ---- */\n\n";
  for (const Register& row : contract.registers) {
    out += define("REG_" + row.name, hex(row.offset, 3) + "u", row.access + ": " + row.doc);
    for (const BitField& field : row.fields)
      out += define(row.name + "_" + field.name, hex(field_mask(field.lsb, field.bits), 8) + "u", field.doc);
  }
  return out;
}

std::string structs(const Contract& contract) {
  std::string out = "\n/* ---- structures in memory ---- */\n";
  for (const Struct& row : contract.structs) {
    std::string name = "avocet_" + row.name, bytes = "AVOCET_" + upper(row.name) + "_BYTES";
    out += "\n" + c_comment(row.doc) + "struct " + name + " {\n";
    for (const Member& member : row.members) {
      std::string array = member.count == 1 ? "" : "[" + std::to_string(member.count) + "]";
      out += documented("  " + c_type(member.type) + " " + member.name + array + ";", member.doc);
    }
    out += "};\n#define " + bytes + " " + std::to_string(layout_of(contract, row).bytes) + "u\n";
    out += "AVOCET_STATIC_ASSERT(sizeof(struct " + name + ") == " + bytes + ", \"layout of " + name + "\");\n";
  }
  return out;
}

std::string opcodes(const Contract& contract) {
  std::string out = "\n/* ---- commands ---- */\n\n" + c_comment(contract.header_doc);
  for (const BitField* field : {&contract.opcode, &contract.length, &contract.tag}) {
    std::string name = "COMMAND_" + upper(field->name);
    out += define(name + "_LSB", std::to_string(field->lsb), "");
    out += define(name + "_BITS", std::to_string(field->bits), "");
  }
  out += "\n/* Opcodes */\n";
  for (const Command& command : contract.commands)
    out += define("OP_" + command.name, hex(command.opcode, 2) + "u", "");
  out += "\n/* Lengths in words, word 0 included */\n";
  for (const Command& command : contract.commands)
    out += define(command.name + "_WORDS", std::to_string(command.words()) + "u", "");
  return out;
}

std::string accessors() {
  return R"(
/* `bits` bits of a word from bit `lsb` up; as a signed number; and a value placed there, cut to its width. */
static inline uint32_t avocet_bits(uint32_t word, unsigned lsb, unsigned bits) {
  return (word >> lsb) & (0xFFFFFFFFu >> (32u - bits));
}
static inline int32_t avocet_signed_bits(uint32_t word, unsigned lsb, unsigned bits) {
  uint32_t sign = 1u << (bits - 1u);
  return (int32_t)((avocet_bits(word, lsb, bits) ^ sign) - sign);
}
static inline uint32_t avocet_place_bits(uint32_t value, unsigned lsb, unsigned bits) {
  return (value & (0xFFFFFFFFu >> (32u - bits))) << lsb;
}
static inline uint32_t avocet_command_header(uint32_t opcode, uint32_t words, uint32_t tag) {
  return avocet_place_bits(opcode, AVOCET_COMMAND_OPCODE_LSB, AVOCET_COMMAND_OPCODE_BITS) |
         avocet_place_bits(words, AVOCET_COMMAND_LENGTH_LSB, AVOCET_COMMAND_LENGTH_BITS) |
         avocet_place_bits(tag, AVOCET_COMMAND_TAG_LSB, AVOCET_COMMAND_TAG_BITS);
}
static inline uint32_t avocet_command_opcode(uint32_t word0) {
  return avocet_bits(word0, AVOCET_COMMAND_OPCODE_LSB, AVOCET_COMMAND_OPCODE_BITS);
}
static inline uint32_t avocet_command_length(uint32_t word0) {
  return avocet_bits(word0, AVOCET_COMMAND_LENGTH_LSB, AVOCET_COMMAND_LENGTH_BITS);
}
static inline uint32_t avocet_command_tag(uint32_t word0) {
  return avocet_bits(word0, AVOCET_COMMAND_TAG_LSB, AVOCET_COMMAND_TAG_BITS);
}

/* Encoders write the whole command, cut values to their fields' widths and return the length in words. Decoders take a
 * command whose opcode and length have been checked. Fields of kind count_minus_one hold the real count: 1 to 2^bits. */
)";
}

std::string command_struct(const Command& command) {
  std::string out = "\n" + c_comment(command.name + " (" + command.unit + "): " + command.doc);
  out += "struct avocet_cmd_" + lower(command.name) + " {\n";
  for (const Field& field : command.fields) {
    std::string code = std::string(field.kind == Kind::is_signed ? "  int32_t " : "  uint32_t ") + field.name + ";";
    out += documented(code, field.doc + (field.kind == Kind::count_minus_one ? "; real count" : ""));
  }
  if (command.fields.empty()) out += "  uint32_t reserved; /* no fields: zero */\n";
  return out + "};\n";
}

std::string place(const Field& field) {
  std::string value = "command->" + field.name;
  if (field.kind == Kind::is_signed) value = "(uint32_t)" + value;
  if (field.kind == Kind::count_minus_one) value += " - 1u";
  return "avocet_place_bits(" + value + ", " + std::to_string(field.lsb) + ", " + std::to_string(field.bits) + ")";
}

std::string encoder(const Command& command) {
  std::string type = "struct avocet_cmd_" + lower(command.name);
  std::string out = "static inline uint32_t avocet_" + lower(command.name) + "_encode(const " + type +
                    " *command, uint32_t tag, uint32_t *words) {\n";
  out +=
      "  words[0] = avocet_command_header(AVOCET_OP_" + command.name + ", AVOCET_" + command.name + "_WORDS, tag);\n";
  for (unsigned word = 1; word < command.words(); ++word) {
    std::string sum;
    for (const Field& field : command.fields)
      if (field.word == word) sum += (sum.empty() ? "" : " |\n             ") + place(field);
    out += "  words[" + std::to_string(word) + "] = " + (sum.empty() ? "0" : sum) + ";\n";
  }
  if (command.fields.empty()) out += "  (void)command;\n";
  return out + "  return AVOCET_" + command.name + "_WORDS;\n}\n";
}

std::string decoder(const Command& command) {
  std::string type = "struct avocet_cmd_" + lower(command.name);
  std::string out =
      "static inline void avocet_" + lower(command.name) + "_decode(const uint32_t *words, " + type + " *command) {\n";
  for (const Field& field : command.fields)
    out += "  command->" + field.name + " = " + (field.kind == Kind::is_signed ? "avocet_signed_bits" : "avocet_bits") +
           "(words[" + std::to_string(field.word) + "], " + std::to_string(field.lsb) + ", " +
           std::to_string(field.bits) + ")" + (field.kind == Kind::count_minus_one ? " + 1u" : "") + ";\n";
  if (command.fields.empty()) out += "  (void)words;\n  command->reserved = 0;\n";
  return out + "}\n";
}

}  // namespace

std::string write_c_header(const Contract& contract) {
  std::string out = prologue(contract) + constants(contract) + enums(contract) + registers(contract) +
                    structs(contract) + opcodes(contract) + accessors();
  for (const Command& command : contract.commands) out += command_struct(command) + encoder(command) + decoder(command);
  return out + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

}  // namespace avocet::isa_generator
