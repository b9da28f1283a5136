// SPDX-License-Identifier: Apache-2.0
// Values of DEPTHWISE. Channels are contiguous, so the inner loop runs over them and the compiler makes vector code of it: once
// for every processor and once with AVX2, from the same lines.
#include <algorithm>
#include <vector>

#include "matmul_values.hpp"
#include "requantise_rows.hpp"
#include "vector_unit.hpp"
#include "window.hpp"

namespace avocet::model {

namespace {

#define AVOCET_INLINE __attribute__((always_inline)) inline

template <typename Cell>
AVOCET_INLINE void add_tap(const uint8_t *cells, const int16_t *weights, uint32_t channels, int32_t zero_point,
                           uint32_t *sums) {
  const auto *cell = reinterpret_cast<const Cell *>(cells);
  for (uint32_t channel = 0; channel < channels; ++channel)
    sums[channel] += static_cast<uint32_t>((cell[channel] - zero_point) * weights[channel]);
}

template <typename Cell>
AVOCET_INLINE void add_tap_multiplied(const uint8_t *cells, const int16_t *weights, uint32_t input_channels,
                                      uint32_t multiplier, int32_t zero_point, uint32_t *sums) {
  const auto *cell = reinterpret_cast<const Cell *>(cells);
  for (uint32_t input = 0; input < input_channels; ++input) {
    const int32_t a = cell[input] - zero_point;
    for (uint32_t i = 0; i < multiplier; ++i) sums[i] += static_cast<uint32_t>(a * weights[i]);
    sums += multiplier;
    weights += multiplier;
  }
}

// Sums of one output position over the taps inside the input.
template <typename Cell>
AVOCET_INLINE void window_sums(const avocet_cmd_depthwise &c, const uint8_t *sram, const int16_t *weights, int64_t y,
                               int64_t x, uint32_t *sums) {
  const int64_t top = c.y_start + y * c.conv_stride_y, left = c.x_start + x * c.conv_stride_x;
  const TapRange rows = taps_inside(top, c.kernel_height, c.dilation_y, c.in_height);
  const TapRange columns = taps_inside(left, c.kernel_width, c.dilation_x, c.in_width);
  std::fill(sums, sums + c.channels, 0);
  for (int64_t ky = rows.first; ky < rows.last; ++ky)
    for (int64_t kx = columns.first; kx < columns.last; ++kx) {
      const uint8_t *cells = sram + c.ifm + static_cast<uint64_t>(top + ky * c.dilation_y) * c.in_y_stride +
                             static_cast<uint64_t>(left + kx * c.dilation_x) * c.in_x_stride;
      const int16_t *tap = weights + static_cast<uint64_t>(ky * c.kernel_width + kx) * c.channels;
      if (c.multiplier == 1)
        add_tap<Cell>(cells, tap, c.channels, c.input_zero_point, sums);
      else
        add_tap_multiplied<Cell>(cells, tap, c.input_channels, c.multiplier, c.input_zero_point, sums);
    }
}

struct Workspace {
  std::vector<int16_t> weights; // zero point subtracted
  std::vector<uint32_t> sums; // they wrap
};

AVOCET_INLINE void row_values(const avocet_cmd_depthwise &c, uint8_t *sram, const RowRequantiser &requantise, int64_t y,
                              Workspace *workspace) {
  for (int64_t x = 0; x < c.x_count; ++x) {
    if (c.input_unsigned)
      window_sums<uint8_t>(c, sram, workspace->weights.data(), y, x, workspace->sums.data());
    else
      window_sums<int8_t>(c, sram, workspace->weights.data(), y, x, workspace->sums.data());
    requantise(reinterpret_cast<const int32_t *>(workspace->sums.data()), sram + c.ofm + static_cast<uint64_t>(y) * c.y_stride +
                                           static_cast<uint64_t>(x) * c.x_stride);
  }
}

void row_values_any(const avocet_cmd_depthwise &c, uint8_t *sram, const RowRequantiser &requantise, int64_t y,
                    Workspace *workspace) {
  row_values(c, sram, requantise, y, workspace);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void row_values_avx2(const avocet_cmd_depthwise &c, uint8_t *sram,
                                                     const RowRequantiser &requantise, int64_t y, Workspace *workspace) {
  row_values(c, sram, requantise, y, workspace);
}
#else
constexpr auto row_values_avx2 = row_values_any;
#endif

} // namespace

void depthwise_values(const avocet_cmd_depthwise &c, uint8_t *sram) {
  const RowRequantiser requantise(sram + c.parameters, c.channels, c.zero_point, c.clamp_min, c.clamp_max);
  static thread_local Workspace workspace;
  const uint64_t weights = uint64_t{c.kernel_width} * c.kernel_height * c.channels;
  workspace.sums.resize(c.channels);
  workspace.weights.resize(weights);
  for (uint64_t i = 0; i < weights; ++i)
    workspace.weights[i] = static_cast<int16_t>(static_cast<int8_t>(sram[c.weights + i]) - c.weight_zero_point);
  const auto values = have_avx2() ? row_values_avx2 : row_values_any;
  for (int64_t y = 0; y < c.y_count; ++y) values(c, sram, requantise, y, &workspace);
}

} // namespace avocet::model
