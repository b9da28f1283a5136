// SPDX-License-Identifier: Apache-2.0
// The interpreter's vector commands on rows, element by element and independent of the model's loops.
#include <algorithm>
#include <cstdlib>

#include "avocet_l2_normalise.h"
#include "avocet_softmax.h"
#include "stream_interpreter.hpp"

namespace avocet::compiler::test {
namespace {

uint8_t clamped(int64_t value, int32_t min, int32_t max) { return static_cast<uint8_t>(std::clamp<int64_t>(value, min, max)); }

}  // namespace

int32_t StreamInterpreter::value_at(uint64_t address, bool is_unsigned) const {
  const uint8_t byte = sram_.at(address);
  return is_unsigned ? byte : static_cast<int8_t>(byte);
}

void StreamInterpreter::binary(const uint32_t* words) {
  avocet_cmd_binary c;
  avocet_binary_decode(words, &c);
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t i = 0; i < c.row_bytes; ++i) {
      const int32_t a = value_at(c.a + y * c.a_stride + (c.a_scalar ? 0 : i), c.input_unsigned);
      const int32_t b = value_at(c.b + y * c.b_stride + (c.b_scalar ? 0 : i), c.input_unsigned);
      const int32_t x = a - c.a_zero_point, product = x * (b - c.b_zero_point);
      int64_t value = 0;
      switch (c.mode) {
        case AVOCET_BINARY_MODE_MAXIMUM:
          value = a > b ? a : b;
          break;
        case AVOCET_BINARY_MODE_MINIMUM:
          value = a < b ? a : b;
          break;
        case AVOCET_BINARY_MODE_MULTIPLY:
          value = int64_t{c.zero_point} + avocet_requantise(product, c.multiplier, c.shift);
          break;
        default:
          value = int64_t{c.zero_point} + (x >= 0 ? avocet_requantise(x, c.multiplier, c.shift)
                                                  : avocet_requantise(product, c.negative_multiplier, c.negative_shift));
      }
      sram_.at(c.ofm + y * c.y_stride + i) = clamped(value, c.clamp_min, c.clamp_max);
    }
}

void StreamInterpreter::table(const uint32_t* words) {
  avocet_cmd_table c;
  avocet_table_decode(words, &c);
  uint8_t entries[256];
  for (uint64_t i = 0; i < 256; ++i) entries[i] = sram_.at(c.table + i);
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t i = 0; i < c.row_bytes; ++i)
      sram_.at(c.ofm + y * c.y_stride + i) = entries[sram_.at(c.ifm + y * c.in_y_stride + i)];
}

void StreamInterpreter::reduce(const uint32_t* words) {
  avocet_cmd_reduce c;
  avocet_reduce_decode(words, &c);
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t channel = 0; channel < c.channels; ++channel) {
      uint32_t sum = static_cast<uint32_t>(c.bias);
      int32_t extreme = 0;
      bool first = true;
      for (uint64_t j = 0; j < c.axis1_count; ++j)
        for (uint64_t i = 0; i < c.axis0_count; ++i) {
          const uint64_t at = c.ifm + y * c.in_y_stride + j * c.axis1_stride + i * c.axis0_stride + channel;
          const int32_t a = value_at(at, c.input_unsigned);
          sum += static_cast<uint32_t>(a - c.input_zero_point);
          const bool better = c.mode == AVOCET_REDUCE_MODE_MAXIMUM ? a > extreme : a < extreme;
          if (first || better) extreme = a;
          first = false;
        }
      int64_t value = extreme;
      if (c.mode == AVOCET_REDUCE_MODE_SUM)
        value = int64_t{c.zero_point} + avocet_requantise(static_cast<int32_t>(sum), c.multiplier, c.shift);
      sram_.at(c.ofm + y * c.y_stride + channel) = clamped(value, c.clamp_min, c.clamp_max);
    }
}

void StreamInterpreter::arg_reduce(const uint32_t* words) {
  avocet_cmd_arg_reduce c;
  avocet_arg_reduce_decode(words, &c);
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t channel = 0; channel < c.channels; ++channel) {
      std::vector<int32_t> values;
      for (uint64_t i = 0; i < c.axis_count; ++i)
        values.push_back(value_at(c.ifm + y * c.in_y_stride + i * c.axis_stride + channel, c.input_unsigned));
      const auto best = c.smallest ? std::min_element(values.begin(), values.end()) : std::max_element(values.begin(), values.end());
      const auto index = static_cast<uint32_t>(best - values.begin());
      for (uint32_t i = 0; i < 4; ++i) sram_.at(c.ofm + y * c.y_stride + 4 * channel + i) = static_cast<uint8_t>(index >> (8 * i));
    }
}

