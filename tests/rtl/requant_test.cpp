// SPDX-License-Identifier: Apache-2.0
// The requantisation unit at its extremes, against rounding by definition in 128 bits; its times; and its assertions, each rule
// broken once.
#include <Vchecked_requant_5.h>
#include <Vchecked_requant_8.h>
#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace avocet::rtl_test {
namespace {

struct Parameter {
  int32_t bias, multiplier, shift;
};

struct Command {
  std::vector<Parameter> parameters;
  int16_t zero_point, clamp_min, clamp_max;
};

// floor(numerator / 2^bits + 1/2), or halves away from zero.
__int128 rounded(__int128 numerator, int bits, bool away) {
  if (bits == 0) return numerator;
  const __int128 half = __int128{1} << (bits - 1);
  if (away && numerator < 0) return -((-numerator + half) >> bits);
  return (numerator + half) >> bits;
}

uint8_t expected(const Command &command, const Parameter &p, int32_t sum) {
  const int shift = p.shift > 30 ? 30 : p.shift < -31 ? -31 : p.shift;
  uint32_t x = static_cast<uint32_t>(sum) + static_cast<uint32_t>(p.bias);
  if (shift > 0) x <<= shift;
  __int128 value = rounded(__int128{static_cast<int32_t>(x)} * p.multiplier, 31, false);
  if (value > INT32_MAX) value = INT32_MAX;
  if (shift < 0) value = rounded(value, -shift, true);
  const auto shifted = static_cast<int32_t>(static_cast<uint32_t>(static_cast<int32_t>(value)) + static_cast<uint32_t>(int32_t{command.zero_point}));
  return static_cast<uint8_t>(shifted < command.clamp_min ? command.clamp_min
                                                          : shifted > command.clamp_max ? command.clamp_max : shifted);
}

template <typename Top> class RequantHarness {
public:
  static constexpr size_t kLanes = sizeof(Top::r_data_i) / 4;

  RequantHarness() : top_(&context_) {
    context_.errorLimit(1000); // count and go on, instead of ending the process
    top_.clk_i = 0;
    top_.rst_ni = 0;
    top_.p_valid_i = top_.r_valid_i = 0;
    top_.o_ready_i = 1;
    top_.p_clamp_min_i = top_.p_clamp_max_i = 0;
    top_.eval();
    tick();
    top_.rst_ni = 1;
    top_.eval();
  }
  ~RequantHarness() { top_.final(); }

  Top &top() { return top_; }
  int errors() const { return context_.errorCount(); }

  void tick() {
    top_.clk_i = 1;
    top_.eval();
    top_.clk_i = 0;
    top_.eval();
  }

  void load(const Command &command) {
    top_.r_valid_i = 0;
    for (size_t channel = 0; channel < command.parameters.size(); ++channel) {
      top_.p_valid_i = 1;
      top_.p_last_i = channel + 1 == command.parameters.size();
      top_.p_zero_point_i = static_cast<uint16_t>(command.zero_point);
      top_.p_clamp_min_i = static_cast<uint16_t>(command.clamp_min);
      top_.p_clamp_max_i = static_cast<uint16_t>(command.clamp_max);
      std::memcpy(&top_.p_data_i, &command.parameters[channel], sizeof(Parameter));
      top_.eval();
      EXPECT_TRUE(top_.p_ready_o);
      EXPECT_FALSE(top_.r_ready_o);
      tick();
    }
    top_.p_valid_i = 0;
    top_.eval();
  }

  // One row in; it is the command's last, so its bytes come out eight cycles later, none before.
  std::vector<uint8_t> row(const std::vector<int32_t> &sums) {
    std::memcpy(&top_.r_data_i, sums.data(), kLanes * 4);
    top_.r_valid_i = 1;
    top_.r_last_i = 1;
    top_.eval();
    EXPECT_TRUE(top_.r_ready_o);
    EXPECT_FALSE(top_.p_ready_o);
    tick();
    top_.r_valid_i = 0;
    top_.eval();
    for (int cycle = 1; cycle < 8; ++cycle) {
      EXPECT_FALSE(top_.o_valid_o);
      tick();
    }
    EXPECT_TRUE(top_.o_valid_o && top_.o_last_o);
    const auto *bytes = reinterpret_cast<const uint8_t *>(&top_.o_data_o);
    return {bytes, bytes + kLanes};
  }

private:
  VerilatedContext context_;
  Top top_;
};

using Harness = RequantHarness<Vchecked_requant_8>;

constexpr int32_t kExtremes[8] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, 1 << 30, -(1 << 30), INT32_MAX};

