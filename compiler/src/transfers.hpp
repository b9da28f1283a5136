// SPDX-License-Identifier: Apache-2.0
// DMA commands between the SRAM and the other regions, and padding. What is contiguous on both sides becomes one run.
#pragma once

#include <vector>

#include "network.hpp"
#include "schedule.hpp"
#include "window.hpp"

namespace avocet::compiler {

class Transfers {
 public:
  Transfers(const Network& network, const DeviceConfig& device) : network_(network), device_(device) {}

  /// Cells of a map, all inside it, from DRAM to a window, and back.
  void load(const Map& map, const Box& box, const Window& window, uint32_t tag, std::vector<Command>* commands) const;
  void store(const Map& map, const Box& box, const Window& window, uint32_t tag, std::vector<Command>* commands) const;

  /// A box between a region, whose offsets count from the value's first byte, and a block; any number of dimensions.
  void load(const Value& value, const MovementBox& box, uint32_t block, uint32_t tag, std::vector<Command>* commands) const;
  void store(uint32_t block, const MovementBox& box, const Value& value, uint32_t tag, std::vector<Command>* commands) const;

  /// Constants, to the beginning of a block.
  Command load_constants(uint64_t offset, uint64_t bytes, uint32_t block, uint32_t tag) const;

  void fill(uint32_t block, const MovementBox& box, uint8_t value, uint32_t tag, std::vector<Command>* commands) const;
  /// The gaps and margins of a whole value.
  void pad(const Frame& frame, uint32_t block, uint32_t tag, std::vector<Command>* commands) const;

  /// Behind which all that was stored before is in the DRAM, on all cores of a gang.
  Command barrier(uint32_t tag) const;

  /// `count` runs of `bytes`, `stride` apart, from `offset` of the block on.
  void fill(uint32_t block, uint64_t offset, uint64_t bytes, uint64_t count, uint64_t stride, uint8_t value,
            uint32_t tag, std::vector<Command>* commands) const;

 private:
  void move(bool is_store, const Map& map, const Box& box, const Window& window, uint32_t tag,
            std::vector<Command>* commands) const;
  void move(bool is_store, const Value& value, MovementBox box, uint32_t block, uint32_t tag,
            std::vector<Command>* commands) const;

  // Each kind of traffic has a channel of its own, as far as there are enough: one that waits does not hold up the
  // others.
  uint32_t channel(uint32_t kind) const { return kind % device_.dma_channels; }

  const Network& network_;
  const DeviceConfig& device_;
};

}  // namespace avocet::compiler
