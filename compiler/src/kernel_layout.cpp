// SPDX-License-Identifier: Apache-2.0
#include "kernel_layout.hpp"

#include "command_cost.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kChannelsMax = uint64_t{1} << 24;

KernelLayout fold(KernelFold fold, const Map& input, const Geometry& g, uint32_t rows) {
  KernelLayout layout{fold, g.kernel_width, g.kernel_height, input.channels, 1};
  uint64_t channels = input.channels;
  if (fold != KernelFold::kNone) {
    layout.kx_count = 1;
    channels *= g.kernel_width;
  }
  if (fold == KernelFold::kAll) {
    layout.ky_count = 1;
    channels += uint64_t{g.kernel_height - 1} * g.dilation_y * input.row_pitch();
  }
  layout.channels = channels <= kChannelsMax ? static_cast<uint32_t>(channels) : 0;
  layout.blocks = static_cast<uint32_t>(divide_up(channels, rows));
  return layout;
}

/// What the map's neighbours in a block of the whole value allow; windows of its own are dense.
KernelFold widest_fold(const Value& value, const Map& map) {
  if (value.dram_only) return KernelFold::kAll;
  const Frame& frame = value.frame;
  const bool dense_cells = frame.height ? frame.channels == map.channels : map.has_dense_cells();
  const bool dense_rows = frame.height ? frame.width == map.width : map.is_dense();
  return !dense_cells ? KernelFold::kNone : dense_rows ? KernelFold::kAll : KernelFold::kRow;
}

}  // namespace

KernelLayout kernel_layout(const Network& network, const Node& node, const DeviceConfig& device, KernelFold limit) {
  const Map& input = network.input(node);
  return window_kernel_layout(network, node, device, std::min(limit, widest_fold(network.values[input.value], input)));
}

KernelLayout window_kernel_layout(const Network& network, const Node& node, const DeviceConfig& device, KernelFold limit) {
  const Map& input = network.input(node);
  KernelLayout best = fold(KernelFold::kNone, input, node.geometry, device.array_rows);
  if (node.geometry.dilation_x != 1) return best;
  for (KernelFold candidate : {KernelFold::kRow, KernelFold::kAll}) {
    if (candidate > limit) break;
    // A kernel row must not reach into the next: with a shared gap, one byte would need two weights.
    if (candidate == KernelFold::kAll &&
        uint64_t{node.geometry.kernel_width} * input.channels > node.geometry.dilation_y * input.row_pitch())
      break;
    const KernelLayout layout = fold(candidate, input, node.geometry, device.array_rows);
    if (layout.channels != 0 && layout.passes() < best.passes()) best = layout;
  }
  return best;
}

}  // namespace avocet::compiler
