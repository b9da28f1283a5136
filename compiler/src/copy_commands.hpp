// SPDX-License-Identifier: Apache-2.0
// Copies inside the SRAM by the vector unit: POOL with a window of one cell, whose input and output have strides of their
// own.
#pragma once

#include <avocet/compiler/compiler.hpp>
#include <vector>

#include "schedule.hpp"

namespace avocet::compiler {

/// Cycles of the vector unit, or of the sequencer where there are many short commands.
uint64_t copy_cycles(const MovementBox& box, const DeviceConfig& device);

/// Offsets of the box count from the blocks' first bytes.
void copy_box(const MovementBox& box, uint32_t from_block, uint32_t to_block, uint32_t tag, const DeviceConfig& device,
              std::vector<Command>* commands);

}  // namespace avocet::compiler
