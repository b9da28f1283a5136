// SPDX-License-Identifier: Apache-2.0
// Movement boxes speak of dense tensors; this moves one side of a box to where the rows and cells really are.
#pragma once

#include <avocet/compiler/movement.hpp>

#include "network.hpp"

namespace avocet::compiler {

enum class Side : uint8_t { kFrom, kTo };

/// Rows of cells that are dense in a tensor and further apart in memory.
struct Pitches {
  uint64_t row_bytes = 1, cell_bytes = 1;    // in the tensor
  uint64_t row_pitch = 1, cell_pitch = 1;    // in memory
  bool spreads_cells() const { return cell_pitch != cell_bytes; }
  bool spreads_rows() const { return row_pitch != row_bytes / cell_bytes * cell_pitch; }
  /// Where a byte of the tensor lies, from the tensor's first.
  uint64_t offset(uint64_t byte) const {
    return byte / row_bytes * row_pitch + byte % row_bytes / cell_bytes * cell_pitch + byte % cell_bytes;
  }
};

Pitches pitches_in_value(const Map& map);

/// False when a run or a stride of the box leaves a row or a cell in a way that no box can say; then the box is spoilt.
bool place_box(MovementBox& box, Side side, const Pitches& pitches);

}  // namespace avocet::compiler
