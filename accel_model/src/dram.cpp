// SPDX-License-Identifier: Apache-2.0
// The shared pipe of the ideal DRAM.
#include "dram.hpp"

#include <algorithm>

namespace avocet::model {

Dram::Transfer::Transfer(Dram &dram, uint64_t bytes, uint64_t limit)
    : dram_(dram), left_(bytes * 1000), limit_(std::max<uint64_t>(limit, 1)) {
  dram_.advance();
  dram_.running_.push_back(this);
  dram_.share();
}

Dram::Transfer::~Transfer() {
  dram_.advance();
  std::erase(dram_.running_, this);
  dram_.share();
}

uint64_t Dram::Transfer::cycles_left() const {
  dram_.advance();
  return (left_ + rate_ - 1) / rate_;
}

// Moves what was moved since the last call.
void Dram::advance() {
  uint64_t elapsed = time_.now() - advanced_to_;
  advanced_to_ = time_.now();
  if (elapsed == 0) return;
  for (Transfer *transfer : running_) transfer->left_ -= std::min(transfer->left_, transfer->rate_ * elapsed);
}

// Max-min fair: whoever's limit is below an equal share gets its limit, the others share the rest.
void Dram::share() {
  busy_.set(!running_.empty());
  transfers_.set(running_.size());
  std::vector<Transfer *> order = running_;
  std::stable_sort(order.begin(), order.end(), [](const Transfer *a, const Transfer *b) { return a->limit_ < b->limit_; });
  uint64_t rest = bandwidth_;
  uint64_t takers = order.size();
  for (Transfer *transfer : order) {
    uint64_t rate = std::max<uint64_t>(std::min(transfer->limit_, rest / takers), 1);
    rest -= std::min(rest, rate);
    --takers;
    if (rate == transfer->rate_) continue;
    bool is_new = transfer->rate_ == 0;
    transfer->rate_ = rate;
    if (!is_new) transfer->changed_.notify(sc_core::SC_ZERO_TIME);
  }
}

} // namespace avocet::model
