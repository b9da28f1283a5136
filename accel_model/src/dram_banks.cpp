// SPDX-License-Identifier: Apache-2.0
// Addresses to channels, banks and rows.
#include "dram_banks.hpp"

#include <algorithm>

namespace avocet::model {

DramBanks::DramBanks(const Config &config, avocet_model_dram_counters &counters)
    : timing_(config), there_(config.dram_controller_cycles * kTicksPerCycle / 2),
      back_(config.dram_controller_cycles * kTicksPerCycle - there_), counters_(counters) {
  power_on();
}

void DramBanks::power_on() {
  channels_.clear();
  for (uint64_t channel = 0; channel < timing_.channels; ++channel)
    channels_.emplace_back(timing_, timing_.refi, counters_);
  for (size_t channel = 0; channel < pins_.size(); ++channel) channels_[channel].show(pins_[channel]);
}

void DramBanks::show(Waves &waves, const std::string &scope) {
  for (size_t channel = 0; channel < channels_.size(); ++channel) {
    const std::string place = scope + ".channel" + std::to_string(channel);
    pins_.push_back({waves.number(place, "busy", 1), waves.number(place, "writing", 1)});
    channels_[channel].show(pins_[channel]);
  }
}

uint64_t DramBanks::settle(uint64_t now) {
  uint64_t known = now * kTicksPerCycle + there_;
  for (DramChannel &channel : channels_) known = std::min(known, channel.settle(now * kTicksPerCycle + there_));
  return known / kTicksPerCycle;
}

uint64_t DramBanks::access(uint64_t address, uint64_t bytes, bool write, uint64_t now) {
  const uint64_t at = now * kTicksPerCycle + there_;
  const uint64_t row_set = timing_.row_bytes * timing_.groups * timing_.channels;
  uint64_t end = 0;
  for (const uint64_t behind = address + bytes; address < behind;) {
    const uint64_t unit = address / timing_.unit_bytes;
    const uint64_t unit_end = std::min((unit + 1) * timing_.unit_bytes, behind);
    const uint64_t rows = address / row_set;
    const uint64_t row = rows / timing_.banks;
    DramChannel::Piece piece{};
    piece.bank = (rows + row) % timing_.banks;
    piece.row = row;
    piece.first = address / timing_.burst_bytes;
    piece.bursts = (unit_end - 1) / timing_.burst_bytes - piece.first + 1;
    DramChannel &channel = channels_[unit % timing_.channels];
    end = std::max(end, write ? channel.write(piece, at) : channel.read(piece, at));
    address = unit_end;
  }
  return (end + back_ + kTicksPerCycle - 1) / kTicksPerCycle;
}

} // namespace avocet::model
