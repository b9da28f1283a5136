// SPDX-License-Identifier: Apache-2.0
// All tiles that halve the maps in some directions are weighed: few enough, as only nodes with huge maps come here.
#include "box_tile.hpp"

#include <algorithm>
#include <vector>

#include "axis_cycles.hpp"
#include "command_cost.hpp"
#include "reads.hpp"
#include "weight_chunks.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kLoadCycles = 100;           // what a load costs beyond its bytes
constexpr uint32_t kVectorChannelsMax = 65536;  // of one command

uint64_t padded(uint64_t bytes) { return std::max<uint64_t>(16, divide_up(bytes, 16) * 16); }

/// One node under any tile.
class Boxes {
 public:
  Boxes(const Network& network, const Node& node, const DeviceConfig& device)
      : network_(network),
        node_(node),
        input_(network.input(node)),
        output_(network.output(node)),
        device_(device),
        cost_(device),
        is_array_(node.kind == NodeKind::kConvolution) {
    if (!is_array_) return;
    whole_cells_ = window_kernel_layout(network, node, device, KernelFold::kRow);
    sliced_cells_ = window_kernel_layout(network, node, device, KernelFold::kNone);
  }

  uint32_t all_blocks() const { return is_array_ ? sliced_cells_.blocks : 0; }
  uint32_t channel_unit() const {
    return is_array_ ? device_.array_cols : node_.depth_multiplier;
  }

  /// Slices of channels are no longer neighbours of the next cell's.
  const KernelLayout& layout(const BoxTile& tile) const {
    return tile.blocks == all_blocks() ? whole_cells_ : sliced_cells_;
  }

  uint64_t bytes(const BoxTile& tile) const {
    uint64_t sum = constants(tile);
    for (size_t i = 0; i < windows_loaded(); ++i) sum += padded(window(i, tile));
    return sum + padded(uint64_t{tile.rows} * tile.columns * tile.channels);
  }

  bool is_possible(const BoxTile& tile) const {
    if (is_along_axis(node_) && tile.columns != output_.width) return false;
    if (!is_array_) return tile.channels <= kVectorChannelsMax;
    const uint64_t columns = divide_up(tile.channels, device_.array_cols);
    return tile.blocks == all_blocks() || uint64_t{tile.rows} * tile.columns * columns <= device_.acc_rows;
  }

  uint64_t tiles(const BoxTile& tile) const { return places(tile) * divide_up(output_.channels, tile.channels); }
  uint64_t loads(const BoxTile& tile) const {
    return tiles(tile) * (is_array_ ? divide_up(all_blocks(), tile.blocks) : 1);
  }

  uint64_t cycles(const BoxTile& tile) const {
    const uint64_t all_tiles = tiles(tile), all_loads = loads(tile);
    const uint64_t windows = is_array_ && !tile.slices_input ? places(tile) : all_loads;
    uint64_t window_bytes = 0;
    for (size_t i = 0; i < windows_loaded(); ++i) window_bytes += window(i, tile);
    const uint64_t bytes = window_bytes * windows + all_loads * constants(tile) + output_.bytes();
    const uint64_t dram = cost_.dram(bytes), compute = all_tiles * compute_cycles(tile);
    return std::max(dram, compute) + (dram + compute) / all_tiles + all_loads * kLoadCycles;
  }

 private:
  uint64_t places(const BoxTile& tile) const {
    return divide_up(output_.height, tile.rows) * divide_up(output_.width, tile.columns);
  }

  /// An input that is given twice is loaded once.
  size_t windows_loaded() const { return node_.inputs.size() == 2 && node_.inputs[0] == node_.inputs[1] ? 1 : node_.inputs.size(); }

  /// Bytes of the window of input i.
  uint64_t window(size_t i, const BoxTile& tile) const {
    uint64_t channels = is_array_ ? input_.channels : tile.channels;
    if (is_array_ && tile.slices_input) channels = std::min<uint64_t>(channels, uint64_t{tile.blocks} * device_.array_rows);
    return bytes_read(node_, network_.input(node_, i), output_, tile.rows, tile.columns, static_cast<uint32_t>(channels));
  }

  uint64_t constants(const BoxTile& tile) const {
    if (!is_array_ && node_.kind != NodeKind::kDepthwise && !has_table(node_.kind)) return 0;
    const KernelLayout& l = layout(tile);
    const uint32_t first_block = tile.blocks == all_blocks() ? 0 : l.blocks - tile.blocks;
    return weight_chunk(node_, l, device_, 0, tile.channels, first_block, l.blocks).bytes;
  }

