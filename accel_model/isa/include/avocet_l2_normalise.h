/* SPDX-License-Identifier: Apache-2.0 */
/* The inverse square root of L2_NORMALISE, to the bit as TensorFlow Lite's reference kernels compute it: five steps of
 * Newton's method on a number normalised to [1/2, 2). */
#ifndef AVOCET_L2_NORMALISE_H
#define AVOCET_L2_NORMALISE_H

#include "avocet_requantise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* multiplier * 2^(shift - 31); the shift is -28 to 0. */
struct avocet_inverse_square_root {
  int32_t multiplier;
  int32_t shift;
};

/* The shift with which a value is scaled: that of the root and the command's, not below what a shift can be. */
static inline int32_t avocet_l2_normalise_shift(struct avocet_inverse_square_root root, int32_t out_shift) {
  int32_t shift = root.shift + out_shift;
  return shift < -31 ? -31 : shift;
}

/* 1 / sqrt(x); x below 2 counts as 1, which is the largest multiplier. */
static inline struct avocet_inverse_square_root avocet_inverse_square_root_of(int64_t x) {
  const int32_t three_halves = (1 << 28) + (1 << 27); /* Q3.28 */
  const int32_t half_root_of_two = 1518500250;        /* sqrt(2) / 2, Q0.31 */
  struct avocet_inverse_square_root result = {INT32_MAX, 0};
  if (x < 2) return result;
  /* 1. By factors of four to [2^27, 2^29), counting right shifts of the root. */
  int right = 11;
  for (; x >= 1 << 29; ++right) x >>= 2;
  for (; x < 1 << 27; --right) x <<= 2;
  /* 2. r := r * (3 - x * r^2) / 2 in Q3.28, from r = 1. */
  const int32_t half = avocet_rounding_shift_right((int32_t)(x >> 1), 1);
  int32_t root = 1 << 28;
  for (int step = 0; step < 5; ++step) {
    int32_t square = avocet_doubling_high_multiply(root, root);                                        /* Q6.25 */
    int32_t cube = avocet_saturating_shift_left(avocet_doubling_high_multiply(square, root), 6);       /* Q9.22 to Q3.28 */
    int32_t next = avocet_doubling_high_multiply(three_halves, root) - avocet_doubling_high_multiply(half, cube);
    root = avocet_saturating_shift_left(next, 3); /* Q6.25 to Q3.28 */
  }
  /* 3. The normalisation stands for x / 2, hence the root of two; no left shift remains. */
  result.multiplier = avocet_doubling_high_multiply(root, half_root_of_two);
  if (right < 0) {
    result.multiplier = avocet_saturating_shift_left(result.multiplier, -right);
    right = 0;
  }
  result.shift = -right;
  return result;
}

#ifdef __cplusplus
}
#endif
#endif
