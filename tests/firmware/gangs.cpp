// SPDX-License-Identifier: Apache-2.0
// Jobs that several cores run together: started at once, ended together, and neither starved nor starving others.
#include <gtest/gtest.h>

#include "fake_processor.hpp"

namespace avocet::test {
namespace {

constexpr uint32_t kLow = AVOCET_PRIORITY_LOW, kMedium = AVOCET_PRIORITY_MEDIUM, kHigh = AVOCET_PRIORITY_HIGH;
using Ids = std::vector<uint64_t>;
using Cores = std::vector<uint32_t>;
using Steps = std::vector<std::function<void()>>;

/// Four cores whose jobs do not end by themselves; contexts 1 to 3 with rings of all priorities.
class Gangs : public testing::Test {
 protected:
  Gangs() {
    p.reg(AVOCET_REG_CORES) = 4;
    p.on_start = [this](uint64_t) { gangs.push_back(p.seq(AVOCET_REG_SEQ_GANG)); };
  }
  void run(const Steps& steps) {
    Steps all;
    for (uint32_t context : {1u, 2u, 3u}) {
      all.push_back([this, context] { p.create(context, 16); });
      for (uint32_t priority : {kLow, kHigh}) all.push_back([this, context, priority] { p.create_ring(context, priority); });
    }
    all.insert(all.end(), steps.begin(), steps.end());
    p.run(all);
    for (const auto& c : p.drain())
      if (c.type == AVOCET_COMPLETION_TYPE_JOB) jobs.push_back(c);
  }
  std::function<void()> submit(uint32_t context, uint32_t priority, uint64_t id, uint32_t parts = 0) {
    return [=, this] { p.submit_at(context, priority, id, parts); };
  }
  std::function<void()> end_on(uint32_t core, uint32_t status = AVOCET_STATUS_OK, uint32_t position = 0) {
    return [=, this] {
      p.now += 100;
      p.core = core;
      p.end_job(status, position);
    };
  }
  std::function<void()> tick(uint64_t cycles) {
    return [this, cycles] {
      p.now += cycles;
      p.reg(AVOCET_REG_CORE_EVENTS) |= AVOCET_CORE_EVENTS_TIMER;
    };
  }
  std::function<void()> progress(uint32_t core, uint32_t commands) {
    return [=, this] { p.reg(AVOCET_REG_SEQ_PROGRESS + core * AVOCET_SEQ_STRIDE) = commands; };
  }

  FakeProcessor p;
  std::vector<uint32_t> gangs;  // SEQ_GANG of every START
  std::vector<avocet_completion> jobs;
};

TEST_F(Gangs, StartAtOnceAndEndTogether) {
  run({submit(1, kMedium, 20, 3), progress(0, 5), progress(1, 6), progress(2, 7), end_on(1), end_on(0), end_on(2)});
  EXPECT_EQ(p.started, (Ids{20, 20, 20}));
  EXPECT_EQ(p.ran_on, (Cores{0, 1, 2}));
  EXPECT_EQ(gangs, (Cores{7, 7, 7}));
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].job_id, 20u);
  EXPECT_EQ(jobs[0].status, AVOCET_STATUS_OK);
  EXPECT_EQ(jobs[0].commands, 18u);
  EXPECT_EQ(jobs[0].start_cycle, p.reg(AVOCET_REG_SEQ_START_LO));
  EXPECT_EQ(jobs[0].end_cycle, p.reg(AVOCET_REG_SEQ_END_LO + 2 * AVOCET_SEQ_STRIDE));
  EXPECT_EQ(p.reg(AVOCET_REG_CORE_TIMER), 0u) << "an idle device sleeps";
}

TEST_F(Gangs, LeaveOtherCoresToOtherJobs) {
  run({submit(1, kMedium, 20, 2), submit(2, kMedium, 21), submit(3, kMedium, 22), end_on(2), submit(2, kMedium, 23), end_on(0),
       end_on(1), end_on(2), end_on(3)});
  EXPECT_EQ(p.started, (Ids{20, 20, 21, 22, 23}));
  EXPECT_EQ(p.ran_on, (Cores{0, 1, 2, 3, 2}));
  EXPECT_EQ(gangs, (Cores{3, 3, 0, 0, 0}));
  EXPECT_EQ(jobs.size(), 4u);
}

TEST_F(Gangs, TheRegisterIsClearedForTheNextJob) {
  run({submit(1, kMedium, 20, 4), end_on(0), end_on(1), end_on(2), end_on(3), submit(1, kMedium, 21), end_on(0)});
  EXPECT_EQ(gangs, (Cores{15, 15, 15, 15, 0}));
  EXPECT_EQ(jobs.size(), 2u);
}

TEST_F(Gangs, AGangWaitsUntilEnoughCoresAreFreeAndIsNotOvertaken) {
  run({submit(1, kMedium, 20), submit(2, kMedium, 21, 4), submit(3, kMedium, 22), submit(3, kLow, 10), submit(1, kMedium, 23), end_on(0),
       end_on(3), end_on(0), end_on(1), end_on(2)});
  EXPECT_EQ(p.started[0], 20u);
  EXPECT_EQ((Ids(p.started.begin() + 1, p.started.begin() + 5)), (Ids{21, 21, 21, 21})) << "as soon as 20 had ended";
  EXPECT_EQ((Ids(p.started.begin() + 5, p.started.end())), (Ids{22, 23, 10}));
}

