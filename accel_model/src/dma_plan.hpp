// SPDX-License-Identifier: Apache-2.0
// A DMA command as a list of runs: bytes contiguous both in host memory and in the SRAM. Made chunk by chunk, so that a
// command with millions of rows neither fills the host's memory nor stops time.
#pragma once

#include <cstdint>
#include <vector>

#include "avocet_isa.h"
#include "mmu.hpp"

namespace avocet::model {

// The dimensions of DMA_LOAD and DMA_STORE; dimension 0 is the innermost.
struct DmaShape {
  uint64_t iova;
  uint64_t sram;
  uint64_t row_bytes;
  uint64_t count[3];
  uint64_t dram_stride[3];
  uint64_t sram_stride[3];
};

// Aligned blocks of `size` that [begin, end) touches.
inline uint64_t blocks_touched(uint64_t begin, uint64_t end, uint64_t size) { return (end - 1) / size - begin / size + 1; }

class DmaPlan {
public:
  struct Run {
    uint8_t *host;
    uint64_t sram;
    uint64_t bytes;
  };
  // Bytes contiguous in DRAM.
  struct Stretch {
    uint64_t iova;
    uint64_t bytes;
  };
  // What a chunk costs.
  struct Chunk {
    std::vector<Run> runs;
    std::vector<Stretch> stretches;
    uint64_t bytes = 0;
    uint64_t bursts = 0; // requests: cut at burst boundaries and where rows are not contiguous in DRAM
    uint64_t beats = 0;  // cycles on the channel's data path
    uint64_t walks = 0;  // TLB misses
  };

  DmaPlan(const DmaShape &shape, bool write, uint64_t burst_bytes, uint64_t beat_bytes);

  bool done() const { return done_; }
  // The next chunk; false: *status and *address tell the fault.
  bool next(Mmu &mmu, const AddressSpace &space, Chunk *chunk, uint32_t *status, uint64_t *address);

private:
  void merge_contiguous();
  bool add_row(Mmu &mmu, const AddressSpace &space, Chunk *chunk, uint32_t *status, uint64_t *address);
  void count_requests(Chunk *chunk, uint64_t iova, uint64_t bytes);
  void step();

  DmaShape shape_;
  const bool write_;
  const uint64_t burst_bytes_, beat_bytes_;
  uint64_t index_[3] = {};
  uint64_t row_offset_ = 0; // of the current row, already planned
  uint64_t last_end_ = 0;   // IOVA behind the last planned byte
  bool any_ = false;
  bool done_ = false;
};

} // namespace avocet::model
