// SPDX-License-Identifier: Apache-2.0
// All tiles that halve the maps in some directions are weighed: few enough, as only nodes with huge maps come here.
#include "box_tile.hpp"

#include <algorithm>
#include <vector>

#include "command_cost.hpp"
#include "weight_chunks.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kLoadCycles = 100;           // what a load costs beyond its bytes
constexpr uint32_t kVectorChannelsMax = 65536;  // of one command

uint64_t padded(uint64_t bytes) { return std::max<uint64_t>(16, divide_up(bytes, 16) * 16); }

uint32_t all_blocks(const Network& network, const Node& node, const DeviceConfig& device) {
  return node.kind == NodeKind::kConvolution ? kernel_layout(network, node, device, KernelFold::kNone).blocks : 0;
}

uint64_t input_channels(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  const uint64_t channels = network.input(node).channels;
  switch (node.kind) {
    case NodeKind::kConvolution:
      return tile.slices_input ? std::min<uint64_t>(channels, uint64_t{tile.blocks} * device.array_rows) : channels;
    case NodeKind::kDepthwise:
      return divide_up(tile.channels, node.depth_multiplier);
    default:
      return tile.channels;
  }
}

/// Bytes of one input's window.
uint64_t window(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  const Geometry& g = node.geometry;
  uint64_t rows = static_cast<uint64_t>(g.end_row(tile.rows) - g.first_row(0));
  uint64_t columns = static_cast<uint64_t>(g.end_column(tile.columns) - g.first_column(0));
  if (node.kind != NodeKind::kConvolution) {  // padding takes no memory
    rows = std::min<uint64_t>(rows, network.input(node).height);
    columns = std::min<uint64_t>(columns, network.input(node).width);
  }
  return rows * columns * input_channels(network, node, device, tile);
}

uint64_t constants(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  if (node.kind != NodeKind::kConvolution && node.kind != NodeKind::kDepthwise) return 0;
  const KernelLayout layout = box_layout(network, node, device, tile);
  const bool whole = tile.blocks == all_blocks(network, node, device);
  return weight_chunk(node, layout, device, 0, tile.channels, whole ? 0 : layout.blocks - tile.blocks, layout.blocks)
      .bytes;
}

uint64_t array_cycles(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  const CommandCost cost(device);
  const uint64_t vectors = uint64_t{tile.rows} * tile.columns;
  const uint64_t columns = divide_up(tile.channels, device.array_cols);
  return columns * std::max(cost.matmul(box_layout(network, node, device, tile).passes(), vectors),
                            cost.requant(device.array_cols, vectors));
}

uint64_t compute_cycles(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  const CommandCost cost(device);
  const uint64_t taps = uint64_t{node.geometry.kernel_height} * node.geometry.kernel_width;
  switch (node.kind) {
    case NodeKind::kConvolution:
      return array_cycles(network, node, device, tile);
    case NodeKind::kDepthwise:
      return cost.depthwise(tile.channels, tile.columns, tile.rows, taps);
    case NodeKind::kPool:
      return cost.pool(tile.channels, tile.columns, tile.rows, taps);
    case NodeKind::kAdd:
      return cost.add(uint64_t{tile.columns} * tile.channels, tile.rows);
    case NodeKind::kCopy:
      return 0;
  }
  return 0;
}

/// Tiles of the whole output, and loads of constants for each.
struct Counts {
  uint64_t places, tiles, loads;
};

Counts count(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  const Map& output = network.output(node);
  Counts counts{};
  counts.places = divide_up(output.height, tile.rows) * divide_up(output.width, tile.columns);
  counts.tiles = counts.places * divide_up(output.channels, tile.channels);
  const bool array = node.kind == NodeKind::kConvolution;
  counts.loads = counts.tiles * (array ? divide_up(all_blocks(network, node, device), tile.blocks) : 1);
  return counts;
}

