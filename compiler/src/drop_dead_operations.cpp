// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "graph_passes.hpp"

namespace avocet::compiler {

void drop_dead_operations(Graph& graph) {
  std::vector<bool> needed(graph.tensors.size());
  for (uint32_t tensor : graph.outputs) needed[tensor] = true;
  std::vector<Operation> alive;
  for (auto operation = graph.operations.rbegin(); operation != graph.operations.rend(); ++operation) {
    if (std::none_of(operation->outputs.begin(), operation->outputs.end(), [&](uint32_t t) { return needed[t]; })) continue;
    for (uint32_t tensor : operation->inputs) needed[tensor] = true;
    alive.push_back(std::move(*operation));
  }
  std::reverse(alive.begin(), alive.end());
  graph.operations = std::move(alive);
}

}  // namespace avocet::compiler
