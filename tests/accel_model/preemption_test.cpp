// SPDX-License-Identifier: Apache-2.0
// A job that is stopped at command boundaries by jobs of higher priority, which overwrite everything it had on the device, gives
// the same bytes, counts and cycles as if it had been left alone. On the engine of $AVOCET_ENGINE. The jobs that interrupt
// are submitted in the device's own time, when the nth command ends, so the runs repeat exactly.
#include <gtest/gtest.h>

#include <cstring>

#include "preempted_program.hpp"

namespace avocet::test {
namespace {

uint32_t steps() { return engine_under_test() == "functional" ? 600 : 60; }
// Functional time is a cycle a command: the firmware needs that many to notice anything.
uint32_t every() { return engine_under_test() == "functional" ? 200 : 25; }

PreemptedRun run(uint32_t seed, uint32_t count, uint32_t chain = 0) {
  return run_preempted(nullptr, engine_under_test(), seed, steps(), every(), count, chain);
}

void expect_same_work(const PreemptedRun &preempted, const PreemptedRun &alone) {
  ASSERT_EQ(preempted.profile.size(), alone.profile.size());
  uint64_t mac_cycles_preempted = 0, mac_cycles_alone = 0;
  for (size_t tag = 0; tag < alone.profile.size(); ++tag) {
    const avocet_profile &a = preempted.profile[tag], &b = alone.profile[tag];
    EXPECT_EQ(a.macs, b.macs) << tag;
    EXPECT_EQ(a.dram_read_bytes, b.dram_read_bytes) << tag;
    EXPECT_EQ(a.dram_write_bytes, b.dram_write_bytes) << tag;
    EXPECT_GE(a.last_cycle, a.first_cycle);
    mac_cycles_preempted += a.mac_cycles;
    mac_cycles_alone += b.mac_cycles;
  }
  EXPECT_GE(mac_cycles_preempted, mac_cycles_alone) << "what overlapped may have come apart";
}

TEST(Preemption, SameBytesAndCounts) {
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    PreemptedRun alone = run(seed, 0), preempted = run(seed, 3);
    EXPECT_TRUE(alone.right);
    EXPECT_EQ(alone.job.request, 0u);
    EXPECT_EQ(preempted.job.status, unsigned{AVOCET_STATUS_OK});
    EXPECT_TRUE(preempted.right) << "seed " << seed;
    EXPECT_GE(preempted.job.request, 1u) << "it was stopped at all";
    EXPECT_EQ(preempted.job.commands, alone.job.commands);
    expect_same_work(preempted, alone);
    for (const avocet_completion &high : preempted.high) EXPECT_EQ(high.status, unsigned{AVOCET_STATUS_OK});
  }
}

// Stopped again while it is fetched, restored, or sent again.
TEST(Preemption, StoppedWhileItComesBack) {
  for (uint32_t seed = 11; seed <= 13; ++seed) {
    PreemptedRun outcome = run(seed, 2, 5);
    EXPECT_EQ(outcome.job.status, unsigned{AVOCET_STATUS_OK});
    EXPECT_TRUE(outcome.right) << "seed " << seed;
    EXPECT_GE(outcome.job.request, 4u);
  }
}

// FakeHost has checked that the cycles of every piece add up.
TEST(Preemption, PiecesMakeTheJob) {
  PreemptedRun outcome = run(7, 3);
  uint64_t pieces = 0, cycles = 0, last_end = 0;
  for (const JobCycles &piece : outcome.pieces) {
    EXPECT_GE(piece.start_cycle, last_end);
    last_end = piece.end_cycle;
    if (piece.job_id != 1) continue;
    ++pieces;
    cycles += piece.end_cycle - piece.start_cycle;
    const bool last = pieces == outcome.job.request + 1;
    EXPECT_EQ(piece.status, last ? unsigned{AVOCET_STATUS_OK} : unsigned{AVOCET_STATUS_PREEMPTED});
  }
  EXPECT_EQ(pieces, outcome.job.request + 1u);
  EXPECT_LT(cycles, outcome.job.end_cycle - outcome.job.start_cycle) << "it was away in between";
  for (const avocet_profile &layer : outcome.profile)
    EXPECT_LE(layer.last_cycle, cycles) << "the profile's clock stands while the job is away";
}

TEST(Preemption, RunsRepeat) {
  PreemptedRun first = run(3, 2), second = run(3, 2);
  EXPECT_EQ(first.job.start_cycle, second.job.start_cycle);
  EXPECT_EQ(first.job.end_cycle, second.job.end_cycle);
  ASSERT_EQ(first.high.size(), second.high.size());
  for (size_t i = 0; i < first.high.size(); ++i) EXPECT_EQ(first.high[i].end_cycle, second.high[i].end_cycle);
}

// The longest command that runs, what is saved, and some firmware.
TEST(Preemption, HighJobsStartInBoundedTime) {
  if (engine_under_test() == "functional") GTEST_SKIP() << "has no time";
  PreemptedRun outcome = run(5, 3);
  ASSERT_FALSE(outcome.high.empty());
  const uint64_t profile = 2 * (100 + 60) + 5 * sizeof(avocet_profile) / 8;
  const uint64_t bound = outcome.longest_command + 100 + outcome.save_area_bytes / 8 + profile + 1000;
  for (const avocet_completion &high : outcome.high) EXPECT_LE(high.start_cycle - high.doorbell_cycle, bound);
}

// ---- one copy after the other through a corner of the SRAM ----

class Copies : public testing::Test {
protected:
  static constexpr uint32_t kCopies = 400, kBytes = 256, kSram = 0x4000;