void StreamInterpreter::softmax(const uint32_t* words) {
  avocet_cmd_softmax c;
  avocet_softmax_decode(words, &c);
  const auto exponential = [&](int32_t difference) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 4; ++i)
      bits |= uint32_t{sram_.at(c.exponentials + 4 * static_cast<uint32_t>(difference) + i)} << (8 * i);
    return static_cast<int32_t>(bits);
  };
  for (uint64_t y = 0; y < c.y_count; ++y) {
    std::vector<int32_t> row;
    for (uint64_t x = 0; x < c.x_count; ++x)
      row.push_back(value_at(c.ifm + y * c.in_y_stride + x * c.in_x_stride, c.input_unsigned));
    const int32_t largest = *std::max_element(row.begin(), row.end());
    int64_t sum = 0;
    for (const int32_t value : row) sum += avocet_softmax_term(exponential(largest - value));
    const avocet_softmax_divisor divisor = avocet_softmax_divide(sum);
    for (uint64_t x = 0; x < c.x_count; ++x)
      sram_.at(c.ofm + y * c.y_stride + x * c.x_stride) =
          clamped(int64_t{c.zero_point} + avocet_softmax_quotient(exponential(largest - row[x]), &divisor), c.clamp_min,
                  c.clamp_max);
  }
}

void StreamInterpreter::resize(const uint32_t* words) {
  avocet_cmd_resize c;
  avocet_resize_decode(words, &c);
  const bool nearest = c.mode == AVOCET_RESIZE_MODE_NEAREST;
  const int64_t one = nearest ? 1 << 16 : 1 << 10;
  const auto position = [&](int64_t start, int64_t step, int64_t index, int64_t cells) {
    return std::clamp<int64_t>(start + index * step, 0, (cells - 1) * one);
  };
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t x = 0; x < c.x_count; ++x)
      for (uint64_t channel = 0; channel < c.channels; ++channel) {
        const int64_t row = position(c.y_start, c.y_step, y, c.in_height);
        const int64_t column = position(c.x_start, c.x_step, x, c.in_width);
        // Every cell nearer than one cell in both directions, with the weight of its nearness.
        int64_t sum = 0;
        for (int64_t i = row / one; i <= row / one + 1 && i < c.in_height; ++i)
          for (int64_t j = column / one; j <= column / one + 1 && j < c.in_width; ++j) {
            const int64_t near_row = one - std::abs(i * one - row), near_column = one - std::abs(j * one - column);
            const bool inside = nearest ? i == row / one && j == column / one : near_row > 0 && near_column > 0;
            if (!inside) continue;
            const int64_t a = value_at(c.ifm + static_cast<uint64_t>(i) * c.in_y_stride +
                                           static_cast<uint64_t>(j) * c.in_x_stride + channel,
                                       c.input_unsigned);
            sum += nearest ? a * (1 << 20) : a * near_row * near_column;
          }
        const int64_t rounded = (sum < 0 ? sum - (1 << 19) : sum + (1 << 19)) / (1 << 20);
        sram_.at(c.ofm + static_cast<uint64_t>(y) * c.y_stride + static_cast<uint64_t>(x) * c.x_stride + channel) =
            static_cast<uint8_t>(rounded);
      }
}

void StreamInterpreter::l2_normalise(const uint32_t* words) {
  avocet_cmd_l2_normalise c;
  avocet_l2_normalise_decode(words, &c);
  for (uint64_t y = 0; y < c.y_count; ++y) {
    std::vector<int32_t> row;
    int64_t sum = 0;
    for (uint64_t x = 0; x < c.x_count; ++x) {
      row.push_back(value_at(c.ifm + y * c.in_y_stride + x * c.in_x_stride, c.input_unsigned) - c.input_zero_point);
      sum += int64_t{row.back()} * row.back();
    }
    const avocet_inverse_square_root root = avocet_inverse_square_root_of(sum);
    const int32_t shift = std::max(-31, root.shift + c.out_shift);
    for (uint64_t x = 0; x < c.x_count; ++x) {
      const int32_t scaled = avocet_requantise(row[x] * (1 << c.left_shift), root.multiplier, shift);
      sram_.at(c.ofm + y * c.y_stride + x * c.x_stride) =
          clamped(int64_t{c.zero_point} + scaled, c.clamp_min, c.clamp_max);
    }
  }
}

}  // namespace avocet::compiler::test
