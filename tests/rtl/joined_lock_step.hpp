// SPDX-License-Identifier: Apache-2.0
// A Verilated avocet_mac_requant (class `Top`) and the two twins, wired alike, side by side.
#pragma once

#include <verilated.h>

#include <cstring>
#include <memory>

#include "lock_step.hpp"

namespace avocet::rtl_test {

template <typename Top> class JoinedLockStep {
public:
  JoinedLockStep(uint64_t size, VerilatedContext *context)
      : size_(size), mood_(size), array_traffic_(mood_, size, size), requant_traffic_(mood_, size), top_(context),
        array_(model::make_mac_array_twin(size, size)), lanes_(model::make_requant_twin(size)) {
    top_.rst_ni = 0;
    top_.clk_i = 0;
    top_.w_valid_i = top_.a_valid_i = top_.p_valid_i = 0;
    top_.o_ready_i = 1;
    top_.eval();
    for (int edge = 0; edge < 4; ++edge) {
      top_.clk_i = !top_.clk_i;
      top_.eval();
    }
    top_.rst_ni = 1;
  }
  ~JoinedLockStep() { top_.final(); }

  // What differed in this cycle, or null.
  const char *cycle() {
    array_traffic_.offer(&array_inputs_);
    requant_traffic_.offer_parameters(&requant_inputs_);
    requant_inputs_.o_ready = mood_.takes();
    settle_top();
    const char *difference = settle_twins();
    if (difference != nullptr) return difference;
    outputs_ += top_.o_valid_o && top_.o_ready_i;
    array_traffic_.clocked(&array_inputs_, top_.w_ready_o, top_.a_ready_o);
    const bool p_ready = top_.p_ready_o;
    top_.clk_i = 1;
    top_.eval();
    lanes_->clock(); // first: its row is the array's until the array goes on
    array_->clock();
    requant_inputs_.r_valid = false;
    requant_traffic_.clocked(&requant_inputs_, p_ready, false);
    return nullptr;
  }

  uint64_t outputs() const { return outputs_; }

private:
  void settle_top() {
    top_.clk_i = 0;
    top_.w_valid_i = array_inputs_.w_valid;
    top_.w_zero_point_i = static_cast<uint8_t>(array_inputs_.w_zero_point);
    if (array_inputs_.w_valid) std::memcpy(&top_.w_data_i, array_inputs_.w_data, size_);
    top_.a_valid_i = array_inputs_.a_valid;
    top_.a_first_i = array_inputs_.a_first;
    top_.a_last_i = array_inputs_.a_last;
    if (array_inputs_.a_valid) std::memcpy(&top_.a_data_i, array_inputs_.a_data, size_);
    top_.p_valid_i = requant_inputs_.p_valid;
    top_.p_last_i = requant_inputs_.p_last;
    top_.p_zero_point_i = static_cast<uint16_t>(requant_inputs_.p_zero_point);
    top_.p_clamp_min_i = static_cast<uint16_t>(requant_inputs_.p_clamp_min);
    top_.p_clamp_max_i = static_cast<uint16_t>(requant_inputs_.p_clamp_max);
    if (requant_inputs_.p_valid) std::memcpy(&top_.p_data_i, requant_inputs_.p_data, sizeof top_.p_data_i);
    top_.o_ready_i = requant_inputs_.o_ready;
    top_.eval();
  }

  // The lanes' r_ready does not depend on what the array offers them, so it is known first.
  const char *settle_twins() {
    array_inputs_.o_ready = lanes_->settle(requant_inputs_).r_ready;
    const MacArray::Outputs sums = array_->settle(array_inputs_);
    requant_inputs_.r_valid = sums.o_valid;
    requant_inputs_.r_last = sums.o_last;
    requant_inputs_.r_data = sums.o_data;
    const RequantLanes::Outputs bytes = lanes_->settle(requant_inputs_);
    if (sums.w_ready != static_cast<bool>(top_.w_ready_o)) return "w_ready_o";
    if (sums.a_ready != static_cast<bool>(top_.a_ready_o)) return "a_ready_o";
    if (bytes.p_ready != static_cast<bool>(top_.p_ready_o)) return "p_ready_o";
    if (bytes.o_valid != static_cast<bool>(top_.o_valid_o)) return "o_valid_o";
    if (!bytes.o_valid) return nullptr;
    if (bytes.o_last != static_cast<bool>(top_.o_last_o)) return "o_last_o";
    return std::memcmp(bytes.o_data, &top_.o_data_o, size_) == 0 ? nullptr : "o_data_o";
  }

  const uint64_t size_;
  Mood mood_;
  ArrayTraffic array_traffic_;
  RequantTraffic requant_traffic_;
  MacArray::Inputs array_inputs_;
  RequantLanes::Inputs requant_inputs_;
  Top top_;
  std::unique_ptr<MacArray> array_;
  std::unique_ptr<RequantLanes> lanes_;
  uint64_t outputs_ = 0;
};

} // namespace avocet::rtl_test
