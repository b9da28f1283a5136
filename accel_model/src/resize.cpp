// SPDX-License-Identifier: Apache-2.0
// Values of RESIZE.
#include <algorithm>
#include <vector>

#include "vector_unit.hpp"

namespace avocet::model {

namespace {

constexpr int kBilinearBits = 10, kNearestBits = 16;

// Where an output is taken along one dimension: between two cells, or at the first.
struct Tap {
  uint64_t first, second; // cells
  int32_t fraction;       // of the second, in 2^-10
};

std::vector<Tap> taps(int64_t start, int64_t step, uint32_t outputs, int64_t cells, int bits) {
  std::vector<Tap> result(outputs);
  for (uint32_t i = 0; i < outputs; ++i) {
    int64_t position = std::clamp<int64_t>(start + int64_t{i} * step, 0, (cells - 1) << bits);
    int64_t cell = position >> bits;
    result[i] = {static_cast<uint64_t>(cell), static_cast<uint64_t>(std::min(cell + 1, cells - 1)),
                 static_cast<int32_t>(position - (cell << bits))};
  }
  return result;
}

template <typename Cell>
void bilinear_cell(const avocet_cmd_resize &c, const uint8_t *ifm, const Tap &y, const Tap &x, uint8_t *out) {
  const auto at = [&](uint64_t row, uint64_t column) {
    return reinterpret_cast<const Cell *>(ifm + row * c.in_y_stride + column * c.in_x_stride);
  };
  const Cell *top_left = at(y.first, x.first), *top_right = at(y.first, x.second);
  const Cell *bottom_left = at(y.second, x.first), *bottom_right = at(y.second, x.second);
  constexpr int32_t kOne = 1 << kBilinearBits, kHalf = 1 << (2 * kBilinearBits - 1);
  const int32_t down = y.fraction, up = kOne - down, right = x.fraction, left = kOne - right;
  for (uint32_t i = 0; i < c.channels; ++i) {
    int32_t sum = top_left[i] * (up * left) + top_right[i] * (up * right) + bottom_left[i] * (down * left) +
                  bottom_right[i] * (down * right);
    out[i] = static_cast<uint8_t>((sum + (sum > 0 ? kHalf : -kHalf)) / (1 << (2 * kBilinearBits)));
  }
}

void nearest_cell(const avocet_cmd_resize &c, const uint8_t *ifm, const Tap &y, const Tap &x, uint8_t *out) {
  std::copy_n(ifm + y.first * c.in_y_stride + x.first * c.in_x_stride, c.channels, out);
}

} // namespace

void resize_values(const avocet_cmd_resize &c, uint8_t *sram) {
  const bool nearest = c.mode == AVOCET_RESIZE_MODE_NEAREST;
  const int bits = nearest ? kNearestBits : kBilinearBits;
  const std::vector<Tap> rows = taps(c.y_start, c.y_step, c.y_count, c.in_height, bits);
  const std::vector<Tap> columns = taps(c.x_start, c.x_step, c.x_count, c.in_width, bits);
  const auto cell = nearest ? nearest_cell : c.input_unsigned ? bilinear_cell<uint8_t> : bilinear_cell<int8_t>;
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t x = 0; x < c.x_count; ++x)
      cell(c, sram + c.ifm, rows[y], columns[x], sram + c.ofm + y * c.y_stride + x * c.x_stride);
}

} // namespace avocet::model
