// SPDX-License-Identifier: Apache-2.0
// Ports of the Verilated classes are little-endian words of 64 bits or of several times 32, as wide as the array demands.
#include "mac_array.hpp"

#include <cstring>
#include <stdexcept>

#include "Vavocet_mac_array_16.h"
#include "Vavocet_mac_array_32.h"
#include "Vavocet_mac_array_8.h"
#include "verilated_top.hpp"

namespace avocet::model {

namespace {

template <typename Top> class Array : public VerilatedTop<MacArray, Top> {
public:
  typename MacArray::Outputs settle(const typename MacArray::Inputs &inputs) override {
    Top &top = this->top_;
    top.clk_i = 0;
    top.w_valid_i = inputs.w_valid;
    top.w_zero_point_i = static_cast<uint8_t>(inputs.w_zero_point);
    if (inputs.w_valid) std::memcpy(&top.w_data_i, inputs.w_data, sizeof top.w_data_i);
    top.a_valid_i = inputs.a_valid;
    top.a_first_i = inputs.a_first;
    top.a_last_i = inputs.a_last;
    if (inputs.a_valid) std::memcpy(&top.a_data_i, inputs.a_data, sizeof top.a_data_i);
    top.o_ready_i = inputs.o_ready;
    top.eval();
    return {top.w_ready_o != 0, top.a_ready_o != 0, top.o_valid_o != 0, top.o_last_o != 0,
            reinterpret_cast<const uint32_t *>(&top.o_data_o)};
  }
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
