// SPDX-License-Identifier: Apache-2.0
// See reference.hpp. Slow and obvious on purpose. Commands of the vector unit for whole rows are in reference_rows.cpp.
#include "reference.hpp"

#include <algorithm>
#include <cstring>

#include "avocet_isa_tables.h"
#include "avocet_requantise.h"

namespace avocet::test {

void Reference::run(const std::vector<uint32_t> &stream) {
  for (size_t at = 0; at < stream.size(); at += avocet_command_length(stream[at])) {
    switch (avocet_command_opcode(stream[at])) {
#define AVOCET_TEST_CASE(NAME, name, opcode, words, unit)                                                              \
  case opcode: {                                                                                                       \
    avocet_cmd_##name command;                                                                                         \
    avocet_##name##_decode(&stream[at], &command);                                                                     \
    execute(command);                                                                                                  \
    break;                                                                                                             \
  }
      AVOCET_COMMANDS(AVOCET_TEST_CASE)
#undef AVOCET_TEST_CASE
    }
  }
}

void Reference::execute(const avocet_cmd_dma_load &c) {
  for (uint64_t v = 0; v < c.count2; ++v)
    for (uint64_t p = 0; p < c.count1; ++p)
      for (uint64_t r = 0; r < c.count0; ++r)
        std::memcpy(&sram[c.sram + r * c.sram_stride0 + p * c.sram_stride1 + v * c.sram_stride2],
                    &regions[c.region][c.dram + r * c.dram_stride0 + p * c.dram_stride1 + v * c.dram_stride2], c.row_bytes);
}

void Reference::execute(const avocet_cmd_dma_store &c) {
  for (uint64_t v = 0; v < c.count2; ++v)
    for (uint64_t p = 0; p < c.count1; ++p)
      for (uint64_t r = 0; r < c.count0; ++r)
        std::memcpy(&regions[c.region][c.dram + r * c.dram_stride0 + p * c.dram_stride1 + v * c.dram_stride2],
                    &sram[c.sram + r * c.sram_stride0 + p * c.sram_stride1 + v * c.sram_stride2], c.row_bytes);
}

void Reference::execute(const avocet_cmd_dma_fill &c) {
  for (uint64_t p = 0; p < c.count1; ++p)
    for (uint64_t r = 0; r < c.count0; ++r)
      for (uint64_t i = 0; i < c.row_bytes; ++i) sram[c.sram + p * c.stride1 + r * c.stride0 + i] = static_cast<uint8_t>(c.value);
}

int32_t Reference::activation(uint64_t address, bool is_unsigned) const {
  return is_unsigned ? sram[address] : static_cast<int8_t>(sram[address]);
}

void Reference::execute(const avocet_cmd_matmul &c) {
  if (!c.accumulate)
    std::fill_n(accumulators.begin() + uint64_t{c.acc} * columns_, uint64_t{c.x_count} * c.y_count * columns_, 0);
  uint64_t pass = 0;
  for (uint64_t ky = 0; ky < c.ky_count; ++ky)
    for (uint64_t kx = 0; kx < c.kx_count; ++kx)
      for (uint64_t block = 0; block * rows_ < c.channels; ++block, ++pass)
        for (uint64_t y = 0; y < c.y_count; ++y)
          for (uint64_t x = 0; x < c.x_count; ++x)
            for (uint64_t row = 0; row < rows_ && block * rows_ + row < c.channels; ++row)
              for (uint64_t column = 0; column < columns_; ++column) {
                int32_t a = activation(c.ifm + y * c.y_stride + x * c.x_stride + ky * c.ky_stride + kx * c.kx_stride +
                                           block * rows_ + row,
                                       c.input_unsigned) -
                            (c.input_unsigned ? 128 : 0);
                int32_t w = static_cast<int8_t>(sram[c.weights + (pass * rows_ + row) * columns_ + column]);
                accumulators[(c.acc + y * c.x_count + x) * columns_ + column] += a * (w - c.weight_zero_point);
              }
}

uint8_t Reference::requantised(int32_t sum, uint64_t parameters, int32_t zero_point, int32_t clamp_min,
                               int32_t clamp_max) const {
  int32_t record[3];
  std::memcpy(record, &sram[parameters], sizeof record);
  int32_t value = avocet_requantise(sum + record[0], record[1], record[2]) + zero_point;
  return static_cast<uint8_t>(std::min(std::max(value, clamp_min), clamp_max));
}

void Reference::execute(const avocet_cmd_requant &c) {
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t x = 0; x < c.x_count; ++x)
      for (uint64_t channel = 0; channel < c.channels; ++channel)
        sram[c.ofm + y * c.y_stride + x * c.x_stride + channel] =
            requantised(accumulators[(c.acc + y * c.x_count + x) * columns_ + channel], c.parameters + 12 * channel,
                        c.zero_point, c.clamp_min, c.clamp_max);
}

