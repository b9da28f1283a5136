// SPDX-License-Identifier: Apache-2.0
// Values of REDUCE. The inner loop runs over whatever is contiguous: the channels of a cell, or the cells of one channel.
#include <algorithm>
#include <vector>

#include "uniform_requantiser.hpp"
#include "vector_unit.hpp"

namespace avocet::model {

namespace {

template <typename Cell, typename Combine>
void reduce_cells(const avocet_cmd_reduce &c, const uint8_t *group, uint32_t *values, const Combine &combine) {
  for (uint64_t j = 0; j < c.axis1_count; ++j) {
    const uint8_t *line = group + j * c.axis1_stride;
    if (c.channels == 1 && c.axis0_stride == 1) {
      const auto *cells = reinterpret_cast<const Cell *>(line);
      uint32_t value = values[0];
      for (uint64_t i = 0; i < c.axis0_count; ++i) value = combine(value, cells[i]);
      values[0] = value;
      continue;
    }
    for (uint64_t i = 0; i < c.axis0_count; ++i) {
      const auto *cell = reinterpret_cast<const Cell *>(line + i * c.axis0_stride);
      for (uint32_t channel = 0; channel < c.channels; ++channel) values[channel] = combine(values[channel], cell[channel]);
    }
  }
}

template <typename Cell> void reduce_group(const avocet_cmd_reduce &c, const uint8_t *group, uint32_t *values) {
  switch (c.mode) {
  case AVOCET_REDUCE_MODE_SUM: // wraps
    return reduce_cells<Cell>(c, group, values, [zero_point = c.input_zero_point](uint32_t sum, Cell cell) {
      return sum + static_cast<uint32_t>(cell - zero_point);
    });
  case AVOCET_REDUCE_MODE_MAXIMUM:
    return reduce_cells<Cell>(c, group, values, [](uint32_t most, Cell cell) {
      return static_cast<uint32_t>(std::max<int32_t>(static_cast<int32_t>(most), cell));
    });
  default:
    return reduce_cells<Cell>(c, group, values, [](uint32_t least, Cell cell) {
      return static_cast<uint32_t>(std::min<int32_t>(static_cast<int32_t>(least), cell));
    });
  }
}

int32_t first_value(const avocet_cmd_reduce &c) {
  switch (c.mode) {
  case AVOCET_REDUCE_MODE_SUM: return c.bias;
  case AVOCET_REDUCE_MODE_MAXIMUM: return INT32_MIN;
  default: return INT32_MAX;
  }
}

} // namespace

void reduce_values(const avocet_cmd_reduce &c, uint8_t *sram) {
  const UniformRequantiser requantise(c.multiplier, c.shift, c.zero_point, c.clamp_min, c.clamp_max);
  const auto reduce = c.input_unsigned ? reduce_group<uint8_t> : reduce_group<int8_t>;
  std::vector<uint32_t> values(c.channels);
  for (uint64_t y = 0; y < c.y_count; ++y) {
    std::fill(values.begin(), values.end(), static_cast<uint32_t>(first_value(c)));
    reduce(c, sram + c.ifm + y * c.in_y_stride, values.data());
    uint8_t *out = sram + c.ofm + y * c.y_stride;
    const auto *results = reinterpret_cast<const int32_t *>(values.data());
    if (c.mode == AVOCET_REDUCE_MODE_SUM)
      requantise(results, c.channels, out);
    else
      for (uint32_t i = 0; i < c.channels; ++i)
        out[i] = static_cast<uint8_t>(std::clamp(results[i], c.clamp_min, c.clamp_max));
  }
}

} // namespace avocet::model
