// SPDX-License-Identifier: Apache-2.0
// The shared arithmetic of the operations against numbers worked out by hand or in double and 64 bit integers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "operations/broadcast.hpp"
#include "operations/fixed_point.hpp"
#include "operations/float16.hpp"
#include "operations/output_stage.hpp"
#include "operations/padding.hpp"
#include "operations/requantise.hpp"
#include "operations/shape.hpp"

namespace avocet::runtime {
namespace {

TEST(Requantise, SplitsMultipliers) {
  EXPECT_EQ(quantise_multiplier(0.5).mantissa, 1 << 30);
  EXPECT_EQ(quantise_multiplier(0.5).exponent, 0);
  EXPECT_EQ(quantise_multiplier(3.0).mantissa, 3 << 29);
  EXPECT_EQ(quantise_multiplier(3.0).exponent, 2);
  // Just below 1: the mantissa rounds to 2^31 and is halved.
  EXPECT_EQ(quantise_multiplier(1.0 - 1e-12).mantissa, 1 << 30);
  EXPECT_EQ(quantise_multiplier(1.0 - 1e-12).exponent, 1);
  EXPECT_EQ(quantise_multiplier(std::ldexp(0.75, -31)).exponent, -31);
  EXPECT_EQ(quantise_multiplier(std::ldexp(0.75, -32)).mantissa, 0);
  EXPECT_EQ(quantise_multiplier(0.0).mantissa, 0);
  EXPECT_EQ(quantise_multiplier(-1.0).mantissa, 0);
  EXPECT_EQ(quantise_multiplier(std::nan("")).mantissa, 0);
  EXPECT_EQ(quantise_multiplier(INFINITY).mantissa, 0);
}

/// The high multiply as the rules write it: a nudge by sign, then division towards zero.
int32_t high_multiply_by_rule(int64_t a, int64_t b) {
  const int64_t product = a * b;
  return static_cast<int32_t>((product + (product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30))) / (int64_t{1} << 31));
}

TEST(Requantise, HighMultiplyFollowsTheRule) {
  EXPECT_EQ(rounding_doubling_high_multiply(INT32_MIN, INT32_MIN), INT32_MAX);
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto a = static_cast<int32_t>(random()) >> (random() % 31), b = static_cast<int32_t>(random()) >> (random() % 31);
    ASSERT_EQ(rounding_doubling_high_multiply(a, b), high_multiply_by_rule(a, b)) << a << " " << b;
  }
  // Exact halves: 2^30 * odd.
  for (int32_t odd : {1, 3, -1, -3, 12345, -12345}) {
    ASSERT_EQ(rounding_doubling_high_multiply(1 << 30, odd), high_multiply_by_rule(1 << 30, odd));
  }
}

TEST(Requantise, ShiftRoundsHalvesAwayFromZero) {
  EXPECT_EQ(rounding_shift_right(5, 1), 3);
  EXPECT_EQ(rounding_shift_right(-5, 1), -3);
  EXPECT_EQ(rounding_shift_right(4, 3), 1);
  EXPECT_EQ(rounding_shift_right(-4, 3), -1);
  EXPECT_EQ(rounding_shift_right(3, 3), 0);
  EXPECT_EQ(rounding_shift_right(-3, 3), 0);
  EXPECT_EQ(rounding_shift_right(7, 0), 7);
  EXPECT_EQ(rounding_shift_right(INT32_MIN, 31), -1);
  EXPECT_EQ(rounding_shift_right(INT32_MAX, 31), 1);
}

TEST(Requantise, BothRoundingsHappen) {
  // 0.25 of 1 is 0.25; the multiplier is 0.5 * 2^-1. High multiply: 0.5 rounds to 1; the shift halves it: 0.5 rounds to 1.
  // A single rounding would give 0.
  EXPECT_EQ(multiply_by_quantised_multiplier(1, quantise_multiplier(0.25)), 1);
  EXPECT_EQ(multiply_by_quantised_multiplier(100, quantise_multiplier(2.5)), 250);
  EXPECT_EQ(multiply_by_quantised_multiplier(-100, quantise_multiplier(0.01)), -1);
}

TEST(Requantise, ActivationRanges) {
  OperandView output;
  output.type = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM;
  output.scale = 0.05f;
  output.zero_point = 100;
  const auto range = [&](int32_t code) {
    const Range<int32_t> r = quantised_activation_range(code, output);
    return std::pair(r.low, r.high);
  };
  EXPECT_EQ(range(ANEURALNETWORKS_FUSED_NONE), std::pair(0, 255));
  EXPECT_EQ(range(ANEURALNETWORKS_FUSED_RELU), std::pair(100, 255));
  EXPECT_EQ(range(ANEURALNETWORKS_FUSED_RELU1), std::pair(80, 120));
  EXPECT_EQ(range(ANEURALNETWORKS_FUSED_RELU6), std::pair(100, 220));
  output.type = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
  output.zero_point = -128;
  EXPECT_EQ(range(ANEURALNETWORKS_FUSED_RELU6), std::pair(-128, -8));
  output.scale = 1e-30f;  // bounds beyond int32 are still bounds
  EXPECT_EQ(range(ANEURALNETWORKS_FUSED_RELU6), std::pair(-128, 127));
}

