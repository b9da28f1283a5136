// SPDX-License-Identifier: Apache-2.0
// Graph -> Network: batches become nodes, tensors that lie inside others maps of the same value, FULLY_CONNECTED a
// convolution.
#pragma once

#include "network.hpp"

namespace avocet::compiler {

/// The graph must be well-formed (graph_fault). Constants stay where the graph has them.
Network legalise(const Graph& graph);

}  // namespace avocet::compiler
