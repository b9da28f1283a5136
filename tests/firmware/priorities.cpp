// SPDX-License-Identifier: Apache-2.0
// Rings of several priorities: who is next, who is stopped, who is not passed over for ever; and several cores.
#include <gtest/gtest.h>

#include "fake_processor.hpp"

namespace avocet::test {
namespace {

constexpr uint32_t kLow = AVOCET_PRIORITY_LOW, kMedium = AVOCET_PRIORITY_MEDIUM, kHigh = AVOCET_PRIORITY_HIGH;
using Ids = std::vector<uint64_t>;
using Steps = std::vector<std::function<void()>>;

std::vector<avocet_completion> jobs_of(const std::vector<avocet_completion>& completions) {
  std::vector<avocet_completion> out;
  for (const auto& c : completions)
    if (c.type == AVOCET_COMPLETION_TYPE_JOB) out.push_back(c);
  return out;
}

/// Contexts 1 and 2 with rings of all priorities; jobs do not end by themselves.
class Priorities : public testing::Test {
 protected:
  Steps set_up() {
    Steps steps;
    for (uint32_t context : {1u, 2u}) {
      steps.push_back([this, context] { p.create(context, 16); });
      for (uint32_t priority : {kLow, kHigh})
        steps.push_back([this, context, priority] { p.create_ring(context, priority); });
    }
    return steps;
  }
  void run(const Steps& steps) {
    Steps all = set_up();
    all.insert(all.end(), steps.begin(), steps.end());
    p.run(all);
  }
  void hold_jobs() {
    p.on_start = [](uint64_t) {};
  }
  std::function<void()> submit(uint32_t context, uint32_t priority, Ids ids) {
    return [=, this] {
      for (uint64_t id : ids) p.submit_at(context, priority, id);
    };
  }
  std::function<void()> end() {
    return [this] {
      p.now += 100;
      p.end_job(AVOCET_STATUS_OK);
    };
  }
  std::function<void()> tick(uint64_t cycles) {
    return [this, cycles] {
      p.now += cycles;
      p.reg(AVOCET_REG_CORE_EVENTS) |= AVOCET_CORE_EVENTS_TIMER;
    };
  }

  FakeProcessor p;
};

TEST_F(Priorities, HigherOnesFirstAndTurnsWithinOne) {
  run({[&] {
    submit(1, kLow, {10})();
    submit(1, kMedium, {20, 21})();
    submit(2, kMedium, {22})();
    submit(2, kHigh, {30, 31})();
    submit(1, kHigh, {32})();
  }});
  EXPECT_EQ(p.started, (Ids{32, 30, 31, 20, 22, 21, 10}));
}

TEST_F(Priorities, ALowJobIsPassedOverEightTimes) {
  Ids high(12);
  for (uint64_t i = 0; i < 12; i++) high[i] = 100 + i;
  run({[&] {
    submit(1, kLow, {10, 11})();
    submit(2, kHigh, high)();
  }});
  EXPECT_EQ(p.started, (Ids{100, 101, 102, 103, 104, 105, 106, 107, 10, 108, 109, 110, 111, 11}));
}

TEST_F(Priorities, NeitherLowNorMediumStarve) {
  Ids high(16);
  for (uint64_t i = 0; i < 16; i++) high[i] = 100 + i;
  run({[&] {
    submit(1, kLow, {10})();
    submit(1, kMedium, {20})();
    submit(2, kHigh, high)();
  }});
  EXPECT_EQ(p.started[8], 10u);
  EXPECT_EQ(p.started[9], 20u);
  EXPECT_EQ(p.started.size(), 18u);
}

TEST_F(Priorities, WithoutSaveAreasNothingIsPreempted) {
  hold_jobs();
  run({submit(1, kLow, {10}), submit(2, kHigh, {30}), end(), end()});
  EXPECT_EQ(p.preemptions, 0u);
  EXPECT_EQ(p.started, (Ids{10, 30}));
}

TEST_F(Priorities, AHighJobPreemptsALowOne) {
  p.give_save_areas();
  hold_jobs();
  uint64_t low_started = 0, low_resumed = 0;
  run({[&] { low_started = p.now; }, submit(1, kLow, {10}), submit(2, kHigh, {30}), [&] { low_resumed = p.now; }, end(),
       end()});
  EXPECT_EQ(p.started, (Ids{10, 30}));
  EXPECT_EQ(p.resumed, (Ids{10}));
  EXPECT_EQ(p.save_areas, (std::vector<uint64_t>(2, FakeProcessor::kSave)));
  auto jobs = jobs_of(p.drain());
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].job_id, 30u);
  EXPECT_EQ(jobs[0].request, 0u);
  EXPECT_EQ(jobs[1].job_id, 10u);
  EXPECT_EQ(jobs[1].status, AVOCET_STATUS_OK);
  EXPECT_EQ(jobs[1].request, 1u) << "preempted once";
  EXPECT_GE(jobs[1].start_cycle, low_started) << "the first start";
  EXPECT_LT(jobs[1].start_cycle, low_resumed);
  EXPECT_EQ(p.reg(AVOCET_REG_CORE_TIMER), 0u);
}

