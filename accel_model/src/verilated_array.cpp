// SPDX-License-Identifier: Apache-2.0
// Ports of the Verilated classes are little-endian words of 64 bits or of several times 32, as wide as the array demands.
#include "mac_array.hpp"

#include <cstring>
#include <stdexcept>

#include <verilated.h>

#include "Vavocet_mac_array_16.h"
#include "Vavocet_mac_array_32.h"
#include "Vavocet_mac_array_8.h"

namespace avocet::model {

namespace {

template <typename Top> class Array : public MacArray {
public:
  Array() : top_(&context_) {}
  ~Array() override { top_.final(); }

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
    top_.clk_i = 0;
    top_.w_valid_i = inputs.w_valid;
    top_.w_zero_point_i = static_cast<uint8_t>(inputs.w_zero_point);
    if (inputs.w_valid) std::memcpy(&top_.w_data_i, inputs.w_data, sizeof top_.w_data_i);
    top_.a_valid_i = inputs.a_valid;
    top_.a_first_i = inputs.a_first;
    top_.a_last_i = inputs.a_last;
    if (inputs.a_valid) std::memcpy(&top_.a_data_i, inputs.a_data, sizeof top_.a_data_i);
    top_.o_ready_i = inputs.o_ready;
    top_.eval();
    return {top_.w_ready_o != 0, top_.a_ready_o != 0, top_.o_valid_o != 0, top_.o_last_o != 0,
            reinterpret_cast<const uint32_t *>(&top_.o_data_o)};
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

std::unique_ptr<MacArray> make_verilated_array(uint64_t size) {
  switch (size) {
  case 8: return std::make_unique<Array<Vavocet_mac_array_8>>();
  case 16: return std::make_unique<Array<Vavocet_mac_array_16>>();
  case 32: return std::make_unique<Array<Vavocet_mac_array_32>>();
  default: throw std::logic_error("no RTL of this size");
  }
}

} // namespace avocet::model
