// SPDX-License-Identifier: Apache-2.0
#include "schedule_writer.hpp"

#include <algorithm>
#include <utility>

namespace avocet::compiler {

void ScheduleWriter::barrier() {
  after_barrier_ = static_cast<uint32_t>(schedule_.slots.size());
  const uint32_t tag = schedule_.slots.empty() ? 0 : network.nodes[schedule_.slots.back().node].tag;
  schedule_.barriers.push_back({after_barrier_, transfers.barrier(tag)});
}

uint32_t ScheduleWriter::open_slot(uint32_t node, uint64_t cycles) {
  if (schedule_.slots.size() >= kSlotsMax) throw CompileError("the command stream would exceed 64 MiB");
  schedule_.slots.push_back({node, cycles, {}, {}});
  return current_slot();
}

uint32_t ScheduleWriter::new_block(uint64_t bytes) {
  schedule_.blocks.push_back({});
  schedule_.blocks.back().bytes = bytes;
  return static_cast<uint32_t>(schedule_.blocks.size() - 1);
}

void ScheduleWriter::load(std::vector<Command> commands, uint32_t block, uint32_t needed, uint32_t earliest,
                          bool is_constants, uint64_t dram_bytes) {
  if (commands.empty()) return;
  Load load;
  load.commands = std::move(commands);
  load.block = block;
  load.needed = load.slot = needed;
  load.earliest = std::min(is_constants ? earliest : std::max(earliest, after_barrier_), needed);
  load.opens_block = is_unused(block);
  load.is_constants = is_constants;
  load.dram_bytes = dram_bytes;
  schedule_.blocks[block].touch(needed);
  schedule_.loads.push_back(std::move(load));
}

uint32_t ScheduleWriter::load_chunk(uint32_t node, const KernelLayout& layout, const WeightChunk& chunk) {
  const uint32_t block = new_block(chunk.bytes);
  const uint64_t offset = constants_.place_chunk(node, layout, chunk);
  load({transfers.load_constants(offset, chunk.bytes, block, network.nodes[node].tag)}, block, current_slot(), 0, true,
       chunk.bytes);
  return block;
}

namespace {

/// Bytes of the value that hold the box's rows.
std::pair<uint64_t, uint64_t> extent(const Map& map, const Box& box) {
  const uint64_t begin = map.offset + static_cast<uint64_t>(box.row_begin) * map.row_stride;
  return {begin, begin + (static_cast<uint64_t>(box.rows()) - 1) * map.row_stride + (map.width - 1) * map.cell_stride +
                     map.channels};
}

}  // namespace

void ScheduleWriter::store(const Map& map, const Box& box, const Window& window, uint32_t tag) {
  if (box.empty()) return;
  transfers.store(map, box, window, tag, &schedule_.slots.back().stores);
  used(window.block);
  const auto [begin, end] = extent(map, box);
  stored_[map.value].push_back({begin, end, current_slot()});
}

void ScheduleWriter::store(uint32_t block, const MovementBox& box, uint32_t value, uint32_t tag) {
  transfers.store(block, box, network.values[value], tag, &schedule_.slots.back().stores);
  used(block);
  stored_[value].push_back({box.to, box.to + box.to_extent(), current_slot()});
}

void schedule_group(ScheduleWriter& writer, const GroupPlan& group, const std::vector<Lifetime>& lifetimes) {
  if (group.moves)
    schedule_movement(writer, group);
  else if (group.boxed)
    schedule_boxes(writer, group);
  else
    schedule_bands(writer, group, lifetimes);
}

uint32_t ScheduleWriter::slot_after_store(const Map& map, const Box& box) const {
  const auto [begin, end] = extent(map, box);
  return slot_after_store(map.value, begin, end);
}

uint32_t ScheduleWriter::slot_after_store(uint32_t value, uint64_t begin, uint64_t end) const {
  const auto stores = stored_.find(value);
  if (stores == stored_.end()) return 0;
  uint32_t slot = 0;
  for (const Stored& stored : stores->second)
    if (stored.begin < end && begin < stored.end) slot = std::max(slot, stored.slot + 1);
  return slot;
}

}  // namespace avocet::compiler
