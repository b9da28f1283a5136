// SPDX-License-Identifier: Apache-2.0
// What a banded group costs in time and memory, apart from the choice where its outer maps live.
#pragma once

#include "plan.hpp"

namespace avocet::compiler {

struct GroupCost {
  uint64_t compute_cycles = 0;  // array and vector unit side by side, time step by time step
  uint64_t weight_bytes = 0;
  uint64_t weight_memory_all = 0, weight_memory_streamed = 0;
  bool accumulators_fit = true;  // false: a split kernel's partial sums do not
};

GroupCost group_cost(const Network& network, const DeviceConfig& device, const BandedGroup& group,
                     const std::vector<WeightChunks>& weights);

/// Cycles of the busier of array and requantisation, or of the vector unit, for `rows` rows of a node's output.
uint64_t node_cycles(const Network& network, const DeviceConfig& device, const Node& node, const WeightChunks& weights,
                     uint32_t rows);

}  // namespace avocet::compiler
