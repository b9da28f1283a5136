// SPDX-License-Identifier: Apache-2.0
// How an elementwise node falls into commands of rows.
#pragma once

#include <vector>

#include "network.hpp"
#include "window.hpp"

namespace avocet::compiler {

/// Loops of ADD, BINARY or TABLE: `row_bytes` elements, `y_count` rows, and everything outside of that as several
/// commands. Strides of 0 repeat an input.
struct ElementwiseLoops {
  static constexpr size_t kOperands = 3;  // output, first input, second input
  struct Dim {
    uint64_t count = 1;
    int64_t strides[kOperands] = {};
  };
  std::vector<Dim> outer;
  Dim y;
  uint64_t row_bytes = 1;
  bool scalar[kOperands] = {};  // a row of this input is one byte

  uint64_t commands() const;
};

/// For a box of these extents; windows in the order of the operands.
ElementwiseLoops elementwise_loops(uint64_t rows, uint64_t columns, uint64_t channels, const Window* windows,
                                   const std::vector<const Map*>& maps);

/// Cycles of the vector unit for `rows` rows of the node's output, with windows as dense as the maps.
uint64_t elementwise_cycles(const Network& network, const Node& node, const DeviceConfig& device, uint64_t rows);

}  // namespace avocet::compiler
