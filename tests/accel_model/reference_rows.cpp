// SPDX-License-Identifier: Apache-2.0
// The vector unit's commands on rows, in 64-bit arithmetic wherever the contract does not say 32.
#include <algorithm>
#include <cstring>

#include "avocet_l2_normalise.h"
#include "avocet_softmax.h"
#include "reference.hpp"

namespace avocet::test {

void Reference::store(uint64_t address, int64_t value, int32_t clamp_min, int32_t clamp_max) {
  sram[address] = static_cast<uint8_t>(std::min<int64_t>(std::max<int64_t>(value, clamp_min), clamp_max));
}

void Reference::execute(const avocet_cmd_binary &c) {
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t i = 0; i < c.row_bytes; ++i) {
      const int32_t stored_a = element(c.a + y * c.a_stride, i, c.a_scalar, c.input_unsigned);
      const int32_t stored_b = element(c.b + y * c.b_stride, i, c.b_scalar, c.input_unsigned);
      const int32_t a = stored_a - c.a_zero_point, b = stored_b - c.b_zero_point;
      int64_t value = 0;
      if (c.mode == AVOCET_BINARY_MODE_MAXIMUM) value = std::max(stored_a, stored_b);
      if (c.mode == AVOCET_BINARY_MODE_MINIMUM) value = std::min(stored_a, stored_b);
      if (c.mode == AVOCET_BINARY_MODE_MULTIPLY)
        value = int64_t{avocet_requantise(a * b, c.multiplier, c.shift)} + c.zero_point;
      if (c.mode == AVOCET_BINARY_MODE_PRELU)
        value = c.zero_point + int64_t{a < 0 ? avocet_requantise(a * b, c.negative_multiplier, c.negative_shift)
                                             : avocet_requantise(a, c.multiplier, c.shift)};
      store(c.ofm + y * c.y_stride + i, value, c.clamp_min, c.clamp_max);
    }
}

void Reference::execute(const avocet_cmd_table &c) {
  const std::vector<uint8_t> table(sram.begin() + c.table, sram.begin() + c.table + 256);
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t i = 0; i < c.row_bytes; ++i)
      sram[c.ofm + y * c.y_stride + i] = table[sram[c.ifm + y * c.in_y_stride + i]];
}

void Reference::execute(const avocet_cmd_reduce &c) {
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t channel = 0; channel < c.channels; ++channel) {
      int64_t sum = 0, most = INT32_MIN, least = INT32_MAX;
      for (uint64_t j = 0; j < c.axis1_count; ++j)
        for (uint64_t i = 0; i < c.axis0_count; ++i) {
          const int64_t a = activation(
              c.ifm + y * c.in_y_stride + j * c.axis1_stride + i * c.axis0_stride + channel, c.input_unsigned);
          sum += a - c.input_zero_point;
          most = std::max(most, a);
          least = std::min(least, a);
        }
      int64_t value = c.mode == AVOCET_REDUCE_MODE_MAXIMUM ? most : least;
      if (c.mode == AVOCET_REDUCE_MODE_SUM)
        value = int64_t{avocet_requantise(static_cast<int32_t>(sum + c.bias), c.multiplier, c.shift)} + c.zero_point;
      store(c.ofm + y * c.y_stride + channel, value, c.clamp_min, c.clamp_max);
    }
}

void Reference::execute(const avocet_cmd_arg_reduce &c) {
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t channel = 0; channel < c.channels; ++channel) {
      const auto value = [&](uint64_t i) {
        const int32_t a = activation(c.ifm + y * c.in_y_stride + i * c.axis_stride + channel, c.input_unsigned);
        return c.smallest ? -a : a;
      };
      // From the end, so that the first of equal values is the last one taken.
      uint32_t best = c.axis_count - 1;
      for (uint32_t i = c.axis_count; i-- > 0;)
        if (value(i) >= value(best)) best = i;
      for (uint64_t byte = 0; byte < 4; ++byte)
        sram[c.ofm + y * c.y_stride + 4 * channel + byte] = static_cast<uint8_t>(best >> (8 * byte));
    }
}

