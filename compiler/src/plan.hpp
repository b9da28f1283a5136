// SPDX-License-Identifier: Apache-2.0
// What the planner decides: which values stay in the SRAM from their maker to their last reader, which nodes run
// together in row bands, and how a node is tiled that does not even fit row by row.
#pragma once

#include <optional>
#include <vector>

#include "banded_group.hpp"
#include "box_tile.hpp"
#include "weight_chunks.hpp"

namespace avocet::compiler {

struct GroupPlan {
  uint32_t begin = 0, end = 0;  // nodes
  uint32_t bands = 1;
  bool streams_weights = false;  // loads the weights again for each band, one chunk at a time
  bool boxed = false;            // one node, in tiles of `box`
  BoxTile box;
  uint64_t box_cycles = 0;  // estimated for one load of a tile
  bool moves = false;       // one movement node, with this much memory for its pieces
  uint64_t movement_bytes = 0;

  bool operator==(const GroupPlan&) const = default;
};

struct Plan {
  uint64_t cycles = 0;  // estimated
  std::vector<GroupPlan> groups;
  std::vector<bool> resident;         // per value
  std::vector<WeightChunks> weights;  // per node, for banded groups
};

/// What the search over plans turns.
struct PlanLimits {
  uint64_t sram_bytes = 0;  // that a group may use
  uint64_t dram_millibytes_per_cycle = 0;
  uint32_t group_nodes_max = 10;
  bool residency = true;
};

/// The plan with the least estimated time; nullopt when some node fits in no way. `groups` are the network's.
std::optional<Plan> plan_groups(const Network& network, const DeviceConfig& device, const PlanLimits& limits, BandedGroups& groups);

/// Accumulator rows that one tile of an array node takes at most: several tiles are in flight, so that their
/// requantisation overlaps the next ones.
uint32_t tile_vectors(const DeviceConfig& device);

}  // namespace avocet::compiler