TEST_F(Priorities, PreemptionNests) {
  p.give_save_areas();
  hold_jobs();
  run({submit(1, kLow, {10}), submit(1, kMedium, {20}), submit(1, kHigh, {30}), end(), end(), end()});
  EXPECT_EQ(p.started, (Ids{10, 20, 30}));
  EXPECT_EQ(p.resumed, (Ids{20, 10}));
  EXPECT_EQ(p.save_areas, (std::vector<uint64_t>{FakeProcessor::kSave, FakeProcessor::kSave + FakeProcessor::kSaveBytes,
                                                 FakeProcessor::kSave + FakeProcessor::kSaveBytes, FakeProcessor::kSave}));
}

TEST_F(Priorities, EqualPrioritiesDoNotPreempt) {
  p.give_save_areas();
  hold_jobs();
  run({submit(1, kMedium, {20}), submit(2, kMedium, {22}), submit(2, kLow, {10}), end(), end(), end()});
  EXPECT_EQ(p.preemptions, 0u);
  EXPECT_EQ(p.started, (Ids{20, 22, 10}));
}

TEST_F(Priorities, AParkedJobGoesBeforeOthersOfItsPriority) {
  p.give_save_areas();
  hold_jobs();
  run({submit(1, kLow, {10, 11}), submit(2, kLow, {12}), submit(2, kHigh, {30}), end(), end(), end(), end()});
  EXPECT_EQ(p.started, (Ids{10, 30, 12, 11}));
  EXPECT_EQ(p.resumed, (Ids{10}));
}

TEST_F(Priorities, AJobThatEndsBeforeItStopsIsNotParked) {
  p.give_save_areas();
  hold_jobs();
  p.on_preempt = [] {};
  run({submit(1, kLow, {10}), submit(2, kHigh, {30}), end(), end()});
  EXPECT_EQ(p.preemptions, 1u);
  EXPECT_TRUE(p.resumed.empty());
  auto jobs = jobs_of(p.drain());
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].job_id, 10u);
  EXPECT_EQ(jobs[0].status, AVOCET_STATUS_OK);
}

TEST_F(Priorities, AStarvedJobIsProtectedForAWhile) {
  p.give_save_areas();
  hold_jobs();
  Steps steps{submit(1, kLow, {10}), submit(2, kHigh, {100, 101, 102, 103, 104, 105, 106, 107, 108})};
  for (int i = 0; i < 8; i++) steps.push_back(end());  // eight high ones; then the low one continues
  uint32_t preemptions_early = 0, preemptions_late = 0;
  steps.push_back([&] {
    EXPECT_EQ(p.resumed, (Ids{10}));
    tick(1 << 17)();
  });
  steps.push_back([&] {
    preemptions_early = p.preemptions;
    tick(1 << 20)();
  });
  steps.push_back([&] { preemptions_late = p.preemptions; });
  steps.push_back(end());
  steps.push_back(end());
  run(steps);
  EXPECT_EQ(preemptions_early, 1u);
  EXPECT_EQ(preemptions_late, 2u) << "its time is over";
  EXPECT_EQ(jobs_of(p.drain()).size(), 10u);
}

TEST_F(Priorities, DestroyEndsParkedJobsBeforeQueuedOnes) {
  p.give_save_areas();
  hold_jobs();
  run({submit(1, kLow, {10, 11}), submit(2, kHigh, {30}), [&] { p.message(AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT, 1); }, end()});
  auto jobs = jobs_of(p.drain());
  ASSERT_EQ(jobs.size(), 3u);
  EXPECT_EQ(jobs[0].job_id, 10u);
  EXPECT_EQ(jobs[0].status, AVOCET_STATUS_ABORTED);
  EXPECT_EQ(jobs[0].request, 1u);
  EXPECT_EQ(jobs[1].job_id, 11u);
  EXPECT_EQ(jobs[2].job_id, 30u);
  EXPECT_TRUE(p.resumed.empty());
}

