// SPDX-License-Identifier: Apache-2.0
// Which cycles are work, which are waiting and for what. That the kinds add up is checked by the fake host for every job of
// every suite; here are jobs of which each cycle's kind is known.
#include <gtest/gtest.h>

#include <algorithm>

#include "random_program.hpp"

namespace avocet::test {
namespace {

constexpr uint64_t kLatency = 100, kWalk = 60, kVectorLatency = 8;

class Cycles : public testing::Test {
protected:
  void SetUp() override {
    host_.record_slices = true;
    ASSERT_EQ(host_.open(nullptr, "timed"), "");
    host_.boot();
    host_.region(0, 4 << 20);
  }

  JobCycles run(StreamBuilder &stream, uint32_t tags = 2) {
    host_.slices.clear();
    JobResult result = host_.run(stream.finish(), tags);
    EXPECT_EQ(result.completion.status, unsigned{AVOCET_STATUS_OK});
    EXPECT_EQ(result.cycles.start_cycle, result.completion.start_cycle);
    EXPECT_GE(result.cycles.end_cycle, result.completion.end_cycle);
    return result.cycles;
  }

  static avocet_cmd_dma_load load(uint32_t channel, uint32_t bytes) {
    avocet_cmd_dma_load c{};
    c.channel = channel;
    c.row_bytes = bytes;
    c.count0 = c.count1 = c.count2 = 1;
    return c;
  }

  static avocet_cmd_table table(uint32_t rows) {
    avocet_cmd_table c{};
    c.row_bytes = 64;
    c.y_count = rows;
    return c;
  }

