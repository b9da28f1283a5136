// SPDX-License-Identifier: Apache-2.0
// Job rings: order, turns, wrap-around, back-pressure, faults, hangs, aborts.
#include <algorithm>

#include <gtest/gtest.h>

#include "fake_processor.hpp"

namespace avocet::test {
namespace {

std::vector<std::pair<uint64_t, uint32_t>> job_results(const std::vector<avocet_completion>& completions) {
  std::vector<std::pair<uint64_t, uint32_t>> out;
  for (const auto& c : completions)
    if (c.type == AVOCET_COMPLETION_TYPE_JOB) out.emplace_back(c.job_id, c.status);
  return out;
}
using Results = std::vector<std::pair<uint64_t, uint32_t>>;

TEST(Jobs, CompletionHasTheJobsFigures) {
  FakeProcessor p;
  uint64_t submitted = 0;
  p.on_start = [&](uint64_t) {
    p.now += 500;
    p.reg(AVOCET_REG_SEQ_PROGRESS) = 12;
    p.end_job(AVOCET_STATUS_OK);
  };
  p.run({[&] { p.create(3); },
         [&] {
           submitted = p.now;
           p.submit(3, 42);
         }});
  auto completions = p.drain();
  ASSERT_EQ(completions.size(), 2u);
  const avocet_completion& c = completions[1];
  EXPECT_EQ(c.type, AVOCET_COMPLETION_TYPE_JOB);
  EXPECT_EQ(c.context, 3u);
  EXPECT_EQ(c.job_id, 42u);
  EXPECT_EQ(c.commands, 12u);
  EXPECT_GE(c.doorbell_cycle, submitted);
  EXPECT_GE(c.start_cycle, c.doorbell_cycle);
  EXPECT_GE(c.end_cycle, c.start_cycle + 500);
  EXPECT_EQ(p.reg(AVOCET_REG_SEQ_CONTEXT), 3u);
  EXPECT_EQ(p.reg(AVOCET_REG_SEQ_TABLE_LO), static_cast<uint32_t>(FakeProcessor::kTable));
  EXPECT_EQ(p.reg(AVOCET_REG_CORE_TIMER), 0u) << "an idle device sleeps";
}

TEST(Jobs, ContextsTakeTurns) {
  FakeProcessor p;
  p.run({[&] { p.create(1); }, [&] { p.create(2); }, [&] { p.create(9); },
         [&] {
           for (uint64_t i = 0; i < 3; i++) p.submit(1, 10 + i);
           for (uint64_t i = 0; i < 2; i++) p.submit(2, 20 + i);
           p.submit(9, 90);
         }});
  EXPECT_EQ(p.started, (std::vector<uint64_t>{10, 20, 90, 11, 21, 12}));
}

TEST(Jobs, RingWrapsAt65And133) {
  for (uint64_t total : {65, 133}) {
    FakeProcessor p;
    uint64_t next = 0;
    std::vector<avocet_completion> all;
    std::function<void()> step = [&] {
      for (const auto& c : p.drain()) all.push_back(c);
      auto ring = p.ring(p.jobs(1));
      while (next < total && ring.tail - ring.head < ring.entries) {
        p.submit(1, next++);
        ring.tail++;
      }
    };
    p.run({[&] { p.create(1, 64, 0xFFFFFFF0); }, step, step, step, step});
    for (const auto& c : p.drain()) all.push_back(c);
    Results results = job_results(all);
    ASSERT_EQ(results.size(), total);
    for (uint64_t i = 0; i < total; i++) EXPECT_EQ(results[i].first, i);
  }
}

TEST(Jobs, FullCompletionRingHoldsEverythingBack) {
  FakeProcessor p;
  p.make_ring(FakeProcessor::kCompletion, 4, sizeof(avocet_completion));
  size_t started_when_full = 0;
  std::vector<avocet_completion> all;
  auto take = [&] {
    for (const auto& c : p.drain()) all.push_back(c);
    p.doorbell();
  };
  p.run({[&] { p.create(1, 16); },
         [&] {
           for (uint64_t i = 0; i < 10; i++) p.submit(1, i);
           p.message(AVOCET_MESSAGE_TYPE_PING, 0, 77);
         },
         [&] {
           started_when_full = p.started.size();
           auto ring = p.ring(FakeProcessor::kCompletion);
           EXPECT_EQ(ring.tail - ring.head, 4u);
           take();
         },
         take, take, take});
  take();
  EXPECT_LE(started_when_full, 3u) << "no job starts whose completion has no room";
  ASSERT_EQ(all.size(), 12u) << "nothing overwritten, nothing lost";
  Results results = job_results(all);
  ASSERT_EQ(results.size(), 10u);
  for (uint64_t i = 0; i < 10; i++) EXPECT_EQ(results[i].first, i);
}

TEST(Jobs, FaultBreaksItsContextOnly) {
  for (avocet_status fault : {AVOCET_STATUS_IOMMU_FAULT, AVOCET_STATUS_BUS_ERROR}) {
    FakeProcessor p;
    p.on_start = [&](uint64_t job) { p.end_job(job == 11 ? fault : AVOCET_STATUS_OK, 5, 0xDEAD000); };
    p.run({[&] { p.create(1); }, [&] { p.create(2); },
           [&] {
             for (uint64_t i = 0; i < 4; i++) p.submit(1, 10 + i);
             for (uint64_t i = 0; i < 4; i++) p.submit(2, 20 + i);
           }});
    auto completions = p.drain();
    Results first, second;
    for (auto [id, status] : job_results(completions)) (id < 20 ? first : second).emplace_back(id, status);
    constexpr uint32_t ok = AVOCET_STATUS_OK, aborted = AVOCET_STATUS_ABORTED;
    EXPECT_EQ(first, (Results{{10, ok}, {11, uint32_t{fault}}, {12, aborted}, {13, aborted}}));
    EXPECT_EQ(second, (Results{{20, ok}, {21, ok}, {22, ok}, {23, ok}}));
    for (const auto& c : completions) {
      if (c.job_id != 11) continue;
      EXPECT_EQ(c.position, 5u);
      EXPECT_EQ(c.address, 0xDEAD000u);
    }
    EXPECT_NE(p.log().find("job failed context=0x1 job=0xb"), std::string::npos);
  }
}

TEST(Jobs, AStreamErrorLeavesTheContextUsable) {
  FakeProcessor p;
  p.on_start = [&](uint64_t job) { p.end_job(job == 1 ? AVOCET_STATUS_OUT_OF_RANGE : AVOCET_STATUS_OK); };
  p.run({[&] { p.create(1); },
         [&] {
           p.submit(1, 1);
           p.submit(1, 2);
         }});
  EXPECT_EQ(job_results(p.drain()), (Results{{1, AVOCET_STATUS_OUT_OF_RANGE}, {2, AVOCET_STATUS_OK}}));
}

TEST(Jobs, DeadlinePassedBeforeTheStart) {
  FakeProcessor p;
  p.run({[&] { p.create(1); },
         [&] {
           p.submit(1, 1, 1);  // cycle 1 is long past
           p.submit(1, 2, p.now + 1000000);
         }});
  EXPECT_EQ(job_results(p.drain()), (Results{{1, AVOCET_STATUS_DEADLINE}, {2, AVOCET_STATUS_OK}}));
  EXPECT_EQ(p.started, std::vector<uint64_t>{2});
}

void tick(FakeProcessor& p, uint64_t cycles) {
  p.now += cycles;
  p.reg(AVOCET_REG_CORE_EVENTS) |= AVOCET_CORE_EVENTS_TIMER;
}

TEST(Jobs, HeartbeatFollowsTheJobsProgress) {
  FakeProcessor p;
  p.on_start = [](uint64_t) {};
  std::vector<uint32_t> beats;
  auto beat = [&](uint32_t progress) {
    return [&, progress] {
      beats.push_back(p.reg(AVOCET_REG_CORE_HEARTBEAT));
      p.reg(AVOCET_REG_SEQ_PROGRESS) = progress;
      tick(p, 1 << 17);
    };
  };
  p.run({[&] { p.create(1); }, [&] { p.submit(1, 1); }, beat(1), beat(2), beat(2), beat(2), [&] {
           beats.push_back(p.reg(AVOCET_REG_CORE_HEARTBEAT));
           p.end_job(AVOCET_STATUS_OK);
         }});
  ASSERT_EQ(beats.size(), 5u);
  EXPECT_LT(beats[0], beats[1]);
  EXPECT_LT(beats[1], beats[2]);
  EXPECT_EQ(beats[2], beats[3]) << "no progress, no heartbeat";
  EXPECT_EQ(beats[3], beats[4]);
}

TEST(Jobs, AStuckJobIsAbortedAsHang) {
  FakeProcessor p;
  p.on_start = [&](uint64_t job) {
    if (job != 1) p.end_job(AVOCET_STATUS_OK);
  };
  p.run({[&] { p.create(1); }, [&] { p.create(2); }, [&] { p.submit(1, 1); }, [&] { p.submit(2, 2); },
         [&] { tick(p, 1 << 17); }, [&] { tick(p, (1ull << 30) + 10); }});
  EXPECT_EQ(job_results(p.drain()), (Results{{1, AVOCET_STATUS_HANG}, {2, AVOCET_STATUS_OK}}));
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_READY);
}

/// Job 1 of context 1 hangs, and an abort has no effect; every `then` step is as long as the firmware's patience.
void hang_through_an_abort(FakeProcessor& p, int steps) {
  p.on_start = [&p](uint64_t job) {
    if (job != 1) p.end_job(AVOCET_STATUS_OK);
  };
  p.on_abort = [] {};
  std::vector<std::function<void()>> all{[&] { p.create(1); }, [&] { p.create(2); }, [&] { p.submit(1, 1); },
                                         [&] { p.submit(2, 2); }, [&] { tick(p, 1 << 17); }};
  for (int i = 0; i < steps; i++) all.push_back([&] { tick(p, (1ull << 30) + 10); });
  all.push_back([&] { p.message(AVOCET_MESSAGE_TYPE_PING); });
  p.run(all);
}

TEST(Jobs, AnAbortWithoutEffectResetsTheCore) {
  FakeProcessor p;
  hang_through_an_abort(p, 2);
  EXPECT_EQ(p.resets, (std::vector<uint32_t>{0}));
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_READY);
  EXPECT_EQ(job_results(p.drain()), (Results{{1, AVOCET_STATUS_HANG}, {2, AVOCET_STATUS_OK}}));
  EXPECT_NE(p.log().find("<4>core reset core=0x0 context=0x1 job=0x1"), std::string::npos) << p.log();
}

