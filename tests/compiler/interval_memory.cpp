// SPDX-License-Identifier: Apache-2.0
#include "interval_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace avocet::compiler::test {
namespace {

TEST(IntervalMemory, SharesBytesOfLifetimesThatDoNotMeet) {
  std::vector<MemoryRequest> requests{{100, 0, 3, 0}, {50, 4, 9, 0}, {20, 2, 5, 0}};
  EXPECT_EQ(place_by_lifetime(requests, 1), 120u);
  EXPECT_EQ(requests[0].address, requests[1].address);
}

TEST(IntervalMemory, NeverOverlaps) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<MemoryRequest> requests(60);
    for (MemoryRequest& r : requests) {
      r.bytes = 1 + random() % 500;
      r.first = random() % 100;
      r.last = r.first + random() % 30;
    }
    const uint64_t total = place_by_lifetime(requests, 16);
    uint64_t sum = 0;
    for (size_t i = 0; i < requests.size(); ++i) {
      const MemoryRequest& a = requests[i];
      sum += (a.bytes + 15) / 16 * 16;
      EXPECT_EQ(a.address % 16, 0u);
      EXPECT_LE(a.address + a.bytes, total);
      for (size_t j = 0; j < i; ++j) {
        const MemoryRequest& b = requests[j];
        const bool together = a.first <= b.last && b.first <= a.last;
        EXPECT_FALSE(together && a.address < b.address + b.bytes && b.address < a.address + a.bytes);
      }
    }
    EXPECT_LE(total, sum);
  }
}

}  // namespace
}  // namespace avocet::compiler::test
