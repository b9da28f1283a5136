// SPDX-License-Identifier: Apache-2.0
// See avocet/isa/disassemble.hpp. A word that starts no well-formed command is skipped by the length it states, where
// that stays inside the stream, else alone.
#include "avocet/isa/disassemble.hpp"

#include <algorithm>

#include "field_text.hpp"

namespace avocet::isa {
namespace {

// Null for a well-formed command at the beginning of `rest`, else what is wrong with it.
const char* malformed(std::span<const uint32_t> rest) {
  const avocet_command_info* command = avocet_command_by_opcode[avocet_command_opcode(rest[0])];
  if (!command) return "unknown opcode";
  if (avocet_command_length(rest[0]) != command->words) return "wrong length";
  if (command->words > rest.size()) return "truncated";
  for (size_t i = 0; i < command->words; ++i)
    if (rest[i] & ~command->defined_bits[i]) return "reserved bits set";
  return nullptr;
}

std::string raw_line(std::span<const uint32_t> words, const char* why) {
  std::string line = ".word";
  for (uint32_t word : words) line += " " + hexadecimal(word, 8);
  return line + " ; " + why + "\n";
}

std::string comment(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text.empty() ? "" : " ; " + text;
}

}  // namespace

std::string disassemble_command(std::span<const uint32_t> command) {
  const avocet_command_info& row = *avocet_command_by_opcode[avocet_command_opcode(command[0])];
  std::string line = row.name;
  if (uint32_t tag = avocet_command_tag(command[0])) line += " tag=" + std::to_string(tag);
  for (uint32_t i = 0; i < row.field_count; ++i) {
    const avocet_field_info& field = row.fields[i];
    int64_t value = avocet_field_value(&field, command.data());
    if (field_default(field) != value) line += std::string(" ") + field.name + "=" + field_text(field, value);
  }
  return line;
}

std::string disassemble(std::span<const uint32_t> words, const Annotator& annotate) {
  std::string text;
  for (size_t position = 0; position < words.size();) {
    std::span<const uint32_t> rest = words.subspan(position);
    size_t length = avocet_command_length(rest[0]);
    if (const char* why = malformed(rest)) {
      if (length == 0 || length > rest.size()) length = 1;
      text += raw_line(rest.first(length), why);
    } else {
      std::span<const uint32_t> command = rest.first(length);
      text += disassemble_command(command) + comment(annotate ? annotate(position, command) : "") + "\n";
    }
    position += length;
  }
  return text;
}

}  // namespace avocet::isa