TEST(Jobs, AResetOfTheCoreWithoutEffectHalts) {
  FakeProcessor p;
  p.on_reset = [] {};
  hang_through_an_abort(p, 3);
  EXPECT_EQ(p.resets, (std::vector<uint32_t>{0}));
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_HALTED);
  EXPECT_EQ(p.error(), AVOCET_STATUS_HANG);
  EXPECT_TRUE(job_results(p.drain()).empty());
}

TEST(Jobs, AnAbortWithoutEffectOnHardwareThatCannotResetACoreHalts) {
  FakeProcessor p;
  p.reg(AVOCET_REG_VERSION) = AVOCET_VERSION_MAJOR << 16 | 2;
  hang_through_an_abort(p, 2);
  EXPECT_TRUE(p.resets.empty());
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_HALTED);
  EXPECT_EQ(p.error(), AVOCET_STATUS_HANG);
  EXPECT_TRUE(job_results(p.drain()).empty());
}

TEST(Jobs, ALostSequencerEventIsNoticed) {
  FakeProcessor p;
  p.on_start = [&](uint64_t) {
    p.end_job(AVOCET_STATUS_OK);
    p.reg(AVOCET_REG_CORE_EVENTS) &= ~AVOCET_CORE_EVENTS_SEQUENCER;
  };
  p.run({[&] { p.create(1); }, [&] { p.submit(1, 1); }, [&] { tick(p, 1 << 17); }});
  EXPECT_EQ(job_results(p.drain()), (Results{{1, AVOCET_STATUS_OK}}));
}

