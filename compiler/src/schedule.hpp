// SPDX-License-Identifier: Apache-2.0
// The program between planning and addresses: commands in their final order but for loads, which may still move to an
// earlier slot, on SRAM blocks that have sizes and lifetimes but no addresses yet.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <avocet/compiler/movement.hpp>

#include "avocet_isa_tables.h"

namespace avocet::compiler {

/// An encoded command; its SRAM address fields hold offsets into blocks until they are resolved.
struct Command {
  std::array<uint32_t, AVOCET_WORDS_MAX> words{};
  std::array<uint32_t, 4> blocks{};  // of the SRAM address fields, in their order
};

/// SRAM bytes with a lifetime in slots, both ends included.
struct Block {
  static constexpr uint32_t kUnused = UINT32_MAX;
  uint64_t bytes = 0;
  uint32_t first = kUnused, last = 0;
  uint64_t address = 0;

  void touch(uint32_t slot) {
    first = first == kUnused ? slot : (slot < first ? slot : first);
    last = slot > last ? slot : last;
  }
};

/// Commands that fill a window or fetch constants. They run before the other commands of their slot, which is `needed`
/// or an earlier one, but not before `earliest`.
struct Load {
  std::vector<Command> commands;
  uint32_t block = 0;
  uint32_t needed = 0, earliest = 0;
  uint32_t slot = 0;         // where it stands
  bool opens_block = false;  // nothing uses the block before
  bool is_constants = false;
  uint64_t dram_bytes = 0;
};

/// One node's part of one band, or of one chunk of its weights.
struct Slot {
  uint32_t node = 0;
  uint64_t cycles = 0;  // estimated, of its unit
  std::vector<Command> compute, stores;
};

/// More would not fit into AVOCET_STREAM_BYTES_MAX: a slot has a load or a computation, mostly both.
constexpr uint32_t kSlotsMax = AVOCET_STREAM_BYTES_MAX / 4 / AVOCET_DMA_LOAD_WORDS;

/// Where the cores of a gang meet, before everything of this slot.
struct Barrier {
  uint32_t slot = 0;
  Command command;
};

struct Schedule {
  std::vector<Barrier> barriers;  // slots rising
  std::vector<Block> blocks;
  std::vector<Load> loads;  // in the order of need
  std::vector<Slot> slots;
};

/// Which words of each command are SRAM addresses.
class SramFields {
 public:
  struct Row {
    uint8_t count = 0;
    std::array<uint8_t, 4> words{};
  };
  SramFields() {
    for (const avocet_command_info* info : avocet_command_by_opcode) {
      if (!info) continue;
      Row& row = rows_[info->opcode];
      for (uint32_t i = 0; i < info->field_count; ++i)
        if (info->fields[i].kind == AVOCET_KIND_SRAM) row.words[row.count++] = info->fields[i].word;
    }
  }
  const Row& operator[](uint32_t opcode) const { return rows_[opcode]; }

 private:
  std::array<Row, 256> rows_{};
};

}  // namespace avocet::compiler
