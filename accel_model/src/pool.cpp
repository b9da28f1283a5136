// SPDX-License-Identifier: Apache-2.0
// Values of POOL.
#include <algorithm>
#include <vector>

#include "vector_unit.hpp"
#include "window.hpp"

namespace avocet::model {

namespace {

int32_t average(int32_t sum, int32_t cells) { return (sum >= 0 ? sum + cells / 2 : sum - cells / 2) / cells; }

template <typename Cell>
void window_value(const avocet_cmd_pool &c, uint8_t *sram, int64_t y, int64_t x, std::vector<int32_t> *values) {
  const int64_t top = c.y_start + y * c.pool_stride_y, left = c.x_start + x * c.pool_stride_x;
  const TapRange rows = taps_inside(top, c.kernel_height, 1, c.in_height);
  const TapRange columns = taps_inside(left, c.kernel_width, 1, c.in_width);
  const int64_t cells = (rows.last - rows.first) * (columns.last - columns.first);
  const bool maximum = c.mode == AVOCET_POOL_MODE_MAX;
  std::fill(values->begin(), values->end(), maximum ? INT32_MIN : 0);
  int32_t *value = values->data();
  for (int64_t ky = rows.first; ky < rows.last; ++ky)
    for (int64_t kx = columns.first; kx < columns.last; ++kx) {
      const auto *cell = reinterpret_cast<const Cell *>(sram + c.ifm + static_cast<uint64_t>(top + ky) * c.in_y_stride +
                                                        static_cast<uint64_t>(left + kx) * c.in_x_stride);
      if (maximum)
        for (uint32_t i = 0; i < c.channels; ++i) value[i] = std::max<int32_t>(value[i], cell[i]);
      else
        for (uint32_t i = 0; i < c.channels; ++i)
          value[i] = static_cast<int32_t>(static_cast<uint32_t>(value[i]) + static_cast<uint32_t>(int32_t{cell[i]}));
    }
  uint8_t *out = sram + c.ofm + static_cast<uint64_t>(y) * c.y_stride + static_cast<uint64_t>(x) * c.x_stride;
  for (uint32_t i = 0; i < c.channels; ++i) {
    int32_t result = cells == 0 ? c.clamp_min : maximum ? value[i] : average(value[i], static_cast<int32_t>(cells));
    out[i] = static_cast<uint8_t>(std::clamp(result, c.clamp_min, c.clamp_max));
  }
}

} // namespace

// Sums wrap: only a nonsensical command, millions of cells per output, gets there.
void pool_values(const avocet_cmd_pool &c, uint8_t *sram) {
  std::vector<int32_t> values(c.channels);
  const auto value_of = c.input_unsigned ? window_value<uint8_t> : window_value<int8_t>;
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t x = 0; x < c.x_count; ++x) value_of(c, sram, y, x, &values);
}

} // namespace avocet::model
