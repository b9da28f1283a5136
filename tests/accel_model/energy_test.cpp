// SPDX-License-Identifier: Apache-2.0
// Events of commands of each kind, counted by hand, and what they cost at the default configuration's prices.
#include <gtest/gtest.h>

#include "random_program.hpp"

namespace avocet::test {
namespace {

class Energy : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(host_.open(nullptr, "timed"), "");
    host_.boot();
    host_.region(0, 1 << 20);
  }

  JobCycles run(StreamBuilder &stream, uint32_t tags) {
    JobResult result = host_.run(stream.finish(), tags);
    EXPECT_EQ(result.completion.status, unsigned{AVOCET_STATUS_OK});
    return result.cycles;
  }

  static uint64_t events(const avocet_model_energy &energy, avocet_model_event event) { return energy.events[event]; }

  FakeHost host_;
};

TEST_F(Energy, ProductAndRequantisation) {
  StreamBuilder stream;
  avocet_cmd_matmul m{};
  m.x_count = 50;
  m.y_count = m.kx_count = m.ky_count = 1;
  m.channels = 20; // two passes of 16 rows
  m.weight_bytes = 512;
  stream.add(m);
  stream.wait_for_all(AVOCET_UNIT_REQUANT);
  stream.set_tag(1);
  avocet_cmd_requant r{};
  r.channels = 10;
  r.x_count = 50;
  r.y_count = 1;
  r.x_stride = 10;
  r.clamp_max = 1;
  stream.add(r);
  const JobCycles job = run(stream, 2);
  const avocet_model_energy &product = job.layer_energy[0], &requant = job.layer_energy[1];
  EXPECT_EQ(events(product, AVOCET_EVENT_SRAM_BYTE), 512u + 50 * 20);
  EXPECT_EQ(events(product, AVOCET_EVENT_ACCUMULATOR_BYTE), 50u * 16 * 4 * 3) << "written, then read and written";
  EXPECT_EQ(events(product, AVOCET_EVENT_MAC), 0u) << "how many columns are useful is known when they are stored";
  EXPECT_EQ(events(requant, AVOCET_EVENT_MAC), 50u * 20 * 10);
  EXPECT_EQ(events(requant, AVOCET_EVENT_REQUANT), 500u);
  EXPECT_EQ(events(requant, AVOCET_EVENT_SRAM_BYTE), 10u * 12 + 500);
  EXPECT_EQ(events(requant, AVOCET_EVENT_ACCUMULATOR_BYTE), 2000u);
  // Default prices: 0.3, 3.3, 2.5 and 1.25 pJ.
  EXPECT_EQ(requant.femtojoules[AVOCET_EVENT_MAC], 10000u * 300);
  EXPECT_EQ(requant.femtojoules[AVOCET_EVENT_REQUANT], 500u * 3300);
  EXPECT_EQ(requant.femtojoules[AVOCET_EVENT_SRAM_BYTE], 620u * 2500);
  EXPECT_EQ(requant.femtojoules[AVOCET_EVENT_ACCUMULATOR_BYTE], 2000u * 1250);
}

TEST_F(Energy, VectorUnitReadsALaneEachCycleAndWritesItsOutput) {
  StreamBuilder stream;
  avocet_cmd_table t{};
  t.row_bytes = 130; // 3 cycles of 64 lanes
  t.y_count = 5;
  stream.add(t);
  const JobCycles job = run(stream, 1);
  const uint64_t operations = (256 / 64 + 5 * 3) * 64;
  EXPECT_EQ(events(job.energy, AVOCET_EVENT_VECTOR), operations);
  EXPECT_EQ(events(job.energy, AVOCET_EVENT_SRAM_BYTE), operations + 5 * 130);
}

TEST_F(Energy, TransfersInFourDimensions) {
  StreamBuilder stream;
  avocet_cmd_dma_load l{};
  l.row_bytes = 10;
  l.count0 = 3;
  l.count1 = 4;
  l.count2 = 5;
  l.dram_stride0 = 64, l.dram_stride1 = 1000, l.dram_stride2 = 10000;
  l.sram_stride0 = 10, l.sram_stride1 = 30, l.sram_stride2 = 120;
  stream.add(l);
  stream.set_tag(1);
  avocet_cmd_dma_fill f{};
  f.sram = 1000;
  f.row_bytes = 7;
  f.count0 = 3;
  f.count1 = 2;
  f.stride0 = 10, f.stride1 = 100;
  stream.add(f);
  const JobCycles job = run(stream, 2);
  const uint64_t dram_bytes = 600 + AVOCET_DMA_LOAD_WORDS * 4 + sizeof(avocet_profile); // with the command and its layer's record
  EXPECT_EQ(events(job.layer_energy[0], AVOCET_EVENT_DRAM_BYTE), dram_bytes);
  EXPECT_EQ(events(job.layer_energy[0], AVOCET_EVENT_SRAM_BYTE), 600u);
  EXPECT_EQ(events(job.layer_energy[1], AVOCET_EVENT_SRAM_BYTE), 42u);
  EXPECT_EQ(job.layer_energy[0].femtojoules[AVOCET_EVENT_DRAM_BYTE], dram_bytes * 162500);
}

// Leakage: a layer has the cycles by which it moved the end, the whole has all.
TEST_F(Energy, LeakageGoesByCycles) {
  StreamBuilder stream;
  avocet_cmd_table t{};
  t.row_bytes = 64;
  t.y_count = 1000;
  stream.add(t);
  stream.set_tag(1);
  stream.add(t);
  const JobCycles job = run(stream, 2);
  EXPECT_EQ(events(job.layer_energy[1], AVOCET_EVENT_CYCLE), 1004u);
  EXPECT_EQ(events(job.energy, AVOCET_EVENT_CYCLE), job.end_cycle - job.start_cycle);
  EXPECT_EQ(job.energy.femtojoules[AVOCET_EVENT_CYCLE], (job.end_cycle - job.start_cycle) * 30000);
}

// With a record for each tag nothing is lost: whole programs of random commands.
TEST_F(Energy, LayersAddUpToTheJob) {
  ProgramRunner runner(host_, 11);
  StreamBuilder stream;
  runner.begin(&stream);
  for (uint32_t tag = 1; tag < 20; ++tag) {
    stream.set_tag(tag);
    stream.add(runner.random().matmul());
    stream.add(runner.random().binary());
  }
  const JobCycles job = run(stream, 20);
  for (uint32_t event = 0; event < AVOCET_EVENT_KINDS; ++event) {
    uint64_t sum = 0;
    for (const avocet_model_energy &layer : job.layer_energy) sum += layer.events[event];
    if (event == AVOCET_EVENT_CYCLE)
      EXPECT_LE(sum, job.energy.events[event]);
    else
      EXPECT_EQ(sum, job.energy.events[event]) << event;
  }
}

} // namespace
} // namespace avocet::test