TEST(Jobs, DestroyAbortsRunningAndQueuedJobsBeforeItsAnswer) {
  FakeProcessor p;
  p.on_start = [&](uint64_t job) {
    if (job >= 20) p.end_job(AVOCET_STATUS_OK);
  };
  p.on_abort = [] {};  // the sequencer stops a little later
  p.run({[&] { p.create(1); }, [&] { p.create(2); },
         [&] {
           for (uint64_t i = 0; i < 3; i++) p.submit(1, 10 + i);
           p.submit(2, 20);
         },
         [&] { p.message(AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT, 1); }, [&] { p.end_job(AVOCET_STATUS_ABORTED); }});
  auto completions = p.drain();
  Results before_the_answer;
  for (const auto& c : completions) {
    if (c.type == AVOCET_COMPLETION_TYPE_JOB && c.context == 1) before_the_answer.emplace_back(c.job_id, c.status);
    if (c.type == AVOCET_COMPLETION_TYPE_MESSAGE && c.request == p.request) {
      EXPECT_EQ(c.status, AVOCET_STATUS_OK);
      break;
    }
  }
  constexpr uint32_t aborted = AVOCET_STATUS_ABORTED;
  EXPECT_EQ(before_the_answer, (Results{{10, aborted}, {11, aborted}, {12, aborted}}));
  EXPECT_EQ(job_results(completions).size(), 4u) << "the other context's job ran";
}

