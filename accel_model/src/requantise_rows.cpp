// SPDX-License-Identifier: Apache-2.0
// Rows of sums to bytes.
#include "requantise_rows.hpp"

#include <algorithm>
#include <cstring>

#include "avocet_isa.h"
#include "avocet_requantise.h"
#include "matmul_values.hpp"
#include "requantise_avx2.hpp"

namespace avocet::model {

RowRequantiser::RowRequantiser(const uint8_t *parameters, uint32_t channels, int32_t zero_point, int32_t clamp_min,
                               int32_t clamp_max)
    : channels_(channels), zero_point_(zero_point), clamp_min_(clamp_min), clamp_max_(clamp_max), bias_(channels),
      multiplier_(channels), left_(channels), right_(channels), vector_(have_avx2()) {
  for (uint32_t channel = 0; channel < channels; ++channel) {
    int32_t record[3];
    static_assert(sizeof record == AVOCET_PARAMETER_BYTES);
    std::memcpy(record, parameters + uint64_t{channel} * sizeof record, sizeof record);
    int32_t shift = std::clamp(record[2], -31, 30);
    bias_[channel] = record[0];
    multiplier_[channel] = record[1];
    left_[channel] = std::max(shift, 0);
    right_[channel] = std::max(-shift, 0);
    if (record[1] == INT32_MIN) vector_ = false;
  }
}

void RowRequantiser::operator()(const int32_t *sums, uint8_t *out) const { scalar(sums, out, vector_ ? vector(sums, out) : 0); }

void RowRequantiser::scalar(const int32_t *sums, uint8_t *out, uint32_t first_channel) const {
  for (uint32_t i = first_channel; i < channels_; ++i) {
    auto sum = static_cast<int32_t>(static_cast<uint32_t>(sums[i]) + static_cast<uint32_t>(bias_[i]));
    int32_t scaled = avocet_requantise(sum, multiplier_[i], left_[i] > 0 ? left_[i] : -right_[i]);
    auto value = static_cast<int32_t>(static_cast<uint32_t>(scaled) + static_cast<uint32_t>(zero_point_));
    out[i] = static_cast<uint8_t>(std::clamp(value, clamp_min_, clamp_max_));
  }
}

#if defined(__x86_64__)

namespace {

__attribute__((target("avx2"))) inline __m256i load_eight(const int32_t *from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
}

} // namespace

// Returns the number of channels done: the largest multiple of eight.
__attribute__((target("avx2"))) uint32_t RowRequantiser::vector(const int32_t *sums, uint8_t *out) const {
  const __m256i zero_point = _mm256_set1_epi32(zero_point_);
  const __m256i clamp_min = _mm256_set1_epi32(clamp_min_), clamp_max = _mm256_set1_epi32(clamp_max_);
  uint32_t i = 0;
  for (; i + 8 <= channels_; i += 8) {
    __m256i sum = _mm256_add_epi32(load_eight(sums + i), load_eight(bias_.data() + i));
    __m256i scaled = requantise_eight(sum, load_eight(multiplier_.data() + i), load_eight(left_.data() + i),
                                      load_eight(right_.data() + i));
    store_eight_bytes(scaled, zero_point, clamp_min, clamp_max, out + i);
  }
  return i;
}

#else

uint32_t RowRequantiser::vector(const int32_t *, uint8_t *) const { return 0; }

#endif

} // namespace avocet::model
