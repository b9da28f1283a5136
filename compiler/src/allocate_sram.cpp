// SPDX-License-Identifier: Apache-2.0
// First all blocks with the shortest lifetimes that work, so that a fit is found if the plan was right; then, in the
// order of need, each load takes the place from which it can start earliest.
#include "allocate_sram.hpp"

#include <algorithm>

#include "interval_memory.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kAlignment = 16;
constexpr uint32_t kSlotsAhead = 256;  // that a load may move at most

uint64_t align(uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

class Prefetch {
 public:
  Prefetch(Schedule& schedule, uint64_t sram_bytes, uint64_t cycles_ahead)
      : schedule_(schedule), sram_bytes_(sram_bytes), cycles_ahead_(cycles_ahead) {
    begin_.reserve(schedule.slots.size());
    uint64_t cycles = 0;
    for (const Slot& slot : schedule.slots) {
      begin_.push_back(cycles);
      cycles += slot.cycles;
    }
    buckets_.resize(schedule.slots.size() / kBucket + 1);
    visited_.resize(schedule.blocks.size());
    for (uint32_t i = 0; i < schedule.blocks.size(); ++i) index(i, schedule.blocks[i].first, schedule.blocks[i].last);
  }

  void run() {
    uint32_t latest[2] = {0, 0};  // slot of the last load, of inputs and of constants: each kind stays in order
    for (Load& load : schedule_.loads) {
      uint32_t& before = latest[load.is_constants ? 1 : 0];
      const uint32_t bound = std::min(load.needed, std::max({load.earliest, before, far_enough(load.needed)}));
      if (!load.opens_block)
        load.slot = std::max(bound, schedule_.blocks[load.block].first);
      else if (bound < load.needed)
        move_earlier(load, bound);
      before = std::max(before, load.slot);
    }
  }

 private:
  /// The earliest slot that is within reach.
  uint32_t far_enough(uint32_t needed) const {
    const uint64_t from = begin_[needed] > cycles_ahead_ ? begin_[needed] - cycles_ahead_ : 0;
    const auto slot = std::lower_bound(begin_.begin(), begin_.begin() + needed, from) - begin_.begin();
    return std::max(static_cast<uint32_t>(slot), needed > kSlotsAhead ? needed - kSlotsAhead : 0);
  }

  static constexpr uint32_t kBucket = 16;

  void index(uint32_t block, uint32_t first, uint32_t last) {
    if (schedule_.blocks[block].first == Block::kUnused) return;
    for (uint32_t bucket = first / kBucket; bucket <= last / kBucket; ++bucket)
      if (buckets_[bucket].empty() || buckets_[bucket].back() != block) buckets_[bucket].push_back(block);
  }

  void find_neighbours(uint32_t self, uint32_t first, uint32_t last) {
    neighbours_.clear();
    ++visit_;
    for (uint32_t bucket = first / kBucket; bucket <= last / kBucket; ++bucket)
      for (uint32_t other : buckets_[bucket]) {
        const Block& block = schedule_.blocks[other];
        if (other == self || visited_[other] == visit_ || block.first > last || block.last < first) continue;
        visited_[other] = visit_;
        neighbours_.push_back(&block);
      }
  }

  /// First slot from which [address, address + bytes) is free until `last`; kNever when not even from `needed` on.
  uint32_t free_from(uint64_t address, uint64_t bytes, uint32_t bound, uint32_t needed) const {
    uint32_t slot = bound;
    for (const Block* other : neighbours_) {
      if (other->address >= address + bytes || other->address + align(other->bytes) <= address) continue;
      if (other->last >= needed) return kNever;
      slot = std::max(slot, other->last + 1);
    }
    return slot;
  }

  void move_earlier(Load& load, uint32_t bound) {
    Block& block = schedule_.blocks[load.block];
    const uint64_t bytes = align(block.bytes);
    find_neighbours(load.block, bound, block.last);
    uint64_t best_address = block.address;
    uint32_t best_slot = free_from(block.address, bytes, bound, load.needed);
    const auto consider = [&](uint64_t address) {
      if (address + bytes > sram_bytes_ || best_slot == bound) return;
      const uint32_t slot = free_from(address, bytes, bound, load.needed);
      if (slot >= best_slot) return;
      best_slot = slot;
      best_address = address;
    };
    consider(0);
    for (const Block* other : neighbours_) consider(other->address + align(other->bytes));
    if (best_slot == kNever || best_slot >= load.needed) return;
    block.address = best_address;
    load.slot = best_slot;
    index(load.block, best_slot, block.first);
    block.first = best_slot;
  }

  static constexpr uint32_t kNever = UINT32_MAX;
  Schedule& schedule_;
  const uint64_t sram_bytes_, cycles_ahead_;
  std::vector<uint64_t> begin_;                 // estimated cycle in which each slot begins
  std::vector<std::vector<uint32_t>> buckets_;  // blocks by slot
  std::vector<const Block*> neighbours_;
  std::vector<uint32_t> visited_;
  uint32_t visit_ = 0;
};

}  // namespace

bool allocate_sram(Schedule& schedule, const DeviceConfig& device, uint64_t cycles_ahead) {
  std::vector<MemoryRequest> requests;
  std::vector<uint32_t> blocks;
  for (uint32_t i = 0; i < schedule.blocks.size(); ++i) {
    const Block& block = schedule.blocks[i];
    if (block.first == Block::kUnused) continue;
    requests.push_back({block.bytes, block.first, block.last, 0});
    blocks.push_back(i);
  }
  if (place_by_lifetime(requests, kAlignment) > device.sram_bytes) return false;
  for (size_t i = 0; i < blocks.size(); ++i) schedule.blocks[blocks[i]].address = requests[i].address;
  Prefetch(schedule, device.sram_bytes, cycles_ahead).run();
  return true;
}

}  // namespace avocet::compiler
