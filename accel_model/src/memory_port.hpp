// SPDX-License-Identifier: Apache-2.0
// One initiator's way to the memory, ideal or with banks, where it competes with all others. Its owner, an SC_THREAD, waits in it.
#pragma once

#include <cstdint>

#include "blocks.hpp"
#include "dma_window.hpp"
#include "timebase.hpp"

namespace avocet::model {

class MemoryPort {
public:
  // Bytes contiguous in the memory.
  struct Access {
    uint32_t context;
    uint64_t iova, bytes;
    bool write;
  };

  // `initiator`: the unit's id, or AVOCET_TRACK_SEQUENCER.
  MemoryPort(Process &owner, Blocks &blocks, uint32_t initiator)
      : owner_(owner), blocks_(blocks), initiator_(initiator), window_(blocks.config) {}

  // What is on its way is forgotten.
  void restart() { window_.restart(); }
  // For the memory's counters and the trace of accesses.
  void count(const Access &access);

  // Takes the time until the last request is on its way; returns the cycle in which the last byte is there, or was taken.
  uint64_t request(const Access &access);

  // The two kinds of memory, for those with more to say. With banks: not before cycle `from`.
  uint64_t use_banks(const Access &access, uint64_t from);
  // Ideal: so many bytes, of which the initiator takes no more than `limit` thousandths in a cycle. Without the latency.
  void share_pipe(uint64_t bytes, uint64_t limit);

private:
  Process &owner_;
  Blocks &blocks_;
  const uint32_t initiator_;
  DmaWindow window_;
};

} // namespace avocet::model
