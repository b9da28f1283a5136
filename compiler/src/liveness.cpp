// SPDX-License-Identifier: Apache-2.0
#include "liveness.hpp"

namespace avocet::compiler {

std::vector<Lifetime> lifetimes(const Network& network) {
  std::vector<Lifetime> result(network.values.size());
  for (size_t i = 0; i < network.nodes.size(); ++i) {
    const Node& node = network.nodes[i];
    for (uint32_t input : node.inputs) result[network.maps[input].value].last_reader = static_cast<int32_t>(i);
    Lifetime& written = result[network.output(node).value];
    if (written.first_writer == Lifetime::kOutside) written.first_writer = static_cast<int32_t>(i);
    written.last_writer = static_cast<int32_t>(i);
  }
  return result;
}

}  // namespace avocet::compiler