TEST(Requantise, OutputStageHasTheBitsOfTheScalarRule) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const size_t channels = 1 + random() % 40;
    std::vector<QuantisedMultiplier> multipliers;
    std::vector<int32_t> bias, sums((channels + 15) / 16 * 16);
    for (size_t c = 0; c < channels; ++c) {
      multipliers.push_back(quantise_multiplier(std::ldexp(0.5 + 0.5 * (random() % 1000) / 1000, static_cast<int>(random() % 14) - 12)));
      bias.push_back(static_cast<int32_t>(random() % 20001) - 10000);
      sums[c] = (static_cast<int32_t>(random()) >> (random() % 31));
    }
    const bool is_signed = round % 2;
    const Range<int32_t> range = is_signed ? Range<int32_t>{-120, 90} : Range<int32_t>{3, 250};
    const OutputStage stage(channels, bias.data(), multipliers, -7, range);
    std::vector<uint8_t> out(channels);
    for (size_t c = 0; c < channels; c += 16) stage.store(sums.data() + c, c, out.data() + c, std::min<size_t>(16, channels - c));
    for (size_t c = 0; c < channels; ++c) {
      const int32_t biased = static_cast<int32_t>(static_cast<uint32_t>(sums[c]) + static_cast<uint32_t>(bias[c]));
      const int64_t value = int64_t{multiply_by_quantised_multiplier(biased, multipliers[c])} - 7;
      if (value < INT32_MIN) continue;
      const int64_t clamped = std::min<int64_t>(std::max<int64_t>(value, range.low), range.high);
      ASSERT_EQ(is_signed ? int{static_cast<int8_t>(out[c])} : int{out[c]}, clamped) << "channel " << c;
    }
  }
}

TEST(Padding, SameKeepsTheOddCellForTheEnd) {
  WindowAxis axis{.stride = 2, .filter = 3};
  set_same_padding(6, axis);  // 3 outputs reach over 2 * 2 + 3 = 7 of 6
  EXPECT_EQ(axis.pad_before, 0);
  EXPECT_EQ(axis.pad_after, 1);
  set_same_padding(5, axis);  // 3 outputs, 7 of 5
  EXPECT_EQ(axis.pad_before, 1);
  EXPECT_EQ(axis.pad_after, 1);
  WindowAxis sparse{.stride = 5, .filter = 2};  // stride larger than the filter: nothing is missing
  set_same_padding(10, sparse);
  EXPECT_EQ(sparse.pad_before + sparse.pad_after, 0);
  WindowAxis dilated{.stride = 1, .dilation = 3, .filter = 3};
  set_same_padding(10, dilated);
  EXPECT_EQ(dilated.pad_before, 3);
  EXPECT_EQ(dilated.pad_after, 3);
}

TEST(Padding, ExtentsAreCheckedFor31Bits) {
  uint32_t out = 0;
  EXPECT_TRUE(output_extent("width", 7, {.stride = 2, .filter = 3}, &out).ok());
  EXPECT_EQ(out, 3u);
  EXPECT_FALSE(output_extent("width", 2, {.filter = 3}, &out).ok());
  EXPECT_FALSE(output_extent("width", 0, {.filter = 1, .pad_before = 4}, &out).ok());
  EXPECT_FALSE(output_extent("width", 4, {.filter = 1, .pad_before = INT32_MAX, .pad_after = INT32_MAX}, &out).ok());
  EXPECT_FALSE(output_extent("width", 4, {.dilation = INT32_MAX, .filter = INT32_MAX}, &out).ok());
  EXPECT_FALSE(output_extent("width", 4, {.stride = 0, .filter = 1}, &out).ok());
  WindowAxis huge{.stride = 1, .dilation = INT32_MAX, .filter = INT32_MAX};
  set_same_padding(4, huge);
  EXPECT_FALSE(output_extent("width", 4, huge, &out).ok());
}

TEST(Broadcast, ShapesAndTheirFailures) {
  Dimensions out;
  EXPECT_TRUE(broadcast_shape({4, 1, 2}, {5, 4, 3, 1}, &out).ok());
  EXPECT_EQ(out, (Dimensions{5, 4, 3, 2}));
  EXPECT_TRUE(broadcast_shape({0, 3}, {1, 3}, &out).ok());
  EXPECT_EQ(out, (Dimensions{0, 3}));
  EXPECT_FALSE(broadcast_shape({0, 3}, {2, 3}, &out).ok());
  EXPECT_FALSE(broadcast_shape({2, 3}, {3, 2}, &out).ok());
}

