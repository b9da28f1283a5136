// SPDX-License-Identifier: Apache-2.0
// The bursts that one initiator has on their way through the memory with banks: at most dma.outstanding, their bytes one after
// the other over the channel's data path. Cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "config.hpp"

namespace avocet::model {

class DmaWindow {
public:
  explicit DmaWindow(const Config &config);

  void restart();
  // Requests go out in groups of at most this many bursts, so that several groups are on their way.
  uint64_t group_bursts() const { return group_bursts_; }
  uint64_t burst_bytes() const { return burst_bytes_; }
  // The cycle from which `bursts` more may be on their way.
  uint64_t room_at(uint64_t bursts, uint64_t now);
  // Reading: the bytes were all there at `arrived`; the cycle in which they are through the data path.
  uint64_t read(uint64_t bursts, uint64_t beats, uint64_t arrived);
  // Writing, in two steps: when the bytes are out of the data path; when the memory has said that it took them.
  uint64_t send(uint64_t beats, uint64_t now) { return path_free_ = std::max(path_free_, now) + beats; }
  void taken(uint64_t bursts, uint64_t at) { push(bursts, at); }

private:
  struct Group {
    uint64_t bursts, end;
  };

  void push(uint64_t bursts, uint64_t end);

  const uint64_t outstanding_, burst_bytes_, group_bursts_;
  uint64_t path_free_ = 0;
  uint64_t on_their_way_ = 0;
  std::deque<Group> groups_;
};

} // namespace avocet::model
