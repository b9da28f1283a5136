// SPDX-License-Identifier: Apache-2.0
// The MAC array at its ports (names of rtl/avocet_mac_array.sv without _i/_o), cycle by cycle: set inputs and settle, look at the
// outputs, clock. Two implementations: the Verilated RTL, and its twin in C++ for any size.
#pragma once

#include <cstdint>
#include <memory>

namespace avocet::model {

class MacArray {
public:
  struct Inputs {
    bool w_valid = false;
    int8_t w_zero_point = 0;
    const uint8_t *w_data = nullptr; // columns bytes, when w_valid
    bool a_valid = false, a_first = false, a_last = false;
    const uint8_t *a_data = nullptr; // rows bytes, when a_valid
    bool o_ready = true;
  };
  struct Outputs {
    bool w_ready, a_ready, o_valid, o_last;
    const uint32_t *o_data; // columns words, when o_valid; until the next call
  };

  virtual ~MacArray() = default;
  virtual void reset() = 0;
  // Combinational outputs for these inputs in this cycle.
  virtual Outputs settle(const Inputs &inputs) = 0;
  // The clock edge, with the inputs last settled (what they point at must still be there).
  virtual void clock() = 0;
};

// 8, 16 or 32 rows and columns.
std::unique_ptr<MacArray> make_verilated_array(uint64_t size);
std::unique_ptr<MacArray> make_mac_array_twin(uint64_t rows, uint64_t columns);

} // namespace avocet::model
