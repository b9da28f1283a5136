// SPDX-License-Identifier: Apache-2.0
// Integer matrix product: see int8_gemm.hpp. Six rows by sixteen columns are kept in registers; one multiply-add takes two
// steps of depth for eight columns. AVX2 is chosen at run time.
#include "int8_gemm.hpp"

#include <algorithm>
#include <cstring>

#include "processor.hpp"

#if AVOCET_X86
#include <immintrin.h>
#endif

namespace avocet::runtime {
namespace {

constexpr size_t kPanel = PackedWeights::kPanel;
constexpr size_t kRows = 6;

/// sums[r][c] over one panel for up to six rows.
using TileFunction = void (*)(const int16_t* left, size_t stride, const int16_t* panel, size_t pairs, int32_t* sums);

template <size_t rows>
void tile_portable(const int16_t* left, size_t stride, const int16_t* panel, size_t pairs, int32_t* sums) {
  std::fill(sums, sums + rows * kPanel, 0);
  for (size_t p = 0; p < pairs; ++p, panel += 2 * kPanel) {
    for (size_t r = 0; r < rows; ++r) {
      const int32_t x0 = left[r * stride + 2 * p], x1 = left[r * stride + 2 * p + 1];
      for (size_t c = 0; c < kPanel; ++c) {
        // A depth beyond 33,000 can wrap.
        sums[r * kPanel + c] = wrapping_add(sums[r * kPanel + c], x0 * panel[2 * c] + x1 * panel[2 * c + 1]);
      }
    }
  }
}

#if AVOCET_X86
template <size_t rows>
__attribute__((target("avx2"))) void tile_avx2(const int16_t* left, size_t stride, const int16_t* panel, size_t pairs, int32_t* sums) {
  __m256i low[rows], high[rows];
#pragma GCC unroll 6
  for (size_t r = 0; r < rows; ++r) low[r] = high[r] = _mm256_setzero_si256();
  for (size_t p = 0; p < pairs; ++p, panel += 2 * kPanel, left += 2) {
    const __m256i w0 = _mm256_load_si256(reinterpret_cast<const __m256i*>(panel));
    const __m256i w1 = _mm256_load_si256(reinterpret_cast<const __m256i*>(panel + kPanel));
#pragma GCC unroll 6
    for (size_t r = 0; r < rows; ++r) {
      int32_t pair;
      std::memcpy(&pair, left + r * stride, sizeof pair);
      const __m256i x = _mm256_set1_epi32(pair);
      low[r] = _mm256_add_epi32(low[r], _mm256_madd_epi16(x, w0));
      high[r] = _mm256_add_epi32(high[r], _mm256_madd_epi16(x, w1));
    }
  }
#pragma GCC unroll 6
  for (size_t r = 0; r < rows; ++r) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(sums + r * kPanel), low[r]);
    _mm256_store_si256(reinterpret_cast<__m256i*>(sums + r * kPanel + 8), high[r]);
  }
}

__attribute__((target("avx2"))) size_t widen_avx2(const uint8_t* from, bool is_signed, int32_t zero_point, int16_t* to, size_t count) {
  const __m256i zero = _mm256_set1_epi16(static_cast<int16_t>(zero_point));
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    const __m256i words = is_signed ? _mm256_cvtepi8_epi16(bytes) : _mm256_cvtepu8_epi16(bytes);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm256_sub_epi16(words, zero));
  }
  return i;
}
#endif

TileFunction tile_function(size_t rows) {
  static constexpr TileFunction kPortable[] = {tile_portable<1>, tile_portable<2>, tile_portable<3>,
                                               tile_portable<4>, tile_portable<5>, tile_portable<6>};
#if AVOCET_X86
  static constexpr TileFunction kAvx2[] = {tile_avx2<1>, tile_avx2<2>, tile_avx2<3>, tile_avx2<4>, tile_avx2<5>, tile_avx2<6>};
  if (processor_has_avx2()) return kAvx2[rows - 1];
#endif
  return kPortable[rows - 1];
}

}  // namespace

template <typename Stored>
PackedWeights::PackedWeights(const Stored* weights, size_t columns, size_t depth, int32_t zero_point)
    : columns_(columns), pairs_((depth + 1) / 2), values_(panels() * pairs_ * 2 * kPanel) {
  std::fill(values_.data(), values_.data() + values_.size(), int16_t{0});
  for (size_t c = 0; c < columns; ++c) {
    int16_t* to = values_.data() + c / kPanel * pairs_ * 2 * kPanel + c % kPanel * 2;
    for (size_t k = 0; k < depth; ++k) {
      to[k / 2 * 2 * kPanel + k % 2] = static_cast<int16_t>(int32_t{weights[c * depth + k]} - zero_point);
    }
  }
}

template PackedWeights::PackedWeights(const int8_t*, size_t, size_t, int32_t);
template PackedWeights::PackedWeights(const uint8_t*, size_t, size_t, int32_t);

void multiply_requantise(const int16_t* left, size_t left_stride, size_t rows, const PackedWeights& weights, size_t first_panel,
                         size_t last_panel, const OutputStage& stage, uint8_t* out, size_t out_stride) {
  alignas(64) int32_t sums[kRows * kPanel];
  for (size_t p = first_panel; p < last_panel; ++p) {
    const size_t column = p * kPanel;
    const size_t count = std::min(kPanel, weights.columns() - column);
    for (size_t r = 0; r < rows; r += kRows) {
      const size_t tile_rows = std::min(kRows, rows - r);
      tile_function(tile_rows)(left + r * left_stride, left_stride, weights.panel(p), weights.pairs(), sums);
      for (size_t t = 0; t < tile_rows; ++t) {
        stage.store(sums + t * kPanel, column, out + (r + t) * out_stride + column, count);
      }
    }
  }
}

void widen_row(const uint8_t* from, bool is_signed, int32_t zero_point, int16_t* to, size_t count) {
  size_t i = 0;
#if AVOCET_X86
  if (processor_has_avx2()) i = widen_avx2(from, is_signed, zero_point, to, count);
#endif
  for (; i < count; ++i) {
    const int32_t value = is_signed ? int32_t{static_cast<int8_t>(from[i])} : int32_t{from[i]};
    to[i] = static_cast<int16_t>(value - zero_point);
  }
}

}  // namespace avocet::runtime