TEST_F(Priorities, DestroyWhileAJobIsBeingStopped) {
  p.give_save_areas();
  hold_jobs();
  p.on_preempt = [] {};
  p.on_abort = [] {};
  run({submit(1, kLow, {10}), submit(2, kHigh, {30}), [&] { p.message(AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT, 1); },
       [&] { p.end_job(AVOCET_STATUS_PREEMPTED); }, end()});
  auto jobs = jobs_of(p.drain());
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].job_id, 10u);
  EXPECT_EQ(jobs[0].status, AVOCET_STATUS_ABORTED);
  EXPECT_TRUE(p.resumed.empty());
}

TEST_F(Priorities, AFaultInOneRingEndsTheParkedJobOfTheContext) {
  p.give_save_areas();
  hold_jobs();
  run({submit(1, kLow, {10}), submit(1, kHigh, {30}), [&] { p.end_job(AVOCET_STATUS_IOMMU_FAULT); }});
  auto jobs = jobs_of(p.drain());
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].status, AVOCET_STATUS_IOMMU_FAULT);
  EXPECT_EQ(jobs[1].job_id, 10u);
  EXPECT_EQ(jobs[1].status, AVOCET_STATUS_ABORTED);
}

TEST_F(Priorities, APreemptedJobThatHangsIsAborted) {
  p.give_save_areas();
  hold_jobs();
  p.on_preempt = [] {};  // a unit is stuck: it never reaches a boundary
  run({submit(1, kLow, {10}), submit(2, kHigh, {30}), tick(1 << 17), tick((1ull << 30) + 10), end()});
  auto jobs = jobs_of(p.drain());
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].job_id, 10u);
  EXPECT_EQ(jobs[0].status, AVOCET_STATUS_HANG);
  EXPECT_EQ(jobs[1].status, AVOCET_STATUS_OK);
}

TEST_F(Priorities, RingRefusals) {
  Steps steps;
  std::vector<uint32_t> expected;
  auto refused = [&](uint32_t context, uint64_t priority, uint64_t ring, uint32_t status) {
    steps.push_back([=, this] { p.message(AVOCET_MESSAGE_TYPE_CREATE_RING, context, priority, ring); });
    expected.push_back(status);
  };
  uint64_t ring = p.ring_of(3, kLow);
  refused(0, kLow, ring, AVOCET_STATUS_BAD_MESSAGE);
  refused(64, kLow, ring, AVOCET_STATUS_BAD_MESSAGE);
  refused(3, kLow, ring, AVOCET_STATUS_BAD_MESSAGE);  // no such context
  refused(1, 3, ring, AVOCET_STATUS_BAD_MESSAGE);
  refused(1, uint64_t{1} << 32, ring, AVOCET_STATUS_BAD_MESSAGE);
  refused(1, kLow, ring, AVOCET_STATUS_BAD_MESSAGE);  // has one
  refused(1, kMedium, ring, AVOCET_STATUS_BAD_MESSAGE);
  steps.push_back([&] { p.create(4); });
  expected.push_back(AVOCET_STATUS_OK);
  refused(4, kLow, 0x1000, AVOCET_STATUS_BUS_ERROR);
  refused(4, kLow, FakeProcessor::kAdmin, AVOCET_STATUS_BAD_MESSAGE);
  run(steps);
  auto completions = p.drain();
  ASSERT_EQ(completions.size(), 6 + expected.size());
  for (size_t i = 0; i < expected.size(); i++) EXPECT_EQ(completions[6 + i].status, expected[i]) << i;
}

TEST(SaveAreas, MustBeLargeEnoughAndAligned) {
  for (auto change : std::vector<std::function<void(avocet_boot&)>>{[](auto& b) { b.save_bytes--; },
                                                                    [](auto& b) { b.save += 8; },
                                                                    [](auto& b) { b.save = 0; },
                                                                    [](auto& b) { b.version = 0x10001; }}) {
    FakeProcessor p;
    p.give_save_areas();
    auto boot = p.read<avocet_boot>(FakeProcessor::kBoot);
    change(boot);
    p.write(FakeProcessor::kBoot, boot);
    p.run({});
    EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_FAILED);
    EXPECT_EQ(p.error(), AVOCET_STATUS_BAD_MESSAGE);
  }
}

TEST(SaveAreas, ADriverOfMinor1HasNone) {
  FakeProcessor p;
  p.reg(AVOCET_REG_SAVE_AREA_BYTES) = FakeProcessor::kSaveBytes;
  auto boot = p.read<avocet_boot>(FakeProcessor::kBoot);
  boot.version = 0x10001;
  p.write(FakeProcessor::kBoot, boot);
  p.run({});
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_READY);
}

