// SPDX-License-Identifier: Apache-2.0
// Logistic and hyperbolic tangent in 16 bit fixed point, step by step as gemmlowp defines them, so that the integer LSTMs give
// the same bits everywhere. Qm.n: m integer bits, n = 15 - m fraction bits, one sign bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "requantise.hpp"

namespace avocet::runtime::fixed_point_16 {

constexpr int16_t saturate(int32_t x) {
  return static_cast<int16_t>(std::clamp<int32_t>(x, std::numeric_limits<int16_t>::min(), std::numeric_limits<int16_t>::max()));
}

/// A constant written in 32 bits, rounded to 16.
constexpr int16_t constant(int32_t literal) { return static_cast<int16_t>(rounding_shift_right(literal, 16)); }

/// Product of Qa and Qb numbers: Q(a+b). -1 * -1 saturates.
constexpr int16_t multiply(int16_t a, int16_t b) { return saturate((int32_t{a} * b + (1 << 14)) >> 15); }

/// x * 2^exponent, saturating to the left, rounding half away from zero to the right.
constexpr int16_t scale_by_power_of_two(int16_t x, int exponent) {
  if (exponent <= 0) return static_cast<int16_t>(rounding_shift_right(x, -exponent));
  const int32_t threshold = (1 << (15 - exponent)) - 1;
  if (x > threshold) return std::numeric_limits<int16_t>::max();
  if (x < -threshold) return std::numeric_limits<int16_t>::min();
  return static_cast<int16_t>(x * (1 << exponent));
}

/// exp(a) for a in [-1/4, 0), both Q0.15: Taylor polynomial of degree 4 around -1/8.
constexpr int16_t exp_on_last_quarter(int16_t a) {
  constexpr int16_t kExpMinusEighth = constant(1895147668), kThird = constant(715827883);
  const int16_t x = static_cast<int16_t>(a + (1 << 12));  // a + 1/8
  const int16_t x2 = multiply(x, x);
  const int16_t x3 = multiply(x2, x);
  const int16_t x4_over_4 = scale_by_power_of_two(multiply(x2, x2), -2);
  const int16_t cubic = multiply(static_cast<int16_t>(x4_over_4 + x3), kThird);
  const int16_t tail = scale_by_power_of_two(static_cast<int16_t>(cubic + x2), -1);  // x^4/24 + x^3/6 + x^2/2
  return saturate(kExpMinusEighth + multiply(kExpMinusEighth, static_cast<int16_t>(x + tail)));
}

/// exp(a) for a <= 0 with up to 7 integer bits, as Q0.15.
constexpr int16_t exp_on_negative(int16_t a, int integer_bits) {
  if (a == 0) return std::numeric_limits<int16_t>::max();
  const int fraction_bits = 15 - integer_bits;
  if (integer_bits > 5 && a < -(1 << (fraction_bits + 5))) return 0;  // exp(-32) and below
  const int32_t one_quarter = 1 << (fraction_bits - 2);
  const int32_t modulo = (a & (one_quarter - 1)) - one_quarter;
  const int32_t remainder = modulo - a;
  int16_t result = exp_on_last_quarter(static_cast<int16_t>(modulo * (1 << integer_bits)));
  // exp(-2^k) for k = -2 .. 4, applied for each bit set in the rest.
  constexpr int32_t kFactors[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  for (int k = -2; k <= 4 && k < integer_bits; ++k) {
    if (remainder & (1 << (fraction_bits + k))) result = multiply(result, constant(kFactors[k + 2]));
  }
  return result;
}

/// 2 / (1 + a) as Q2.13 for a in [0, 1], Q0.15: three Newton-Raphson steps.
constexpr int16_t two_over_one_plus(int16_t a) {
  constexpr int16_t k48Over17 = constant(1515870810), kMinus32Over17 = constant(-1010580540);  // Q2.13
  constexpr int32_t kOneQ2 = 1 << 13;
  const int16_t half_denominator = static_cast<int16_t>((int32_t{a} + std::numeric_limits<int16_t>::max() + 1) / 2);
  int16_t x = static_cast<int16_t>(k48Over17 + multiply(half_denominator, kMinus32Over17));
  for (int step = 0; step < 3; ++step) {
    const int16_t error = static_cast<int16_t>(kOneQ2 - multiply(half_denominator, x));
    x = static_cast<int16_t>(x + scale_by_power_of_two(multiply(x, error), 2));
  }
  return x;
}

/// 1 / (1 + exp(-a)) as Q0.15.
constexpr int16_t logistic(int16_t a, int integer_bits) {
  if (a == 0) return 1 << 14;
  const int16_t minus_magnitude = static_cast<int16_t>(a > 0 ? -a : a);
  const int16_t of_magnitude = scale_by_power_of_two(two_over_one_plus(exp_on_negative(minus_magnitude, integer_bits)), 1);
  return a > 0 ? of_magnitude : static_cast<int16_t>(std::numeric_limits<int16_t>::max() - of_magnitude);
}

/// tanh(a) as Q0.15, with up to 6 integer bits: 2 / (1 + exp(-2a)) - 1.
constexpr int16_t tanh(int16_t a, int integer_bits) {
  if (a == 0) return 0;
  const int16_t minus_magnitude = static_cast<int16_t>(a > 0 ? -a : a);
  const int16_t quotient = two_over_one_plus(exp_on_negative(minus_magnitude, integer_bits + 1));
  const int16_t of_magnitude = scale_by_power_of_two(static_cast<int16_t>(quotient - (1 << 13)), 2);
  return a > 0 ? of_magnitude : static_cast<int16_t>(-of_magnitude);
}

}  // namespace avocet::runtime::fixed_point_16
