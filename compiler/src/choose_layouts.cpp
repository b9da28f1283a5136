// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "passes.hpp"

namespace avocet::compiler {
namespace {

void pad_for(const Node& node, const Map& output, Map& input) {
  const Geometry& g = node.geometry;
  const auto beyond = [](int64_t end, uint32_t size) {
    return static_cast<uint32_t>(std::max<int64_t>(0, end - size));
  };
  input.gap = std::max({input.gap, g.pad_left, beyond(g.end_column(output.width), input.width)});
  input.margin_top = std::max(input.margin_top, g.pad_top);
  input.margin_bottom = std::max(input.margin_bottom, beyond(g.end_row(output.height), input.height));
}

}  // namespace

void choose_layouts(Network& network) {
  for (const Node& node : network.nodes)
    if (node.kind == NodeKind::kConvolution) pad_for(node, network.output(node), network.maps[node.inputs[0]]);

  std::vector<uint32_t> shapes(network.values.size());
  std::vector<bool> padded(network.values.size());
  for (const Map& map : network.maps) {
    ++shapes[map.value];
    if (map.gap || map.margin_top || map.margin_bottom) padded[map.value] = true;
  }
  for (size_t i = 0; i < network.values.size(); ++i)
    if (shapes[i] > 1 && padded[i]) network.values[i].dram_only = true;
}

}  // namespace avocet::compiler
