// SPDX-License-Identifier: Apache-2.0
// Bank conflicts: 8 banks of 16 bytes, a 16x16 array (2 words per cycle) and 32 vector lanes (2 words).
#include <gtest/gtest.h>

#include "random_program.hpp"

namespace avocet::test {
namespace {

class SramBanks : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(host_.open(AVOCET_SOURCE_DIR "/tests/accel_model/banked_sram.json", "timed"), "");
    host_.boot();
  }

  static avocet_cmd_table table(uint32_t rows) {
    avocet_cmd_table c{};
    c.row_bytes = 32;
    c.y_count = rows;
    return c;
  }

  static avocet_cmd_matmul matmul(uint32_t outputs) {
    avocet_cmd_matmul c{};
    c.x_count = outputs;
    c.y_count = c.kx_count = c.ky_count = 1;
    c.channels = 16 * 20;
    c.weight_bytes = 20 * 256;
    return c;
  }

  JobResult run(StreamBuilder &stream) {
    JobResult result = host_.run(stream.finish(), 1);
    EXPECT_EQ(result.completion.status, unsigned{AVOCET_STATUS_OK});
    return result;
  }

  FakeHost host_;
};

TEST_F(SramBanks, AloneNobodyWaits) {
  StreamBuilder stream;
  stream.add(table(1000));
  JobResult result = run(stream);
  EXPECT_EQ(result.cycles.units[AVOCET_UNIT_VECTOR].cycles[AVOCET_CYCLE_SRAM], 0u);
  EXPECT_EQ(result.profile[0].vector_cycles, 256u / 32 + 1000 + 8);
}

// While the array takes 2 of 8 banks, 2 words go together in (6/8)^2 of the cycles.
TEST_F(SramBanks, TheVectorUnitWaitsForTheArray) {
  StreamBuilder stream;
  stream.add(matmul(1000)); // 20 passes
  stream.add(table(4000));
  JobResult result = run(stream);
  const avocet_model_counters &vector = result.cycles.units[AVOCET_UNIT_VECTOR];
  const uint64_t work = 256 / 32 + 4000, all = (work * 64 + 35) / 36; // rounded up
  EXPECT_EQ(vector.cycles[AVOCET_CYCLE_SRAM], all - work);
  EXPECT_EQ(vector.cycles[AVOCET_CYCLE_BUSY], work + 8);
  EXPECT_EQ(result.cycles.units[AVOCET_UNIT_MAC].cycles[AVOCET_CYCLE_SRAM], 0u);
}

// Only as long as the array works.
TEST_F(SramBanks, WaitingEndsWithTheArray) {
  StreamBuilder stream;
  stream.add(matmul(100)); // 16 + 20 * 100 cycles until its last vector is in
  stream.add(table(10000));
  JobResult result = run(stream);
  const uint64_t overlap = 16 + 20 * 100 - AVOCET_TABLE_WORDS + 1; // the array takes a cycle to begin
  const uint64_t waited = result.cycles.units[AVOCET_UNIT_VECTOR].cycles[AVOCET_CYCLE_SRAM];
  EXPECT_NEAR(static_cast<double>(waited), static_cast<double>(overlap) * 28 / 64, 2);
}

TEST_F(SramBanks, RunsAreEqual) {
  std::vector<uint64_t> ends;
  for (int i = 0; i < 2; ++i) {
    ProgramRunner runner(host_, 5);
    StreamBuilder stream;
    runner.begin(&stream);
    stream.wait_for_all(AVOCET_UNIT_VECTOR);
    for (int n = 0; n < 20; ++n) {
      stream.add(runner.random().matmul());
      stream.add(runner.random().binary());
    }
    JobResult result = runner.run(&stream);
    ends.push_back(result.completion.end_cycle - result.completion.start_cycle);
    EXPECT_TRUE(runner.sram_matches());
  }
  EXPECT_EQ(ends[0], ends[1]);
}

} // namespace
} // namespace avocet::test
