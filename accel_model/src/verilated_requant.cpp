// SPDX-License-Identifier: Apache-2.0
// Ports of the Verilated classes are little-endian words of 64 bits or of several times 32, as wide as the lanes demand.
#include <cstring>
#include <stdexcept>

#include "Vavocet_requant_16.h"
#include "Vavocet_requant_32.h"
#include "Vavocet_requant_8.h"
#include "avocet_isa.h"
#include "requant_lanes.hpp"
#include "verilated_top.hpp"

namespace avocet::model {

namespace {

template <typename Top> class Lanes : public VerilatedTop<RequantLanes, Top> {
public:
  typename RequantLanes::Outputs settle(const typename RequantLanes::Inputs &inputs) override {
    Top &top = this->top_;
    static_assert(sizeof top.p_data_i == AVOCET_PARAMETER_BYTES);
    top.clk_i = 0;
    top.p_valid_i = inputs.p_valid;
    top.p_last_i = inputs.p_last;
    top.p_zero_point_i = static_cast<uint16_t>(inputs.p_zero_point);
    top.p_clamp_min_i = static_cast<uint16_t>(inputs.p_clamp_min);
    top.p_clamp_max_i = static_cast<uint16_t>(inputs.p_clamp_max);
    if (inputs.p_valid) std::memcpy(&top.p_data_i, inputs.p_data, sizeof top.p_data_i);
    top.r_valid_i = inputs.r_valid;
    top.r_last_i = inputs.r_last;
    if (inputs.r_valid) std::memcpy(&top.r_data_i, inputs.r_data, sizeof top.r_data_i);
    top.o_ready_i = inputs.o_ready;
    top.eval();
    return {top.p_ready_o != 0, top.r_ready_o != 0, top.o_valid_o != 0, top.o_last_o != 0,
            reinterpret_cast<const uint8_t *>(&top.o_data_o)};
  }
};

} // namespace

std::unique_ptr<RequantLanes> make_verilated_requant(uint64_t lanes) {
  switch (lanes) {
  case 8: return std::make_unique<Lanes<Vavocet_requant_8>>();
  case 16: return std::make_unique<Lanes<Vavocet_requant_16>>();
  case 32: return std::make_unique<Lanes<Vavocet_requant_32>>();
  default: throw std::logic_error("no RTL of this size");
  }
}

} // namespace avocet::model