  uint64_t compute_cycles(const BoxTile& tile) const {
    const uint64_t taps = uint64_t{node_.geometry.kernel_height} * node_.geometry.kernel_width;
    switch (node_.kind) {
      case NodeKind::kConvolution: {
        const uint64_t vectors = uint64_t{tile.rows} * tile.columns;
        const uint64_t column =
            std::max(cost_.matmul(layout(tile).passes(), vectors), cost_.requant(device_.array_cols, vectors));
        return divide_up(tile.channels, device_.array_cols) * column;
      }
      case NodeKind::kDepthwise:
        return cost_.depthwise(tile.channels, tile.columns, tile.rows, taps);
      case NodeKind::kPool:
        return cost_.pool(tile.channels, tile.columns, tile.rows, taps);
      case NodeKind::kAdd:
      case NodeKind::kBinary:
        return cost_.binary(uint64_t{tile.columns} * tile.channels, tile.rows, 0);
      case NodeKind::kTable:
        return cost_.table(uint64_t{tile.columns} * tile.channels, tile.rows);
      case NodeKind::kReduce:
      case NodeKind::kSoftmax:
      case NodeKind::kNormalise:
        return divide_up(axis_cycles(network_, node_, device_, tile.rows) * tile.channels, output_.channels);
      case NodeKind::kArgReduce: {
        const uint64_t all = axis_cycles(network_, node_, device_, tile.rows);
        return node_.vector.across_channels ? divide_up(all * tile.columns, output_.width)
                                            : divide_up(all * tile.channels, output_.channels);
      }
      case NodeKind::kResize:
        return cost_.resize(tile.channels, tile.columns, tile.rows);
      case NodeKind::kMovement:
        return 0;
    }
    return 0;
  }

  const Network& network_;
  const Node& node_;
  const Map &input_, &output_;
  const DeviceConfig& device_;
  const CommandCost cost_;
  const bool is_array_;
  KernelLayout whole_cells_, sliced_cells_;
};

/// size, size / 2, ... 1, rounded up to multiples of `unit`.
std::vector<uint32_t> halvings(uint32_t size, uint32_t unit) {
  std::vector<uint32_t> steps;
  for (uint64_t part = size;; part = divide_up(part, 2)) {
    const auto step = static_cast<uint32_t>(std::min<uint64_t>(size, divide_up(part, unit) * unit));
    if (steps.empty() || steps.back() != step) steps.push_back(step);
    if (part <= 1) return steps;
  }
}

}  // namespace

uint64_t box_bytes(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  return Boxes(network, node, device).bytes(tile);
}

BoxTile smallest_box(const Network& network, const Node& node, const DeviceConfig& device) {
  const Boxes boxes(network, node, device);
  BoxTile tile;
  tile.channels = std::min(network.output(node).channels, boxes.channel_unit());
  if (is_along_axis(node)) tile.columns = network.output(node).width;
  tile.blocks = std::min(1u, boxes.all_blocks());
  tile.slices_input = boxes.all_blocks() > 1;
  return tile;
}

std::optional<BoxChoice> choose_box(const Network& network, const Node& node, const DeviceConfig& device,
                                    uint64_t sram_bytes) {
  const Boxes boxes(network, node, device);
  const Map& output = network.output(node);
  const uint32_t blocks = boxes.all_blocks();
  const std::vector<uint32_t> block_steps = blocks ? halvings(blocks, 1) : std::vector<uint32_t>{0};
  std::optional<BoxChoice> best;
  bool best_doubles = false;
  const auto consider = [&](const BoxTile& tile) {
    if (!boxes.is_possible(tile)) return;
    const uint64_t bytes = boxes.bytes(tile);
    const bool doubles = 2 * bytes <= sram_bytes;
    if (bytes > sram_bytes || (best_doubles && !doubles)) return;
    const uint64_t cycles = boxes.cycles(tile);
    if (best && best_doubles == doubles && best->cycles <= cycles) return;
    best = {tile, cycles, boxes.loads(tile)};
    best_doubles = doubles;
  };
  for (uint32_t rows : halvings(output.height, 1))
    for (uint32_t columns : halvings(output.width, 1))
      for (uint32_t channels : halvings(output.channels, boxes.channel_unit()))
        for (uint32_t part : block_steps) {
          consider({rows, columns, channels, part, false});
          if (part < blocks) consider({rows, columns, channels, part, true});
        }
  return best;
}

KernelLayout box_layout(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  if (node.kind != NodeKind::kConvolution) return {};
  return Boxes(network, node, device).layout(tile);
}

}  // namespace avocet::compiler
