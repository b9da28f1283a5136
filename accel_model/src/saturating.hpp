// SPDX-License-Identifier: Apache-2.0
// Unsigned arithmetic that stops at the largest number: costs made of a command's fields.
#pragma once

#include <cstdint>

namespace avocet::model {

inline uint64_t saturating_multiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

inline uint64_t saturating_add(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

inline uint64_t divide_up(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

} // namespace avocet::model
