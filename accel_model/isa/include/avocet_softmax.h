/* SPDX-License-Identifier: Apache-2.0 */
/* The integer softmax that device, compiler and CPU path share to the bit, as TensorFlow Lite's reference kernels define it:
 * exponentials of differences as a table (Q0.31), their sum in Q12.19, its reciprocal by Newton's method. Whoever
 * makes a command computes the table; the device reads it. Any table gives a defined result. Qm.n: m integer bits,
 * n = 31 - m fraction bits, one sign bit. */
#ifndef AVOCET_SOFTMAX_H
#define AVOCET_SOFTMAX_H

#include "avocet_requantise.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AVOCET_SOFTMAX_EXPONENTIALS 256
#define AVOCET_SOFTMAX_SUM_INTEGER_BITS 12

/* exp(a) for a in [-1/4, 0), both Q0.31: the polynomial of degree 4 around -1/8. */
static inline int32_t avocet_exponential_of_last_quarter(int32_t a) {
  const int32_t at_centre = 1895147668; /* exp(-1/8) */
  const int32_t third = 715827883;      /* 1/3 */
  int32_t x = a + (1 << 28);            /* distance from the centre */
  int32_t square = avocet_doubling_high_multiply(x, x);
  int32_t cube = avocet_doubling_high_multiply(square, x);
  int32_t fourth = avocet_doubling_high_multiply(square, square);
  int32_t cubic = avocet_doubling_high_multiply(avocet_rounding_shift_right(fourth, 2) + cube, third);
  int32_t tail = avocet_rounding_shift_right(cubic + square, 1); /* x^4/24 + x^3/6 + x^2/2 */
  return at_centre + avocet_doubling_high_multiply(at_centre, x + tail);
}

/* exp(a) as Q0.31 for a <= 0 in Q5.26: that of the part below a quarter, times one factor for each bit of the rest. */
static inline int32_t avocet_exponential_of_negative(int32_t a) {
  static const int32_t factors[7] = {/* exp(-2^k) for k = -2 to 4 */
                                     1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  const int32_t quarter = INT32_C(1) << 24;
  if (a == 0) return INT32_MAX;
  int32_t below_quarter = (a & (quarter - 1)) - quarter;
  int32_t result = avocet_exponential_of_last_quarter((int32_t)((uint32_t)below_quarter << 5));
  uint32_t rest = (uint32_t)below_quarter - (uint32_t)a;
  for (int k = 0; k < 7; ++k)
    if (rest >> (24 + k) & 1u) result = avocet_doubling_high_multiply(result, factors[k]);
  return result;
}

/* The table of a SOFTMAX: difference * scale * beta in Q5.26 is the difference scaled by multiplier and shift (as
 * avocet_requantise, shift up to 31); differences above the largest one do not count. */
static inline void avocet_softmax_exponentials(int32_t multiplier, int shift, int32_t largest_difference,
                                               int32_t table[AVOCET_SOFTMAX_EXPONENTIALS]) {
  for (int32_t d = 0; d < AVOCET_SOFTMAX_EXPONENTIALS; ++d)
    table[d] = d > largest_difference ? 0 : avocet_exponential_of_negative(avocet_requantise(-d, multiplier, shift));
}

/* What a term adds to the sum, which is Q12.19. */
static inline int32_t avocet_softmax_term(int32_t exponential) {
  return avocet_rounding_shift_right(exponential, AVOCET_SOFTMAX_SUM_INTEGER_BITS);
}

/* A row's divisor: an exponential becomes a stored value by the high multiply with `reciprocal` and a rounding shift. */
struct avocet_softmax_divisor {
  int32_t reciprocal; /* Q0.31, of the sum's mantissa in [1, 2) */
  int32_t shift;      /* 4 to 31 */
};

/* `sum`: of all terms; one outside 1 to INT32_MAX counts as the nearest number inside. */
static inline struct avocet_softmax_divisor avocet_softmax_divide(int64_t sum) {
  const int32_t two_and_14_17ths = 1515870810, minus_1_and_15_17ths = -1010580540; /* 48/17 and -32/17, Q2.29 */
  const int32_t one = INT32_C(1) << 29;
  uint32_t mantissa = (uint32_t)(sum < 1 ? 1 : sum > INT32_MAX ? INT32_MAX : sum);
  int headroom = 0;
  while (!(mantissa >> 31)) {
    mantissa <<= 1;
    ++headroom;
  }
  /* Half of the mantissa, rounded to Q0.31: (fraction + 1) / 2 with 1 as INT32_MAX. */
  int32_t half = (int32_t)(((int64_t)(mantissa - (UINT32_C(1) << 31)) + INT32_MAX + 1) / 2);
  int32_t x = two_and_14_17ths + avocet_doubling_high_multiply(half, minus_1_and_15_17ths);
  for (int step = 0; step < 3; ++step) {
    int32_t error = one - avocet_doubling_high_multiply(half, x);
    x += avocet_saturating_shift_left(avocet_doubling_high_multiply(x, error), 2);
  }
  struct avocet_softmax_divisor divisor;
  int shift = AVOCET_SOFTMAX_SUM_INTEGER_BITS - headroom + 31 - 8; /* outputs have 8 fraction bits */
  divisor.reciprocal = avocet_saturating_shift_left(x, 1);         /* half of Q2.29 is Q0.31 */
  divisor.shift = shift < 31 ? shift : 31;
  return divisor;
}

/* An output before zero point and clamp. */
static inline int32_t avocet_softmax_quotient(int32_t exponential, const struct avocet_softmax_divisor* divisor) {
  return avocet_rounding_shift_right(avocet_doubling_high_multiply(divisor->reciprocal, exponential), divisor->shift);
}

#ifdef __cplusplus
}
#endif
#endif
