// SPDX-License-Identifier: Apache-2.0
// Seeded random drivers and sequencers. A driver that keeps the rules gets every job back once and in order, whatever the priorities,
// cores and preemptions; one that writes garbage cannot stop the firmware from serving its admin ring.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "random_driver.hpp"

namespace avocet::test {
namespace {

Numbers random_numbers(uint32_t seed) {
  return [random = std::mt19937(seed)](uint32_t low, uint32_t high) mutable {
    return std::uniform_int_distribution<uint32_t>(low, high)(random);
  };
}

TEST(Random, EveryJobComesBackOnceAndInItsOrder) {
  constexpr uint32_t kContexts = 6;
  for (uint32_t seed = 0; seed < 50; seed++) {
    RandomDriver r(random_numbers(seed));
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> submitted;
    uint32_t created = 0;
    auto step = [&] {
      if (created < kContexts * 3) { // the admin ring holds them
        uint32_t context = created / 3 + 1, which = created++ % 3;
        constexpr uint32_t kOrder[] = {AVOCET_PRIORITY_MEDIUM, AVOCET_PRIORITY_LOW, AVOCET_PRIORITY_HIGH};
        which == 0 ? r.p.create(context, 16) : r.p.create_ring(context, kOrder[which]);
        return r.doorbell_after_take();
      }
      uint32_t context = r.number(1, kContexts), priority = r.number(0, 2);
      avocet_ring ring = r.p.ring(r.p.ring_of(context, priority));
      switch (r.number(0, 5)) {
        case 0:
        case 1:
          // A slot is free when its job has completed: some room is left for those that were taken and have not.
          if (ring.tail - ring.head >= 8) break;
          r.p.submit_at(context, priority, uint64_t{context} << 32 | priority << 24 | ++submitted[{context, priority}], r.some_parts());
          break;
        case 2:
        case 3: r.end_some(); break;
        case 4: r.tick(); break;
        default: r.doorbell_after_take();
      }
    };
    r.run(step, 400);
    EXPECT_EQ(r.p.state(), AVOCET_FIRMWARE_STATE_READY) << "seed " << seed;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> completed;
    for (const auto& c : r.completions) {
      EXPECT_EQ(c.status, AVOCET_STATUS_OK);
      if (c.type != AVOCET_COMPLETION_TYPE_JOB) continue;
      uint32_t priority = static_cast<uint32_t>(c.job_id >> 24) & 3;
      EXPECT_EQ(c.context, c.job_id >> 32);
      uint64_t& count = completed[{c.context, priority}];
      EXPECT_EQ(c.job_id & 0xFFFFFF, ++count) << "seed " << seed;
      EXPECT_LE(c.start_cycle, c.end_cycle);
    }
    EXPECT_EQ(completed, submitted) << "seed " << seed;
  }
}

TEST(Random, GarbageNeverStopsTheFirmware) {
  for (uint32_t seed = 0; seed < 100; seed++) {
    RandomDriver r(random_numbers(seed));
    r.faults = true;
    r.run([&] { r.garbage(); }, 500);
    EXPECT_EQ(r.complaint(), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace avocet::test