  void SetUp() override {
    host_.give_save_areas = true;
    host_.on_slice = [this](const avocet_model_slice &slice) {
      if (slice.track >= AVOCET_UNIT_COUNT) return;
      if (slice.job_id == 1 && ++ended_ == kCopies) host_.push(AVOCET_PRIORITY_HIGH, high_);
      if (slice.job_id == high_.job_id && while_away) while_away();
    };
    ASSERT_EQ(host_.open(), "");
    host_.boot();
    host_.open_ring(AVOCET_PRIORITY_HIGH);
    from_ = host_.region(0, kCopies * kBytes);
    to_ = host_.region(1, kCopies * kBytes);
    for (uint32_t i = 0; i < kCopies * kBytes; ++i) from_[i] = static_cast<uint8_t>(i * 7 + i / 256);
    high_ = host_.describe(scribble(hardware_of_device(), 0x5A), 0);
    StreamBuilder stream;
    for (uint32_t i = 0; i < kCopies; ++i) {
      avocet_cmd_dma_load load{};
      load.dram = i * kBytes;
      load.sram = kSram + i % 4 * kBytes;
      load.row_bytes = kBytes;
      load.count0 = load.count1 = load.count2 = 1;
      stream.add(load);
      avocet_cmd_dma_store store{};
      store.region = 1;
      store.dram = load.dram;
      store.sram = load.sram;
      store.row_bytes = kBytes;
      store.count0 = store.count1 = store.count2 = 1;
      stream.add(store);
    }
    stream_ = stream.finish();
  }

  avocet_save saved() {
    avocet_save head;
    std::memcpy(&head, host_.at(medium_area()), sizeof head);
    return head;
  }
  static uint64_t area_bytes() { return (uint64_t{FakeHost::read(AVOCET_REG_SAVE_AREA_BYTES)} + 63) / 64 * 64; }
  uint64_t medium_area() const { return host_.save_area() + area_bytes(); }
  // The copying job's; that of the high one is left in high_status_.
  uint32_t status_of_both() {
    host_.submit(stream_);
    uint32_t status = ~0u;
    for (int i = 0; i < 2; ++i) {
      avocet_completion c = host_.wait().completion;
      (c.job_id == 1 ? status : high_status_) = c.status;
    }
    return status;
  }

  FakeHost host_;
  avocet_job high_{};
  uint8_t *from_ = nullptr, *to_ = nullptr;
  uint32_t ended_ = 0, high_status_ = ~0u;
  std::vector<uint32_t> stream_;
  std::function<void()> while_away;
};

TEST_F(Copies, OnlyWhatTheJobWroteIsSaved) {
  EXPECT_EQ(status_of_both(), unsigned{AVOCET_STATUS_OK});
  EXPECT_EQ(std::memcmp(from_, to_, kCopies * kBytes), 0);
  avocet_save head = saved();
  EXPECT_EQ(head.magic, AVOCET_SAVE_MAGIC);
  EXPECT_EQ(head.job_id, 1u);
  EXPECT_EQ(head.sram_begin, kSram);
  EXPECT_EQ(head.sram_end, kSram + 4 * kBytes);
  EXPECT_EQ(head.acc_begin, head.acc_end);
  EXPECT_GE(head.completed[AVOCET_UNIT_DMA0], kCopies);
  EXPECT_LT(head.completed[AVOCET_UNIT_DMA0], 2 * kCopies);
}

TEST_F(Copies, AForeignSaveAreaIsRefused) {
  while_away = [this] { host_.at(medium_area())[0] = 0; };
  EXPECT_EQ(status_of_both(), unsigned{AVOCET_STATUS_ILLEGAL_FIELD});
  EXPECT_EQ(high_status_, unsigned{AVOCET_STATUS_OK});
}

TEST_F(Copies, RandomSaveAreasDoNoHarm) {
  std::mt19937 random(11);
  while_away = [&] {
    for (int i = 0; i < 3; ++i) host_.at(medium_area())[4 + random() % 124] ^= 1 << random() % 8;
  };
  status_of_both(); // whatever it is, it ends
  ended_ = 2 * kCopies;
  while_away = nullptr;
  EXPECT_EQ(host_.run({avocet_command_header(AVOCET_OP_END, 1, 0)}).completion.status, unsigned{AVOCET_STATUS_OK});
}

TEST_F(Copies, ASaveAreaThatCannotBeWritten) {
  host_.broken_bus = medium_area();
  EXPECT_EQ(status_of_both(), unsigned{AVOCET_STATUS_BUS_ERROR});
  EXPECT_EQ(high_status_, unsigned{AVOCET_STATUS_ABORTED}) << "a bus error breaks the context";
}

} // namespace
} // namespace avocet::test
