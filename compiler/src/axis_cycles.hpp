// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network.hpp"

namespace avocet::compiler {

/// Cells of an axis as the two dimensions of REDUCE; inner exceeds a command's count when there are no such factors.
struct AxisFactors {
  uint32_t inner = 1, outer = 1;
};
AxisFactors axis_factors(uint32_t cells);

/// Cycles of the vector unit for `rows` rows of the output of a node along an axis, kArgReduce among them.
uint64_t axis_cycles(const Network& network, const Node& node, const DeviceConfig& device, uint64_t rows);

}  // namespace avocet::compiler
