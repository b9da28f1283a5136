// SPDX-License-Identifier: Apache-2.0
// Exponential, reciprocal and logistic in 32 bit fixed point, step by step as gemmlowp defines them, so that integer softmax
// gives the same bits everywhere. Qm.n: m integer bits, n = 31 - m fraction bits, one sign bit.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "requantise.hpp"

namespace avocet::runtime::fixed_point {

/// Product of Qa and Qb numbers: Q(a+b).
constexpr int32_t multiply(int32_t a, int32_t b) { return rounding_doubling_high_multiply(a, b); }

/// x * 2^exponent, saturating to the left, rounding half away from zero to the right.
constexpr int32_t scale_by_power_of_two(int32_t x, int exponent) {
  if (exponent <= 0) return rounding_shift_right(x, -exponent);
  const int32_t threshold = (int32_t{1} << (31 - exponent)) - 1;
  if (x > threshold) return std::numeric_limits<int32_t>::max();
  if (x < -threshold) return std::numeric_limits<int32_t>::min();
  return wrapping_shift_left(x, exponent);
}

/// (a + b) / 2, halves away from zero.
constexpr int32_t rounding_half_sum(int32_t a, int32_t b) {
  const int64_t sum = int64_t{a} + b;
  return static_cast<int32_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
}

/// exp(a) for a in [-1/4, 0), both Q0.31: Taylor polynomial of degree 4 around -1/8.
constexpr int32_t exp_on_last_quarter(int32_t a) {
  constexpr int32_t kExpMinusEighth = 1895147668;  // exp(-1/8)
  constexpr int32_t kThird = 715827883;            // 1/3
  const int32_t x = a + (1 << 28);                 // a + 1/8
  const int32_t x2 = multiply(x, x);
  const int32_t x3 = multiply(x2, x);
  const int32_t x4 = multiply(x2, x2);
  const int32_t x4_over_4 = scale_by_power_of_two(x4, -2);
  const int32_t tail = scale_by_power_of_two(multiply(x4_over_4 + x3, kThird) + x2, -1);  // x^4/24 + x^3/6 + x^2/2
  return kExpMinusEighth + multiply(kExpMinusEighth, x + tail);
}

/// exp(a) for a <= 0 in Q(integer_bits), as Q0.31.
template <int integer_bits>
constexpr int32_t exp_on_negative(int32_t a) {
  constexpr int kFractionBits = 31 - integer_bits;
  constexpr int32_t kOneQuarter = int32_t{1} << (kFractionBits - 2);
  const int32_t modulo = (a & (kOneQuarter - 1)) - kOneQuarter;
  int32_t result = exp_on_last_quarter(wrapping_shift_left(modulo, integer_bits));
  const int32_t remainder = modulo - a;
  // exp(-2^k) for k = -2 .. 4, applied for each bit set in the rest.
  constexpr int32_t kFactors[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  for (int k = -2; k <= 4; ++k) {
    if (integer_bits <= k) break;
    if (remainder & (int32_t{1} << (kFractionBits + k))) result = multiply(result, kFactors[k + 2]);
  }
  if constexpr (integer_bits > 5) {
    constexpr int32_t kClamp = -(int32_t{1} << (kFractionBits + 5));  // exp(-32) and below is 0
    if (a < kClamp) return 0;
  }
  return a == 0 ? std::numeric_limits<int32_t>::max() : result;
}

/// 1 / (1 + a) for a in [0, 1], both Q0.31: three Newton-Raphson steps.
constexpr int32_t one_over_one_plus(int32_t a) {
  constexpr int32_t k48Over17 = 1515870810, kMinus32Over17 = -1010580540;  // Q2.29
  constexpr int32_t kOneQ2 = 1 << 29;
  const int32_t half_denominator = rounding_half_sum(a, std::numeric_limits<int32_t>::max());
  int32_t x = k48Over17 + multiply(half_denominator, kMinus32Over17);  // Q2.29
  for (int step = 0; step < 3; ++step) {
    const int32_t error = kOneQ2 - multiply(half_denominator, x);
    x += scale_by_power_of_two(multiply(x, error), 2);
  }
  return scale_by_power_of_two(x, 1);  // x / 2 as Q0.31
}

/// 1 / x for x > 0 in Q(integer_bits): returns Q0.31 of 1 / m, where x = m * 2^(integer_bits - headroom), m in [1, 2).
/// *bits_over_unit receives integer_bits - headroom.
inline int32_t reciprocal(int32_t x, int integer_bits, int* bits_over_unit) {
  const int headroom = std::countl_zero(static_cast<uint32_t>(x));
  *bits_over_unit = integer_bits - headroom;
  const int32_t minus_one =
      static_cast<int32_t>((static_cast<uint32_t>(x) << headroom) - (uint32_t{1} << 31));
  return one_over_one_plus(minus_one);
}

}  // namespace avocet::runtime::fixed_point
