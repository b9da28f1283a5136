// SPDX-License-Identifier: Apache-2.0
// Jobs, the time between them, and their publication.
#include "cycle_ledger.hpp"

#include <algorithm>

namespace avocet::model {

namespace {

void add(avocet_model_counters &sum, const avocet_model_counters &more) {
  for (uint32_t kind = 0; kind < AVOCET_CYCLE_KINDS; ++kind) sum.cycles[kind] += more.cycles[kind];
  sum.read_bytes += more.read_bytes;
  sum.write_bytes += more.write_bytes;
}

} // namespace

void CycleLedger::power_on() {
  sums_ = {};
  sequencer_ = {};
  closed_ = awake_at_close_ = 0;
  std::lock_guard lock(mutex_);
  published_ = {};
  published_sequencer_ = {};
  published_cycles_ = 0;
  published_dram_ = {};
}

// What is between the last job that ended and this one: also a job that a reset took away.
void CycleLedger::begin_job(uint64_t now) {
  const uint64_t between = now - closed_;
  const uint64_t firmware = std::min(between, firmware_.awake_until(now) - awake_at_close_);
  for (uint32_t unit = 0; unit < AVOCET_UNIT_COUNT; ++unit) {
    accounts_[unit].begin(now);
    if (!present_[unit]) continue;
    sums_[unit].cycles[AVOCET_CYCLE_FIRMWARE] += firmware;
    sums_[unit].cycles[AVOCET_CYCLE_IDLE] += between - firmware;
  }
  layers_.clear();
  closed_ = job_start_ = now;
  has_job_ = true;
}

void CycleLedger::drop_job(uint64_t now) {
  if (!has_job_) return;
  has_job_ = false;
  units_rest(now);
}

void CycleLedger::units_rest(uint64_t now) const {
  for (uint32_t unit = 0; unit < AVOCET_UNIT_COUNT; ++unit)
    if (present_[unit]) accounts_[unit].rests(now, firmware_.awake() ? AVOCET_CYCLE_FIRMWARE : AVOCET_CYCLE_IDLE);
}

void CycleLedger::set_layers(uint32_t tags) {
  layers_.assign(uint64_t{tags} * AVOCET_UNIT_COUNT, {});
  for (uint32_t unit = 0; unit < AVOCET_UNIT_COUNT; ++unit)
    accounts_[unit].set_layers(layers_.empty() ? nullptr : &layers_[unit], tags, AVOCET_UNIT_COUNT);
}

void CycleLedger::end_job(uint64_t now, avocet_model_job job, const Bus &bus) {
  std::array<avocet_model_counters, AVOCET_UNIT_COUNT> totals{};
  for (uint32_t unit = 0; unit < AVOCET_UNIT_COUNT; ++unit) {
    if (!present_[unit]) continue;
    accounts_[unit].close(now);
    totals[unit] = accounts_[unit].total();
    add(sums_[unit], totals[unit]);
  }
  closed_ = now;
  awake_at_close_ = firmware_.awake_until(now);
  has_job_ = false;
  units_rest(now);
  {
    std::lock_guard lock(mutex_);
    published_ = sums_;
    published_sequencer_ = sequencer_;
    published_cycles_ = closed_;
    published_dram_ = dram_;
  }
  job.start_cycle = job_start_;
  job.end_cycle = now;
  job.tags = static_cast<uint32_t>(layers_.size() / AVOCET_UNIT_COUNT);
  job.units = totals.data();
  job.layers = layers_.data();
  bus.job(job);
}

bool CycleLedger::read(uint32_t unit, uint64_t *cycles, avocet_model_counters *counters) const {
  const bool sequencer = unit == AVOCET_TRACK_SEQUENCER;
  if (!sequencer && (unit >= AVOCET_UNIT_COUNT || !present_[unit])) return false;
  std::lock_guard lock(mutex_);
  *cycles = published_cycles_;
  *counters = sequencer ? published_sequencer_ : published_[unit];
  return true;
}

} // namespace avocet::model
