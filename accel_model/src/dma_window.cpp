// SPDX-License-Identifier: Apache-2.0
// Bursts on their way.
#include "dma_window.hpp"

namespace avocet::model {

DmaWindow::DmaWindow(const Config &config)
    : outstanding_(config.dma_outstanding), burst_bytes_(config.dma_burst_bytes),
      group_bursts_(std::max<uint64_t>(config.dma_outstanding / 4, 1)) {}

void DmaWindow::restart() {
  path_free_ = on_their_way_ = 0;
  groups_.clear();
}

uint64_t DmaWindow::room_at(uint64_t bursts, uint64_t now) {
  while (!groups_.empty() && (groups_.front().end <= now || on_their_way_ + bursts > outstanding_)) {
    now = std::max(now, groups_.front().end);
    on_their_way_ -= groups_.front().bursts;
    groups_.pop_front();
  }
  return now;
}

uint64_t DmaWindow::read(uint64_t bursts, uint64_t beats, uint64_t arrived) {
  path_free_ = std::max(arrived, path_free_ + beats);
  push(bursts, path_free_);
  return path_free_;
}

void DmaWindow::push(uint64_t bursts, uint64_t end) {
  groups_.push_back({bursts, groups_.empty() ? end : std::max(end, groups_.back().end)});
  on_their_way_ += bursts;
}

} // namespace avocet::model
