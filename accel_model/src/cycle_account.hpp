// SPDX-License-Identifier: Apache-2.0
// What one unit did in each cycle of a job, and the bytes that it moved. Commands (in the order in which they retire) and WAITs (in the order in which they
// end) are reported as intervals; a cycle that both cover is the command's, a cycle that nothing covers is idle. So every
// cycle is counted once, and the kinds add up to the job's length.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "avocet_model.h"
#include "unit_waves.hpp"

namespace avocet::model {

// Of what a command's cycles consist; what the parts leave over is work, or waiting for DRAM.
struct CycleParts {
  uint64_t tlb = 0, sram = 0;
  uint64_t busy = UINT64_MAX; // work; the rest is waiting for DRAM
};

class CycleAccount {
public:
  // `layers`: counters of each tag (stride `stride`), or null; valid until close.
  void begin(uint64_t now);
  void set_layers(avocet_model_counters *layers, uint32_t count, uint32_t stride);

  // Shown from now on; outlives the account.
  void show(const UnitWaves &waves) { waves_ = &waves; }
  // No job: since `now` every cycle is of this kind.
  void rests(uint64_t now, avocet_model_cycle kind) const {
    if (waves_ != nullptr) waves_->is(now, kind);
  }
  // The unit has nothing in it: what it did before `now` is known. Returns the cycle before which all is counted.
  uint64_t settle(uint64_t now) {
    fill_gap(now);
    return accounted_;
  }
  uint64_t settled() const { return accounted_; }

  void waited(uint64_t from, uint64_t to, uint32_t tag, avocet_model_cycle kind);
  void worked(uint64_t start, uint64_t end, uint32_t tag, CycleParts parts);
  // Bytes that the unit read from memory or wrote there.
  void moved(uint32_t tag, uint64_t bytes, bool write);
  // The job is over.
  void close(uint64_t now);

  const avocet_model_counters &total() const { return total_; }

private:
  struct Wait {
    uint64_t from, to;
    uint32_t tag;
    avocet_model_cycle kind;
  };

  void fill_gap(uint64_t to);
  void count(avocet_model_cycle kind, uint32_t tag, uint64_t cycles);

  uint64_t accounted_ = 0; // cycles before this are counted
  std::deque<Wait> waits_; // not counted yet
  avocet_model_counters total_{};
  avocet_model_counters *layers_ = nullptr;
  uint32_t layer_count_ = 0, stride_ = 0;
  const UnitWaves *waves_ = nullptr;
};

} // namespace avocet::model
