// SPDX-License-Identifier: Apache-2.0
// DMA on a device with DDR4: jobs reach what the memory gives, and cost the same in every run.
#include <gtest/gtest.h>

#include <cstring>

#include "random_program.hpp"

namespace avocet::test {
namespace {

constexpr double kPeak = 19.2; // bytes per cycle

class DramTiming : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(host_.open(AVOCET_SOURCE_DIR "/tests/accel_model/ddr4.json", "timed"), "");
    host_.boot();
    memory_ = host_.region(0, 8 << 20);
  }

  static avocet_cmd_dma_load load(uint32_t channel, uint32_t row_bytes, uint32_t rows = 1, uint32_t stride = 0) {
    avocet_cmd_dma_load c{};
    c.channel = channel;
    c.row_bytes = row_bytes;
    c.count0 = rows;
    c.dram_stride0 = stride;
    c.count1 = c.count2 = 1;
    return c;
  }

  // From the first command's start to the last one's end.
  uint64_t run(StreamBuilder &stream, uint32_t tags) {
    JobResult result = host_.run(stream.finish(), tags);
    EXPECT_EQ(result.completion.status, unsigned{AVOCET_STATUS_OK});
    uint64_t first = UINT64_MAX, last = 0;
    for (const avocet_profile &p : result.profile) first = std::min(first, p.first_cycle), last = std::max(last, p.last_cycle);
    return last - first;
  }

  FakeHost host_;
  uint8_t *memory_ = nullptr;
};

TEST_F(DramTiming, OneChannelStreams) {
  StreamBuilder stream;
  for (int i = 0; i < 16; ++i) stream.add(load(0, 256 * 1024));
  EXPECT_GE(16 * 256 * 1024 / static_cast<double>(run(stream, 1)), 0.9 * kPeak);
}

TEST_F(DramTiming, FourChannelsStreamTogether) {
  StreamBuilder stream;
  for (uint32_t channel = 0; channel < 4; ++channel) {
    stream.set_tag(channel);
    avocet_cmd_dma_load c = load(channel, 256 * 1024);
    c.dram = channel * (2 << 20);
    for (int i = 0; i < 4; ++i) stream.add(c);
  }
  EXPECT_GE(16 * 256 * 1024 / static_cast<double>(run(stream, 4)), 0.85 * kPeak);
}

TEST_F(DramTiming, DeviceTellsWhatStreamingReaches) {
  const double told = FakeHost::read(AVOCET_REG_DRAM_MILLIBYTES_PER_CYCLE) / 1000.0;
  EXPECT_GT(told, 0.9 * kPeak);
  EXPECT_LT(told, kPeak);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_DRAM_LATENCY), 40u + 30u); // RCD, CL and burst are 30 ns
}

TEST_F(DramTiming, CountersAreTheJobs) {
  avocet_model_dram_counters before{}, after{};
  ASSERT_TRUE(avocet_model_memory_counters(&before));
  StreamBuilder stream;
  avocet_cmd_dma_load rows = load(1, 64, 1000, 4096);
  stream.add(rows);
  avocet_cmd_dma_store store{};
  store.channel = 2;
  store.dram = 4 << 20;
  store.row_bytes = 10000;
  store.count0 = store.count1 = store.count2 = 1;
  stream.add(store);
  const uint64_t stream_bytes = (AVOCET_DMA_LOAD_WORDS + AVOCET_DMA_STORE_WORDS + AVOCET_END_WORDS) * 4;
  run(stream, 1);
  ASSERT_TRUE(avocet_model_memory_counters(&after));
  EXPECT_EQ(after.read_bytes - before.read_bytes, 64000u + stream_bytes);
  EXPECT_EQ(after.write_bytes - before.write_bytes, 10000u + sizeof(avocet_profile));
  EXPECT_GE(after.row_hits + after.row_misses + after.row_conflicts - before.row_hits - before.row_misses - before.row_conflicts, 1000u);
}

TEST_F(DramTiming, BytesArriveWholeAndInOrder) {
  for (uint32_t i = 0; i < 300000; ++i) memory_[i] = static_cast<uint8_t>(i * 7 + i / 251);
  StreamBuilder stream;
  stream.add(load(0, 300000));
  stream.wait(AVOCET_UNIT_DMA0 + 1, AVOCET_UNIT_DMA0);
  avocet_cmd_dma_store store{};
  store.channel = 1;
  store.dram = 1 << 20;
  store.row_bytes = 300000;
  store.count0 = store.count1 = store.count2 = 1;
  stream.add(store);
  run(stream, 1);
  EXPECT_EQ(std::vector<uint8_t>(memory_, memory_ + 300000), std::vector<uint8_t>(memory_ + (1 << 20), memory_ + (1 << 20) + 300000));
}

// A program of all kinds costs the same from the same start, twice: after a power cycle.
TEST_F(DramTiming, RunsAreEqual) {
  std::vector<uint64_t> ends;
  std::vector<avocet_model_dram_counters> counters(2);
  for (size_t i = 0; i < 2; ++i) {
    host_.close();
    FakeHost host;
    ASSERT_EQ(host.open(AVOCET_SOURCE_DIR "/tests/accel_model/ddr4.json", "timed"), "");
    host.boot();
    host.region(0, 8 << 20);
    StreamBuilder stream;
    for (uint32_t n = 0; n < 40; ++n) {
      avocet_cmd_dma_load c = load(n % 4, 100 + 37 * n, 50, 4096 + 64 * n);
      c.dram = n * 1000;
      stream.add(c);
    }
    JobResult result = host.run(stream.finish(), 1);
    ends.push_back(result.completion.end_cycle);
    ASSERT_TRUE(avocet_model_memory_counters(&counters[i]));
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(std::memcmp(&counters[0], &counters[1], sizeof counters[0]), 0);
}

} // namespace
} // namespace avocet::test
