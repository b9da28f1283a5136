// SPDX-License-Identifier: Apache-2.0
// The shared inverse square root against the real one over its whole range.
#include "avocet_l2_normalise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

double value_of(int64_t x) {
  const avocet_inverse_square_root root = avocet_inverse_square_root_of(x);
  EXPECT_LE(root.shift, 0) << x;
  EXPECT_GE(root.shift, -28) << x;
  EXPECT_GT(root.multiplier, 0) << x;
  return std::ldexp(root.multiplier, root.shift - 31);
}

TEST(InverseSquareRoot, IsCloseToTheRealOne) {
  for (int32_t x = 2; x < 100000; ++x) ASSERT_NEAR(value_of(x) * std::sqrt(x), 1, 3e-6) << x;
  std::mt19937 random(1);
  for (int i = 0; i < 300000; ++i) {
    const auto x = static_cast<int32_t>(2 + (random() >> 1) / 2);
    ASSERT_NEAR(value_of(x) * std::sqrt(x), 1, 3e-6) << x;
  }
  for (int bit = 1; bit < 63; ++bit)
    for (int64_t offset : {-1, 0, 1}) {
      const int64_t x = (int64_t{1} << bit) + offset;
      if (x < 2) continue;
      ASSERT_NEAR(value_of(x) * std::sqrt(static_cast<double>(x)), 1, 3e-6) << x;
    }
  ASSERT_NEAR(value_of(INT64_MAX) * std::sqrt(std::ldexp(1.0, 63)), 1, 3e-6);
}

TEST(InverseSquareRoot, OfOneAndBelowIsTheLargestMultiplier) {
  for (int64_t x : {int64_t{1}, int64_t{0}, int64_t{-1}, INT64_MIN}) {
    const avocet_inverse_square_root root = avocet_inverse_square_root_of(x);
    EXPECT_EQ(root.multiplier, INT32_MAX);
    EXPECT_EQ(root.shift, 0);
  }
}

TEST(InverseSquareRoot, ShiftsOfCommandsStopAtTheLeastShift) {
  EXPECT_EQ(avocet_l2_normalise_shift({1, -5}, 7), 2);
  EXPECT_EQ(avocet_l2_normalise_shift({1, -15}, -16), -31);
  EXPECT_EQ(avocet_l2_normalise_shift({1, -16}, -16), -31);
}

// A vector of one element: its length is itself, and the result is one.
TEST(InverseSquareRoot, NormalisesALoneElement) {
  for (int32_t v = 1; v <= 255; ++v) {
    const avocet_inverse_square_root root = avocet_inverse_square_root_of(v * v);
    EXPECT_EQ(avocet_requantise(v << 7, root.multiplier, root.shift), 128) << v;
  }
}

}  // namespace
