// SPDX-License-Identifier: Apache-2.0
// What a program does, read from its command stream alone: per layer the predicted cycles, what bounds them, tile and
// traffic; per memory who holds which addresses when. Everything is in cycles of the compiler's own event model.
#pragma once

#include <avocet/compiler/program.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace avocet::compiler {

/// The unit that is busy longest while a group of layers runs; latency when none is busy for half of that time.
enum class Bound : uint8_t { kArray, kRequant, kVector, kDram, kLatency };
const char* name(Bound);  // array, requant, vector, DRAM, latency

struct LayerReport {
  uint64_t first_cycle = 0, last_cycle = 0;  // begin of its first command, end of its last one
  uint64_t cycles = 0;                       // by which its end lies behind those of all layers before it: they add up
  uint64_t commands = 0;
  uint32_t group = 0;  // layers that run interleaved (depth-first bands) share a number, from 0
  uint64_t array_cycles = 0, requant_cycles = 0, vector_cycles = 0;  // busy
  uint64_t dram_cycles = 0;                                          // its bytes at the DRAM's full rate
  uint64_t dram_read_bytes = 0, dram_write_bytes = 0;
  uint64_t sram_bytes = 0;         // most bytes of SRAM that hold its data at one moment
  std::vector<uint32_t> tile;      // rows, columns, channels of its largest output block; empty when it only moves data
  std::string loop_order;          // operands from the one that changes least to the one that changes most; "-": one tile
  Bound bound = Bound::kLatency;   // of its group
};

/// Bytes that hold something: from the first write until the last use before they are written anew.
struct MemoryBlock {
  uint64_t address = 0, bytes = 0;
  uint64_t first_cycle = 0, last_cycle = 0;
  uint32_t tag = 0;     // layer that wrote it
  bool loaded = false;  // came from DRAM (SRAM blocks only)
};

struct MemoryOccupancy {
  uint64_t bytes = 0;       // highest address in use
  uint64_t live_bytes = 0;  // most bytes in use at one moment: no placement can need fewer
  std::vector<MemoryBlock> blocks;
};

struct ProgramReport {
  uint64_t cycles = 0;
  std::vector<LayerReport> layers;  // by tag
  MemoryOccupancy sram, scratch;    // scratch: the program's own region of DRAM
};

/// Throws CompileError when the device would refuse the program's stream.
ProgramReport report(const Program& program);

}  // namespace avocet::compiler