TEST(Jobs, DestroyWithAFullCompletionRingWaitsForRoom) {
  FakeProcessor p;
  p.make_ring(FakeProcessor::kCompletion, 4, sizeof(avocet_completion));
  p.on_start = [](uint64_t) {};
  std::vector<avocet_completion> all;
  auto take = [&] {
    for (const auto& c : p.drain()) all.push_back(c);
    p.doorbell();
  };
  p.run({[&] { p.create(1, 16); }, take,
         [&] {
           for (uint64_t i = 0; i < 8; i++) p.submit(1, i);
         },
         [&] { p.message(AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT, 1); }, take, take, take, take});
  take();
  Results results = job_results(all);
  ASSERT_EQ(results.size(), 8u);
  for (uint64_t i = 0; i < 8; i++) EXPECT_EQ(results[i], (Results::value_type{i, AVOCET_STATUS_ABORTED}));
  EXPECT_EQ(all.back().type, AVOCET_COMPLETION_TYPE_MESSAGE);
  EXPECT_EQ(all.back().request, p.request);
  EXPECT_EQ(all.back().status, AVOCET_STATUS_OK);
}

TEST(Jobs, AJobRingWithNonsenseHurtsNobodyElse) {
  FakeProcessor p;
  p.run({[&] { p.create(1); }, [&] { p.create(2); },
         [&] {
           auto ring = p.ring(p.jobs(1));
           ring.tail = ring.head + 9;
           p.write(p.jobs(1), ring);
           p.submit(2, 20);
         },
         [&] { p.message(AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT, 1); }});
  auto completions = p.drain();
  EXPECT_EQ(job_results(completions), (Results{{20, AVOCET_STATUS_OK}}));
  EXPECT_EQ(completions.back().status, AVOCET_STATUS_OK);
  const auto told = std::find_if(completions.begin(), completions.end(),
                                 [](const auto& c) { return c.type == AVOCET_COMPLETION_TYPE_RING; });
  ASSERT_NE(told, completions.end());
  EXPECT_EQ(told->status, AVOCET_STATUS_BAD_MESSAGE);
  EXPECT_EQ(told->context, 1u);
  EXPECT_EQ(told->request, uint32_t{AVOCET_PRIORITY_MEDIUM});
  EXPECT_EQ(told->address, p.jobs(1));
}

