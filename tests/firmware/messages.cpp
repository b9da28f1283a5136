// SPDX-License-Identifier: Apache-2.0
// The admin ring: every message, what is refused, and wrap-around of the ring and of its 32-bit indices.
#include <gtest/gtest.h>

#include "fake_processor.hpp"

namespace avocet::test {
namespace {

TEST(Messages, PingReturnsItsArgument) {
  FakeProcessor p;
  p.run({[&] { p.message(AVOCET_MESSAGE_TYPE_PING, 0, 0x1122334455667788); }});
  auto completions = p.drain();
  ASSERT_EQ(completions.size(), 1u);
  EXPECT_EQ(completions[0].type, AVOCET_COMPLETION_TYPE_MESSAGE);
  EXPECT_EQ(completions[0].request, 1u);
  EXPECT_EQ(completions[0].job_id, 0x1122334455667788u);
  EXPECT_EQ(completions[0].status, AVOCET_STATUS_OK);
  EXPECT_EQ(p.interrupts, 1u);
}

uint32_t answer_to(FakeProcessor& p, std::function<void()> send) {
  p.run({std::move(send)});
  auto completions = p.drain();
  EXPECT_FALSE(completions.empty());
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_READY) << "a refused message must not stop the firmware";
  return completions.empty() ? 999 : completions.back().status;
}

TEST(Messages, UnknownTypesAreRefused) {
  for (uint32_t type : {0u, 10u, 11u, 0x80000001u, 0xFFFFFFFFu}) {
    FakeProcessor p;
    EXPECT_EQ(answer_to(p, [&] { p.message(type, 1); }), AVOCET_STATUS_BAD_MESSAGE) << type;
  }
}

TEST(Messages, ReservedMustBeZero) {
  for (int which : {0, 1}) {
    FakeProcessor p;
    avocet_message m{};
    m.type = AVOCET_MESSAGE_TYPE_PING;
    (which ? m.reserved1[3] : static_cast<uint64_t&>(m.reserved1[0])) = which;
    m.reserved0 = which ? 0 : 1;
    EXPECT_EQ(answer_to(p, [&] { p.push(FakeProcessor::kAdmin, m); }), AVOCET_STATUS_BAD_MESSAGE);
  }
}

TEST(Messages, CreateRefusals) {
  auto status_of = [](uint32_t context, uint64_t table, int64_t ring_shift, std::function<void(avocet_ring&)> change) {
    FakeProcessor p;
    return answer_to(p, [&] {
      p.make_ring(p.jobs(1), 8, sizeof(avocet_job));
      auto ring = p.ring(p.jobs(1));
      change(ring);
      p.write(p.jobs(1), ring);
      p.message(AVOCET_MESSAGE_TYPE_CREATE_CONTEXT, context, table, p.jobs(1) + ring_shift);
    });
  };
  auto same = [](avocet_ring&) {};
  constexpr uint64_t kTable = FakeProcessor::kTable;
  EXPECT_EQ(status_of(1, kTable, 0, same), AVOCET_STATUS_OK);
  EXPECT_EQ(status_of(63, kTable, 0, same), AVOCET_STATUS_OK);
  EXPECT_EQ(status_of(0, kTable, 0, same), AVOCET_STATUS_BAD_MESSAGE);
  EXPECT_EQ(status_of(64, kTable, 0, same), AVOCET_STATUS_BAD_MESSAGE);
  EXPECT_EQ(status_of(0xFFFFFFFF, kTable, 0, same), AVOCET_STATUS_BAD_MESSAGE);
  EXPECT_EQ(status_of(1, 0, 0, same), AVOCET_STATUS_BAD_MESSAGE);
  EXPECT_EQ(status_of(1, kTable + 8, 0, same), AVOCET_STATUS_BAD_MESSAGE);
  EXPECT_EQ(status_of(1, kTable, -0x7F000000, same), AVOCET_STATUS_BUS_ERROR);
  EXPECT_EQ(status_of(1, kTable, 0, [](auto& r) { r.entries = 3; }), AVOCET_STATUS_BAD_MESSAGE);
  EXPECT_EQ(status_of(1, kTable, 0, [](auto& r) { r.entry_bytes = 64; }), AVOCET_STATUS_BAD_MESSAGE);
}

TEST(Messages, ContextLivesOnce) {
  FakeProcessor p;
  p.run({[&] { p.create(5); }, [&] { p.create(5); }, [&] { p.message(AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT, 5); },
         [&] { p.message(AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT, 5); },
         [&] { p.message(AVOCET_MESSAGE_TYPE_INVALIDATE, 5); }, [&] { p.create(5); },
         [&] { p.message(AVOCET_MESSAGE_TYPE_INVALIDATE, 5); }});
  std::vector<uint32_t> statuses;
  for (const auto& c : p.drain()) statuses.push_back(c.status);
  constexpr uint32_t ok = AVOCET_STATUS_OK, bad = AVOCET_STATUS_BAD_MESSAGE;
  EXPECT_EQ(statuses, (std::vector<uint32_t>{ok, bad, ok, bad, bad, ok, ok}));
  EXPECT_EQ(p.invalidated, (std::vector<uint32_t>{5, 5, 5, 5})) << "create, destroy, create, invalidate";
}

TEST(Messages, RingWrapsAround) {
  FakeProcessor p;
  p.make_ring(FakeProcessor::kAdmin, 4, sizeof(avocet_message), 0xFFFFFFFD);  // indices wrap too
  p.make_ring(FakeProcessor::kCompletion, 8, sizeof(avocet_completion), 0xFFFFFFFA);
  std::vector<uint64_t> seen;
  auto step = [&] {
    for (const auto& c : p.drain()) seen.push_back(c.job_id);
    for (int i = 0; i < 3; i++) p.message(AVOCET_MESSAGE_TYPE_PING, 0, p.request + 1);
  };
  p.run({step, step, step, step, step, step, step});
  for (const auto& c : p.drain()) seen.push_back(c.job_id);
  ASSERT_EQ(seen.size(), 21u);
  for (size_t i = 0; i < seen.size(); i++) EXPECT_EQ(seen[i], i + 1);
}

TEST(Messages, AdminTailOutOfBoundsHalts) {
  FakeProcessor p;
  p.run({[&] {
    auto ring = p.ring(FakeProcessor::kAdmin);
    ring.tail = ring.head + 17;
    p.write(FakeProcessor::kAdmin, ring);
    p.doorbell();
  }});
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_HALTED);
  EXPECT_EQ(p.error(), AVOCET_STATUS_BAD_MESSAGE);
}

