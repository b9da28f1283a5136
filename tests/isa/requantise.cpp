// SPDX-License-Identifier: Apache-2.0
// The shared scaling arithmetic against exact 128-bit formulations of its two roundings.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "avocet_requantise.h"

namespace {

__extension__ using Wide = __int128;

constexpr int32_t kMin = std::numeric_limits<int32_t>::min(), kMax = std::numeric_limits<int32_t>::max();

// floor(numerator / 2^exponent)
Wide floor_shift(Wide numerator, int exponent) {
  Wide divisor = Wide{1} << exponent, quotient = numerator / divisor;
  return numerator % divisor < 0 ? quotient - 1 : quotient;
}

// 2ab / 2^32, halves up; the one product that needs 33 bits saturates.
int32_t exact_high_multiply(int32_t a, int32_t b) {
  Wide rounded = floor_shift(Wide{2} * a * b + (Wide{1} << 31), 32);
  return static_cast<int32_t>(rounded > kMax ? kMax : rounded);
}

// x / 2^exponent, halves away from zero.
int32_t exact_shift_right(int32_t x, int exponent) {
  Wide magnitude = x < 0 ? -Wide{x} : Wide{x};
  Wide rounded = exponent == 0 ? magnitude : (magnitude + (Wide{1} << (exponent - 1))) >> exponent;
  return static_cast<int32_t>(x < 0 ? -rounded : rounded);
}

int32_t exact_requantise(int32_t x, int32_t multiplier, int shift) {
  Wide shifted = shift > 0 ? Wide{x} * (Wide{1} << shift) : Wide{x};
  Wide wrapped = shifted - floor_shift(shifted + (Wide{1} << 31), 32) * (Wide{1} << 32);
  int32_t high = exact_high_multiply(static_cast<int32_t>(wrapped), multiplier);
  return exact_shift_right(high, shift < 0 ? -shift : 0);
}

// Extremes, powers of two and their neighbours, and seeded random numbers.
std::vector<int32_t> interesting_numbers() {
  std::vector<int32_t> numbers{kMin, kMin + 1, kMax, kMax - 1, 0};
  for (int bit = 0; bit < 31; ++bit)
    for (int32_t offset : {-1, 0, 1}) {
      int32_t value = static_cast<int32_t>(uint32_t{1} << bit) + (bit == 30 && offset > 0 ? 0 : offset);
      numbers.push_back(value);
      numbers.push_back(-value);
    }
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) numbers.push_back(static_cast<int32_t>(random()));
  return numbers;
}

TEST(Requantise, HighMultiplyIsExact) {
  for (int32_t a : interesting_numbers())
    for (int32_t b : interesting_numbers())
      ASSERT_EQ(avocet_doubling_high_multiply(a, b), exact_high_multiply(a, b)) << a << " " << b;
}

TEST(Requantise, ShiftRightIsExact) {
  for (int32_t x : interesting_numbers())
    for (int exponent = 0; exponent <= 31; ++exponent)
      ASSERT_EQ(avocet_rounding_shift_right(x, exponent), exact_shift_right(x, exponent)) << x << " " << exponent;
}

TEST(Requantise, WholeRangeOfShifts) {
  for (int32_t x : interesting_numbers())
    for (int32_t multiplier : interesting_numbers())
      for (int shift : {-31, -30, -17, -8, -1, 0, 1, 2, 15, 30})
        ASSERT_EQ(avocet_requantise(x, multiplier, shift), exact_requantise(x, multiplier, shift))
            << x << " " << multiplier << " " << shift;
}

TEST(Requantise, RandomSeeded) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 500000; ++i) {
    int32_t x = static_cast<int32_t>(random()) >> (random() % 32), multiplier = static_cast<int32_t>(random());
    int shift = static_cast<int>(random() % 62) - 31;
    ASSERT_EQ(avocet_requantise(x, multiplier, shift), exact_requantise(x, multiplier, shift))
        << x << " " << multiplier << " " << shift;
  }
}

// Worked by hand: where the two roundings differ from each other, and from a single rounding.
TEST(Requantise, HalvesByHand) {
  constexpr int32_t kHalf = int32_t{1} << 30;               // Q0.31: 0.5
  EXPECT_EQ(avocet_doubling_high_multiply(1, kHalf), 1);    // 0.5 up
  EXPECT_EQ(avocet_doubling_high_multiply(-1, kHalf), 0);   // -0.5 up
  EXPECT_EQ(avocet_doubling_high_multiply(-3, kHalf), -1);  // -1.5 up
  EXPECT_EQ(avocet_rounding_shift_right(1, 1), 1);          // 0.5 away from zero
  EXPECT_EQ(avocet_rounding_shift_right(-1, 1), -1);        // -0.5 away from zero
  EXPECT_EQ(avocet_rounding_shift_right(-3, 1), -2);        // -1.5 away from zero
  EXPECT_EQ(avocet_requantise(5, kHalf, -1), 2);            // 5/4 = 1.25: 2.5 -> 3, 1.5 -> 2
  EXPECT_EQ(avocet_doubling_high_multiply(kMin, kMin), kMax);
}

}  // namespace