void Reference::execute(const avocet_cmd_softmax &c) {
  int32_t exponentials[256];
  std::memcpy(exponentials, &sram[c.exponentials], sizeof exponentials);
  for (uint64_t y = 0; y < c.y_count; ++y) {
    const auto in = [&](uint64_t x) { return activation(c.ifm + y * c.in_y_stride + x * c.in_x_stride, c.input_unsigned); };
    int32_t largest = in(0);
    for (uint64_t x = 0; x < c.x_count; ++x) largest = std::max(largest, in(x));
    std::vector<int32_t> row(c.x_count);
    int64_t sum = 0;
    for (uint64_t x = 0; x < c.x_count; ++x) {
      row[x] = exponentials[largest - in(x)];
      sum += avocet_rounding_shift_right(row[x], 12);
    }
    const avocet_softmax_divisor divisor = avocet_softmax_divide(sum);
    for (uint64_t x = 0; x < c.x_count; ++x)
      store(c.ofm + y * c.y_stride + x * c.x_stride,
            c.zero_point + int64_t{avocet_rounding_shift_right(avocet_doubling_high_multiply(row[x], divisor.reciprocal),
                                                               divisor.shift)},
            c.clamp_min, c.clamp_max);
  }
}

namespace {

// The position of one output and the weights (summing to `one`) of the two cells around it.
struct Place {
  int64_t low, high, low_weight, high_weight;
};

Place place(int64_t start, int64_t step, int64_t output, int64_t cells, int64_t one) {
  int64_t position = start + output * step;
  if (position < 0) position = 0;
  if (position > (cells - 1) * one) position = (cells - 1) * one;
  const int64_t low = position / one, rest = position % one;
  return {low, rest == 0 ? low : low + 1, one - rest, rest};
}

} // namespace

void Reference::execute(const avocet_cmd_resize &c) {
  const bool nearest = c.mode == AVOCET_RESIZE_MODE_NEAREST;
  const int64_t one = nearest ? 65536 : 1024;
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t x = 0; x < c.x_count; ++x)
      for (int64_t channel = 0; channel < c.channels; ++channel) {
        const Place py = place(c.y_start, c.y_step, y, c.in_height, one), px = place(c.x_start, c.x_step, x, c.in_width, one);
        const auto cell = [&](int64_t row, int64_t column) {
          return activation(c.ifm + row * c.in_y_stride + column * c.in_x_stride + channel, c.input_unsigned);
        };
        int64_t sum = py.low_weight * px.low_weight * cell(py.low, px.low) +
                      py.low_weight * px.high_weight * cell(py.low, px.high) +
                      py.high_weight * px.low_weight * cell(py.high, px.low) +
                      py.high_weight * px.high_weight * cell(py.high, px.high);
        int64_t rounded = sum < 0 ? -((-sum + 524288) / 1048576) : (sum + 524288) / 1048576;
        sram[c.ofm + y * c.y_stride + x * c.x_stride + channel] =
            static_cast<uint8_t>(nearest ? cell(py.low, px.low) : rounded);
      }
}

void Reference::execute(const avocet_cmd_l2_normalise &c) {
  for (uint64_t y = 0; y < c.y_count; ++y) {
    const auto in = [&](uint64_t x) {
      return activation(c.ifm + y * c.in_y_stride + x * c.in_x_stride, c.input_unsigned) - c.input_zero_point;
    };
    std::vector<int32_t> row(c.x_count);
    int64_t sum = 0;
    for (uint64_t x = 0; x < c.x_count; ++x) {
      row[x] = in(x);
      sum += int64_t{row[x]} * row[x];
    }
    const avocet_inverse_square_root root = avocet_inverse_square_root_of(sum);
    for (uint64_t x = 0; x < c.x_count; ++x)
      store(c.ofm + y * c.y_stride + x * c.x_stride,
            c.zero_point + int64_t{avocet_requantise(row[x] * (1 << c.left_shift), root.multiplier,
                                                     std::max(-31, root.shift + c.out_shift))},
            c.clamp_min, c.clamp_max);
  }
}

} // namespace avocet::test
