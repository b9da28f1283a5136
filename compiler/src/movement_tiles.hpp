// SPDX-License-Identifier: Apache-2.0
// How a movement node is cut into pieces that pass through the SRAM, and what that costs. A piece is loaded, stored, and
// in between, where short runs would make that slow, put into the order of the output by the vector unit.
#pragma once

#include <vector>

#include "network.hpp"

namespace avocet::compiler {

/// Which sides of a movement stay in the SRAM anyway.
struct MovementSides {
  bool from_sram = false, to_sram = false;
};

/// The node's boxes where their bytes lie: offsets from the first byte of the value, or of its block in the SRAM.
std::vector<MovementBox> placed_boxes(const Network& network, const Node& node, MovementSides sides);

/// From the block of the node's output, which stays in the SRAM, to its home.
std::vector<MovementBox> output_stores(const Network& network, const Node& node);

struct MovementTile {
  std::vector<uint64_t> counts;  // of the box's dimensions, then of its run
  bool reorders = false;         // by the vector unit
  uint64_t cycles = 0;           // of the whole box
  uint64_t pieces = 1;
};

/// The fastest tile of which two fit into `sram_bytes`, which are 64 at least.
MovementTile choose_movement_tile(const MovementBox& box, MovementSides sides, const DeviceConfig& device,
                                  uint64_t sram_bytes);

/// The copies of one piece. Without a load the shuffle or the store reads the value's block, without a store the shuffle or
/// the load writes to it; offsets in the blocks of their own count from 0.
struct MovementPiece {
  uint64_t loaded_bytes = 0, reordered_bytes = 0;  // of the blocks; 0: there is none
  MovementBox load, shuffle, store;
  bool loads = false, shuffles = false, stores = false;
};
MovementPiece make_piece(const MovementBox& part, bool reorders, MovementSides sides);

/// A fill to the DRAM as stores of one block.
constexpr uint64_t kFillBlockBytesMax = 2048;
std::vector<MovementBox> fill_stores(const MovementBox& fill, uint64_t block_bytes);

/// Estimated cycles of the node.
struct MovementCost {
  uint64_t cycles = 0, pieces = 0;
};
MovementCost movement_cost(const Network& network, const Node& node, MovementSides sides, const DeviceConfig& device,
                           uint64_t sram_bytes);

}  // namespace avocet::compiler
