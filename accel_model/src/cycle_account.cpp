// SPDX-License-Identifier: Apache-2.0
// One unit's cycles.
#include "cycle_account.hpp"

#include <algorithm>

namespace avocet::model {

void CycleAccount::begin(uint64_t now) {
  accounted_ = now;
  waits_.clear();
  total_ = {};
  layers_ = nullptr;
  layer_count_ = 0;
}

void CycleAccount::set_layers(avocet_model_counters *layers, uint32_t count, uint32_t stride) {
  layers_ = layers;
  layer_count_ = count;
  stride_ = stride;
}

void CycleAccount::waited(uint64_t from, uint64_t to, uint32_t tag, avocet_model_cycle kind) {
  if (from < to) waits_.push_back({from, to, tag, kind});
}

void CycleAccount::worked(uint64_t start, uint64_t end, uint32_t tag, CycleParts parts) {
  fill_gap(start);
  if (end <= accounted_) return;
  uint64_t left = end - accounted_;
  const auto take = [&](avocet_model_cycle kind, uint64_t cycles) {
    cycles = std::min(cycles, left);
    count(kind, tag, cycles);
    left -= cycles;
  };
  take(AVOCET_CYCLE_TLB, parts.tlb);
  take(AVOCET_CYCLE_SRAM, parts.sram);
  take(AVOCET_CYCLE_BUSY, parts.busy);
  take(AVOCET_CYCLE_DRAM, left);
}

void CycleAccount::moved(uint32_t tag, uint64_t bytes, bool write) {
  (write ? total_.write_bytes : total_.read_bytes) += bytes;
  if (tag >= layer_count_) return;
  avocet_model_counters &layer = layers_[uint64_t{tag} * stride_];
  (write ? layer.write_bytes : layer.read_bytes) += bytes;
}

void CycleAccount::close(uint64_t now) {
  fill_gap(now);
  layers_ = nullptr;
  layer_count_ = 0;
}

// Cycles up to `to` in which no command was in the unit.
void CycleAccount::fill_gap(uint64_t to) {
  while (!waits_.empty() && waits_.front().from < to) {
    Wait &wait = waits_.front();
    const uint64_t from = std::max(wait.from, accounted_), until = std::min(wait.to, to);
    if (from < until) {
      count(AVOCET_CYCLE_IDLE, wait.tag, from - accounted_);
      count(wait.kind, wait.tag, until - from);
    }
    if (wait.to > to) break;
    waits_.pop_front();
  }
  if (accounted_ < to) count(AVOCET_CYCLE_IDLE, 0, to - accounted_);
}

// The next cycles. Idle ones belong to no layer.
void CycleAccount::count(avocet_model_cycle kind, uint32_t tag, uint64_t cycles) {
  if (cycles == 0) return;
  if (waves_ != nullptr) waves_->is(accounted_, kind);
  accounted_ += cycles;
  total_.cycles[kind] += cycles;
  if (kind != AVOCET_CYCLE_IDLE && tag < layer_count_) layers_[uint64_t{tag} * stride_].cycles[kind] += cycles;
}

} // namespace avocet::model