TEST(Requant, RoundsAtEveryShiftAndExtreme) {
  Harness harness;
  for (int shift = -33; shift <= 32; ++shift)
    for (int32_t multiplier : {INT32_MIN, INT32_MIN + 1, -(1 << 30), -1, 0, 1, 1 << 30, 1518500250, INT32_MAX})
      for (int32_t bias : {0, 3, INT32_MIN, INT32_MAX}) {
        const Command command{std::vector<Parameter>(8, {bias, multiplier, shift}), -3, -128, 127};
        for (int32_t near : {0, 5}) {
          std::vector<int32_t> sums(kExtremes, kExtremes + 8);
          for (int32_t &sum : sums) sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(near));
          harness.load(command);
          const std::vector<uint8_t> bytes = harness.row(sums);
          for (size_t lane = 0; lane < 8; ++lane)
            ASSERT_EQ(bytes[lane], expected(command, command.parameters[lane], sums[lane]))
                << "shift " << shift << ", multiplier " << multiplier << ", bias " << bias << ", sum " << sums[lane];
        }
      }
  EXPECT_EQ(harness.errors(), 0);
}

// Halves of both signs at every right shift: the second rounding takes them away from zero, the first one up.
TEST(Requant, RoundsHalvesAsTheReferenceDoes) {
  Harness harness;
  for (int right = 1; right <= 31; ++right) {
    const Command command{std::vector<Parameter>(8, {0, INT32_MAX, -right}), 0, -32768, 32767};
    const int64_t half = int64_t{1} << (right - 1);
    std::vector<int32_t> sums;
    for (int64_t near : {-half - 1, -half, -half + 1, half - 1, half, half + 1, 3 * half, -3 * half})
      sums.push_back(static_cast<int32_t>(std::min<int64_t>(std::max<int64_t>(near, INT32_MIN), INT32_MAX)));
    harness.load(command);
    const std::vector<uint8_t> bytes = harness.row(sums);
    for (size_t lane = 0; lane < 8; ++lane)
      ASSERT_EQ(bytes[lane], expected(command, command.parameters[lane], sums[lane])) << "right shift " << right << ", sum " << sums[lane];
  }
  // -0.5 and 0.5 by the first rounding.
  const Command halves{std::vector<Parameter>(8, {0, 1 << 30, 0}), 0, -128, 127};
  harness.load(halves);
  const std::vector<uint8_t> bytes = harness.row({-1, 1, -3, 3, 0, 2, -2, 5});
  EXPECT_EQ(bytes, (std::vector<uint8_t>{0, 1, 255, 2, 0, 1, 255, 3}));
}

TEST(Requant, SaturatesForTheOneProductThatDoesNotFit) {
  Harness harness;
  const Command command{std::vector<Parameter>(8, {0, INT32_MIN, -24}), 0, -128, 127};
  harness.load(command);
  const std::vector<uint8_t> bytes = harness.row(std::vector<int32_t>(8, INT32_MIN));
  EXPECT_EQ(bytes[0], 127) << "2^31 - 1 scaled by 2^-24 is 128, which the clamp makes 127";
}

TEST(Requant, AddsZeroPointsAndClampsAtTheirExtremes) {
  Harness harness;
  for (int zero_point : {-32768, -129, -128, 0, 127, 255, 32767})
    for (auto [low, high] : {std::pair{-128, 127}, {0, 255}, {-32768, 32767}, {5, 5}, {-32768, -32768}, {32767, 32767}}) {
      const Command command{std::vector<Parameter>(8, {0, 1 << 30, 1}), static_cast<int16_t>(zero_point), static_cast<int16_t>(low),
                            static_cast<int16_t>(high)};
      const std::vector<int32_t> sums = {INT32_MAX, INT32_MIN, 0, -1, 1, 300, -300, 127};
      harness.load(command);
      const std::vector<uint8_t> bytes = harness.row(sums);
      for (size_t lane = 0; lane < 8; ++lane)
        ASSERT_EQ(bytes[lane], expected(command, command.parameters[lane], sums[lane]))
            << "zero point " << zero_point << ", from " << low << " to " << high << ", sum " << sums[lane];
    }
}

