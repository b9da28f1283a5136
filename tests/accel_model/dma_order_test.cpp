// SPDX-License-Identifier: Apache-2.0
// Commands of one DMA channel act in order even where the memory's latency is longer than the transfer of a large part of
// them: no WAIT stands between commands of the same unit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "random_program.hpp"

namespace avocet::test {
namespace {

constexpr uint32_t kSmall = 64 * 1024, kLarge = 600 * 1024; // one piece, and several

class DmaOrder : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(host_.open(AVOCET_SOURCE_DIR "/tests/accel_model/slow_dram.json", "timed"), "");
    host_.boot();
    for (uint32_t i = 0; i < 3; ++i) {
      regions_[i] = host_.region(i, kLarge);
      for (uint32_t b = 0; b < kLarge; ++b) regions_[i][b] = static_cast<uint8_t>(b * 7 + (b >> 12) + 91 * i);
    }
  }

  template <typename Command> static Command copy(uint32_t region, uint32_t bytes) {
    Command c{};
    c.region = region;
    c.row_bytes = bytes;
    c.count0 = c.count1 = c.count2 = 1;
    return c;
  }

  void run() {
    JobResult result = host_.run(stream_.finish());
    ASSERT_EQ(result.completion.status, unsigned{AVOCET_STATUS_OK});
  }

  FakeHost host_;
  StreamBuilder stream_;
  uint8_t *regions_[3];
};

TEST_F(DmaOrder, ALargeStoreSeesTheLoadBeforeIt) {
  stream_.add(copy<avocet_cmd_dma_load>(0, kLarge));
  stream_.add(copy<avocet_cmd_dma_load>(1, kSmall));
  stream_.add(copy<avocet_cmd_dma_store>(2, kLarge));
  run();
  EXPECT_EQ(std::memcmp(regions_[2], regions_[1], kSmall), 0);
  EXPECT_EQ(std::memcmp(regions_[2] + kSmall, regions_[0] + kSmall, kLarge - kSmall), 0);
}

TEST_F(DmaOrder, ALargeLoadDoesNotDisturbTheStoreBeforeIt) {
  stream_.add(copy<avocet_cmd_dma_load>(0, kLarge));
  stream_.add(copy<avocet_cmd_dma_store>(2, kSmall));
  stream_.add(copy<avocet_cmd_dma_load>(1, kLarge));
  run();
  EXPECT_EQ(std::memcmp(regions_[2], regions_[0], kSmall), 0);
}

TEST_F(DmaOrder, ALargeStoreSeesTheFillBeforeIt) {
  stream_.add(copy<avocet_cmd_dma_load>(0, kSmall));
  avocet_cmd_dma_fill fill{};
  fill.value = 0xA5;
  fill.row_bytes = kSmall;
  fill.count0 = fill.count1 = 1;
  stream_.add(fill);
  stream_.add(copy<avocet_cmd_dma_store>(2, kLarge));
  run();
  EXPECT_EQ(std::count(regions_[2], regions_[2] + kSmall, 0xA5), kSmall);
}

} // namespace
} // namespace avocet::test