TEST(Messages, SuspendAnswersWhenIdleAndADoorbellResumes) {
  FakeProcessor p;
  p.on_start = [](uint64_t) {};
  uint32_t during = 0, after = 0;
  p.run({[&] { p.create(1); }, [&] { p.submit(1, 7); }, [&] { p.message(AVOCET_MESSAGE_TYPE_SUSPEND); },
         [&] {
           during = p.state();
           p.end_job(AVOCET_STATUS_OK);
         },
         [&] {
           after = p.state();
           p.message(AVOCET_MESSAGE_TYPE_PING);
         }});
  EXPECT_EQ(during, AVOCET_FIRMWARE_STATE_READY);
  EXPECT_EQ(after, AVOCET_FIRMWARE_STATE_SUSPENDED);
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_READY);
  auto completions = p.drain();
  ASSERT_EQ(completions.size(), 4u);
  EXPECT_EQ(completions[1].job_id, 7u);
  EXPECT_EQ(completions[2].request, 2u) << "the suspend's answer follows the job";
}

TEST(Messages, SuspendCanRefuseInsteadOfWaiting) {
  FakeProcessor p;
  p.on_start = [](uint64_t) {};
  std::vector<uint32_t> states;
  auto note = [&] { states.push_back(p.state()); };
  p.run({[&] { p.create(1); }, [&] { p.submit(1, 7); }, [&] { p.message(AVOCET_MESSAGE_TYPE_SUSPEND, 0, 1); },
         [&] {
           note();
           p.end_job(AVOCET_STATUS_OK);
         },
         [&] { p.message(AVOCET_MESSAGE_TYPE_SUSPEND, 0, 1); },
         [&] {
           note();
           p.message(AVOCET_MESSAGE_TYPE_RESUME);
         },
         [&] {
           note();
           p.submit(1, 8);
         },
         [&] { p.end_job(AVOCET_STATUS_OK); }, [&] { p.message(AVOCET_MESSAGE_TYPE_SUSPEND, 0, 2); }});
  EXPECT_EQ(states, (std::vector<uint32_t>{AVOCET_FIRMWARE_STATE_READY, AVOCET_FIRMWARE_STATE_SUSPENDED,
                                           AVOCET_FIRMWARE_STATE_READY}));
  std::vector<uint32_t> statuses;
  for (const auto& c : p.drain()) statuses.push_back(c.status);
  EXPECT_EQ(statuses, (std::vector<uint32_t>{AVOCET_STATUS_OK, AVOCET_STATUS_BUSY, AVOCET_STATUS_OK, AVOCET_STATUS_OK,
                                             AVOCET_STATUS_OK, AVOCET_STATUS_OK, AVOCET_STATUS_BAD_MESSAGE}))
      << "create, busy, job 7, suspend, resume, job 8 of the context that was kept, unknown argument";
}