uint64_t estimate(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  const Counts counts = count(network, node, device, tile);
  const bool once = node.kind == NodeKind::kConvolution && !tile.slices_input;
  uint64_t bytes = window(network, node, device, tile) * node.inputs.size() * (once ? counts.places : counts.loads);
  bytes += counts.loads * constants(network, node, device, tile) + network.output(node).bytes();
  const uint64_t dram = CommandCost(device).dram(bytes);
  const uint64_t compute = counts.tiles * compute_cycles(network, node, device, tile);
  return std::max(dram, compute) + (dram + compute) / counts.tiles + counts.loads * kLoadCycles;
}

/// size, size / 2, ... 1, rounded up to multiples of `unit`.
std::vector<uint32_t> halvings(uint32_t size, uint32_t unit) {
  std::vector<uint32_t> steps;
  for (uint64_t part = size;; part = divide_up(part, 2)) {
    const auto step = static_cast<uint32_t>(std::min<uint64_t>(size, divide_up(part, unit) * unit));
    if (steps.empty() || steps.back() != step) steps.push_back(step);
    if (part <= 1) return steps;
  }
}

uint32_t channel_unit(const Node& node, const DeviceConfig& device) {
  if (node.kind == NodeKind::kConvolution) return device.array_cols;
  return node.kind == NodeKind::kDepthwise ? node.depth_multiplier : 1;
}

}  // namespace

uint64_t box_bytes(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  uint64_t bytes =
      padded(window(network, node, device, tile)) * node.inputs.size() + constants(network, node, device, tile);
  if (node.kind != NodeKind::kCopy) bytes += padded(uint64_t{tile.rows} * tile.columns * tile.channels);
  return bytes;
}

bool accumulators_hold(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  if (node.kind != NodeKind::kConvolution || tile.blocks == all_blocks(network, node, device)) return true;
  return uint64_t{tile.rows} * tile.columns * divide_up(tile.channels, device.array_cols) <= device.acc_rows;
}

BoxTile smallest_box(const Network& network, const Node& node, const DeviceConfig& device) {
  BoxTile tile;
  tile.channels = std::min(network.output(node).channels, channel_unit(node, device));
  const uint32_t blocks = all_blocks(network, node, device);
  tile.blocks = std::min(1u, blocks);
  tile.slices_input = blocks > 1;
  return tile;
}

std::optional<BoxChoice> choose_box(const Network& network, const Node& node, const DeviceConfig& device,
                                    uint64_t sram_bytes) {
  const Map& output = network.output(node);
  const uint32_t blocks = all_blocks(network, node, device);
  const std::vector<uint32_t> block_steps = blocks ? halvings(blocks, 1) : std::vector<uint32_t>{0};
  std::optional<BoxChoice> best;
  bool best_doubles = false;
  const auto consider = [&](const BoxTile& tile) {
    if (node.kind != NodeKind::kConvolution && tile.channels > kVectorChannelsMax) return;
    const uint64_t bytes = box_bytes(network, node, device, tile);
    const bool doubles = 2 * bytes <= sram_bytes;
    if (bytes > sram_bytes || (best_doubles && !doubles) || !accumulators_hold(network, node, device, tile)) return;
    const uint64_t cycles = estimate(network, node, device, tile);
    if (best && best_doubles == doubles && best->cycles <= cycles) return;
    best = {tile, cycles, count(network, node, device, tile).loads};
    best_doubles = doubles;
  };
  for (uint32_t rows : halvings(output.height, 1))
    for (uint32_t columns : halvings(output.width, 1))
      for (uint32_t channels : halvings(output.channels, channel_unit(node, device)))
        for (uint32_t part : block_steps) {
          consider({rows, columns, channels, part, false});
          if (part < blocks) consider({rows, columns, channels, part, true});
        }
  return best;
}

KernelLayout box_layout(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile) {
  if (node.kind != NodeKind::kConvolution) return {};
  // Slices of channels are no longer neighbours of the next cell's.
  const bool whole_cells = tile.blocks == all_blocks(network, node, device);
  return kernel_layout(network, node, device, whole_cells ? KernelFold::kRow : KernelFold::kNone);
}

}  // namespace avocet::compiler
