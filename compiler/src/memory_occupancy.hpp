// SPDX-License-Identifier: Apache-2.0
// Follows a command stream's accesses and keeps who holds which bytes of one memory from when to when.
#pragma once

#include <avocet/compiler/report.hpp>
#include <map>

namespace avocet::compiler {

class OccupancyTracker {
 public:
  /// Accesses come in the order of the stream; `first` and `last` are the command's cycles.
  void read(uint64_t address, uint64_t bytes, uint64_t last);
  void write(uint64_t address, uint64_t bytes, uint64_t first, uint64_t last, uint32_t tag, bool loaded);
  MemoryOccupancy finish();

 private:
  struct Live {
    uint64_t bytes;
    uint64_t first, last;
    uint32_t tag;
    bool loaded, used;  // used: something has read it
  };
  using Blocks = std::map<uint64_t, Live>;  // by address, disjoint

  /// The first block that ends behind `address`.
  Blocks::iterator first_behind(uint64_t address);
  void close(uint64_t address, const Live& block);

  Blocks live_;
  MemoryOccupancy result_;
};

/// Most bytes in use at one moment.
uint64_t most_live_bytes(const std::vector<MemoryBlock>& blocks);

}  // namespace avocet::compiler
