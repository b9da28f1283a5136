// SPDX-License-Identifier: Apache-2.0
// The memory with banks: every dram.model but "ideal". Addresses are device addresses (IOVA) with the context above them, as if
// pages lay behind each other, so that what a run costs does not depend on where the host put its memory:
//   | row | bank | column, high | channel | column, low, and bank group | byte of a burst |
// The bank is shifted by the row's number, so that large power-of-two strides spread over the banks. All channels refresh at the
// same time: a stream over all of them is held up once.
#pragma once

#include <cstdint>
#include <vector>

#include "dram_channel.hpp"

namespace avocet::model {

class DramBanks {
public:
  DramBanks(const Config &config, avocet_model_dram_counters &counters);
  DramBanks(const DramBanks &) = delete;
  DramBanks &operator=(const DramBanks &) = delete;

  // All rows closed, nothing queued.
  void power_on();
  // `bytes` (at least 1) asked for at cycle `now`. Reading: the cycle in which the last of them is there. Writing: the cycle in which
  // the controller has taken them and said so.
  uint64_t access(uint64_t address, uint64_t bytes, bool write, uint64_t now);

  void show(Waves &waves, const std::string &scope);
  // The cycle before which it is known what the pins do, as seen in cycle `now`.
  uint64_t settle(uint64_t now);

private:
  const DramTiming timing_;
  const uint64_t there_, back_; // ticks of the way through the controller
  avocet_model_dram_counters &counters_;
  std::vector<DramChannel> channels_;
  std::vector<DramChannel::PinWaves> pins_; // of each channel, while they are shown
};

} // namespace avocet::model
