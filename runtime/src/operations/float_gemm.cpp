// SPDX-License-Identifier: Apache-2.0
// Float matrix product: see float_gemm.hpp. One tile function, written with vector types, is compiled twice: for AVX2 with FMA
// (six rows by sixteen columns in registers) and for the plain architecture (two rows).
#include "float_gemm.hpp"

#include <algorithm>
#include <cstring>

#include "processor.hpp"

namespace avocet::runtime {
namespace {

constexpr size_t kPanel = PackedFloatWeights::kPanel;

typedef float Vector __attribute__((vector_size(32)));

/// What happens to a tile of sums on its way out.
struct Epilogue {
  const float* bias;  // kPanel values
  Range<float> range;
  size_t out_stride;
};

using TileFunction = void (*)(const float* left, size_t stride, const float* panel, size_t depth, const Epilogue&, float* out);

/// Rows of `left` times one panel; kPanel writable columns of `out`. NaN stays NaN, as in clamp_to().
template <size_t rows>
__attribute__((always_inline)) inline void tile(const float* left, size_t stride, const float* panel, size_t depth,
                                                const Epilogue& epilogue, float* out) {
  Vector low[rows] = {}, high[rows] = {};
  for (size_t k = 0; k < depth; ++k, panel += kPanel) {
    Vector w0, w1;
    std::memcpy(&w0, panel, sizeof w0);
    std::memcpy(&w1, panel + 8, sizeof w1);
#pragma GCC unroll 6
    for (size_t r = 0; r < rows; ++r) {
      const float x = left[r * stride + k];
      low[r] += x * w0;
      high[r] += x * w1;
    }
  }
  const Vector zero = {};
  const Vector smallest = zero + epilogue.range.low, largest = zero + epilogue.range.high;
  Vector b0, b1;
  std::memcpy(&b0, epilogue.bias, sizeof b0);
  std::memcpy(&b1, epilogue.bias + 8, sizeof b1);
  for (size_t r = 0; r < rows; ++r, out += epilogue.out_stride) {
    Vector v0 = low[r] + b0, v1 = high[r] + b1;
    v0 = v0 < smallest ? smallest : v0;
    v1 = v1 < smallest ? smallest : v1;
    v0 = v0 > largest ? largest : v0;
    v1 = v1 > largest ? largest : v1;
    std::memcpy(out, &v0, sizeof v0);
    std::memcpy(out + 8, &v1, sizeof v1);
  }
}

template <size_t rows>
void tile_portable(const float* left, size_t stride, const float* panel, size_t depth, const Epilogue& epilogue, float* out) {
  tile<rows>(left, stride, panel, depth, epilogue, out);
}

#if AVOCET_X86
template <size_t rows>
__attribute__((target("avx2,fma"))) void tile_avx2(const float* left, size_t stride, const float* panel, size_t depth,
                                                   const Epilogue& epilogue, float* out) {
  tile<rows>(left, stride, panel, depth, epilogue, out);
}
#endif

struct Tiles {
  size_t rows;
  TileFunction by_rows[6];
};

const Tiles& tiles() {
  static constexpr Tiles kPortable{2, {tile_portable<1>, tile_portable<2>}};
#if AVOCET_X86
  static constexpr Tiles kAvx2{6, {tile_avx2<1>, tile_avx2<2>, tile_avx2<3>, tile_avx2<4>, tile_avx2<5>, tile_avx2<6>}};
  if (processor_has_avx2()) return kAvx2;
#endif
  return kPortable;
}

}  // namespace

PackedFloatWeights::PackedFloatWeights(const float* weights, size_t columns, size_t depth)
    : columns_(columns), depth_(depth), values_(panels() * depth * kPanel) {
  std::fill(values_.data(), values_.data() + values_.size(), 0.0f);
  for (size_t c = 0; c < columns; ++c) {
    float* to = values_.data() + c / kPanel * depth * kPanel + c % kPanel;
    for (size_t k = 0; k < depth; ++k) to[k * kPanel] = weights[c * depth + k];
  }
}

void multiply_add_clamp(const float* left, size_t left_stride, size_t rows, const PackedFloatWeights& weights, size_t first_panel,
                        size_t last_panel, const float* bias, Range<float> range, float* out, size_t out_stride) {
  const Tiles& kernel = tiles();
  for (size_t p = first_panel; p < last_panel; ++p) {
    const size_t column = p * kPanel;
    const size_t count = std::min(kPanel, weights.columns() - column);
    alignas(64) float panel_bias[kPanel] = {};
    if (bias) std::copy(bias + column, bias + column + count, panel_bias);
    alignas(64) float last_columns[6 * kPanel];  // of a panel that is not full
    const bool full = count == kPanel;
    const Epilogue epilogue{panel_bias, range, full ? out_stride : kPanel};
    for (size_t r = 0; r < rows; r += kernel.rows) {
      const size_t tile_rows = std::min(kernel.rows, rows - r);
      float* to = out + r * out_stride + column;
      kernel.by_rows[tile_rows - 1](left + r * left_stride, left_stride, weights.panel(p), weights.depth(), epilogue,
                                    full ? to : last_columns);
      if (full) continue;
      for (size_t t = 0; t < tile_rows; ++t) std::copy_n(last_columns + t * kPanel, count, to + t * out_stride);
    }
  }
}

}  // namespace avocet::runtime
