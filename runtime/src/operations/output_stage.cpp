// SPDX-License-Identifier: Apache-2.0
// From accumulators to stored values: see output_stage.hpp.
#include "output_stage.hpp"

#include <cmath>
#include <cstring>

#include "processor.hpp"
#include "shape.hpp"

#if AVOCET_X86
#include <immintrin.h>
#endif

namespace avocet::runtime {
namespace {

struct StageView {
  const int32_t* bias;
  const int32_t* mantissa;
  const int32_t* left;
  const int32_t* right;
  int32_t zero_point;
  Range<int32_t> range;
};

void store_portable(const StageView& stage, const int32_t* accumulators, uint8_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const QuantisedMultiplier multiplier{stage.mantissa[i], stage.left[i] - stage.right[i]};
    const int32_t biased = wrapping_add(accumulators[i], stage.bias[i]);
    const int32_t value = wrapping_add(multiply_by_quantised_multiplier(biased, multiplier), stage.zero_point);
    out[i] = static_cast<uint8_t>(clamp_to(value, stage.range));
  }
}

#if AVOCET_X86
/// Eight accumulators to clamped values, the steps of multiply_by_quantised_multiplier() lane by lane.
__attribute__((target("avx2"), always_inline)) inline __m256i requantise_eight(const StageView& stage, const int32_t* accumulators,
                                                                              size_t at) {
  const auto load = [at](const int32_t* p) __attribute__((target("avx2"))) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + at));
  };
  const __m256i multiplier = load(stage.mantissa);
  const __m256i x = _mm256_sllv_epi32(_mm256_add_epi32(load(accumulators), load(stage.bias)), load(stage.left));
  // High multiply: bits 31 to 62 of product + 2^30, for even and odd lanes.
  const __m256i nudge = _mm256_set1_epi64x(int64_t{1} << 30);
  const __m256i even = _mm256_srli_epi64(_mm256_add_epi64(_mm256_mul_epi32(x, multiplier), nudge), 31);
  const __m256i odd_product = _mm256_mul_epi32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(multiplier, 32));
  const __m256i odd = _mm256_slli_epi64(_mm256_add_epi64(odd_product, nudge), 1);
  const __m256i high = _mm256_blend_epi32(even, odd, 0xAA);
  // Rounding shift right, halves away from zero.
  const __m256i right = load(stage.right);
  const __m256i ones = _mm256_set1_epi32(1);
  const __m256i mask = _mm256_sub_epi32(_mm256_sllv_epi32(ones, right), ones);
  const __m256i is_negative = _mm256_srai_epi32(high, 31);  // -1 where negative
  const __m256i threshold = _mm256_sub_epi32(_mm256_srli_epi32(mask, 1), is_negative);
  const __m256i round_up = _mm256_cmpgt_epi32(_mm256_and_si256(high, mask), threshold);  // -1 where rounding up
  const __m256i shifted = _mm256_sub_epi32(_mm256_srav_epi32(high, right), round_up);
  const __m256i value = _mm256_add_epi32(shifted, _mm256_set1_epi32(stage.zero_point));
  return _mm256_min_epi32(_mm256_max_epi32(value, _mm256_set1_epi32(stage.range.low)), _mm256_set1_epi32(stage.range.high));
}

__attribute__((target("avx2"))) void store_avx2(const StageView& stage, const int32_t* accumulators, uint8_t* out, size_t count) {
  const __m256i low = requantise_eight(stage, accumulators, 0);
  const __m256i high = requantise_eight(stage, accumulators, 8);
  // Values fit into 16 bits; keep the low byte of each, which serves signed and unsigned types alike.
  __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xD8);
  words = _mm256_and_si256(words, _mm256_set1_epi16(0xFF));
  const __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  if (count == OutputStage::kWidth) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), bytes);
  } else {
    alignas(16) uint8_t all[OutputStage::kWidth];
    _mm_store_si128(reinterpret_cast<__m128i*>(all), bytes);
    std::memcpy(out, all, count);
  }
}
#endif

}  // namespace

OutputStage::OutputStage(size_t channels, const int32_t* bias, std::span<const QuantisedMultiplier> multipliers, int32_t zero_point,
                         Range<int32_t> range)
    : channels_(channels), zero_point_(zero_point), range_(range) {
  const size_t padded = (channels + kWidth - 1) / kWidth * kWidth;
  bias_.resize(padded);
  mantissa_.resize(padded);
  left_.resize(padded);
  right_.resize(padded);
  for (size_t c = 0; c < channels; ++c) {
    const QuantisedMultiplier& m = multipliers[multipliers.size() == 1 ? 0 : c];
    bias_[c] = bias ? bias[c] : 0;
    mantissa_[c] = m.mantissa;
    left_[c] = m.exponent > 0 ? m.exponent : 0;
    right_[c] = m.exponent < 0 ? -m.exponent : 0;
  }
}

void OutputStage::store(const int32_t* accumulators, size_t channel, uint8_t* out, size_t count) const {
  const StageView view{bias_.data() + channel, mantissa_.data() + channel, left_.data() + channel,
                       right_.data() + channel, zero_point_, range_};
#if AVOCET_X86
  if (processor_has_avx2()) return store_avx2(view, accumulators, out, count);
#endif
  store_portable(view, accumulators, out, count);
}

Status convolution_multipliers(FilteredLayer layer, const OperandView& input, const OperandView& filter,
                               const OperandView& output, std::vector<QuantisedMultiplier>* multipliers) {
  multipliers->clear();
  if (filter.type == ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL) {
    for (float scale : filter.channel_scales) {
      multipliers->push_back(quantise_multiplier(double{input.scale} * double{scale} / double{output.scale}));
    }
    if (filter.channel_dim >= filter.dims.size() || multipliers->size() != filter.dims[filter.channel_dim]) {
      return op_failed("the filter has ", multipliers->size(), " scales for its shape ", dims_text(filter.dims));
    }
  } else {
    const bool in_double = layer == FilteredLayer::kConvolution && input.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
    const double product = in_double ? double{input.scale} * double{filter.scale} : double{input.scale * filter.scale};
    multipliers->push_back(quantise_multiplier(product / double{output.scale}));
  }
  return {};
}

Status check_bias_scale(const OperandView& input, const OperandView& filter, const OperandView& bias) {
  if (filter.type == ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL || !is_quant8(input.type)) return {};
  const double wanted = double{input.scale} * double{filter.scale};
  if (std::abs(wanted - bias.scale) <= 1e-6 * std::max(wanted, double{bias.scale})) return {};
  return op_failed("the bias has scale ", bias.scale, " where the product of input and filter scale, ", wanted, ", is required");
}

}  // namespace avocet::runtime
