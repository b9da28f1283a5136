// SPDX-License-Identifier: Apache-2.0
// Random traffic for the lock-step tests: producers that hold what they offered until it is taken, of random commands with random
// gaps and many extreme values. AVOCET_LOCK_STEP_CYCLES sets the cycles per size (default 70,000).
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "mac_array.hpp"
#include "requant_lanes.hpp"

namespace avocet::rtl_test {

using model::MacArray;
using model::RequantLanes;

uint64_t lock_step_cycles();

// How often something is offered or taken changes with every command.
class Mood {
public:
  explicit Mood(uint64_t seed) : random_(static_cast<unsigned>(seed)) {}

  uint32_t number() { return random_(); }
  bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }
  bool offers() { return chance(offered_); }
  bool takes() { return chance(taken_); }
  void change() {
    offered_ = chance(40) ? 100 : 30 + static_cast<int>(random_() % 70);
    taken_ = chance(40) ? 100 : 30 + static_cast<int>(random_() % 70);
  }

private:
  std::mt19937 random_;
  int offered_ = 100, taken_ = 100;
};

// Tiles and passes for the array; a pass has 1 to 3 * rows vectors.
class ArrayTraffic {
public:
  ArrayTraffic(Mood &mood, uint64_t rows, uint64_t columns) : mood_(mood), weights_(columns), activations_(rows), rows_(rows) {}

  void offer(MacArray::Inputs *inputs);
  void clocked(MacArray::Inputs *inputs, bool w_ready, bool a_ready);

private:
  void fill(std::vector<uint8_t> &bytes);

  Mood &mood_;
  std::vector<uint8_t> weights_, activations_;
  const uint64_t rows_;
  uint64_t row_ = 0, length_ = 0, left_ = 0;
};

// Commands for the requantisation unit. The first one has a channel for each lane, so that no lane keeps parameters of its
// own making.
class RequantTraffic {
public:
  RequantTraffic(Mood &mood, uint64_t lanes) : mood_(mood), channels_(lanes), sums_(lanes) {}

  void offer_parameters(RequantLanes::Inputs *inputs);
  void offer_rows(RequantLanes::Inputs *inputs);
  void clocked(RequantLanes::Inputs *inputs, bool p_ready, bool r_ready);

private:
  void new_limits(RequantLanes::Inputs *inputs);
  uint32_t multiplier();
  int32_t shift();
  uint32_t any_word();

  Mood &mood_;
  uint64_t channels_, channel_ = 0, rows_left_ = 0;
  uint32_t record_[3] = {};
  std::vector<uint32_t> sums_;
};

} // namespace avocet::rtl_test