TEST(Jobs, AJobRingThatCannotBeReadIsToldOnce) {
  FakeProcessor p;
  p.run({[&] { p.create(1); }, [&] { p.create(2); }, [&] { p.bad.emplace_back(p.jobs(1), p.jobs(1) + 192); },
         [&] { p.submit(2, 20); }, [&] { p.submit(2, 21); }});
  std::vector<uint32_t> told;
  for (const auto& c : p.drain())
    if (c.type == AVOCET_COMPLETION_TYPE_RING) told.push_back(c.status);
  EXPECT_EQ(told, (std::vector<uint32_t>{AVOCET_STATUS_BUS_ERROR}));
}

TEST(Jobs, ADriverThatDoesNotKnowReportsOfRingsGetsNone) {
  FakeProcessor p;
  auto boot = p.read<avocet_boot>(FakeProcessor::kBoot);
  boot.version = AVOCET_VERSION_MAJOR << 16 | 2;
  p.write(FakeProcessor::kBoot, boot);
  p.run({[&] { p.create(1); },
         [&] {
           auto ring = p.ring(p.jobs(1));
           ring.tail = ring.head + 9;
           p.write(p.jobs(1), ring);
           p.doorbell();
         }});
  for (const auto& c : p.drain()) EXPECT_EQ(c.type, uint32_t{AVOCET_COMPLETION_TYPE_MESSAGE});
}

TEST(Jobs, AnUnreadableDescriptorBreaksItsContext) {
  FakeProcessor p;
  p.run({[&] { p.create(1); },
         [&] {
           p.submit(1, 5);
           p.bad.emplace_back(p.jobs(1) + sizeof(avocet_ring), p.jobs(1) + sizeof(avocet_ring) + 256);
         }});
  auto results = job_results(p.drain());
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].second, AVOCET_STATUS_BUS_ERROR);
  EXPECT_TRUE(p.started.empty());
}

TEST(Jobs, AnUnwritableCompletionRingHalts) {
  FakeProcessor p;
  p.run({[&] {
    p.bad.emplace_back(FakeProcessor::kCompletion + sizeof(avocet_ring), FakeProcessor::kCompletion + 0x10000);
    p.message(AVOCET_MESSAGE_TYPE_PING);
  }});
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_HALTED);
  EXPECT_EQ(p.error(), AVOCET_STATUS_BUS_ERROR);
}

TEST(Jobs, EveryJobHasTheCycleInWhichItWasSeen) {
  FakeProcessor p;
  p.on_start = [](uint64_t) {};
  std::vector<uint64_t> when;
  std::vector<std::function<void()>> steps;
  auto submit = [&](uint64_t id) {
    return [&, id] {
      p.now += 1000;
      when.push_back(p.now);
      p.submit(1, id);
    };
  };
  auto end = [&] {
    p.now += 1000;
    p.end_job(AVOCET_STATUS_OK);
  };
  p.run({[&] { p.create(1, 32); }, submit(0), submit(1), submit(2), end, end, end});
  auto completions = p.drain();
  ASSERT_EQ(completions.size(), 4u);
  for (size_t i = 0; i < 3; i++) {
    EXPECT_GE(completions[i + 1].doorbell_cycle, when[i]);
    EXPECT_LT(completions[i + 1].doorbell_cycle, when[i] + 1000);
  }
}

}  // namespace
}  // namespace avocet::test