TEST(Messages, SuspendRefusesWhileAJobIsParked) {
  FakeProcessor p;
  p.give_save_areas();
  p.on_start = [](uint64_t) {};
  p.run({[&] { p.create(1); }, [&] { p.create_ring(1, AVOCET_PRIORITY_HIGH); }, [&] { p.submit(1, 7); },
         [&] { p.submit_at(1, AVOCET_PRIORITY_HIGH, 8); }, [&] { p.message(AVOCET_MESSAGE_TYPE_SUSPEND, 0, 1); }});
  EXPECT_EQ(p.drain().back().status, AVOCET_STATUS_BUSY);
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_READY);
}

// ---- RESET_ENGINE ----

/// Context 1's job 7 does not let go of an abort, and DESTROY_CONTEXT waits for it.
void destroy_a_stuck_job(FakeProcessor& p, std::vector<std::function<void()>> then) {
  p.on_start = [&p](uint64_t job) {
    if (job != 7) p.end_job(AVOCET_STATUS_OK);
  };
  p.on_abort = [] {};
  std::vector<std::function<void()>> steps{[&] { p.create(1); }, [&] { p.create(2); }, [&] { p.submit(1, 7); },
                                           [&] { p.submit(1, 8); }, [&] { p.message(AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT, 1); }};
  steps.insert(steps.end(), then.begin(), then.end());
  p.run(steps);
}

TEST(Messages, AResetOfTheEngineOvertakesWhatWaitsForIt) {
  FakeProcessor p;
  destroy_a_stuck_job(p, {[&] {
                            p.message(AVOCET_MESSAGE_TYPE_RESET_ENGINE, 0, 0, 7);
                            p.message(AVOCET_MESSAGE_TYPE_PING, 0, 55);
                          },
                          [&] { p.submit(2, 20); }});
  EXPECT_EQ(p.resets, (std::vector<uint32_t>{0}));
  std::vector<std::pair<uint64_t, uint32_t>> ended;
  std::vector<uint32_t> answered;
  for (const auto& c : p.drain()) {
    if (c.type == AVOCET_COMPLETION_TYPE_JOB) ended.emplace_back(c.job_id, c.status);
    if (c.type == AVOCET_COMPLETION_TYPE_MESSAGE) answered.push_back(c.request);
  }
  EXPECT_EQ(ended, (std::vector<std::pair<uint64_t, uint32_t>>{
                       {7, AVOCET_STATUS_HANG}, {8, AVOCET_STATUS_ABORTED}, {20, AVOCET_STATUS_OK}}));
  EXPECT_EQ(answered, (std::vector<uint32_t>{1, 2, 4, 3, 5})) << "the reset before the destruction, the ping behind both";
}