TEST_F(Gangs, HigherOnesGoBeforeAWaitingGangButNotForEver) {
  Steps steps{submit(1, kMedium, 20), submit(2, kMedium, 21, 4)};
  for (uint64_t i = 0; i < 12; i++) steps.push_back(submit(3, kHigh, 100 + i));
  for (int i = 0; i < 12; i++) steps.push_back([this, i] {
    if (p.reg(AVOCET_REG_SEQ_STATE + AVOCET_SEQ_STRIDE) && p.reg(AVOCET_REG_SEQ_GANG + AVOCET_SEQ_STRIDE) == 0) end_on(1)();
  });
  steps.push_back(end_on(0));
  run(steps);
  const Ids expected{20, 100, 101, 102, 103, 104, 105, 106, 107, 21, 21, 21, 21};
  EXPECT_EQ(p.started, expected) << "eight, and no more before the gang";
}

TEST_F(Gangs, AHighGangPreemptsUntilItHasItsCores) {
  p.give_save_areas(4);
  run({submit(1, kLow, 10), submit(2, kMedium, 20), submit(3, kLow, 11), submit(1, kHigh, 30, 4), end_on(0), end_on(1), end_on(2),
       end_on(3)});
  EXPECT_EQ(p.preemptions, 3u);
  EXPECT_EQ(p.started, (Ids{10, 20, 11, 30, 30, 30, 30}));
  EXPECT_EQ(p.resumed.size(), 3u) << "each on its core again";
}

TEST_F(Gangs, AreNotPreempted) {
  p.give_save_areas(4);
  run({submit(1, kLow, 10, 4), submit(2, kHigh, 30), tick(1 << 21), end_on(0), end_on(1), end_on(2), end_on(3), end_on(0)});
  EXPECT_EQ(p.preemptions, 0u);
  EXPECT_EQ(p.started, (Ids{10, 10, 10, 10, 30}));
}

TEST_F(Gangs, AFaultOfOneEndsAll) {
  run({submit(1, kMedium, 20, 3), submit(1, kMedium, 21), end_on(1, AVOCET_STATUS_IOMMU_FAULT, 5)});
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].job_id, 20u);
  EXPECT_EQ(jobs[0].status, AVOCET_STATUS_IOMMU_FAULT) << "not that the others were aborted";
  EXPECT_EQ(jobs[0].position, 8u + 5) << "behind the first core's 8 words";
  EXPECT_EQ(jobs[1].status, AVOCET_STATUS_ABORTED) << "the context is broken";
}

TEST_F(Gangs, AFaultAfterOthersHaveEnded) {
  run({submit(1, kMedium, 20, 2), end_on(0), end_on(1, AVOCET_STATUS_ECC_ERROR, 3), submit(1, kMedium, 21), end_on(0)});
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].status, AVOCET_STATUS_ECC_ERROR);
  EXPECT_EQ(jobs[0].position, 11u);
  EXPECT_EQ(jobs[1].status, AVOCET_STATUS_OK);
}

TEST_F(Gangs, ACoreThatWaitsIsNotStuckWhileAnotherGetsOn) {
  Steps steps{submit(1, kMedium, 20, 2), tick(1 << 17)};
  for (uint32_t i = 1; i <= 4; i++) {
    steps.push_back(progress(1, i));
    steps.push_back(tick((1ull << 30) - 100));
  }
  steps.push_back(end_on(0));
  steps.push_back(end_on(1));
  run(steps);
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].status, AVOCET_STATUS_OK);
}

TEST_F(Gangs, AreAbortedWhenNoneGetsOn) {
  run({submit(1, kMedium, 20, 2), end_on(0), tick(1 << 17), tick((1ull << 30) + 1000), submit(2, kMedium, 21), end_on(0)});
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].status, AVOCET_STATUS_HANG);
  EXPECT_EQ(jobs[1].status, AVOCET_STATUS_OK);
}

TEST_F(Gangs, DestroyAbortsAllCores) {
  run({submit(1, kMedium, 20, 4), submit(1, kMedium, 21, 4), [this] { p.message(AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT, 1); }});
  ASSERT_EQ(jobs.size(), 2u);
  for (const auto& job : jobs) EXPECT_EQ(job.status, AVOCET_STATUS_ABORTED);
  for (uint32_t core = 0; core < 4; core++) EXPECT_EQ(p.reg(AVOCET_REG_SEQ_STATE + core * AVOCET_SEQ_STRIDE), 0u);
}

TEST_F(Gangs, MoreCoresThanThereAre) {
  run({submit(1, kMedium, 20, 5), submit(1, kMedium, 21, UINT32_MAX), submit(1, kMedium, 22, 1), end_on(0)});
  ASSERT_EQ(jobs.size(), 3u);
  EXPECT_EQ(jobs[0].status, AVOCET_STATUS_ILLEGAL_FIELD);
  EXPECT_EQ(jobs[1].status, AVOCET_STATUS_ILLEGAL_FIELD);
  EXPECT_EQ(jobs[2].status, AVOCET_STATUS_OK);
  EXPECT_EQ(p.started, (Ids{22}));
}

TEST_F(Gangs, AFullCompletionRingHoldsTheEndBack) {
  p.make_ring(FakeProcessor::kCompletion, 2, sizeof(avocet_completion));
  std::vector<avocet_completion> seen;
  const auto take = [&] {
    for (const auto& c : p.drain()) seen.push_back(c);
    p.doorbell();
  };
  Steps steps(12, take);
  steps.insert(steps.end(), {submit(1, kMedium, 20, 2), [&] { p.message(AVOCET_MESSAGE_TYPE_PING); },
                             [&] { p.message(AVOCET_MESSAGE_TYPE_PING); }, end_on(0), end_on(1), take, take});
  run(steps);
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.back().type, AVOCET_COMPLETION_TYPE_JOB);
  EXPECT_EQ(seen.back().status, AVOCET_STATUS_OK);
}

}  // namespace
}  // namespace avocet::test