// ---- several cores ----

class Cores : public Priorities {
 protected:
  Cores() { hold_jobs(); }
  std::function<void()> end_on(uint32_t core) {
    return [this, core] {
      p.now += 100;
      p.end_job_on(core, AVOCET_STATUS_OK);
    };
  }
  void expect_ended(const std::vector<std::pair<uint64_t, uint32_t>>& expected) {
    std::vector<std::pair<uint64_t, uint32_t>> ended;
    for (const avocet_completion& job : jobs_of(p.drain())) ended.push_back({job.job_id, job.status});
    EXPECT_EQ(ended, expected);
  }
};

TEST_F(Cores, IndependentJobsRunSideBySide) {
  p.reg(AVOCET_REG_CORES) = 2;
  run({submit(1, kMedium, {20, 21}), submit(2, kMedium, {22}), end_on(1), end_on(0), end_on(0)});
  EXPECT_EQ(p.started, (Ids{20, 22, 21})) << "one job of a ring at a time";
  EXPECT_EQ(p.ran_on, (std::vector<uint32_t>{0, 1, 0}));
  auto jobs = jobs_of(p.drain());
  ASSERT_EQ(jobs.size(), 3u);
  EXPECT_EQ(jobs[0].job_id, 22u);
  EXPECT_EQ(jobs[0].context, 2u);
  EXPECT_EQ(jobs[1].job_id, 20u);
  EXPECT_EQ(jobs[2].job_id, 21u);
  EXPECT_EQ(p.reg(AVOCET_REG_CORE_TIMER), 0u);
}

TEST_F(Cores, TheLowestRunningJobIsPreempted) {
  p.reg(AVOCET_REG_CORES) = 2;
  p.give_save_areas(2);
  run({submit(1, kMedium, {20}), submit(2, kLow, {10}), submit(2, kHigh, {30}), end_on(1), end_on(1), end_on(0)});
  EXPECT_EQ(p.started, (Ids{20, 10, 30}));
  EXPECT_EQ(p.resumed, (Ids{10}));
  EXPECT_EQ(p.ran_on, (std::vector<uint32_t>{0, 1, 1, 1}));
  const uint64_t area = FakeProcessor::kSave + 2 * FakeProcessor::kSaveBytes;
  EXPECT_EQ(p.save_areas, (std::vector<uint64_t>{area, area}));
}

TEST_F(Cores, AFreeCoreIsTakenBeforeAnythingIsPreempted) {
  p.reg(AVOCET_REG_CORES) = 16;
  p.give_save_areas(16);
  run({submit(1, kLow, {10}), submit(1, kMedium, {20}), submit(1, kHigh, {30}), submit(2, kHigh, {31})});
  EXPECT_EQ(p.preemptions, 0u);
  EXPECT_EQ(p.ran_on, (std::vector<uint32_t>{0, 1, 2, 3}));
}

TEST_F(Cores, AHangOnOneCoreLeavesTheOther) {
  p.reg(AVOCET_REG_CORES) = 2;
  run({submit(1, kMedium, {20}), submit(2, kMedium, {22}), tick(1 << 17),
       [&] {
         p.reg(AVOCET_REG_SEQ_PROGRESS + AVOCET_SEQ_STRIDE) = 5;  // core 1 goes on
         tick((1ull << 30) + 10)();
       },
       end_on(1)});
  expect_ended({{20, AVOCET_STATUS_HANG}, {22, AVOCET_STATUS_OK}});
}

TEST_F(Cores, AResetOfOneCoreLeavesTheOther) {
  p.reg(AVOCET_REG_CORES) = 2;
  p.on_abort = [] {};
  run({submit(1, kMedium, {20}), submit(2, kMedium, {22}),
       [&] { p.message(AVOCET_MESSAGE_TYPE_RESET_ENGINE, 0, 0, 20); }, end_on(1)});
  EXPECT_EQ(p.resets, (std::vector<uint32_t>{0}));
  expect_ended({{20, AVOCET_STATUS_HANG}, {22, AVOCET_STATUS_OK}});
}

TEST_F(Cores, MoreThanTheContractKnowsAreNotUsed) {
  p.reg(AVOCET_REG_CORES) = 99;
  run({submit(1, kMedium, {20})});
  EXPECT_EQ(p.started, (Ids{20}));
}

}  // namespace
}  // namespace avocet::test
