/* SPDX-License-Identifier: Apache-2.0 */
/* The one arithmetic that device, compiler and CPU path share to the bit: scaling an int32 by a Q0.31 multiplier and a
 * power of two with two roundings, as TensorFlow Lite's reference kernels do it: the first rounds halves up (towards plus
 * infinity: -0.5 becomes 0), the second away from zero. */
#ifndef AVOCET_REQUANTISE_H
#define AVOCET_REQUANTISE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* High 32 bits of 2*a*b, halves up; saturates for INT32_MIN * INT32_MIN alone. */
static inline int32_t avocet_doubling_high_multiply(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN) return INT32_MAX;
  int64_t product = (int64_t)a * b;
  int64_t nudge = product >= 0 ? (INT64_C(1) << 30) : 1 - (INT64_C(1) << 30);
  return (int32_t)((product + nudge) / (INT64_C(1) << 31)); /* division towards zero */
}

/* x / 2^exponent, halves away from zero; exponent 0..31. */
static inline int32_t avocet_rounding_shift_right(int32_t x, int exponent) {
  int32_t mask = (int32_t)((UINT32_C(1) << exponent) - 1u);
  int32_t threshold = (int32_t)((uint32_t)mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (((x & mask) > threshold) ? 1 : 0);
}

/* x * 2^exponent, saturating; exponent 0..30. */
static inline int32_t avocet_saturating_shift_left(int32_t x, int exponent) {
  int64_t wide = (int64_t)x * (INT64_C(1) << exponent);
  return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

/* x * multiplier * 2^(shift - 31) with both roundings; shift -31..30, left shifts wrap modulo 2^32. */
static inline int32_t avocet_requantise(int32_t x, int32_t multiplier, int shift) {
  int left = shift > 0 ? shift : 0;
  int right = shift > 0 ? 0 : -shift;
  int32_t shifted = (int32_t)((uint32_t)x << left);
  return avocet_rounding_shift_right(avocet_doubling_high_multiply(shifted, multiplier), right);
}

#ifdef __cplusplus
}
#endif
#endif
