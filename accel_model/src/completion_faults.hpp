// SPDX-License-Identifier: Apache-2.0
// Completion entries on their way to host memory: corrupted before they are published, or published late. Looks at the words that the
// management core stores, whatever processor it is.
#pragma once

#include "blocks.hpp"

namespace avocet::model {

class CompletionFaults : public sc_core::sc_module {
public:
  CompletionFaults(sc_core::sc_module_name name, SharedBlocks &blocks);

  // Before the core stores a word: true = it is held back and will be stored later.
  bool holds_back(uint64_t address, uint32_t value) {
    return (late_ || blocks_.faults.armed()) && look_at(address, value);
  }
  void reset();

private:
  bool look_at(uint64_t address, uint32_t value);
  void corrupt(uint64_t entry, const FaultStrike &strike);
  void publish();

  SharedBlocks &blocks_;
  sc_core::sc_event publish_event_;
  std::optional<uint32_t> late_; // the tail that is not published yet
  uint64_t late_address_ = 0;
};

} // namespace avocet::model
