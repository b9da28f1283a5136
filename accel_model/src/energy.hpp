// SPDX-License-Identifier: Apache-2.0
// What a job's events cost. Units count events as commands begin; the energy of an event is the configuration's, in femtojoules, so
// that sums are exact. Leakage goes by cycles: a layer has those by which it moved the job's end, what is outside of all layers
// is in the job's sum alone.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "avocet_isa.h"
#include "avocet_model.h"
#include "config.hpp"

namespace avocet::model {

class EnergyAccount {
public:
  explicit EnergyAccount(const Config &config);

  void begin_job();
  // Sums per layer for those who listen.
  void set_layers(uint32_t tags) { layers_.assign(tags, {}); }
  void add(uint32_t tag, avocet_model_event event, uint64_t count) {
    total_.events[event] += count;
    if (tag < layers_.size()) layers_[tag].events[event] += count;
  }
  // The job, or this piece of a preempted one, took so many cycles, and others `before`. `profile`: records of the layers.
  void end_job(uint64_t cycles, uint64_t before, const std::vector<avocet_profile> &profile);

  const avocet_model_energy &total() const { return total_; }
  const avocet_model_energy *layers() const { return layers_.data(); }

private:
  void price(avocet_model_energy &energy) const;

  std::array<uint64_t, AVOCET_EVENT_KINDS> femtojoules_{};
  avocet_model_energy total_{};
  std::vector<avocet_model_energy> layers_;
};

} // namespace avocet::model
