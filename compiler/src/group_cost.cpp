// SPDX-License-Identifier: Apache-2.0
#include "group_cost.hpp"

#include <algorithm>

#include "axis_cycles.hpp"
#include "command_cost.hpp"
#include "elementwise_commands.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kDispatchCycles = 30;  // of a tile's two commands and their WAITs

uint64_t array_cycles(const Map& output, const DeviceConfig& device, const WeightChunks& weights, uint32_t rows) {
  const CommandCost cost(device);
  const uint64_t vectors = uint64_t{rows} * output.width;
  const uint64_t columns = divide_up(output.channels, device.array_cols);
  const uint64_t tiles = divide_up(vectors, tile_vectors(device));
  const uint64_t passes = weights.layout.passes();
  const uint64_t array = columns * passes * std::max<uint64_t>(vectors, tiles * device.array_rows);
  const uint64_t requant = columns * (vectors + tiles * std::min(output.channels, device.array_cols));
  return std::max({array, requant, columns * tiles * kDispatchCycles});
}

/// From the end of a node's work until another node can read all of it.
uint64_t settling_cycles(const Map& output, const DeviceConfig& device, const Node& node, uint32_t rows) {
  const CommandCost cost(device);
  if (node.kind != NodeKind::kConvolution) return cost.vector_latency() + kDispatchCycles;
  const uint64_t vectors = std::min<uint64_t>(uint64_t{rows} * output.width, tile_vectors(device));
  return cost.matmul_latency() + cost.requant(device.array_cols, vectors) + cost.requant_latency();
}

class Costing {
 public:
  Costing(const Network& network, const DeviceConfig& device, const BandedGroup& group,
          const std::vector<WeightChunks>& weights)
      : network_(network), device_(device), group_(group), weights_(weights) {}

  GroupCost run() {
    for (uint32_t k = 0; k < group_.nodes(); ++k) add_weights(k);
    array_.assign(group_.steps(), 0);
    vector_.assign(group_.steps(), 0);
    for (uint32_t k = 0; k < group_.nodes(); ++k) add_node(k);
    for (const BandedMap& map : group_.maps) add_copies(map);
    uint64_t settling = 0;
    for (uint32_t k = 0; k < group_.nodes(); ++k) settling = std::max(settling, settling_of(k));
    for (size_t step = 0; step < array_.size(); ++step)
      cost_.compute_cycles += std::max(array_[step], vector_[step]) + settling;
    return cost_;
  }

 private:
  const Node& node(uint32_t k) const { return network_.nodes[group_.begin + k]; }
  const BandedMap& output(uint32_t k) const { return group_.maps[group_.outputs[k]]; }

  void add_weights(uint32_t k) {
    const WeightChunks& weights = weights_[group_.begin + k];
    cost_.weight_bytes += weights.total_bytes;
    cost_.weight_memory_all += weights.total_bytes;
    cost_.weight_memory_streamed += std::min(weights.total_bytes, 3 * weights.largest);
    if (!weights.splits_kernel) return;
    uint64_t rows = 0;
    for (uint32_t b = 0; b < group_.bands; ++b) rows = std::max<uint64_t>(rows, output(k).end[b] - output(k).begin(b));
    if (rows * network_.output(node(k)).width > device_.acc_rows) cost_.accumulators_fit = false;
  }

  void add_node(uint32_t k) {
    std::vector<uint64_t>& unit = node(k).kind == NodeKind::kConvolution ? array_ : vector_;
    uint32_t rows_before = 0;
    uint64_t cycles = 0;
    for (uint32_t b = 0; b < group_.bands; ++b) {
      const uint32_t rows = output(k).end[b] - output(k).begin(b);
      if (rows == 0) continue;
      if (rows != rows_before) cycles = node_cycles(network_, device_, node(k), weights_[group_.begin + k], rows);
      rows_before = rows;
      unit[b + group_.delay[k]] += cycles;
    }
  }

  /// Rows that move from one window to the next.
  void add_copies(const BandedMap& banded) {
    const Map& map = network_.maps[banded.map];
    if (!banded.overlaps || keeps_whole(map, banded)) return;
    const uint32_t owner = banded.from_outside() ? banded.consumers.front() : static_cast<uint32_t>(banded.producer);
    for (uint32_t b = 1; b < group_.bands; ++b) {
      const auto first = static_cast<uint64_t>(std::max<int64_t>(banded.first[b], 0));
      if (first < banded.begin(b))
        vector_[b + group_.delay[owner]] += CommandCost(device_).copy((banded.begin(b) - first) * map.row_bytes());
    }
  }

  uint64_t settling_of(uint32_t k) const {
    const uint32_t rows = (output(k).end.back() + group_.bands - 1) / group_.bands;
    return settling_cycles(network_.output(node(k)), device_, node(k), rows);
  }

  const Network& network_;
  const DeviceConfig& device_;
  const BandedGroup& group_;
  const std::vector<WeightChunks>& weights_;
  GroupCost cost_;
  std::vector<uint64_t> array_, vector_;  // busy cycles in each time step
};

}  // namespace

uint32_t tile_vectors(const DeviceConfig& device) {
  // Below ARRAY_ROWS vectors a pass waits for its weights.
  return std::max({1u, device.acc_rows / 4, std::min(device.acc_rows / 2, device.array_rows)});
}

uint64_t node_cycles(const Network& network, const DeviceConfig& device, const Node& node, const WeightChunks& weights,
                     uint32_t rows) {
  const CommandCost cost(device);
  const Map& output = network.output(node);
  const uint64_t taps = uint64_t{node.geometry.kernel_height} * node.geometry.kernel_width;
  switch (node.kind) {
    case NodeKind::kConvolution:
      return array_cycles(output, device, weights, rows);
    case NodeKind::kDepthwise:
      return cost.depthwise(output.channels, output.width, rows, taps);
    case NodeKind::kPool:
      return cost.pool(output.channels, output.width, rows, taps);
    case NodeKind::kAdd:
    case NodeKind::kBinary:
    case NodeKind::kTable:
      return elementwise_cycles(network, node, device, rows);
    case NodeKind::kReduce:
    case NodeKind::kSoftmax:
    case NodeKind::kNormalise:
    case NodeKind::kArgReduce:
      return axis_cycles(network, node, device, rows);
    case NodeKind::kResize:
      return cost.resize(output.channels, output.width, rows);
    case NodeKind::kMovement:
      return 0;
  }
  return 0;
}

GroupCost group_cost(const Network& network, const DeviceConfig& device, const BandedGroup& group,
                     const std::vector<WeightChunks>& weights) {
  return Costing(network, device, group, weights).run();
}

}  // namespace avocet::compiler
