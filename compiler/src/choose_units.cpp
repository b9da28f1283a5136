// SPDX-License-Identifier: Apache-2.0
#include "command_cost.hpp"
#include "kernel_layout.hpp"
#include "passes.hpp"

namespace avocet::compiler {

void choose_units(Network& network, const DeviceConfig& device) {
  const CommandCost cost(device);
  for (Node& node : network.nodes) {
    if (node.kind != NodeKind::kDepthwise || network.input(node).channels != 1) continue;
    const Map& output = network.output(node);
    const uint64_t taps = uint64_t{node.geometry.kernel_height} * node.geometry.kernel_width;
    const uint64_t on_vector = cost.depthwise(output.channels, output.width, output.height, taps);
    const uint64_t outputs = uint64_t{output.height} * output.width;
    const uint64_t column_blocks = divide_up(output.channels, device.array_cols);
    // kAll depends on the layout, which is not chosen yet.
    const uint64_t passes = kernel_layout(network, node, device, KernelFold::kRow).passes();
    const uint64_t on_array =
        column_blocks * std::max(cost.matmul(passes, outputs), cost.requant(device.array_cols, outputs));
    if (on_array < on_vector) node.kind = NodeKind::kConvolution;
  }
}

}  // namespace avocet::compiler
