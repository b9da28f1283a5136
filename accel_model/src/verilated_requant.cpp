// SPDX-License-Identifier: Apache-2.0
// Ports of the Verilated classes are little-endian words of 64 bits or of several times 32, as wide as the lanes demand.
#include <cstring>
#include <stdexcept>

#include <verilated.h>

#include "Vavocet_requant_16.h"
#include "Vavocet_requant_32.h"
#include "Vavocet_requant_8.h"
#include "avocet_isa.h"
#include "requant_lanes.hpp"

namespace avocet::model {

namespace {

template <typename Top> class Lanes : public RequantLanes {
public:
  Lanes() : top_(&context_) {}
  ~Lanes() override { top_.final(); }

  void reset() override {
    settle({});
    top_.rst_ni = 0;
    for (int i = 0; i < 2; ++i) {
      clock();
      settle({});
    }
    top_.rst_ni = 1;
  }

  Outputs settle(const Inputs &inputs) override {
    static_assert(sizeof top_.p_data_i == AVOCET_PARAMETER_BYTES);
    top_.clk_i = 0;
    top_.p_valid_i = inputs.p_valid;
    top_.p_last_i = inputs.p_last;
    top_.p_zero_point_i = static_cast<uint16_t>(inputs.p_zero_point);
    top_.p_clamp_min_i = static_cast<uint16_t>(inputs.p_clamp_min);
    top_.p_clamp_max_i = static_cast<uint16_t>(inputs.p_clamp_max);
    if (inputs.p_valid) std::memcpy(&top_.p_data_i, inputs.p_data, sizeof top_.p_data_i);
    top_.r_valid_i = inputs.r_valid;
    top_.r_last_i = inputs.r_last;
    if (inputs.r_valid) std::memcpy(&top_.r_data_i, inputs.r_data, sizeof top_.r_data_i);
    top_.o_ready_i = inputs.o_ready;
    top_.eval();
    return {top_.p_ready_o != 0, top_.r_ready_o != 0, top_.o_valid_o != 0, top_.o_last_o != 0,
            reinterpret_cast<const uint8_t *>(&top_.o_data_o)};
  }

  void clock() override {
    top_.clk_i = 1;
    top_.eval();
  }

private:
  VerilatedContext context_;
  Top top_;
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
