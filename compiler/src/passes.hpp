// SPDX-License-Identifier: Apache-2.0
// The passes over a Network, in the order in which the pipeline runs them.
#pragma once

#include "network.hpp"

namespace avocet::compiler {

/// Removes nodes whose output nobody reads and the graph does not return.
void drop_dead_nodes(Network& network);

/// Turns depthwise convolutions of one input channel into array convolutions where that is faster.
void choose_units(Network& network, const DeviceConfig& device);

/// Gives each map the padding that the array's kernels need around it; values seen through several shapes are kept
/// dense, or in DRAM when their readers need padding.
void choose_layouts(Network& network);

}  // namespace avocet::compiler
