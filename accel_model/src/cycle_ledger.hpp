// SPDX-License-Identifier: Apache-2.0
// The cycles of all units: an account of each for the job that runs, sums since power-on, and the time between jobs, which is
// the firmware's while the management core is awake and idle else. Sums are published when a job ends; any thread may
// read them.
#pragma once

#include <array>
#include <functional>
#include <mutex>
#include <vector>

#include "avocet_isa.h"
#include "bus.hpp"
#include "cycle_account.hpp"

namespace avocet::model {

// How long the management core was awake.
class FirmwareClock {
public:
  void power_on() { awake_cycles_ = awake_since_ = 0; }
  void woke(uint64_t now) {
    awake_since_ = now, awake_ = true;
    if (changed_) changed_(now);
  }
  void slept(uint64_t now) {
    awake_cycles_ = awake_until(now), awake_ = false;
    if (changed_) changed_(now);
  }
  bool awake() const { return awake_; }
  void on_change(std::function<void(uint64_t now)> listener) { changed_ = std::move(listener); }
  uint64_t awake_until(uint64_t now) const { return awake_cycles_ + (awake_ ? now - awake_since_ : 0); }

private:
  uint64_t awake_cycles_ = 0, awake_since_ = 0;
  bool awake_ = false;
  std::function<void(uint64_t now)> changed_;
};

// Of one NPU core.
class CycleLedger {
public:
  // `dram`: the memory's counters, published with the units'.
  CycleLedger(const FirmwareClock &firmware, const avocet_model_dram_counters &dram) : firmware_(firmware), dram_(dram) {}

  CycleAccount &of(uint32_t unit) { return accounts_[unit]; }
  void add_unit(uint32_t unit) { present_[unit] = true; }

  void power_on();

  void begin_job(uint64_t now);
  // Counters per layer for those who listen.
  void set_layers(uint32_t tags);
  // `job`: the ids, status and start; the rest is filled in for the listener.
  void end_job(uint64_t now, avocet_model_job job, const Bus &bus);

  // Bytes that the sequencer read from memory or wrote there; counted like those of a unit, without cycles.
  void sequencer_moved(uint64_t bytes, bool write) { (write ? sequencer_.write_bytes : sequencer_.read_bytes) += bytes; }

  // A reset took the job away, if there was one.
  void drop_job(uint64_t now);
  bool has_job() const { return has_job_; }
  // For the waves: what the units do between jobs changed.
  void firmware_changed(uint64_t now) const {
    if (!has_job_) units_rest(now);
  }

  // As they were in cycle *cycles.
  avocet_model_dram_counters dram(uint64_t *cycles) const {
    std::lock_guard lock(mutex_);
    *cycles = published_cycles_;
    return published_dram_;
  }
  // Sums over [0, *cycles); false: there is no such unit. Of AVOCET_TRACK_SEQUENCER bytes alone.
  bool read(uint32_t unit, uint64_t *cycles, avocet_model_counters *counters) const;

private:
  void units_rest(uint64_t now) const;

  const FirmwareClock &firmware_;
  const avocet_model_dram_counters &dram_;
  std::array<CycleAccount, AVOCET_UNIT_COUNT> accounts_;
  std::array<bool, AVOCET_UNIT_COUNT> present_{};
  std::array<avocet_model_counters, AVOCET_UNIT_COUNT> sums_{};
  avocet_model_counters sequencer_{};
  std::vector<avocet_model_counters> layers_; // [tags][AVOCET_UNIT_COUNT]
  uint64_t closed_ = 0;                       // cycles before this are in sums_
  uint64_t job_start_ = 0;
  uint64_t awake_at_close_ = 0;
  bool has_job_ = false;

  mutable std::mutex mutex_; // of what follows
  std::array<avocet_model_counters, AVOCET_UNIT_COUNT> published_{};
  avocet_model_counters published_sequencer_{};
  uint64_t published_cycles_ = 0;
  avocet_model_dram_counters published_dram_{};
};

} // namespace avocet::model
