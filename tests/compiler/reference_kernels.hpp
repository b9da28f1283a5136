// SPDX-License-Identifier: Apache-2.0
// The compiler's operations as nested loops over a graph's tensors, from the arithmetic's definition: nothing here is
// shared with the compiler but the requantisation of the contract.
#pragma once

#include <avocet/compiler/graph.hpp>
#include <cstdint>
#include <vector>

namespace avocet::compiler::test {

using Bytes = std::vector<uint8_t>;

/// All tensors of the graph that are not weights: inputs as given, the others computed.
std::vector<Bytes> run_reference(const Graph& graph, const std::vector<Bytes>& inputs);

}  // namespace avocet::compiler::test
