// SPDX-License-Identifier: Apache-2.0
// The Verilated MAC array behind one interface for all sizes: set inputs, settle, look at outputs, clock. No time of its own.
#pragma once

#include <cstdint>
#include <memory>

namespace avocet::model {

class VerilatedArray {
public:
  struct Inputs {
    bool w_valid = false;
    int8_t w_zero_point = 0;
    const uint8_t *w_data = nullptr; // array_columns bytes, when w_valid
    bool a_valid = false, a_first = false, a_last = false;
    const uint8_t *a_data = nullptr; // array_rows bytes, when a_valid
  };
  struct Outputs {
    bool w_ready, a_ready, o_valid, o_last;
    const uint32_t *o_data; // array_columns words, until the next call
  };

  virtual ~VerilatedArray() = default;
  virtual void reset() = 0;
  // Combinational outputs in this cycle; the array's outputs are always taken (o_ready).
  virtual Outputs settle(const Inputs &inputs) = 0;
  virtual void clock() = 0;
};

// 8, 16 or 32 rows and columns.
std::unique_ptr<VerilatedArray> make_verilated_array(uint64_t size);

} // namespace avocet::model