// The next command's parameters follow the last row at once, while up to eight rows of this one are on their way.
TEST(Requant, ParametersNeverOvertakeRows) {
  RequantHarness<Vchecked_requant_5> harness;
  auto &top = harness.top();
  std::vector<std::vector<uint8_t>> want, got; // of a row: a byte for each channel, for each lane
  const auto cycle = [&] {
    top.eval();
    ASSERT_TRUE(!top.p_valid_i || top.p_ready_o) << "row " << want.size();
    ASSERT_TRUE(!top.r_valid_i || top.r_ready_o) << "row " << want.size();
    const auto *bytes = reinterpret_cast<const uint8_t *>(&top.o_data_o);
    if (top.o_valid_o) got.emplace_back(bytes, bytes + 5);
    harness.tick();
  };
  for (int round = 0; round < 40; ++round) {
    const int channels = 1 + round % 5, rows = 1 + round % 4;
    Command command{{}, static_cast<int16_t>(round), -128, static_cast<int16_t>(127 - round)};
    for (int c = 0; c < channels; ++c) command.parameters.push_back({round * 5 + c, (1 << 30) + round, 1 - round % 3});
    top.p_zero_point_i = static_cast<uint16_t>(command.zero_point);
    top.p_clamp_min_i = static_cast<uint16_t>(command.clamp_min);
    top.p_clamp_max_i = static_cast<uint16_t>(command.clamp_max);
    top.p_valid_i = 1;
    for (int c = 0; c < channels; ++c) {
      top.p_last_i = c + 1 == channels;
      std::memcpy(&top.p_data_i, &command.parameters[static_cast<size_t>(c)], sizeof(Parameter));
      cycle();
    }
    top.p_valid_i = 0;
    top.r_valid_i = 1;
    for (int row = 0; row < rows; ++row) {
      const int32_t sums[5] = {round, -round, 100 + row, 50, row};
      std::memcpy(&top.r_data_i, sums, sizeof sums);
      top.r_last_i = row + 1 == rows;
      want.emplace_back();
      for (size_t c = 0; c < command.parameters.size(); ++c) want.back().push_back(expected(command, command.parameters[c], sums[c]));
      cycle();
    }
    top.r_valid_i = 0;
  }
  for (int drain = 0; drain < 8; ++drain) cycle();
  ASSERT_EQ(got.size(), want.size());
  for (size_t row = 0; row < want.size(); ++row) {
    got[row].resize(want[row].size());
    EXPECT_EQ(got[row], want[row]) << "row " << row;
  }
  EXPECT_EQ(harness.errors(), 0);
}

class RequantAssertions : public testing::Test {
protected:
  Harness harness_;
  Vchecked_requant_8 &top_ = harness_.top();
  void SetUp() override {
    harness_.tick();
    ASSERT_EQ(harness_.errors(), 0);
  }
};

TEST_F(RequantAssertions, ReportsLimitsOutOfOrder) {
  top_.p_valid_i = 1;
  top_.p_clamp_min_i = 1;
  harness_.tick();
  EXPECT_GT(harness_.errors(), 0);
}

TEST_F(RequantAssertions, ReportsAZeroPointThatChangesWithinACommand) {
  top_.p_valid_i = 1;
  top_.p_last_i = 0;
  harness_.tick();
  EXPECT_EQ(harness_.errors(), 0);
  top_.p_zero_point_i = 1;
  harness_.tick();
  EXPECT_GT(harness_.errors(), 0);
}

TEST_F(RequantAssertions, ReportsMoreChannelsThanLanes) {
  top_.p_valid_i = 1;
  top_.p_last_i = 0;
  for (int beat = 0; beat < 7; ++beat) harness_.tick();
  EXPECT_EQ(harness_.errors(), 0);
  harness_.tick();
  EXPECT_GT(harness_.errors(), 0);
}

TEST_F(RequantAssertions, ReportsARowThatIsWithdrawn) {
  top_.r_valid_i = 1;
  harness_.tick();
  top_.r_valid_i = 0;
  harness_.tick();
  EXPECT_GT(harness_.errors(), 0);
}

} // namespace
} // namespace avocet::rtl_test
