// SPDX-License-Identifier: Apache-2.0
// Depthwise kernels: see depthwise_kernels.hpp. The integer kernel multiplies two taps at once, exactly.
#include "depthwise_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "processor.hpp"

#if AVOCET_X86
#include <immintrin.h>
#endif

namespace avocet::runtime {
namespace {

constexpr size_t kBlock = PackedDepthwiseWeights::kBlock;

/// Where the weight of channel c (0..15) of the first tap of a pair stands among the pair's 32 numbers: the order in which
/// the interleaving instructions, which work on halves of eight channels, leave the channels.
constexpr size_t slot(size_t c) {
  const size_t in_half = c % 8, half = c / 8;
  return in_half < 4 ? half * 8 + in_half * 2 : kBlock + half * 8 + (in_half - 4) * 2;
}

void block_portable(const uint8_t* const* taps, size_t tap_count, size_t channel, bool is_signed, int32_t zero_point,
                    const int16_t* weights, int32_t* sums) {
  std::fill(sums, sums + kBlock, 0);
  for (size_t t = 0; t < tap_count; ++t) {
    const int16_t* pair = weights + t / 2 * 2 * kBlock + t % 2;
    for (size_t c = 0; c < kBlock; ++c) {
      const uint8_t byte = taps[t][channel + c];
      const int32_t x = is_signed ? int32_t{static_cast<int8_t>(byte)} : int32_t{byte};
      sums[c] = wrapping_add(sums[c], (x - zero_point) * pair[slot(c)]);
    }
  }
}

#if AVOCET_X86
__attribute__((target("avx2"))) void block_avx2(const uint8_t* const* taps, size_t tap_count, size_t channel, bool is_signed,
                                                int32_t zero_point, const int16_t* weights, int32_t* sums) {
  const __m256i zero = _mm256_set1_epi16(static_cast<int16_t>(zero_point));
  // One way to widen both types: flipping the top bit of a signed byte makes it unsigned and moves its zero point by 128.
  const __m128i flip = _mm_set1_epi8(is_signed ? static_cast<char>(0x80) : 0);
  const __m256i offset = is_signed ? _mm256_add_epi16(zero, _mm256_set1_epi16(128)) : zero;
  __m256i low = _mm256_setzero_si256(), high = _mm256_setzero_si256();
  for (size_t t = 0; t < tap_count; t += 2, weights += 2 * kBlock) {
    const __m128i bytes0 = _mm_loadu_si128(reinterpret_cast<const __m128i*>(taps[t] + channel));
    const __m128i bytes1 = _mm_loadu_si128(reinterpret_cast<const __m128i*>(taps[t + 1] + channel));
    const __m256i x0 = _mm256_sub_epi16(_mm256_cvtepu8_epi16(_mm_xor_si128(bytes0, flip)), offset);
    const __m256i x1 = _mm256_sub_epi16(_mm256_cvtepu8_epi16(_mm_xor_si128(bytes1, flip)), offset);
    const __m256i w0 = _mm256_load_si256(reinterpret_cast<const __m256i*>(weights));
    const __m256i w1 = _mm256_load_si256(reinterpret_cast<const __m256i*>(weights + kBlock));
    low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_unpacklo_epi16(x0, x1), w0));
    high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_unpackhi_epi16(x0, x1), w1));
  }
  _mm256_store_si256(reinterpret_cast<__m256i*>(sums), _mm256_permute2x128_si256(low, high, 0x20));
  _mm256_store_si256(reinterpret_cast<__m256i*>(sums + 8), _mm256_permute2x128_si256(low, high, 0x31));
}
#endif

typedef float Vector __attribute__((vector_size(32)));

/// Channels [0, whole) in steps of eight; returns where it stopped.
__attribute__((always_inline)) inline size_t float_pixel(const float* const* taps, size_t tap_count, const float* filter,
                                                         const float* bias, size_t channels, Range<float> range, float* out) {
  const Vector low = Vector{} + range.low, high = Vector{} + range.high;
  size_t c = 0;
  for (; c + 8 <= channels; c += 8) {
    Vector sum;
    std::memcpy(&sum, bias + c, sizeof sum);
    const float* weights = filter + c;
    for (size_t t = 0; t < tap_count; ++t, weights += channels) {
      Vector x, w;
      std::memcpy(&x, taps[t] + c, sizeof x);
      std::memcpy(&w, weights, sizeof w);
      sum += x * w;
    }
    sum = sum < low ? low : sum;  // a NaN stays
    sum = sum > high ? high : sum;
    std::memcpy(out + c, &sum, sizeof sum);
  }
  return c;
}

