// SPDX-License-Identifier: Apache-2.0
// avocet_requantise of eight numbers at once. With p = x * multiplier, the rounding doubling high multiply is
// floor((p + 2^30) / 2^31), which needs no sign cases; it would have to saturate for INT32_MIN * INT32_MIN alone, so callers
// keep multipliers of INT32_MIN away.
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

namespace avocet::model {

__attribute__((target("avx2"))) inline __m256i requantise_eight(__m256i x, __m256i multiplier, __m256i left, __m256i right) {
  const __m256i half = _mm256_set1_epi64x(int64_t{1} << 30);
  x = _mm256_sllv_epi32(x, left);
  __m256i even = _mm256_add_epi64(_mm256_mul_epi32(x, multiplier), half);
  __m256i odd = _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(multiplier, 32)), half);
  // Bits 62:31 of the even products to the low halves, of the odd ones to the high halves.
  __m256i high = _mm256_blend_epi32(_mm256_srli_epi64(even, 31), _mm256_slli_epi64(odd, 1), 0xAA);
  const __m256i one = _mm256_set1_epi32(1);
  __m256i mask = _mm256_sub_epi32(_mm256_sllv_epi32(one, right), one);
  __m256i threshold = _mm256_add_epi32(_mm256_srli_epi32(mask, 1), _mm256_srli_epi32(high, 31));
  __m256i round_up = _mm256_cmpgt_epi32(_mm256_and_si256(high, mask), threshold); // -1 where the rest is above half
  return _mm256_sub_epi32(_mm256_srav_epi32(high, right), round_up);
}

// Adds the zero point, clamps, and keeps the low bytes.
__attribute__((target("avx2"))) inline void store_eight_bytes(__m256i value, __m256i zero_point, __m256i clamp_min,
                                                              __m256i clamp_max, uint8_t *out) {
  value = _mm256_add_epi32(value, zero_point);
  value = _mm256_max_epi32(_mm256_min_epi32(value, clamp_max), clamp_min);
  const __m256i low_bytes = _mm256_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, //
                                             0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  value = _mm256_shuffle_epi8(value, low_bytes);
  __m128i bytes = _mm_unpacklo_epi32(_mm256_castsi256_si128(value), _mm256_extracti128_si256(value, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i *>(out), bytes);
}

} // namespace avocet::model

#endif
