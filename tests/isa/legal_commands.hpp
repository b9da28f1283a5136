// SPDX-License-Identifier: Apache-2.0
// Random commands that a small device accepts, made from the tables: fields small enough that every access fits, and
// the fields that other fields determine set last.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string_view>
#include <vector>

#include "avocet_stream.h"

namespace avocet::isa_test {

using Words = std::vector<uint32_t>;

inline constexpr avocet_limits kLimits{.array_rows = 16,
                                       .array_cols = 16,
                                       .acc_rows = 1024,
                                       .sram_bytes = 384 * 1024,
                                       .dma_channels = 4,
                                       .region_bytes = nullptr};

inline const avocet_command_info& row_of(const Words& command) {
  return *avocet_command_by_opcode[avocet_command_opcode(command[0])];
}

// Null when the command has no such field.
inline const avocet_field_info* find_field(const avocet_command_info& row, std::string_view name) {
  for (uint32_t i = 0; i < row.field_count; ++i)
    if (name == row.fields[i].name) return &row.fields[i];
  return nullptr;
}

inline int64_t get(const Words& command, std::string_view name) {
  return avocet_field_value(find_field(row_of(command), name), command.data());
}

inline void set(Words& command, std::string_view name, int64_t value) {
  avocet_field_set(find_field(row_of(command), name), command.data(), value);
}

// Fields that follow from others by the commands' own rules.
inline void settle(Words& command) {
  switch (row_of(command).opcode) {
    case AVOCET_OP_MATMUL:
      set(command, "weight_bytes",
          get(command, "kx_count") * get(command, "ky_count") * ((get(command, "channels") + 15) / 16) * 16 * 16);
      break;
    case AVOCET_OP_DEPTHWISE:
      set(command, "channels", get(command, "input_channels") * get(command, "multiplier"));
      break;
    default:
      break;
  }
}

inline int64_t small_value(const avocet_field_info& field, std::mt19937& random) {
  auto below = [&](uint32_t limit) { return static_cast<int64_t>(random() % limit); };
  switch (field.kind) {
    case AVOCET_KIND_SIGNED:
      return below(17) - 8;
    case AVOCET_KIND_COUNT_MINUS_ONE:
      return 1 + below(field.bits > 16 ? 70 : 4);  // MATMUL channels: several blocks
    case AVOCET_KIND_LENGTH:
      return 1 + below(40);
    case AVOCET_KIND_STRIDE:
      return below(300);
    case AVOCET_KIND_SRAM:
      return below(300000);
    case AVOCET_KIND_DRAM:
      return below(1000000);
    case AVOCET_KIND_ACC:
      return below(500);
    case AVOCET_KIND_UNIT:
      return below(3);
    case AVOCET_KIND_CHANNEL:
      return below(4);
    case AVOCET_KIND_REGION:
      return below(AVOCET_REGIONS);
    case AVOCET_KIND_ENUM:
      return field.names->values[random() % field.names->value_count].value;
    default:
      return below(2);
  }
}

// A legal command of any row but WAIT, whose legality depends on the commands before it.
inline Words legal_command(const avocet_command_info& row, std::mt19937& random) {
  Words command(row.words);
  command[0] = avocet_command_header(row.opcode, row.words, random() % AVOCET_TAGS_MAX);
  for (uint32_t i = 0; i < row.field_count; ++i)
    avocet_field_set(&row.fields[i], command.data(), small_value(row.fields[i], random));
  if (find_field(row, "clamp_min")) {
    set(command, "clamp_min", -128);
    set(command, "clamp_max", 127);
  }
  settle(command);
  return command;
}

// Rows with accesses: everything that works on memory.
inline std::vector<const avocet_command_info*> working_rows() {
  std::vector<const avocet_command_info*> rows;
  for (const avocet_command_info& row : avocet_commands)
    if (row.access_count) rows.push_back(&row);
  return rows;
}

inline Words end_command() { return {avocet_command_header(AVOCET_OP_END, AVOCET_END_WORDS, 0)}; }

inline Words join(std::initializer_list<Words> parts) {
  Words stream;
  for (const Words& part : parts) stream.insert(stream.end(), part.begin(), part.end());
  return stream;
}

}  // namespace avocet::isa_test
