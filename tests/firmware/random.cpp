// SPDX-License-Identifier: Apache-2.0
// Seeded random drivers and sequencers. A driver that keeps the rules gets every job back once and in order, whatever the priorities,
// cores and preemptions; one that writes garbage cannot stop the firmware from serving its admin ring.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "fake_processor.hpp"

namespace avocet::test {
namespace {

class Randomly {
 public:
  explicit Randomly(uint32_t seed) : random_(seed) {
    cores_ = number(0, 1) ? 1 : number(2, 16);
    p.reg(AVOCET_REG_CORES) = cores_;
    if (number(0, 3) > 0) p.give_save_areas(cores_);
    p.make_ring(FakeProcessor::kCompletion, 4u << number(0, 4), sizeof(avocet_completion), 0xFFFFFFF0u);
    p.on_start = [this](uint64_t) { maybe_end(3); };
    p.on_preempt = [this] {
      asked_[p.core] = number(0, 2) == 0; // it takes a while
      if (!asked_[p.core]) p.end_job(AVOCET_STATUS_PREEMPTED);
    };
    p.on_abort = [this] {
      if (number(0, 2) > 0) p.end_job(AVOCET_STATUS_ABORTED);
    };
  }

  uint32_t number(uint32_t low, uint32_t high) { return std::uniform_int_distribution<uint32_t>(low, high)(random_); }

  /// Runs `count` random steps, then lets everything end.
  void run(std::function<void()> step, int count) {
    std::vector<std::function<void()>> steps(count, std::move(step));
    for (int i = 0; i < 600; i++) steps.push_back([this] { settle(); });
    p.run(steps);
    take();
  }
  void take() {
    for (const auto& c : p.drain()) completions.push_back(c);
  }
  void doorbell_after_take() {
    take();
    p.doorbell();
  }
  /// The job on some core ends.
  void end_some() {
    p.core = number(0, cores_ - 1);
    if (!p.seq(AVOCET_REG_SEQ_STATE)) return;
    p.now += number(1, 5000);
    p.end_job(asked_[p.core] && number(0, 1) ? AVOCET_STATUS_PREEMPTED : ending());
    asked_[p.core] = false;
  }
  void tick() {
    p.now += number(1, 1 << 18);
    p.reg(AVOCET_REG_CORE_EVENTS) |= AVOCET_CORE_EVENTS_TIMER;
  }

  FakeProcessor p;
  std::vector<avocet_completion> completions;
  bool faults = false; // jobs end with any status

 private:
  uint32_t ending() { return faults && number(0, 2) == 0 ? number(0, 40) : AVOCET_STATUS_OK; }
  void maybe_end(uint32_t odds) {
    p.now += number(1, 1000);
    if (number(0, odds) == 0) p.end_job(ending());
  }
  void settle() {
    faults = false;
    for (p.core = 0; p.core < cores_; p.core++) {
      if (p.seq(AVOCET_REG_SEQ_STATE)) p.end_job(AVOCET_STATUS_OK);
    }
    p.core = 0;
    doorbell_after_take();
  }

  std::mt19937 random_;
  uint32_t cores_;
  bool asked_[AVOCET_CORES_MAX] = {}; // to stop its job
};

TEST(Random, EveryJobComesBackOnceAndInItsOrder) {
  constexpr uint32_t kContexts = 6;
  for (uint32_t seed = 0; seed < 50; seed++) {
    Randomly r(seed);
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
          r.p.submit_at(context, priority, uint64_t{context} << 32 | priority << 24 | ++submitted[{context, priority}]);
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
    Randomly r(seed);
    r.faults = true;
    auto address = [&]() -> uint64_t {
      switch (r.number(0, 4)) {
        case 0: return r.p.ring_of(r.number(0, 9), r.number(0, 2));
        case 1: return FakeProcessor::kTable;
        case 2: return r.number(0, 3);
        case 3: return FakeProcessor::kBase + r.number(0, 0x100000) / 8 * 8;
        default: return uint64_t{r.number(0, UINT32_MAX)} << 32 | r.number(0, UINT32_MAX);
      }
    };
    auto message = [&] {
      avocet_ring admin = r.p.ring(FakeProcessor::kAdmin);
      if (admin.tail - admin.head == admin.entries) return r.doorbell_after_take();
      avocet_message m{};
      m.type = r.number(0, 10);
      m.request = ++r.p.request;
      m.context = r.number(0, 20) ? r.number(0, 9) : r.number(0, UINT32_MAX);
      m.argument0 = r.number(0, 2) ? r.number(0, 8) : address();
      if (m.type == AVOCET_MESSAGE_TYPE_CREATE_CONTEXT && r.number(0, 3)) m.argument0 = FakeProcessor::kTable;
      m.argument1 = address();
      if (r.number(0, 30) == 0) m.reserved0 = 1;
      if (r.number(0, 30) == 0) m.reserved1[r.number(0, 3)] = 1;
      r.p.push(FakeProcessor::kAdmin, m);
    };
    auto ring_garbage = [&] {
      uint64_t at = r.p.ring_of(r.number(1, 9), r.number(0, 2));
      if (r.number(0, 1)) return r.p.make_ring(at, 8, sizeof(avocet_job), r.number(0, UINT32_MAX));
      avocet_ring ring = r.p.ring(at);
      (r.number(0, 2) ? ring.tail : ring.entries) = r.number(0, 1) ? ring.head + r.number(0, 9) : r.number(0, UINT32_MAX);
      r.p.write(at, ring);
      r.p.doorbell();
    };
    auto job = [&] {
      uint64_t at = r.p.ring_of(r.number(1, 9), r.number(0, 2));
      if (r.p.ring(at).entries == 8) r.p.push(at, avocet_job{.job_id = r.number(0, UINT32_MAX)});
    };
    auto step = [&] {
      switch (r.number(0, 7)) {
        case 0:
        case 1: return message();
        case 2: return ring_garbage();
        case 3:
        case 4: return job();
        case 5: return r.end_some();
        case 6: return r.tick();
        default: return r.doorbell_after_take();
      }
    };
    r.run(step, 500);
    EXPECT_EQ(r.p.state(), AVOCET_FIRMWARE_STATE_READY) << "seed " << seed;
    uint32_t answered = 0;
    for (const auto& c : r.completions) {
      if (c.type == AVOCET_COMPLETION_TYPE_MESSAGE) EXPECT_EQ(c.request, ++answered) << "each once, in order; seed " << seed;
    }
    EXPECT_EQ(answered, r.p.request) << "seed " << seed;
  }
}

}  // namespace
}  // namespace avocet::test
