// SPDX-License-Identifier: Apache-2.0
// Best fit, in the order of time: what an allocator would do that frees each buffer after its last use.
#include "memory_plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

namespace avocet::runtime {
namespace {

size_t rounded(size_t bytes) { return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment; }

class Block {
 public:
  size_t take(size_t bytes) {
    auto best = gaps_.end();
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
      if (gap->second >= bytes && (best == gaps_.end() || gap->second < best->second)) best = gap;
    }
    if (best != gaps_.end()) {
      const auto [offset, size] = *best;
      gaps_.erase(best);
      if (size > bytes) gaps_[offset + bytes] = size - bytes;
      return offset;
    }
    // Grow, from the gap at the end if there is one.
    size_t offset = end_;
    if (!gaps_.empty()) {
      const auto last = std::prev(gaps_.end());
      if (last->first + last->second == end_) {
        offset = last->first;
        gaps_.erase(last);
      }
    }
    end_ = offset + bytes;
    return offset;
  }

  void give_back(size_t offset, size_t bytes) {
    auto gap = gaps_.emplace(offset, bytes).first;
    if (gap != gaps_.begin()) {
      const auto before = std::prev(gap);
      if (before->first + before->second == gap->first) {
        before->second += gap->second;
        gaps_.erase(gap);
        gap = before;
      }
    }
    const auto after = std::next(gap);
    if (after != gaps_.end() && gap->first + gap->second == after->first) {
      gap->second += after->second;
      gaps_.erase(after);
    }
  }

  size_t end() const { return end_; }

 private:
  std::map<size_t, size_t> gaps_;  // offset -> bytes, never adjacent
  size_t end_ = 0;
};

}  // namespace

size_t plan_memory(std::vector<PlannedBuffer>& buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return buffers[a].first < buffers[b].first; });

  const auto later = [&](size_t a, size_t b) {
    return buffers[a].last != buffers[b].last ? buffers[a].last > buffers[b].last : a > b;
  };
  std::priority_queue<size_t, std::vector<size_t>, decltype(later)> alive(later);
  Block block;
  for (size_t i : order) {
    while (!alive.empty() && buffers[alive.top()].last < buffers[i].first) {
      block.give_back(buffers[alive.top()].offset, rounded(buffers[alive.top()].bytes));
      alive.pop();
    }
    if (buffers[i].bytes == 0) continue;
    buffers[i].offset = block.take(rounded(buffers[i].bytes));
    alive.push(i);
  }
  return block.end();
}

}  // namespace avocet::runtime
