// SPDX-License-Identifier: Apache-2.0
// DRAM as seen by its initiators: who gets how much of the bandwidth when. Model "ideal": all running transfers share the
// pins max-min fairly, each up to its own limit; rates change only when a transfer comes or goes, so a transfer costs a few
// events however long it is. Whole numbers throughout (thousandths of a byte), hence deterministic.
#pragma once

#include <cstdint>
#include <vector>

#include "timebase.hpp"
#include "waves.hpp"

namespace avocet::model {

class Dram {
public:
  Dram(Timebase &time, uint64_t millibytes_per_cycle) : time_(time), bandwidth_(millibytes_per_cycle) {}

  // One stream of requests. Lives on the stack of whoever waits for it; leaves the share when destroyed.
  class Transfer {
  public:
    // limit: thousandths of a byte per cycle that the initiator itself can take.
    Transfer(Dram &dram, uint64_t bytes, uint64_t limit);
    ~Transfer();
    Transfer(const Transfer &) = delete;
    Transfer &operator=(const Transfer &) = delete;

    // Cycles until the last request is served if nobody else comes or goes; 0 = done.
    uint64_t cycles_left() const;
    // Fires when that number changes.
    const sc_core::sc_event &changed() const { return changed_; }

  private:
    friend class Dram;
    Dram &dram_;
    uint64_t left_; // thousandths of a byte
    const uint64_t limit_;
    uint64_t rate_ = 0;
    sc_core::sc_event changed_;
  };

  void show(Waves &waves, const std::string &scope) {
    busy_ = waves.number(scope, "busy", 1);
    transfers_ = waves.number(scope, "transfers", 8);
  }

private:
  void advance();
  void share();

  Timebase &time_;
  const uint64_t bandwidth_;
  uint64_t advanced_to_ = 0;
  std::vector<Transfer *> running_;
  Wave busy_, transfers_;
};

} // namespace avocet::model
