// SPDX-License-Identifier: Apache-2.0
// A Verilated class with the ports clk_i and rst_ni behind one of our faces (MacArray, RequantLanes), which says what settle does.
#pragma once

#include <verilated.h>

namespace avocet::model {

template <typename Face, typename Top> class VerilatedTop : public Face {
public:
  VerilatedTop() : top_(&context_) {}
  ~VerilatedTop() override { top_.final(); }

  void reset() override {
    this->settle({});
    top_.rst_ni = 0;
    for (int i = 0; i < 2; ++i) {
      clock();
      this->settle({});
    }
    top_.rst_ni = 1;
  }

  void clock() override {
    top_.clk_i = 1;
    top_.eval();
  }

private:
  VerilatedContext context_;

protected:
  Top top_;
};

} // namespace avocet::model
