// SPDX-License-Identifier: Apache-2.0
// 1 / sqrt(x) of an integer as a quantised multiplier, step by step as TensorFlow Lite defines it.
#pragma once

#include <bit>
#include <cstdint>

#include "fixed_point.hpp"

namespace avocet::runtime {

/// x below 2 (also 0 and negative numbers) gives the largest number below 1.
constexpr QuantisedMultiplier inverse_square_root(int64_t x) {
  if (x <= 1) return {std::numeric_limits<int32_t>::max(), 0};
  int right_shift = 11;
  while (x >= (1 << 29)) {
    x /= 4;
    ++right_shift;
  }
  // Normalised to Q3.28 of a number in [1/2, 2), by an even number of bits.
  const int pairs = (std::countl_zero(static_cast<uint32_t>(x)) - 1) / 2 - 1;
  right_shift -= pairs;
  x <<= 2 * pairs;
  const int32_t half = fixed_point::scale_by_power_of_two(static_cast<int32_t>(x >> 1), -1);
  constexpr int32_t kThreeHalves = (1 << 28) + (1 << 27);
  int32_t root = 1 << 28;
  for (int step = 0; step < 5; ++step) {  // Newton-Raphson: root * (3/2 - half * root^2)
    const int32_t cube = fixed_point::scale_by_power_of_two(
        fixed_point::multiply(fixed_point::multiply(root, root), root), 6);
    root = fixed_point::scale_by_power_of_two(fixed_point::multiply(kThreeHalves, root) - fixed_point::multiply(half, cube), 3);
  }
  constexpr int32_t kHalfSquareRootOf2 = 1518500250;
  int32_t mantissa = fixed_point::multiply(root, kHalfSquareRootOf2);
  if (right_shift < 0) {
    mantissa = wrapping_shift_left(mantissa, -right_shift);
    right_shift = 0;
  }
  return {mantissa, -right_shift};
}

}  // namespace avocet::runtime