TEST(Broadcast, WalkVisitsEveryPairOnce) {
  const std::vector<std::pair<Dimensions, Dimensions>> shapes = {
      {{2, 3, 4}, {2, 3, 4}}, {{4, 1, 2}, {5, 4, 3, 1}}, {{3, 1}, {1, 4}}, {{1}, {7}}, {{2, 1, 3, 1, 2}, {1, 4, 1, 5, 1}}, {{6}, {1}}};
  for (const auto& [a, b] : shapes) {
    Dimensions out;
    ASSERT_TRUE(broadcast_shape(a, b, &out).ok());
    const auto offset = [&](const Dimensions& dims, size_t index) {  // of the result's element `index` in an input
      size_t stride = 1, at = 0;
      for (size_t i = out.size(); i-- > 0;) {
        const size_t place = index % out[i];
        index /= out[i];
        if (i + dims.size() < out.size()) continue;
        const uint32_t extent = dims[i + dims.size() - out.size()];
        at += extent == 1 ? 0 : place * stride;
        stride *= extent;
      }
      return at;
    };
    const BroadcastPlan plan(a, b, out);
    const size_t count = extent_product(out, 0, out.size());
    ASSERT_EQ(plan.rows() * plan.row_length(), count);
    std::vector<int> seen(count);
    const auto visit = [&](size_t a_at, size_t b_at, size_t out_at, size_t length) {
      for (size_t i = 0; i < length; ++i) {
        ++seen[out_at + i];
        EXPECT_EQ(a_at + i * plan.step_a(), offset(a, out_at + i));
        EXPECT_EQ(b_at + i * plan.step_b(), offset(b, out_at + i));
      }
    };
    plan.for_rows(0, plan.rows() / 2, visit);
    plan.for_rows(plan.rows() / 2, plan.rows(), visit);
    EXPECT_EQ(seen, std::vector<int>(count, 1));
  }
}

TEST(Float16, EveryValueGoesThereAndBack) {
  std::vector<Float16> all(65536);
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    std::memcpy(&all[bits], &half, sizeof half);
  }
  std::vector<float> wide(all.size());
  std::vector<Float16> back(all.size());
  widen(all.data(), wide.data(), all.size());
  narrow(wide.data(), back.data(), all.size());
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const int exponent = (bits >> 10) & 31;
    const double fraction = bits & 1023;
    if (exponent == 31 && fraction != 0) {
      EXPECT_TRUE(std::isnan(wide[bits]));
      continue;
    }
    const double magnitude = exponent == 31   ? INFINITY
                             : exponent == 0 ? std::ldexp(fraction, -24)
                                             : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(wide[bits], static_cast<float>(bits & 0x8000 ? -magnitude : magnitude)) << bits;
    uint16_t again;
    std::memcpy(&again, &back[bits], sizeof again);
    ASSERT_EQ(again, bits);
  }
}

TEST(Float16, RoundsToNearestEven) {
  const std::vector<float> values = {1.0f + 1.0f / 2048, 1.0f + 3.0f / 2048, 65519.0f, 65520.0f, 1e-9f};
  const std::vector<float> expected = {1.0f, 1.0f + 2.0f / 1024, 65504.0f, INFINITY, 0.0f};
  std::vector<Float16> halves(values.size());
  narrow(values.data(), halves.data(), values.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(static_cast<float>(halves[i]), expected[i]);
}

TEST(FixedPoint, ExponentialIsCloseToExp) {
  for (int i = 0; i <= 31 * 64; ++i) {
    const double x = -i / 64.0;
    const int32_t a = static_cast<int32_t>(x * (1 << 26));  // Q5.26
    EXPECT_NEAR(fixed_point::exp_on_negative<5>(a) / 2147483648.0, std::exp(x), 3e-7) << x;  // the polynomial leaves (1/8)^5 / 120
  }
  EXPECT_EQ(fixed_point::exp_on_negative<5>(0), INT32_MAX);
}

TEST(FixedPoint, ReciprocalIsCloseToTheQuotient) {
  for (int32_t x : {1, 2, 3, 1 << 19, 12345678, INT32_MAX, (1 << 19) + 1}) {
    int bits = 0;
    const double mantissa = fixed_point::reciprocal(x, 12, &bits) / 2147483648.0;
    const double value = x / 524288.0;  // Q12.19
    EXPECT_NEAR(std::ldexp(mantissa, -bits) * value, 1.0, 1e-8) << x;
  }
}

TEST(Shape, CountsDoNotWrap) {
  EXPECT_EQ(element_count(Dimensions{5, 4, 4, 786433, 5, 3, 16777216, 4, 5}), std::nullopt);
  EXPECT_EQ(element_count(Dimensions{65536, 65536}), std::nullopt);
  EXPECT_EQ(element_count(Dimensions{65536, 65535}), 4294901760u);
  EXPECT_EQ(element_count(Dimensions{65536, 65536, 0}), 0u);
  EXPECT_EQ(normalise_axis(-1, 4), 3u);
  EXPECT_EQ(normalise_axis(-5, 4), std::nullopt);
  EXPECT_EQ(normalise_axis(4, 4), std::nullopt);
  EXPECT_EQ(normalise_axis(INT32_MIN, 4), std::nullopt);
}

}  // namespace
}  // namespace avocet::runtime