void Reference::execute(const avocet_cmd_depthwise &c) {
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t x = 0; x < c.x_count; ++x)
      for (int64_t channel = 0; channel < c.channels; ++channel) {
        int32_t sum = 0;
        for (int64_t ky = 0; ky < c.kernel_height; ++ky)
          for (int64_t kx = 0; kx < c.kernel_width; ++kx) {
            int64_t iy = c.y_start + y * c.conv_stride_y + ky * c.dilation_y;
            int64_t ix = c.x_start + x * c.conv_stride_x + kx * c.dilation_x;
            if (iy < 0 || iy >= c.in_height || ix < 0 || ix >= c.in_width) continue;
            int32_t a = activation(c.ifm + iy * c.in_y_stride + ix * c.in_x_stride + channel / c.multiplier, c.input_unsigned);
            int32_t w = static_cast<int8_t>(sram[c.weights + (ky * c.kernel_width + kx) * c.channels + channel]);
            sum += (a - c.input_zero_point) * (w - c.weight_zero_point);
          }
        sram[c.ofm + y * c.y_stride + x * c.x_stride + channel] =
            requantised(sum, c.parameters + 12 * channel, c.zero_point, c.clamp_min, c.clamp_max);
      }
}

void Reference::execute(const avocet_cmd_pool &c) {
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t x = 0; x < c.x_count; ++x)
      for (int64_t channel = 0; channel < c.channels; ++channel) {
        int32_t largest = INT32_MIN, sum = 0, cells = 0;
        for (int64_t ky = 0; ky < c.kernel_height; ++ky)
          for (int64_t kx = 0; kx < c.kernel_width; ++kx) {
            int64_t iy = c.y_start + y * c.pool_stride_y + ky, ix = c.x_start + x * c.pool_stride_x + kx;
            if (iy < 0 || iy >= c.in_height || ix < 0 || ix >= c.in_width) continue;
            int32_t a = activation(c.ifm + iy * c.in_y_stride + ix * c.in_x_stride + channel, c.input_unsigned);
            largest = std::max(largest, a);
            sum += a;
            ++cells;
          }
        int32_t value = c.clamp_min;
        if (cells > 0 && c.mode == AVOCET_POOL_MODE_MAX) value = largest;
        if (cells > 0 && c.mode == AVOCET_POOL_MODE_AVERAGE) value = (sum >= 0 ? sum + cells / 2 : sum - cells / 2) / cells;
        sram[c.ofm + y * c.y_stride + x * c.x_stride + channel] =
            static_cast<uint8_t>(std::min(std::max(value, c.clamp_min), c.clamp_max));
      }
}

void Reference::execute(const avocet_cmd_add &c) {
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t i = 0; i < c.row_bytes; ++i) {
      int32_t a = element(c.a + y * c.a_stride, i, c.a_scalar, c.input_unsigned) - c.a_zero_point;
      int32_t b = element(c.b + y * c.b_stride, i, c.b_scalar, c.input_unsigned) - c.b_zero_point;
      int32_t sum = avocet_requantise(a * (1 << c.left_shift), c.a_multiplier, c.a_shift) +
                    (c.subtract ? -1 : 1) * avocet_requantise(b * (1 << c.left_shift), c.b_multiplier, c.b_shift);
      int32_t value = avocet_requantise(sum, c.out_multiplier, c.out_shift) + c.zero_point;
      sram[c.ofm + y * c.y_stride + i] = static_cast<uint8_t>(std::min(std::max(value, c.clamp_min), c.clamp_max));
    }
}

} // namespace avocet::test
