// SPDX-License-Identifier: Apache-2.0
// The requantisation unit at its ports (names of rtl/avocet_requant.sv without _i/_o), cycle by cycle: set inputs and settle, look at
// the outputs, clock. Two implementations: the Verilated RTL, and its twin in C++ for any number of lanes.
#pragma once

#include <cstdint>
#include <memory>

namespace avocet::model {

// Enabled cycles from a row's acceptance to its bytes.
constexpr uint64_t kRequantLatency = 8;

class RequantLanes {
public:
  struct Inputs {
    bool p_valid = false, p_last = false;
    const uint8_t *p_data = nullptr; // a parameter record (PARAMETER_BYTES), when p_valid
    int16_t p_zero_point = 0, p_clamp_min = 0, p_clamp_max = 0;
    bool r_valid = false, r_last = false;
    const uint32_t *r_data = nullptr; // a sum for each lane, when r_valid
    bool o_ready = true;
  };
  struct Outputs {
    bool p_ready, r_ready, o_valid, o_last;
    const uint8_t *o_data; // a byte for each lane, when o_valid; until the next call
  };

  virtual ~RequantLanes() = default;
  virtual void reset() = 0;
  // Combinational outputs for these inputs in this cycle.
  virtual Outputs settle(const Inputs &inputs) = 0;
  // The clock edge, with the inputs last settled (what they point at must still be there).
  virtual void clock() = 0;
};

// 8, 16 or 32 lanes.
std::unique_ptr<RequantLanes> make_verilated_requant(uint64_t lanes);
std::unique_ptr<RequantLanes> make_requant_twin(uint64_t lanes);

} // namespace avocet::model
