// SPDX-License-Identifier: Apache-2.0
// Requantisation as the rules state it, in 64 bit integers and without the code under test: real multiplier to a 31 bit
// mantissa and a power of two, two roundings half away from zero.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace avocet::runtime::naive {

struct Multiplier {
  int64_t mantissa = 0;
  int exponent = 0;
};

inline Multiplier multiplier_of(double real) {
  Multiplier m;
  m.mantissa = std::llround(std::frexp(real, &m.exponent) * 2147483648.0);
  if (m.mantissa == 2147483648) m.mantissa /= 2, ++m.exponent;
  return m;
}

inline int64_t requantised(int64_t x, Multiplier m) {
  const int64_t product = x * (int64_t{1} << std::max(m.exponent, 0)) * m.mantissa;
  const int64_t high = (product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / 2147483648;
  const int64_t divisor = int64_t{1} << std::max(-m.exponent, 0);
  const int64_t magnitude = (std::abs(high) * 2 + divisor) / (2 * divisor);
  return high < 0 ? -magnitude : magnitude;
}

template <typename T>
int64_t clamped(int64_t x) {
  return std::clamp<int64_t>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

}  // namespace avocet::runtime::naive
