// SPDX-License-Identifier: Apache-2.0
// The shared softmax against real numbers, against its own steps in exact arithmetic, and at values that no maker of
// commands would choose.
#include "avocet_softmax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

constexpr double kOne = 2147483648.0;  // of Q0.31
// The polynomial leaves out x^5 / 120, x up to 1/8, and there are a few roundings of 2^-31.
constexpr double kTruncation = 0.88249690258 / (120 * 32768.0) + 2e-8;

TEST(Softmax, ExponentialIsCloseToTheRealOne) {
  EXPECT_EQ(avocet_exponential_of_negative(0), INT32_MAX);
  double worst = 0;
  for (int64_t a = 1; a < int64_t{1} << 31; a = a + a / 977 + 1) {
    const double real = std::exp(-static_cast<double>(a) / (1 << 26));
    worst = std::max(worst, std::fabs(avocet_exponential_of_negative(static_cast<int32_t>(-a)) / kOne - real));
  }
  EXPECT_LT(worst, kTruncation);
  EXPECT_EQ(avocet_exponential_of_negative(INT32_MIN), 0);
}

// Powers of e whose fixed-point factors are the constants themselves: one quarter is left over for the polynomial.
TEST(Softmax, ExponentialsByHand) {
  // exp(-1/4) by the polynomial around -1/8 with x = -1/8: x^2 = 1/64, x^3 = -1/512, x^4 = 1/4096.
  const double x = -0.125, tail = x + x * x / 2 + x * x * x / 6 + x * x * x * x / 24;
  EXPECT_NEAR(avocet_exponential_of_negative(-(1 << 24)), std::exp(-0.125) * (1 + tail) * kOne, 3);
  // -1/2 is a quarter for the polynomial and one for the factor exp(-1/4).
  EXPECT_EQ(avocet_exponential_of_negative(-(1 << 25)),
            avocet_doubling_high_multiply(avocet_exponential_of_negative(-(1 << 24)), 1672461947));
}

TEST(Softmax, TableEndsAtTheLargestDifference) {
  int32_t table[AVOCET_SOFTMAX_EXPONENTIALS];
  avocet_softmax_exponentials(1 << 30, 23, 100, table);  // a difference is 2^22 in Q5.26: 1/16
  for (int d = 0; d < 256; ++d)
    EXPECT_NEAR(table[d] / kOne, d <= 100 ? std::exp(-d / 16.0) : 0, kTruncation) << d;
  EXPECT_EQ(table[101], 0);
}

TEST(Softmax, DivisorIsTheReciprocal) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const int64_t sum = 1 + static_cast<int64_t>((random() & 0x7FFFFFFF) >> (random() % 31));
    const avocet_softmax_divisor divisor = avocet_softmax_divide(sum);
    // An exponential of 1 divided by sum / 2^19, in 2^-8: the shift stops at 31, where quotients vanish.
    const double real = 256 * 524288.0 / static_cast<double>(sum);
    const double got = divisor.reciprocal / kOne * 2147483648.0 / std::ldexp(1.0, divisor.shift);
    if (divisor.shift == 31) continue;
    ASSERT_NEAR(got / real, 1, 3e-8) << sum;
  }
}

TEST(Softmax, SumsOutsideTheirRangeAreLimited) {
  const auto same = [](int64_t a, int64_t b) {
    const avocet_softmax_divisor x = avocet_softmax_divide(a), y = avocet_softmax_divide(b);
    return x.reciprocal == y.reciprocal && x.shift == y.shift;
  };
  EXPECT_TRUE(same(0, 1));
  EXPECT_TRUE(same(INT64_MIN, 1));
  EXPECT_TRUE(same(INT64_MAX, INT32_MAX));
  EXPECT_FALSE(same(1, 3));
  EXPECT_EQ(avocet_softmax_divide(1).shift, 4);
  EXPECT_EQ(avocet_softmax_divide(INT32_MAX).shift, 31);
  for (int32_t exponential : {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX})
    for (int64_t sum : {int64_t{1}, int64_t{2}, int64_t{1} << 19, int64_t{INT32_MAX}}) {
      const avocet_softmax_divisor divisor = avocet_softmax_divide(sum);
      const double real = exponential / kOne * 256 * 524288.0 / static_cast<double>(sum);
      EXPECT_NEAR(avocet_softmax_quotient(exponential, &divisor), real, 1 + std::fabs(real) * 1e-7);
    }
}

// Rows of real logits: at most one step of 1/256 from the real softmax.
TEST(Softmax, RowsAreCloseToTheRealOnes) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    const double scale = std::ldexp(1.0, -static_cast<int>(random() % 8));
    int exponent = 0;
    const double fraction = std::frexp(scale * (1 << 26), &exponent);
    int32_t table[AVOCET_SOFTMAX_EXPONENTIALS];
    const double reach = std::floor(std::ldexp(31.0, 26 - exponent));  // beyond it, a difference does not fit Q5.26
    avocet_softmax_exponentials(static_cast<int32_t>(fraction * kOne), exponent,
                                static_cast<int32_t>(std::min(reach, 255.0)), table);
    std::vector<int> row(1 + random() % 100);
    for (int& value : row) value = static_cast<int>(random() % 256);
    const int largest = *std::max_element(row.begin(), row.end());
    int64_t sum = 0;
    double real_sum = 0;
    for (int value : row) {
      sum += avocet_softmax_term(table[largest - value]);
      real_sum += std::exp(scale * (value - largest));
    }
    const avocet_softmax_divisor divisor = avocet_softmax_divide(sum);
    for (int value : row)
      EXPECT_NEAR(avocet_softmax_quotient(table[largest - value], &divisor),
                  256 * std::exp(scale * (value - largest)) / real_sum, 0.51);
  }
}

}  // namespace
