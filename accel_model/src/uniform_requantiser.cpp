// SPDX-License-Identifier: Apache-2.0
// Scaling with one multiplier.
#include "uniform_requantiser.hpp"

#include <algorithm>

#include "avocet_requantise.h"
#include "matmul_values.hpp"
#include "requantise_avx2.hpp"

namespace avocet::model {

UniformRequantiser::UniformRequantiser(int32_t multiplier, int32_t shift, int32_t zero_point, int32_t clamp_min,
                                       int32_t clamp_max)
    : multiplier_(multiplier), shift_(shift), zero_point_(zero_point), clamp_min_(clamp_min), clamp_max_(clamp_max),
      vector_(have_avx2() && multiplier != INT32_MIN) {}

void UniformRequantiser::operator()(const int32_t *values, size_t count, uint8_t *out) const {
  for (size_t i = vector_ ? vector(values, count, out) : 0; i < count; ++i) {
    int32_t scaled = avocet_requantise(values[i], multiplier_, shift_);
    auto value = static_cast<int32_t>(static_cast<uint32_t>(scaled) + static_cast<uint32_t>(zero_point_));
    out[i] = static_cast<uint8_t>(std::clamp(value, clamp_min_, clamp_max_));
  }
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) size_t UniformRequantiser::vector(const int32_t *values, size_t count, uint8_t *out) const {
  const __m256i multiplier = _mm256_set1_epi32(multiplier_), zero_point = _mm256_set1_epi32(zero_point_);
  const __m256i left = _mm256_set1_epi32(std::max(shift_, 0)), right = _mm256_set1_epi32(std::max(-shift_, 0));
  const __m256i clamp_min = _mm256_set1_epi32(clamp_min_), clamp_max = _mm256_set1_epi32(clamp_max_);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(values + i));
    store_eight_bytes(requantise_eight(eight, multiplier, left, right), zero_point, clamp_min, clamp_max, out + i);
  }
  return i;
}

#else

size_t UniformRequantiser::vector(const int32_t *, size_t, uint8_t *) const { return 0; }

#endif

} // namespace avocet::model
