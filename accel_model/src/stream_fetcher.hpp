// SPDX-License-Identifier: Apache-2.0
// Reads a job's command stream from the memory ahead of its dispatch: block by block, as far as its buffer goes.
#pragma once

#include <cstdint>
#include <deque>

#include "memory_port.hpp"

namespace avocet::model {

class StreamFetcher : public sc_core::sc_module, public Process {
public:
  static constexpr uint64_t kUnknown = UINT64_MAX;

  // `reader` is woken when more is known.
  StreamFetcher(sc_core::sc_module_name name, Blocks &blocks, Process &reader);

  // Bytes [from, bytes) of the stream at `iova`; drops what is left of the one before.
  void start(uint32_t context, uint64_t iova, uint64_t from, uint64_t bytes);
  void stop() { start(0, 0, 0, 0); }
  // What is before this byte of the stream leaves the buffer.
  void consume(uint64_t until);
  // The cycle in which everything before this byte is in the buffer; kUnknown: not asked for so far.
  uint64_t arrival(uint64_t until) const;

private:
  struct Block {
    uint64_t end; // in the stream
    uint64_t arrival;
  };

  void run();
  uint64_t block_end() const;
  void fetch_block();

  Blocks &blocks_;
  Process &reader_;
  MemoryPort port_;
  uint32_t context_ = 0;
  uint64_t iova_ = 0, bytes_ = 0;
  uint64_t next_ = 0;     // not asked for from here on
  uint64_t consumed_ = 0; // before this
  uint64_t streams_ = 0;  // started so far
  std::deque<Block> buffer_;
};

} // namespace avocet::model