size_t float_pixel_portable(const float* const* taps, size_t tap_count, const float* filter, const float* bias, size_t channels,
                            Range<float> range, float* out) {
  return float_pixel(taps, tap_count, filter, bias, channels, range, out);
}

#if AVOCET_X86
__attribute__((target("avx2,fma"))) size_t float_pixel_avx2(const float* const* taps, size_t tap_count, const float* filter,
                                                            const float* bias, size_t channels, Range<float> range, float* out) {
  return float_pixel(taps, tap_count, filter, bias, channels, range, out);
}
#endif

}  // namespace

template <typename Stored>
PackedDepthwiseWeights::PackedDepthwiseWeights(const Stored* filter, size_t taps, size_t channels, int32_t zero_point)
    : taps_(taps), channels_(channels), values_((channels + kBlock - 1) / kBlock * padded_taps() * kBlock) {
  std::fill(values_.data(), values_.data() + values_.size(), int16_t{0});
  for (size_t t = 0; t < taps; ++t) {
    for (size_t c = 0; c < channels; ++c) {
      int16_t* pair = values_.data() + c / kBlock * padded_taps() * kBlock + t / 2 * 2 * kBlock;
      pair[slot(c % kBlock) + t % 2] = static_cast<int16_t>(int32_t{filter[t * channels + c]} - zero_point);
    }
  }
}

template PackedDepthwiseWeights::PackedDepthwiseWeights(const int8_t*, size_t, size_t, int32_t);
template PackedDepthwiseWeights::PackedDepthwiseWeights(const uint8_t*, size_t, size_t, int32_t);

void depthwise_pixel(const uint8_t* const* taps, bool is_signed, int32_t zero_point, const PackedDepthwiseWeights& weights,
                     const OutputStage& stage, uint8_t* out) {
  auto* block = block_portable;
#if AVOCET_X86
  if (processor_has_avx2()) block = block_avx2;
#endif
  alignas(32) int32_t sums[kBlock];
  const size_t channels = weights.channels(), tap_count = weights.padded_taps();
  size_t c = 0;
  for (; c + kBlock <= channels; c += kBlock) {
    block(taps, tap_count, c, is_signed, zero_point, weights.block(c / kBlock), sums);
    stage.store(sums, c, out + c, kBlock);
  }
  if (c == channels) return;
  // The last channels are copied, because sixteen bytes from there may be past the end of the tensor.
  const size_t rest = channels - c;
  constexpr size_t kTapsAtOnce = 16;
  uint8_t copies[kTapsAtOnce][kBlock] = {};
  const uint8_t* tap_copies[kTapsAtOnce];
  alignas(32) int32_t total[kBlock] = {};
  for (size_t t = 0; t < tap_count; t += kTapsAtOnce) {
    const size_t count = std::min(kTapsAtOnce, tap_count - t);
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(copies[i], taps[t + i] + c, rest);
      tap_copies[i] = copies[i];
    }
    block(tap_copies, count, 0, is_signed, zero_point, weights.block(c / kBlock) + t * kBlock, sums);
    for (size_t i = 0; i < kBlock; ++i) total[i] = wrapping_add(total[i], sums[i]);
  }
  stage.store(total, c, out + c, rest);
}

void depthwise_pixel(const float* const* taps, size_t tap_count, const float* filter, const float* bias, size_t channels,
                     Range<float> range, float* out) {
  auto* pixel = float_pixel_portable;
#if AVOCET_X86
  if (processor_has_avx2()) pixel = float_pixel_avx2;
#endif
  for (size_t c = pixel(taps, tap_count, filter, bias, channels, range, out); c < channels; ++c) {
    float sum = bias[c];
    for (size_t t = 0; t < tap_count; ++t) sum += taps[t][c] * filter[t * channels + c];
    out[c] = clamp_to(sum, range);
  }
}

}  // namespace avocet::runtime
