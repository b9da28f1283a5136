// SPDX-License-Identifier: Apache-2.0
// Appends to a schedule and keeps what later parts need to know of earlier ones: blocks of resident values, when which
// bytes of a value reached the DRAM, places of constants.
#pragma once

#include <map>
#include <vector>

#include "constant_pool.hpp"
#include "network.hpp"
#include "node_commands.hpp"
#include "plan.hpp"
#include "schedule.hpp"
#include "transfers.hpp"
#include "window.hpp"

namespace avocet::compiler {

class ScheduleWriter {
 public:
  ScheduleWriter(const Network& network, const DeviceConfig& device, const Plan& plan, ConstantPool& constants)
      : network(network),
        device(device),
        plan(plan),
        transfers(network, device),
        commands(network, device),
        constants_(constants) {}

  /// What follows is done when all cores have come so far: only constants may be loaded before.
  void barrier();

  uint32_t open_slot(uint32_t node, uint64_t cycles);
  uint32_t current_slot() const { return static_cast<uint32_t>(schedule_.slots.size() - 1); }
  uint32_t new_block(uint64_t bytes);

  /// Where commands of the current slot go. After adding some, call used() for each block that they touch.
  std::vector<Command>& compute() { return schedule_.slots.back().compute; }
  void used(uint32_t block) { schedule_.blocks[block].touch(current_slot()); }

  /// A load into `block` which slot `needed` waits for. Loads are added in the order in which they are to be issued.
  void load(std::vector<Command> commands, uint32_t block, uint32_t needed, uint32_t earliest, bool is_constants,
            uint64_t dram_bytes);
  bool is_unused(uint32_t block) const { return schedule_.blocks[block].first == Block::kUnused; }
  uint32_t slot_after_last_use(uint32_t block) const { return is_unused(block) ? 0 : schedule_.blocks[block].last + 1; }

  /// Loads a node's chunk of constants into a new block for the current slot.
  uint32_t load_chunk(uint32_t node, const KernelLayout& layout, const WeightChunk& chunk);

  /// Stores cells of a map from a window in the current slot.
  void store(const Map& map, const Box& box, const Window& window, uint32_t tag);
  void store(uint32_t block, const MovementBox& box, uint32_t value, uint32_t tag);
  /// The first slot in which these rows of a map, or bytes of a value, can be read from the DRAM.
  uint32_t slot_after_store(const Map& map, const Box& box) const;
  uint32_t slot_after_store(uint32_t value, uint64_t begin, uint64_t end) const;

  bool has_resident_block(uint32_t value) const { return resident_.count(value) > 0; }
  uint32_t resident_block(uint32_t value) const { return resident_.at(value); }
  void keep_resident(uint32_t value, uint32_t block) { resident_[value] = block; }

  Schedule take() { return std::move(schedule_); }

  const Network& network;
  const DeviceConfig& device;
  const Plan& plan;
  const Transfers transfers;
  NodeCommands commands;

 private:
  struct Stored {
    uint64_t begin, end;  // bytes of the value
    uint32_t slot;
  };
  ConstantPool& constants_;
  Schedule schedule_;
  uint32_t after_barrier_ = 0;  // slot
  std::map<uint32_t, uint32_t> resident_;           // value -> block
  std::map<uint32_t, std::vector<Stored>> stored_;  // value
};

/// Appends one group.
void schedule_bands(ScheduleWriter& writer, const GroupPlan& group, const std::vector<Lifetime>& lifetimes);
void schedule_boxes(ScheduleWriter& writer, const GroupPlan& group);
void schedule_movement(ScheduleWriter& writer, const GroupPlan& group);
void schedule_group(ScheduleWriter& writer, const GroupPlan& group, const std::vector<Lifetime>& lifetimes);

}  // namespace avocet::compiler