  FakeHost host_;
};

TEST_F(Cycles, VectorWaitsForDmaThenWorks) {
  StreamBuilder stream;
  stream.add(load(0, 64 * 1024));
  stream.set_tag(1);
  stream.wait(AVOCET_UNIT_VECTOR, AVOCET_UNIT_DMA0);
  stream.add(table(100));
  JobCycles job = run(stream);
  // The WAIT reached the unit while the load was on its way, 13 words of load and 3 of WAIT later.
  const uint64_t load_cycles = kWalk + 64 * 1024 / 8 + kLatency;
  const avocet_model_counters &vector = job.units[AVOCET_UNIT_VECTOR];
  EXPECT_EQ(vector.cycles[AVOCET_CYCLE_DMA], load_cycles - AVOCET_WAIT_WORDS);
  EXPECT_EQ(vector.cycles[AVOCET_CYCLE_BUSY], 256 / 64 + 100 + kVectorLatency);
  EXPECT_EQ(vector.cycles[AVOCET_CYCLE_TOKEN], 0u);
  EXPECT_EQ(job.layers[1][AVOCET_UNIT_VECTOR].cycles[AVOCET_CYCLE_DMA], vector.cycles[AVOCET_CYCLE_DMA]);
  EXPECT_EQ(job.layers[0][AVOCET_UNIT_VECTOR].cycles[AVOCET_CYCLE_DMA], 0u);

  const avocet_model_counters &dma = job.units[AVOCET_UNIT_DMA0];
  EXPECT_EQ(dma.cycles[AVOCET_CYCLE_BUSY], 64u * 1024 / 16) << "the channel's data path could do twice the DRAM's rate";
  EXPECT_EQ(dma.cycles[AVOCET_CYCLE_TLB], kWalk);
  EXPECT_EQ(dma.cycles[AVOCET_CYCLE_DRAM], 64u * 1024 / 16 + kLatency);
  EXPECT_EQ(job.layers[0][AVOCET_UNIT_DMA0].cycles[AVOCET_CYCLE_DRAM], dma.cycles[AVOCET_CYCLE_DRAM]);
}

TEST_F(Cycles, WaitsForOtherUnitsAreTokens) {
  StreamBuilder stream;
  stream.add(table(1000));
  stream.wait(AVOCET_UNIT_MAC, AVOCET_UNIT_VECTOR);
  avocet_cmd_matmul m{};
  m.x_count = m.y_count = m.kx_count = m.ky_count = 1;
  m.channels = 16;
  m.weight_bytes = 256;
  stream.add(m);
  JobCycles job = run(stream);
  EXPECT_EQ(job.units[AVOCET_UNIT_MAC].cycles[AVOCET_CYCLE_TOKEN], 4 + 1000 + kVectorLatency - AVOCET_WAIT_WORDS);
  EXPECT_EQ(job.units[AVOCET_UNIT_MAC].cycles[AVOCET_CYCLE_BUSY], 16u + 1 + 16 + 16);
  EXPECT_EQ(job.units[AVOCET_UNIT_REQUANT].cycles[AVOCET_CYCLE_IDLE], job.end_cycle - job.start_cycle);
}

// A WAIT that stands while the unit still drains the command before it: those cycles are work.
TEST_F(Cycles, DrainingBehindAWaitIsWork) {
  StreamBuilder stream;
  stream.add(load(0, 64 * 1024));
  stream.add(table(3));
  stream.wait(AVOCET_UNIT_VECTOR, AVOCET_UNIT_DMA0);
  stream.add(table(5));
  JobCycles job = run(stream);
  const avocet_model_counters &vector = job.units[AVOCET_UNIT_VECTOR];
  EXPECT_EQ(vector.cycles[AVOCET_CYCLE_BUSY], (4 + 3 + kVectorLatency) + (4 + 5 + kVectorLatency));
  const uint64_t load_cycles = kWalk + 64 * 1024 / 8 + kLatency;
  EXPECT_EQ(vector.cycles[AVOCET_CYCLE_DMA], load_cycles - AVOCET_TABLE_WORDS - (4 + 3 + kVectorLatency));
}

// Random programs: the compute units' work is what the profile says, and the channels' is what the timeline shows.
TEST_F(Cycles, AgreeWithProfileAndTimeline) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    ProgramRunner runner(host_, seed);
    RandomCommands &random = runner.random();
    StreamBuilder stream;
    runner.begin(&stream);
    for (uint32_t i = 0; i < 40; ++i) {
      stream.set_tag(i % 5);
      if (random.number(0, 2) == 0) stream.wait_for_all(random.number(AVOCET_UNIT_MAC, AVOCET_UNIT_VECTOR));
      switch (random.number(0, 4)) {
      case 0: stream.add(random.matmul()); break;
      case 1: stream.add(random.binary()); break;
      case 2: stream.add(random.softmax()); break;
      case 3: stream.add(random.dma_load(ProgramRunner::kScratch, ProgramRunner::kScratchBytes)); break;
      default: stream.add(random.dma_fill()); break;
      }
    }
    host_.slices.clear();
    JobResult result = runner.run(&stream, 5);
    uint64_t vector = 0, mac = 0, requant = 0;
    for (const avocet_profile &layer : result.profile) {
      vector += layer.vector_cycles;
      mac += layer.mac_cycles;
      requant += layer.requant_cycles;
    }
    const std::vector<avocet_model_counters> &units = result.cycles.units;
    EXPECT_EQ(units[AVOCET_UNIT_VECTOR].cycles[AVOCET_CYCLE_BUSY], vector);
    EXPECT_EQ(units[AVOCET_UNIT_MAC].cycles[AVOCET_CYCLE_BUSY], mac);
    EXPECT_EQ(units[AVOCET_UNIT_REQUANT].cycles[AVOCET_CYCLE_BUSY], requant);
    for (uint32_t unit = AVOCET_UNIT_DMA0; unit < AVOCET_UNIT_DMA0 + 4; ++unit) {
      uint64_t shown = 0;
      for (const avocet_model_slice &slice : host_.slices)
        if (slice.track == unit) shown += slice.end_cycle - slice.start_cycle;
      const uint64_t *kinds = units[unit].cycles;
      EXPECT_EQ(kinds[AVOCET_CYCLE_BUSY] + kinds[AVOCET_CYCLE_DRAM] + kinds[AVOCET_CYCLE_TLB] + kinds[AVOCET_CYCLE_SRAM], shown)
          << "unit " << unit << ", seed " << seed;
    }
    for (uint32_t unit = 0; unit < AVOCET_UNIT_COUNT; ++unit)
      for (uint32_t kind = 0; kind < AVOCET_CYCLE_IDLE; ++kind) {
        uint64_t layers = 0;
        for (const std::vector<avocet_model_counters> &layer : result.cycles.layers) layers += layer[unit].cycles[kind];
        EXPECT_EQ(layers, units[unit].cycles[kind]) << "unit " << unit << ", kind " << kind;
      }
  }
}

TEST_F(Cycles, BetweenJobsTheFirmwareWorksOrAllIsIdle) {
  StreamBuilder first, second;
  first.add(table(1));
  second.add(table(1));
  JobCycles one = run(first);
  uint64_t cycles = 0;
  avocet_model_counters before{}, after{};
  ASSERT_TRUE(avocet_model_unit_counters(0, AVOCET_UNIT_VECTOR, &cycles, &before));
  JobCycles two = run(second);
  ASSERT_TRUE(avocet_model_unit_counters(0, AVOCET_UNIT_VECTOR, &cycles, &after));
  uint64_t firmware = 0;
  for (const avocet_model_slice &slice : host_.slices)
    if (slice.track == AVOCET_TRACK_FIRMWARE && slice.end_cycle <= two.start_cycle) firmware += slice.end_cycle - slice.start_cycle;
  const uint64_t between = two.start_cycle - one.end_cycle;
  const uint64_t counted = after.cycles[AVOCET_CYCLE_FIRMWARE] - before.cycles[AVOCET_CYCLE_FIRMWARE];
  EXPECT_GT(counted, firmware) << "it starts the job before it sleeps again";
  EXPECT_LE(counted, between);
  EXPECT_FALSE(avocet_model_unit_counters(0, 3, &cycles, &after));
  EXPECT_FALSE(avocet_model_unit_counters(0, 99, &cycles, &after));
}

} // namespace
} // namespace avocet::test
