// SPDX-License-Identifier: Apache-2.0
// The job in hardware: what the sequencer read for it and what the units tell about it. One at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "avocet_isa.h"
#include "mmu.hpp"

namespace avocet::model {

struct Fault {
  uint32_t status = AVOCET_STATUS_OK;
  uint32_t position = 0;
  uint64_t address = 0;
};

class JobState {
public:
  // A new job; counters for `tags` layers (0 = not profiled).
  void begin(const AddressSpace &space, const avocet_job &descriptor, std::vector<uint32_t> words, uint64_t start_cycle,
             uint32_t tags);
  void forget();

  bool running() const { return running_; }
  uint64_t id() const { return descriptor_.job_id; }
  const AddressSpace &space() const { return space_; }
  const avocet_job &descriptor() const { return descriptor_; }
  const uint32_t *words(uint32_t position) const { return words_.data() + position; }
  uint64_t start_cycle() const { return start_cycle_; }

  // Commands that a unit completed, and all units together; WAITs do not count.
  uint32_t completed(uint32_t unit) const { return completed_[unit]; }
  uint32_t progress() const { return progress_; }
  void complete(uint32_t unit) {
    ++completed_[unit];
    ++progress_;
  }

  // Preemption: units end the commands that they have begun, and drop what is queued.
  void pause() { paused_ = true; }
  bool paused() const { return paused_; }
  // Continues a job that was saved: after begin, and before the first command. continue_at starts its clock.
  void restore(const uint32_t (&completed)[AVOCET_UNIT_COUNT], uint64_t active_cycles);
  void continue_at(uint64_t now) { start_cycle_ = now - active_cycles_; }
  uint64_t active_before() const { return active_cycles_; }

  // The first fault counts. While one stands, units drop what is queued.
  void fail(const Fault &fault) {
    if (fault_.status == AVOCET_STATUS_OK) fault_ = fault;
  }
  const Fault &fault() const { return fault_; }
  bool stopping() const { return fault_.status != AVOCET_STATUS_OK || paused_; }

  // Counters of a layer tag; a sink when the job is not profiled so far. last_cycle here counts from power-on.
  avocet_profile &counters(uint32_t tag) { return tag < counters_.size() ? counters_[tag] : sink_; }
  std::vector<avocet_profile> &all_counters() { return counters_; }
  // A command with this tag was in a unit for [start, end).
  void note_interval(uint32_t tag, uint64_t start, uint64_t end);

private:
  bool running_ = false;
  AddressSpace space_;
  avocet_job descriptor_{};
  std::vector<uint32_t> words_;
  uint64_t start_cycle_ = 0;   // as if the job had never been out of hardware
  uint64_t active_cycles_ = 0; // before it was last saved
  bool paused_ = false;
  std::array<uint32_t, AVOCET_UNIT_COUNT> completed_{};
  uint32_t progress_ = 0;
  Fault fault_;
  std::vector<avocet_profile> counters_;
  avocet_profile sink_{};
};

} // namespace avocet::model
