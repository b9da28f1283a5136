// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "passes.hpp"

namespace avocet::compiler {

void drop_dead_nodes(Network& network) {
  std::vector<bool> needed(network.values.size());
  for (size_t i = 0; i < needed.size(); ++i) needed[i] = network.values[i].home == Home::kOutput;
  std::vector<Node> alive;
  for (auto node = network.nodes.rbegin(); node != network.nodes.rend(); ++node) {
    if (!needed[network.output(*node).value]) continue;
    for (uint32_t input : node->inputs) needed[network.maps[input].value] = true;
    alive.push_back(std::move(*node));
  }
  std::reverse(alive.begin(), alive.end());
  network.nodes = std::move(alive);
}

}  // namespace avocet::compiler
