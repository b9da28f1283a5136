// SPDX-License-Identifier: Apache-2.0
#include "interval_memory.hpp"

#include <algorithm>
#include <numeric>

namespace avocet::compiler {
namespace {

/// Placed requests by time, so that only those alive at the same time are looked at.
class TimeIndex {
 public:
  explicit TimeIndex(uint32_t last) : buckets_(last / kWidth + 1) {}

  void add(uint32_t request, uint32_t first, uint32_t last) {
    for (uint32_t bucket = first / kWidth; bucket <= last / kWidth; ++bucket) buckets_[bucket].push_back(request);
  }
  template <typename Visit>
  void visit(uint32_t first, uint32_t last, Visit visit) {
    for (uint32_t bucket = first / kWidth; bucket <= last / kWidth; ++bucket)
      for (uint32_t request : buckets_[bucket]) visit(request);
  }

 private:
  static constexpr uint32_t kWidth = 16;
  std::vector<std::vector<uint32_t>> buckets_;
};

uint64_t align(uint64_t bytes, uint64_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

uint64_t place_by_lifetime(std::vector<MemoryRequest>& requests, uint64_t alignment) {
  std::vector<uint32_t> order(requests.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const MemoryRequest &x = requests[a], &y = requests[b];
    const uint32_t x_length = x.last - x.first, y_length = y.last - y.first;
    return x_length != y_length ? x_length > y_length : x.bytes > y.bytes;
  });
  uint32_t end = 0;
  for (const MemoryRequest& request : requests) end = std::max(end, request.last);
  TimeIndex index(end);
  uint64_t total = 0;
  std::vector<std::pair<uint64_t, uint64_t>> taken;
  for (uint32_t i : order) {
    MemoryRequest& request = requests[i];
    taken.clear();
    index.visit(request.first, request.last, [&](uint32_t other) {
      const MemoryRequest& o = requests[other];
      if (o.first <= request.last && request.first <= o.last)
        taken.push_back({o.address, o.address + align(o.bytes, alignment)});
    });
    std::sort(taken.begin(), taken.end());
    uint64_t at = 0;
    for (const auto& [begin, stop] : taken) {
      if (at + request.bytes <= begin) break;
      at = std::max(at, stop);
    }
    request.address = at;
    total = std::max(total, at + align(request.bytes, alignment));
    index.add(i, request.first, request.last);
  }
  return total;
}

}  // namespace avocet::compiler
