// SPDX-License-Identifier: Apache-2.0
#include "memory_occupancy.hpp"

#include <algorithm>

namespace avocet::compiler {

OccupancyTracker::Blocks::iterator OccupancyTracker::first_behind(uint64_t address) {
  auto block = live_.upper_bound(address);
  if (block != live_.begin() && std::prev(block)->first + std::prev(block)->second.bytes > address) --block;
  return block;
}

void OccupancyTracker::close(uint64_t address, const Live& block) {
  result_.blocks.push_back({address, block.bytes, block.first, block.last, block.tag, block.loaded});
}

void OccupancyTracker::read(uint64_t address, uint64_t bytes, uint64_t last) {
  for (auto block = first_behind(address); block != live_.end() && block->first < address + bytes; ++block) {
    block->second.last = std::max(block->second.last, last);
    block->second.used = true;
  }
}

void OccupancyTracker::write(uint64_t address, uint64_t bytes, uint64_t first, uint64_t last, uint32_t tag, bool loaded) {
  uint64_t begin = address, end = address + bytes;
  result_.bytes = std::max(result_.bytes, end);
  Live made{0, first, last, tag, loaded, false};
  for (auto block = first_behind(address); block != live_.end() && block->first < address + bytes;) {
    const uint64_t old_begin = block->first, old_end = old_begin + block->second.bytes;
    const Live old = block->second;
    block = live_.erase(block);
    if (old.tag == tag && old.loaded == loaded && !old.used) {  // more of the same: strips of one tile
      begin = std::min(begin, old_begin);
      end = std::max(end, old_end);
      made.first = std::min(made.first, old.first);
      made.last = std::max(made.last, old.last);
      continue;
    }
    // What is not overwritten stays.
    if (old_begin < address) {
      Live left = old;
      left.bytes = address - old_begin;
      live_.emplace(old_begin, left);
    }
    if (old_end > address + bytes) {
      Live right = old;
      right.bytes = old_end - (address + bytes);
      block = live_.emplace(address + bytes, right).first;
    }
    Live over = old;
    const uint64_t over_begin = std::max(old_begin, address);
    over.bytes = std::min(old_end, address + bytes) - over_begin;
    over.last = std::max(over.first, std::min(over.last, first));  // of a command in place it is the same memory
    close(over_begin, over);
  }
  made.bytes = end - begin;
  live_[begin] = made;
}

MemoryOccupancy OccupancyTracker::finish() {
  for (const auto& [address, block] : live_) close(address, block);
  live_.clear();
  std::sort(result_.blocks.begin(), result_.blocks.end(), [](const MemoryBlock& a, const MemoryBlock& b) {
    return std::tie(a.first_cycle, a.address, a.last_cycle) < std::tie(b.first_cycle, b.address, b.last_cycle);
  });
  result_.live_bytes = most_live_bytes(result_.blocks);
  return std::move(result_);
}

uint64_t most_live_bytes(const std::vector<MemoryBlock>& blocks) {
  std::vector<std::pair<uint64_t, int64_t>> changes;  // at one cycle, what ends comes before what begins
  changes.reserve(blocks.size() * 2);
  for (const MemoryBlock& block : blocks) {
    changes.emplace_back(block.first_cycle, static_cast<int64_t>(block.bytes));
    changes.emplace_back(block.last_cycle, -static_cast<int64_t>(block.bytes));
  }
  std::sort(changes.begin(), changes.end());
  int64_t now = 0, most = 0;
  for (const auto& [cycle, change] : changes) most = std::max(most, now += change);
  return static_cast<uint64_t>(most);
}

}  // namespace avocet::compiler
