// SPDX-License-Identifier: Apache-2.0
// Tiling of a single node in all directions, for maps of which not even a few rows fit into the SRAM.
#pragma once

#include <optional>

#include "kernel_layout.hpp"
#include "network.hpp"

namespace avocet::compiler {

/// Output cells and channels made at once.
struct BoxTile {
  uint32_t rows = 1, columns = 1, channels = 1;
  // Array: blocks of the kernel's channels loaded at once; with fewer than all of them, the accumulators collect
  // several loads. The input then holds these blocks alone, or all channels when `slices_input` is false.
  uint32_t blocks = 0;
  bool slices_input = false;

  bool operator==(const BoxTile&) const = default;
};

/// SRAM bytes of one tile: inputs, output, constants.
uint64_t box_bytes(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile);

/// The tile that needs the least memory.
BoxTile smallest_box(const Network& network, const Node& node, const DeviceConfig& device);

/// The fastest tile by estimate of which two fit into `sram_bytes`, else of which one fits; with its cycles.
struct BoxChoice {
  BoxTile tile;
  uint64_t cycles = 0;
  uint64_t loads = 0;  // tiles, times the loads of a split kernel
};
std::optional<BoxChoice> choose_box(const Network& network, const Node& node, const DeviceConfig& device,
                                    uint64_t sram_bytes);

/// The kernel's layout under this tile.
KernelLayout box_layout(const Network& network, const Node& node, const DeviceConfig& device, const BoxTile& tile);

}  // namespace avocet::compiler
