// SPDX-License-Identifier: Apache-2.0
// The cycles that accel_model/cycles.md promises, measured through the profile on the timed engine.
#include <gtest/gtest.h>

#include "random_program.hpp"

namespace avocet::test {
namespace {

constexpr uint64_t kRows = 16, kColumns = 16, kLatency = 100, kWalk = 60, kRequantLatency = 8, kVectorLatency = 8;

class Timing : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(host_.open(nullptr, "timed"), "");
    host_.boot();
    host_.region(0, 4 << 20);
  }

  std::vector<avocet_profile> profile(StreamBuilder &stream, uint32_t tags) {
    JobResult result = host_.run(stream.finish(), tags);
    EXPECT_EQ(result.completion.status, unsigned{AVOCET_STATUS_OK});
    return result.profile;
  }

  static avocet_cmd_matmul matmul(uint32_t outputs, uint32_t passes) {
    avocet_cmd_matmul c{};
    c.x_count = outputs;
    c.y_count = c.kx_count = c.ky_count = 1;
    c.channels = passes * kRows;
    c.weight_bytes = passes * kRows * kColumns;
    return c;
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

  static uint64_t length(const avocet_profile &p) { return p.last_cycle - p.first_cycle; }

  FakeHost host_;
};

// Fill, stream, drain; passes back to back.
TEST_F(Timing, MatmulClosedForm) {
  for (uint64_t outputs : {1u, 5u, 16u, 17u, 300u})
    for (uint64_t passes : {1u, 2u, 9u}) {
      StreamBuilder stream;
      stream.add(matmul(static_cast<uint32_t>(outputs), static_cast<uint32_t>(passes)));
      uint64_t expected = kRows + (passes - 1) * std::max(outputs, kRows) + outputs + kRows + kColumns;
      avocet_profile p = profile(stream, 1)[0];
      EXPECT_EQ(p.mac_cycles, expected) << outputs << " outputs, " << passes << " passes";
      EXPECT_EQ(length(p), expected);
    }
}

// Commands back to back keep the array streaming: only the first pays for its fill, only the last for its drain.
TEST_F(Timing, MatmulsBackToBack) {
  StreamBuilder stream;
  for (int i = 0; i < 10; ++i) stream.add(matmul(200, 3));
  EXPECT_EQ(profile(stream, 1)[0].mac_cycles, kRows + 10 * 3 * 200 + kRows + kColumns);
}

TEST_F(Timing, MacsAreTheUsefulOnes) {
  StreamBuilder stream;
  avocet_cmd_matmul m = matmul(50, 2);
  m.channels = 20; // of 32
  stream.add(m);
  m.accumulate = 1;
  stream.add(m);
  stream.wait_for_all(AVOCET_UNIT_REQUANT);
  stream.set_tag(1);
  avocet_cmd_requant r{};
  r.channels = 10; // of 16
  r.x_count = 50;
  r.y_count = 1;
  r.x_stride = 10;
  r.clamp_max = 1;
  stream.add(r);
  std::vector<avocet_profile> p = profile(stream, 2);
  EXPECT_EQ(p[0].macs, 0u) << "how many columns are useful is known when they are stored";
  EXPECT_EQ(p[1].macs, 50u * 2 * 20 * 10);
  EXPECT_EQ(p[1].requant_cycles, 10 + 50 + kRequantLatency);
}

TEST_F(Timing, VectorUnit) {
  StreamBuilder stream;
  avocet_cmd_depthwise d{};
  d.multiplier = 1;
  d.channels = d.input_channels = 40;
  d.in_width = d.in_height = 10;
  d.in_x_stride = 40;
  d.in_y_stride = 400;
  d.x_count = d.y_count = 8;
  d.x_stride = 40;
  d.y_stride = 320;
  d.kernel_width = d.kernel_height = 3;
  d.conv_stride_x = d.conv_stride_y = d.dilation_x = d.dilation_y = 1;
  d.clamp_max = 1;
  stream.add(d);
  stream.set_tag(1);
  avocet_cmd_pool pool{};
  pool.channels = 40;
  pool.in_width = pool.in_height = 10;
  pool.in_x_stride = 40;
  pool.in_y_stride = 400;
  pool.x_count = pool.y_count = 5;
  pool.kernel_width = pool.kernel_height = 2;
  pool.pool_stride_x = pool.pool_stride_y = 2;
  pool.clamp_max = 1;
  stream.add(pool);
  stream.set_tag(2);
  avocet_cmd_add add{};
  add.row_bytes = 1000;
  add.y_count = 3;
  add.clamp_max = 1;
  stream.add(add);
  std::vector<avocet_profile> p = profile(stream, 3);
  // ceil(8 * 40 / 64) groups, 9 taps, 8 rows; 480 bytes of parameters.
  EXPECT_EQ(p[0].vector_cycles, 5u * 9 * 8 + 8 + kVectorLatency);
  EXPECT_EQ(p[0].macs, 8u * 8 * 40 * 9);
  // The pipeline's latency is shared with the command before.
  EXPECT_EQ(p[1].vector_cycles, 4u * 4 * 5);
  EXPECT_EQ(p[2].vector_cycles, 2u * 16 * 3);
}

// Vector cycles of one command alone, with its latency.
#define EXPECT_VECTOR_CYCLES(command, expected)                                                                        \
  do {                                                                                                                 \
    StreamBuilder stream;                                                                                              \
    stream.add(command);                                                                                               \
    EXPECT_EQ(profile(stream, 1)[0].vector_cycles, (expected) + kVectorLatency);                                       \
  } while (false)

TEST_F(Timing, AddWithScalarRows) {
  avocet_cmd_add c{};
  c.row_bytes = 1000;
  c.y_count = 3;
  EXPECT_VECTOR_CYCLES(c, 3u * (16 + 16));
  c.b_scalar = 1;
  EXPECT_VECTOR_CYCLES(c, 3u * (16 + 1));
  c.a_scalar = 1;
  EXPECT_VECTOR_CYCLES(c, 3u * (1 + 1));
}

TEST_F(Timing, Binary) {
  avocet_cmd_binary c{};
  c.row_bytes = 65;
  c.y_count = 7;
  EXPECT_VECTOR_CYCLES(c, 7u * (2 + 2));
  c.a_scalar = 1;
  EXPECT_VECTOR_CYCLES(c, 7u * (1 + 2));
}

TEST_F(Timing, TableArrivesThenOneLookUpPerLane) {
  avocet_cmd_table c{};
  c.row_bytes = 130;
  c.y_count = 5;
  EXPECT_VECTOR_CYCLES(c, 256u / 64 + 5 * 3);
}

TEST_F(Timing, ReduceTakesContiguousBytes) {
  avocet_cmd_reduce c{};
  c.channels = 40;
  c.axis0_count = 7;
  c.axis1_count = 6;
  c.axis0_stride = 40;
  c.y_count = 3;
  EXPECT_VECTOR_CYCLES(c, 3u * (6 * 5 + 1)); // 280 bytes at a time
  c.axis0_stride = 41;
  EXPECT_VECTOR_CYCLES(c, 3u * (6 * 7 + 1));
  c.channels = c.axis0_stride = 1;
  c.axis0_count = 1000;
  EXPECT_VECTOR_CYCLES(c, 3u * (6 * 16 + 1));
}

TEST_F(Timing, ArgReduceWritesWhileItReads) {
  avocet_cmd_arg_reduce c{};
  c.channels = 40;
  c.axis_count = 7;
  c.axis_stride = 40;
  c.y_count = 3;
  EXPECT_VECTOR_CYCLES(c, 3u * 5); // 280 bytes at a time
  c.axis_stride = 41;
  EXPECT_VECTOR_CYCLES(c, 3u * 7);
  c.axis_count = 2;
  EXPECT_VECTOR_CYCLES(c, 3u * 3); // 160 bytes of indices
  c.channels = c.axis_stride = 1;
  c.axis_count = 1000;
  EXPECT_VECTOR_CYCLES(c, 3u * 16);
}

TEST_F(Timing, SoftmaxMakesThreePasses) {
  constexpr uint64_t kTable = 1024 / 64, kReciprocal = 16;
  avocet_cmd_softmax c{};
  c.x_count = 100;
  c.y_count = 70;
  c.in_x_stride = c.x_stride = 1;
  c.in_y_stride = c.y_stride = 100;
  EXPECT_VECTOR_CYCLES(c, kTable + 70 * (3 * 2 + kReciprocal));
  // Rows side by side: a lane each.
  c.in_x_stride = c.x_stride = 70;
  c.in_y_stride = c.y_stride = 1;
  EXPECT_VECTOR_CYCLES(c, kTable + 2 * (3 * 100 + kReciprocal));
  // Nothing contiguous on both sides.
  c.x_stride = 1;
  c.y_stride = 100;
  EXPECT_VECTOR_CYCLES(c, kTable + 70 * (3 * 100 + kReciprocal));
}

TEST_F(Timing, ResizeReadsFourCellsOrOne) {
  avocet_cmd_resize c{};
  c.channels = 24;
  c.in_width = c.in_height = 1;
  c.x_count = 10;
  c.y_count = 6;
  c.x_stride = 24;
  c.y_stride = 240;
  EXPECT_VECTOR_CYCLES(c, 6u * 4 * 4);
  c.mode = AVOCET_RESIZE_MODE_NEAREST;
  EXPECT_VECTOR_CYCLES(c, 6u * 4);
}

TEST_F(Timing, L2NormaliseMakesTwoPasses) {
  avocet_cmd_l2_normalise c{};
  c.x_count = 100;
  c.y_count = 7;
  c.in_x_stride = c.x_stride = 1;
  c.in_y_stride = c.y_stride = 100;
  EXPECT_VECTOR_CYCLES(c, 7u * (2 * 2 + 32));
}

TEST_F(Timing, StreamingLoadReachesThePins) {
  StreamBuilder stream;
  stream.add(load(0, 256 * 1024));
  avocet_profile p = profile(stream, 1)[0];
  EXPECT_EQ(p.dram_read_bytes, 256u * 1024);
  EXPECT_EQ(length(p), kWalk + 256 * 1024 / 8 + kLatency);
}

TEST_F(Timing, ChannelsShareTheBandwidthFairly) {
  StreamBuilder stream;
  for (uint32_t channel = 0; channel < 4; ++channel) {
    stream.set_tag(channel);
    stream.add(load(channel, 64 * 1024));
  }
  std::vector<avocet_profile> p = profile(stream, 4);
  uint64_t last = 0;
  for (const avocet_profile &one : p) last = std::max(last, one.last_cycle);
  // All of them together take what one would take for the sum; each takes nearly as long as all.
  EXPECT_NEAR(static_cast<double>(last - p[0].first_cycle), 256 * 1024 / 8.0 + kLatency + kWalk, 100);
  for (const avocet_profile &one : p) EXPECT_GT(length(one), 64 * 1024 / 2);
}

// A command stream comes over the same pins: a long load lasts longer by the stream's bytes, and the counters have both.
TEST_F(Timing, StreamTakesItsShareOfThePins) {
  constexpr uint32_t kLoad = 1 << 18, kCommands = 1000;
  StreamBuilder stream;
  stream.add(load(0, kLoad));
  stream.set_tag(1);
  avocet_cmd_dma_fill fill{};
  fill.channel = 1;
  fill.row_bytes = 8;
  fill.count0 = fill.count1 = 1;
  for (uint32_t i = 0; i < kCommands; ++i) stream.add(fill);
  avocet_model_counters before{}, after{};
  uint64_t cycles = 0;
  ASSERT_TRUE(avocet_model_unit_counters(0, AVOCET_TRACK_SEQUENCER, &cycles, &before));
  const avocet_profile p = profile(stream, 2)[0];
  ASSERT_TRUE(avocet_model_unit_counters(0, AVOCET_TRACK_SEQUENCER, &cycles, &after));
  const uint64_t bytes = (AVOCET_DMA_LOAD_WORDS + kCommands * AVOCET_DMA_FILL_WORDS + AVOCET_END_WORDS) * 4;
  EXPECT_EQ(after.read_bytes - before.read_bytes, bytes);
  EXPECT_EQ(after.write_bytes - before.write_bytes, 2 * sizeof(avocet_profile));
  EXPECT_EQ(p.dram_read_bytes, kLoad) << "a layer has its data";
  // Up to the buffer's 2048 bytes came before the load began.
  EXPECT_NEAR(static_cast<double>(length(p)), (kLoad + static_cast<double>(bytes)) / 8 + kLatency + kWalk, 2048 / 8);
}

TEST_F(Timing, CommandsOfOneChannelFollowWithoutTheLatency) {
  StreamBuilder stream;
  for (int i = 0; i < 20; ++i) stream.add(load(0, 4096));
  avocet_profile p = profile(stream, 1)[0];
  EXPECT_EQ(length(p), kWalk + 20 * 4096 / 8 + kLatency);
}

// Rows shorter than a burst are one request each; 32 of them are on their way at once.
TEST_F(Timing, ShortRowsAreBoundByOutstandingRequests) {
  StreamBuilder stream;
  stream.add(load(0, 16, 3200, 64));
  avocet_profile p = profile(stream, 1)[0];
  uint64_t requests = 3200 * kLatency / 32; // more than the 3200 cycles of the data path
  EXPECT_NEAR(static_cast<double>(length(p)), static_cast<double>(kWalk + requests + kLatency), 0.02 * static_cast<double>(requests));
}

TEST_F(Timing, FillTakesTheDataPath) {
  StreamBuilder stream;
  avocet_cmd_dma_fill fill{};
  fill.row_bytes = 100;
  fill.count0 = 10;
  fill.count1 = 4;
  fill.stride0 = 100;
  fill.stride1 = 1000;
  stream.add(fill);
  EXPECT_EQ(length(profile(stream, 1)[0]), 40u * 7);
}

} // namespace
} // namespace avocet::test
