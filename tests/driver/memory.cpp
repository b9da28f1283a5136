// SPDX-License-Identifier: Apache-2.0
// The core's memory: range allocator, arena, page tables.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "fixture.hpp"

extern "C" {
#include "mmu.h"
#include "range.h"
}

namespace avocet::test {
namespace {

TEST(Ranges, FirstFitAndMerging) {
  avocet_ranges r{};
  ASSERT_EQ(avocet_ranges_init(&r, 10, 100), 0);
  uint64_t a, b, c, d;
  EXPECT_EQ(avocet_ranges_take(&r, 30, &a), 0);
  EXPECT_EQ(avocet_ranges_take(&r, 30, &b), 0);
  EXPECT_EQ(avocet_ranges_take(&r, 30, &c), 0);
  EXPECT_EQ(avocet_ranges_take(&r, 1, &d), -ENOSPC);
  EXPECT_EQ(a, 10u);
  EXPECT_EQ(b, 40u);
  EXPECT_EQ(c, 70u);
  EXPECT_EQ(avocet_ranges_give(&r, a, 30), 0);
  EXPECT_EQ(avocet_ranges_give(&r, c, 30), 0);
  EXPECT_EQ(avocet_ranges_take(&r, 31, &d), -ENOSPC);
  EXPECT_EQ(avocet_ranges_give(&r, b, 30), 0);
  EXPECT_EQ(avocet_ranges_take(&r, 90, &d), 0) << "all three merged";
  EXPECT_EQ(d, 10u);
  avocet_ranges_destroy(&r);
}

TEST(Ranges, RandomTakesNeverOverlap) {
  std::mt19937 random(7);
  avocet_ranges r{};
  ASSERT_EQ(avocet_ranges_init(&r, 0, 1000), 0);
  std::vector<std::pair<uint64_t, uint64_t>> taken;
  std::vector<bool> used(1000);
  for (int i = 0; i < 20000; i++) {
    uint64_t start, count = 1 + random() % 40;
    if (random() % 2 && !taken.empty()) {
      size_t at = random() % taken.size();
      auto [s, n] = taken[at];
      for (uint64_t k = s; k < s + n; k++) used[k] = false;
      ASSERT_EQ(avocet_ranges_give(&r, s, n), 0);
      taken.erase(taken.begin() + static_cast<long>(at));
    } else if (avocet_ranges_take(&r, count, &start) == 0) {
      for (uint64_t k = start; k < start + count; k++) {
        ASSERT_FALSE(used[k]);
        used[k] = true;
      }
      taken.emplace_back(start, count);
    }
  }
  for (auto [s, n] : taken) avocet_ranges_give(&r, s, n);
  uint64_t all;
  EXPECT_EQ(avocet_ranges_take(&r, 1000, &all), 0);
  avocet_ranges_destroy(&r);
}

TEST(Arena, OnlyAllocatedPagesTranslate) {
  avocet_os_device os{};
  ASSERT_EQ(avocet_os_arena_open(&os), 0);
  avocet_memory a{}, b{};
  ASSERT_EQ(avocet_os_memory_alloc(&os, 5000, &a), 0);
  ASSERT_EQ(avocet_os_memory_alloc(&os, 1, &b), 0);
  EXPECT_EQ(a.bytes, 8192u);
  EXPECT_GE(a.bus, 0x100000000u) << "a truncated address must not work by luck";
  EXPECT_EQ(avocet_os_arena_translate(&os, a.bus + 4090, 16), a.cpu + 4090);
  EXPECT_EQ(avocet_os_arena_translate(&os, a.bus, 0), nullptr);
  EXPECT_EQ(avocet_os_arena_translate(&os, b.bus, 4097), nullptr);
  EXPECT_EQ(avocet_os_arena_translate(&os, 0, 4), nullptr);
  EXPECT_EQ(avocet_os_arena_translate(&os, ~0ull - 2, 8), nullptr);
  uint64_t gone = a.bus;
  a.cpu[100] = 1;
  avocet_os_memory_free(&os, &a);
  EXPECT_EQ(avocet_os_arena_translate(&os, gone, 4), nullptr);
  ASSERT_EQ(avocet_os_memory_alloc(&os, 8192, &a), 0);
  EXPECT_EQ(a.bus, gone);
  EXPECT_EQ(a.cpu[100], 0);
  EXPECT_EQ(avocet_os_memory_alloc(&os, ~0ull, &b), -ENOMEM);
  avocet_os_arena_close(&os);
}

TEST(Mmu, MapsAcrossSecondLevelTables) {
  avocet_os_device os{};
  ASSERT_EQ(avocet_os_arena_open(&os), 0);
  avocet_mmu mmu{};
  ASSERT_EQ(avocet_mmu_init(&mmu, &os), 0);
  avocet_memory memory{};
  ASSERT_EQ(avocet_os_memory_alloc(&os, 6 << 20, &memory), 0);
  uint64_t iova, again;
  ASSERT_EQ(avocet_mmu_map(&mmu, &memory, true, &iova), 0);
  EXPECT_EQ(iova, AVOCET_IOVA_BEGIN);
  auto* first = reinterpret_cast<uint64_t*>(mmu.first.cpu);
  for (uint64_t page = 0; page < memory.bytes / 4096; page++) {
    uint64_t at = iova + page * 4096;
    uint64_t table = first[at >> AVOCET_L1_SHIFT];
    ASSERT_TRUE(table & AVOCET_PTE_VALID);
    auto* second = static_cast<uint64_t*>(avocet_os_arena_translate(&os, table & ~0xFFFull, 4096));
    ASSERT_NE(second, nullptr);
    ASSERT_EQ(second[at >> AVOCET_L2_SHIFT & 511],
              (memory.bus + page * 4096) | AVOCET_PTE_VALID | AVOCET_PTE_WRITE);
  }
  avocet_mmu_unmap(&mmu, iova, memory.bytes);
  avocet_mmu_reuse(&mmu, iova, memory.bytes);
  ASSERT_EQ(avocet_mmu_map(&mmu, &memory, false, &again), 0);
  EXPECT_EQ(again, iova);
  avocet_mmu_destroy(&mmu);
  avocet_os_memory_free(&os, &memory);
  uint64_t pages;
  EXPECT_EQ(avocet_ranges_take(os.arena.free, os.arena.bytes / 4096, &pages), 0) << "nothing is left allocated";
  avocet_os_arena_close(&os);
}

}  // namespace
}  // namespace avocet::test