TEST(Messages, OthersDoNotOvertake) {
  FakeProcessor p;
  destroy_a_stuck_job(p, {[&] { p.message(AVOCET_MESSAGE_TYPE_PING); }, [&] { p.submit(2, 20); }});
  for (const auto& c : p.drain()) EXPECT_LT(c.request, 3u);
}

TEST(Messages, AResetOfTheEngineNamesItsJob) {
  FakeProcessor p;
  p.on_start = [](uint64_t) {};
  p.run({[&] { p.create(1); }, [&] { p.submit(1, 7); }, [&] { p.message(AVOCET_MESSAGE_TYPE_RESET_ENGINE, 0, 0, 8); },
         [&] { p.message(AVOCET_MESSAGE_TYPE_RESET_ENGINE, 0, 1, 7); }});
  EXPECT_TRUE(p.resets.empty()) << "another job is there by now; there is one core";
  auto completions = p.drain();
  ASSERT_EQ(completions.size(), 3u);
  EXPECT_EQ(completions[1].status, AVOCET_STATUS_OK);
  EXPECT_EQ(completions[2].status, AVOCET_STATUS_BAD_MESSAGE);
}

TEST(Messages, AnEngineOfAnOlderDeviceIsNotReset) {
  FakeProcessor p;
  p.reg(AVOCET_REG_VERSION) = AVOCET_VERSION_MAJOR << 16 | 2;
  p.on_start = [](uint64_t) {};
  p.run({[&] { p.create(1); }, [&] { p.submit(1, 7); }, [&] { p.message(AVOCET_MESSAGE_TYPE_RESET_ENGINE, 0, 0, 7); }});
  EXPECT_TRUE(p.resets.empty());
  EXPECT_EQ(p.drain().back().status, AVOCET_STATUS_BAD_MESSAGE);
}

TEST(Messages, LogLevels) {
  FakeProcessor p;
  auto level = [&](uint64_t value) { return [&p, value] { p.message(AVOCET_MESSAGE_TYPE_SET_LOG_LEVEL, 0, value); }; };
  auto bad = [&] { p.message(77); };
  p.run({level(AVOCET_FIRMWARE_LOG_ERROR), bad, level(AVOCET_FIRMWARE_LOG_WARNING), bad, level(5)});
  const std::string log = p.log();
  EXPECT_EQ(log, "<6>firmware ready version=0x10003\n<4>message refused type=0x4d context=0x0 status=0xd\n"
                 "<4>message refused type=0x8 context=0x0 status=0xd\n");
}

TEST(Messages, PreemptionIsLoggedAtDebugLevel) {
  for (uint32_t level : {AVOCET_FIRMWARE_LOG_INFO, AVOCET_FIRMWARE_LOG_DEBUG}) {
    FakeProcessor p;
    p.give_save_areas();
    p.on_start = [](uint64_t) {};
    auto end = [&] { p.end_job(AVOCET_STATUS_OK); };
    p.run({[&] { p.create(1); }, [&] { p.create_ring(1, AVOCET_PRIORITY_HIGH); },
           [&] { p.message(AVOCET_MESSAGE_TYPE_SET_LOG_LEVEL, 0, level); }, [&] { p.submit(1, 7); },
           [&] { p.submit_at(1, AVOCET_PRIORITY_HIGH, 8); }, end, end});
    const bool debug = level == AVOCET_FIRMWARE_LOG_DEBUG;
    EXPECT_EQ(p.log().find("<7>preempted context=0x1 job=0x7") != std::string::npos, debug) << p.log();
    EXPECT_EQ(p.log().find("<7>resumed context=0x1 job=0x7") != std::string::npos, debug) << p.log();
  }
}

TEST(Messages, AFullLogDropsWholeLinesAndServesOn) {
  FakeProcessor p;
  p.make_ring(FakeProcessor::kLog, 128, 1);
  p.run({[&] { p.message(77); }, [&] { p.message(78); }, [&] { p.message(79); }, [&] { p.message(80); }});
  EXPECT_EQ(p.drain().size(), 4u);
  std::string log = p.log();
  EXPECT_EQ(log.back(), '\n');
  EXPECT_NE(log.find("message refused type=0x4d"), std::string::npos) << log;
}

}  // namespace
}  // namespace avocet::test
