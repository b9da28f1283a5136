// SPDX-License-Identifier: Apache-2.0
// Events to energy.
#include "energy.hpp"

#include <algorithm>

namespace avocet::model {

EnergyAccount::EnergyAccount(const Config &config) {
  femtojoules_[AVOCET_EVENT_MAC] = config.energy_mac_fj;
  femtojoules_[AVOCET_EVENT_VECTOR] = config.energy_vector_fj;
  femtojoules_[AVOCET_EVENT_REQUANT] = config.energy_requant_fj;
  femtojoules_[AVOCET_EVENT_SRAM_BYTE] = config.energy_sram_fj;
  femtojoules_[AVOCET_EVENT_ACCUMULATOR_BYTE] = config.energy_accumulator_fj;
  femtojoules_[AVOCET_EVENT_DRAM_BYTE] = config.energy_dram_fj;
  femtojoules_[AVOCET_EVENT_CYCLE] = config.energy_leakage_fj;
}

void EnergyAccount::begin_job() {
  total_ = {};
  layers_.clear();
}

void EnergyAccount::end_job(uint64_t cycles, uint64_t before, const std::vector<avocet_profile> &profile) {
  total_.events[AVOCET_EVENT_CYCLE] = cycles;
  uint64_t frontier = before; // cycles of the layers so far
  for (size_t tag = 0; tag < std::min(layers_.size(), profile.size()); ++tag) {
    const uint64_t end = std::max(profile[tag].last_cycle, frontier);
    layers_[tag].events[AVOCET_EVENT_CYCLE] = end - frontier;
    frontier = end;
  }
  price(total_);
  for (avocet_model_energy &layer : layers_) price(layer);
}

void EnergyAccount::price(avocet_model_energy &energy) const {
  for (size_t event = 0; event < femtojoules_.size(); ++event)
    energy.femtojoules[event] = energy.events[event] * femtojoules_[event];
}

} // namespace avocet::model
