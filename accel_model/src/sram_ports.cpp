// SPDX-License-Identifier: Apache-2.0
// Rates of the SRAM's users.
#include "sram_ports.hpp"

#include <algorithm>

namespace avocet::model {

void SramPorts::array_takes(uint64_t from, uint64_t to, uint64_t words) {
  if (!banked_) return;
  while (!array_.empty() && array_.front().to <= time_.now()) array_.pop_front();
  array_.push_back({from, to, words});
  changed_.notify(sc_core::SC_ZERO_TIME);
}

uint64_t SramPorts::rate(User user, uint64_t words) const {
  uint64_t taken = 0;
  for (const Interval &interval : array_)
    if (interval.from <= time_.now() && time_.now() < interval.to) taken = std::max(taken, interval.words);
  for (int before = 0; before < user; ++before) taken += taken_[before];
  const uint64_t free = banks_ - std::min(taken, banks_);
  uint64_t rate = kFullRate;
  for (uint64_t word = 0; word < words && rate > kFullRate / 8; ++word) rate = rate * free / banks_;
  return std::max(rate, kFullRate / 8);
}

uint64_t SramPorts::cycles_until_change() const {
  uint64_t next = UINT64_MAX;
  for (const Interval &interval : array_) {
    if (interval.from > time_.now()) next = std::min(next, interval.from);
    if (interval.to > time_.now()) next = std::min(next, interval.to);
  }
  return next == UINT64_MAX ? next : next - time_.now();
}

} // namespace avocet::model
