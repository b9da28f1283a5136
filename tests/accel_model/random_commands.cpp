// SPDX-License-Identifier: Apache-2.0
// See random_commands.hpp.
#include "random_commands.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "avocet_softmax.h"

namespace avocet::test {

void RandomCommands::fill(std::span<uint8_t> bytes) {
  for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(random_());
}

void RandomCommands::fill_input(std::span<uint8_t> bytes) {
  fill(bytes);
  for (uint32_t i = 0; i < parameter_records(); ++i) {
    int32_t record[3] = {signed_number(-100000, 100000), signed_number(1 << 30, INT32_MAX), signed_number(-18, 2)};
    // Extremes now and then: they must not upset the vector path.
    if (i % 16 == 0) record[1] = number(0, 1) ? INT32_MIN : signed_number(INT32_MIN + 1, INT32_MAX);
    if (i % 16 == 1) record[2] = number(0, 1) ? -31 : signed_number(-31, 30);
    std::memcpy(&bytes[12 * i], record, sizeof record);
  }
  for (uint32_t i = 0; i < kExponentialTables; ++i) {
    int32_t table[AVOCET_SOFTMAX_EXPONENTIALS];
    avocet_softmax_exponentials(signed_number(1 << 30, INT32_MAX), signed_number(18, 26), signed_number(20, 255), table);
    std::memcpy(&bytes[exponentials() + i * sizeof table], table, sizeof table);
  }
}

uint32_t RandomCommands::input(uint64_t bytes) {
  uint32_t low = exponentials() + kExponentialTables * 1024;
  if (bytes > input_bytes() - low) throw std::logic_error("input too large");
  return number(low, static_cast<uint32_t>(input_bytes() - bytes));
}

uint32_t RandomCommands::output(uint64_t bytes) {
  if (bytes > hardware_.sram_bytes - input_bytes()) throw std::logic_error("output too large");
  return number(input_bytes(), static_cast<uint32_t>(hardware_.sram_bytes - bytes));
}

void RandomCommands::random_clamp(int32_t *low, int32_t *high) {
  *low = number(0, 1) ? -128 : signed_number(-100, 0);
  *high = number(0, 1) ? 255 : signed_number(1, 120);
}

avocet_cmd_matmul RandomCommands::matmul() {
  avocet_cmd_matmul c{};
  c.input_unsigned = number(0, 1);
  c.accumulate = number(0, 1);
  c.weight_zero_point = number(0, 1) ? 0 : signed_number(-128, 127);
  c.kx_count = number(1, 3);
  c.ky_count = number(1, 3);
  c.channels = number(0, 3) == 0 ? number(1, 3 * hardware_.array_rows) : number(1, 2) * hardware_.array_rows;
  uint32_t blocks = (c.channels + hardware_.array_rows - 1) / hardware_.array_rows;
  c.weight_bytes = c.kx_count * c.ky_count * blocks * hardware_.array_rows * hardware_.array_columns;
  c.x_count = number(1, 9);
  c.y_count = number(1, std::min(9u, hardware_.accumulator_rows / c.x_count));
  c.acc = number(0, hardware_.accumulator_rows - c.x_count * c.y_count);
  c.x_stride = number(0, 64);
  c.y_stride = number(0, 300);
  c.kx_stride = number(0, 64);
  c.ky_stride = number(0, 300);
  c.ifm = input(c.channels + uint64_t{c.x_count} * c.x_stride + uint64_t{c.y_count} * c.y_stride +
                uint64_t{c.kx_count} * c.kx_stride + uint64_t{c.ky_count} * c.ky_stride);
  c.weights = input(c.weight_bytes);
  return c;
}

avocet_cmd_requant RandomCommands::requant(const avocet_cmd_matmul &m) {
  avocet_cmd_requant c{};
  c.acc = m.acc;
  c.channels = number(0, 1) ? hardware_.array_columns : number(1, hardware_.array_columns);
  c.parameters = parameters(c.channels);
  c.x_count = m.x_count;
  c.y_count = m.y_count;
  c.x_stride = c.channels + number(0, 8);
  c.y_stride = c.x_count * c.x_stride + number(0, 8);
  c.ofm = output(uint64_t{c.y_count} * c.y_stride + c.channels);
  c.zero_point = signed_number(-128, 255);
  random_clamp(&c.clamp_min, &c.clamp_max);
  return c;
}

avocet_cmd_depthwise RandomCommands::depthwise() {
  avocet_cmd_depthwise c{};
  c.input_unsigned = number(0, 1);
  c.weight_zero_point = number(0, 1) ? 0 : signed_number(-128, 127);
  c.multiplier = number(0, 2) == 0 ? number(2, 4) : 1;
  c.input_channels = number(1, 40);
  c.channels = c.input_channels * c.multiplier;
  c.in_width = number(1, 9);
  c.in_height = number(1, 9);
  c.in_x_stride = c.input_channels + number(0, 4);
  c.in_y_stride = c.in_width * c.in_x_stride + number(0, 4);
  c.x_count = number(1, 6);
  c.y_count = number(1, 6);
  c.x_stride = c.channels + number(0, 4);
  c.y_stride = c.x_count * c.x_stride;
  c.kernel_width = number(1, 4);
  c.kernel_height = number(1, 4);
  c.conv_stride_x = number(1, 3);
  c.conv_stride_y = number(1, 3);
  c.dilation_x = number(1, 2);
  c.dilation_y = number(1, 2);
  c.x_start = signed_number(-5, 2);
  c.y_start = signed_number(-5, 2);
  c.input_zero_point = signed_number(-128, 255);
  c.zero_point = signed_number(-128, 255);
  random_clamp(&c.clamp_min, &c.clamp_max);
  c.ifm = input(uint64_t{c.in_height} * c.in_y_stride + c.input_channels);
  c.weights = input(uint64_t{c.kernel_width} * c.kernel_height * c.channels);
  c.parameters = parameters(c.channels);
  c.ofm = output(uint64_t{c.y_count} * c.y_stride + c.channels);
  return c;
}

avocet_cmd_pool RandomCommands::pool() {
  avocet_cmd_pool c{};
  c.input_unsigned = number(0, 1);
  c.mode = number(0, 1);
  c.channels = number(1, 70);
  c.in_width = number(1, 9);
  c.in_height = number(1, 9);
  c.in_x_stride = c.channels + number(0, 4);
  c.in_y_stride = c.in_width * c.in_x_stride + number(0, 4);
  c.x_count = number(1, 6);
  c.y_count = number(1, 6);
  c.x_stride = c.channels + number(0, 4);
  c.y_stride = c.x_count * c.x_stride;
  c.kernel_width = number(1, 4);
  c.kernel_height = number(1, 4);
  c.pool_stride_x = number(1, 3);
  c.pool_stride_y = number(1, 3);
  c.x_start = signed_number(-5, 2);
  c.y_start = signed_number(-5, 2);
  random_clamp(&c.clamp_min, &c.clamp_max);
  c.ifm = input(uint64_t{c.in_height} * c.in_y_stride + c.channels);
  c.ofm = output(uint64_t{c.y_count} * c.y_stride + c.channels);
  return c;
}

avocet_cmd_add RandomCommands::add() {
  avocet_cmd_add c{};
  c.input_unsigned = number(0, 1);
  c.subtract = number(0, 1);
  c.a_scalar = number(0, 3) == 0;
  c.b_scalar = number(0, 3) == 0;
  c.left_shift = 20;
  c.row_bytes = number(1, 200);
  c.y_count = number(1, 5);
  c.a_stride = number(0, 300);
  c.b_stride = number(0, 300);
  c.y_stride = c.row_bytes + number(0, 8);
  c.a_zero_point = signed_number(-128, 255);
  c.b_zero_point = signed_number(-128, 255);
  c.a_multiplier = signed_number(1 << 30, INT32_MAX);
  c.b_multiplier = signed_number(1 << 30, INT32_MAX);
  c.out_multiplier = number(0, 7) == 0 ? INT32_MIN : signed_number(1 << 30, INT32_MAX);
  c.a_shift = signed_number(-8, 0);
  c.b_shift = signed_number(-8, 0);
  c.out_shift = signed_number(-22, -15);
  c.zero_point = signed_number(-128, 255);
  random_clamp(&c.clamp_min, &c.clamp_max);
  c.a = input(uint64_t{c.y_count} * c.a_stride + c.row_bytes);
  c.b = input(uint64_t{c.y_count} * c.b_stride + c.row_bytes);
  c.ofm = output(uint64_t{c.y_count} * c.y_stride + c.row_bytes);
  return c;
}

avocet_cmd_binary RandomCommands::binary() {
  avocet_cmd_binary c{};
  c.input_unsigned = number(0, 1);
  c.mode = number(0, 3);
  c.a_scalar = number(0, 3) == 0;
  c.b_scalar = number(0, 3) == 0;
  c.row_bytes = number(0, 3) == 0 ? number(250, 600) : number(1, 60);
  c.y_count = number(1, 5);
  c.a_stride = number(0, 1) * number(0, 300);
  c.b_stride = number(0, 1) * number(0, 300);
  c.y_stride = c.row_bytes + number(0, 8);
  c.a_zero_point = number(0, 9) == 0 ? INT16_MIN : signed_number(-128, 255);
  c.b_zero_point = number(0, 9) == 0 ? INT16_MAX : signed_number(-128, 255);
  c.multiplier = number(0, 7) == 0 ? INT32_MIN : signed_number(1 << 30, INT32_MAX);
  c.negative_multiplier = number(0, 7) == 0 ? INT32_MIN : signed_number(1 << 30, INT32_MAX);
  c.shift = signed_number(-10, 1);
  c.negative_shift = signed_number(-10, 1);
  c.zero_point = signed_number(-128, 255);
  random_clamp(&c.clamp_min, &c.clamp_max);
  c.a = input(uint64_t{c.y_count} * c.a_stride + c.row_bytes);
  c.b = input(uint64_t{c.y_count} * c.b_stride + c.row_bytes);
  c.ofm = output(uint64_t{c.y_count} * c.y_stride + c.row_bytes);
  return c;
}

avocet_cmd_table RandomCommands::table() {
  avocet_cmd_table c{};
  c.row_bytes = number(1, 300);
  c.y_count = number(1, 5);
  c.in_y_stride = number(0, 300);
  c.y_stride = c.row_bytes + number(0, 8);
  c.table = input(256);
  c.ifm = input(uint64_t{c.y_count} * c.in_y_stride + c.row_bytes);
  c.ofm = output(uint64_t{c.y_count} * c.y_stride + c.row_bytes);
  return c;
}

avocet_cmd_reduce RandomCommands::reduce() {
  avocet_cmd_reduce c{};
  c.input_unsigned = number(0, 1);
  c.mode = number(0, 2);
  c.channels = number(0, 2) == 0 ? 1 : number(1, 70);
  c.y_count = number(1, 4);
  c.axis0_count = number(1, 20);
  c.axis1_count = number(1, 5);
  c.axis0_stride = number(0, 1) ? c.channels : number(0, 100);
  c.axis1_stride = number(0, 1) ? c.channels * c.axis0_count : number(0, 1000);
  c.in_y_stride = number(0, 2000);
  c.y_stride = c.channels + number(0, 4);
  c.input_zero_point = signed_number(-128, 255);
  c.zero_point = signed_number(-128, 255);
  c.bias = number(0, 1) ? 0 : signed_number(-10000, 10000);
  c.multiplier = number(0, 7) == 0 ? INT32_MIN : signed_number(1 << 30, INT32_MAX);
  c.shift = signed_number(-8, 0);
  random_clamp(&c.clamp_min, &c.clamp_max);
  c.ifm = input(uint64_t{c.y_count} * c.in_y_stride + uint64_t{c.axis1_count} * c.axis1_stride +
                uint64_t{c.axis0_count} * c.axis0_stride + c.channels);
  c.ofm = output(uint64_t{c.y_count} * c.y_stride + c.channels);
  return c;
}

avocet_cmd_arg_reduce RandomCommands::arg_reduce() {
  avocet_cmd_arg_reduce c{};
  c.input_unsigned = number(0, 1);
  c.smallest = number(0, 1);
  c.channels = number(0, 2) == 0 ? 1 : number(1, 70);
  c.y_count = number(1, 4);
  c.axis_count = number(0, 3) == 0 ? number(257, 300) : number(1, 50);  // indices of two bytes, too
  c.axis_stride = number(0, 1) ? c.channels : number(0, 20);
  c.in_y_stride = number(0, 2000);
  c.y_stride = 4 * c.channels + number(0, 9);
  c.ifm = input(uint64_t{c.y_count} * c.in_y_stride + uint64_t{c.axis_count} * c.axis_stride + c.channels);
  c.ofm = output(uint64_t{c.y_count} * c.y_stride + 4 * c.channels);
  return c;
}

template <typename C> void RandomCommands::random_rows(C *c) {
  c->x_count = number(1, 80);
  c->y_count = number(1, 12);
  const bool in_rows = number(0, 2) != 0, out_rows = number(0, 3) == 0 ? number(0, 1) : in_rows;
  const uint32_t gap = number(0, 2);
  c->in_x_stride = in_rows ? 1 + gap / 2 : c->y_count + gap;
  c->in_y_stride = in_rows ? c->x_count * c->in_x_stride + gap : 1;
  c->x_stride = out_rows ? 1 + gap / 2 : c->y_count + gap;
  c->y_stride = out_rows ? c->x_count * c->x_stride + gap : 1;
  c->ifm = input(uint64_t{c->y_count} * c->in_y_stride + uint64_t{c->x_count} * c->in_x_stride);
  c->ofm = output(uint64_t{c->y_count} * c->y_stride + uint64_t{c->x_count} * c->x_stride);
}

avocet_cmd_softmax RandomCommands::softmax() {
  avocet_cmd_softmax c{};
  random_rows(&c);
  c.input_unsigned = number(0, 1);
  // Any bytes may be taken for a table.
  c.exponentials = number(0, 3) == 0 ? input(1024) : exponentials() + 1024 * number(0, kExponentialTables - 1);
  c.zero_point = c.input_unsigned ? 0 : -128;
  random_clamp(&c.clamp_min, &c.clamp_max);
  return c;
}

avocet_cmd_resize RandomCommands::resize() {
  avocet_cmd_resize c{};
  c.input_unsigned = number(0, 1);
  c.mode = number(0, 1);
  c.channels = number(1, 40);
  c.in_width = number(1, 9);
  c.in_height = number(1, 9);
  c.in_x_stride = c.channels + number(0, 4);
  c.in_y_stride = c.in_width * c.in_x_stride + number(0, 4);
  c.x_count = number(1, 12);
  c.y_count = number(1, 12);
  c.x_stride = c.channels + number(0, 4);
  c.y_stride = c.x_count * c.x_stride;
  const int32_t one = c.mode == AVOCET_RESIZE_MODE_NEAREST ? 1 << 16 : 1 << 10;
  c.x_start = number(0, 1) ? 0 : signed_number(-2 * one, 2 * one);
  c.y_start = number(0, 1) ? 0 : signed_number(-2 * one, 2 * one);
  c.x_step = number(0, 9) == 0 ? INT32_MIN : signed_number(0, 2 * one);
  c.y_step = number(0, 9) == 0 ? INT32_MAX : signed_number(0, 2 * one);
  c.ifm = input(uint64_t{c.in_height} * c.in_y_stride + c.channels);
  c.ofm = output(uint64_t{c.y_count} * c.y_stride + c.channels);
  return c;
}

avocet_cmd_l2_normalise RandomCommands::l2_normalise() {
  avocet_cmd_l2_normalise c{};
  random_rows(&c);
  c.input_unsigned = number(0, 1);
  c.left_shift = number(0, 2) == 0 ? number(0, 15) : 7;
  c.out_shift = number(0, 3) == 0 ? signed_number(-16, 30) : 7 - static_cast<int32_t>(c.left_shift);
  c.input_zero_point = number(0, 9) == 0 ? INT16_MIN : signed_number(-128, 255);
  c.zero_point = signed_number(-128, 255);
  random_clamp(&c.clamp_min, &c.clamp_max);
  return c;
}

avocet_cmd_dma_fill RandomCommands::dma_fill() {
  avocet_cmd_dma_fill c{};
  c.channel = number(0, hardware_.dma_channels - 1);
  c.value = number(0, 255);
  c.row_bytes = number(1, 100);
  c.count0 = number(1, 6);
  c.count1 = number(1, 6);
  c.stride0 = number(0, 150);
  c.stride1 = number(0, 800);
  c.sram = output(c.row_bytes + uint64_t{c.count0} * c.stride0 + uint64_t{c.count1} * c.stride1);
  return c;
}

avocet_cmd_dma_load RandomCommands::dma_load(uint32_t region, uint32_t region_bytes) {
  avocet_cmd_dma_load c{};
  c.channel = number(0, hardware_.dma_channels - 1);
  c.region = region;
  c.count0 = number(1, 5);
  c.count1 = number(1, 4);
  c.count2 = number(1, 3);
  c.row_bytes = number(0, 3) == 0 ? number(hardware_.sram_bytes / 512, hardware_.sram_bytes / 256) : number(1, 100);
  bool gapless = number(0, 1);
  c.dram_stride0 = gapless ? c.row_bytes : number(0, 150);
  c.sram_stride0 = gapless ? c.row_bytes : c.row_bytes + number(0, 50);
  c.dram_stride1 = gapless && number(0, 1) ? c.count0 * c.row_bytes : number(0, 1500);
  c.sram_stride1 = c.count0 * c.sram_stride0;
  c.dram_stride2 = number(0, 4000);
  c.sram_stride2 = c.count1 * c.sram_stride1;
  c.sram = output(c.row_bytes + uint64_t{c.count2} * c.sram_stride2);
  c.dram = number(0, region_bytes - (c.row_bytes + c.count0 * c.dram_stride0 + c.count1 * c.dram_stride1 +
                                     c.count2 * c.dram_stride2));
  return c;
}

avocet_cmd_dma_store RandomCommands::dma_store(uint32_t region, uint32_t region_bytes) {
  avocet_cmd_dma_load l = dma_load(region, region_bytes);
  // Distinct rows in DRAM, as a store's rows must not overwrite each other.
  avocet_cmd_dma_store c{l.channel,      l.region,       l.dram,         l.sram,         l.row_bytes,
                         l.count0,       l.count1,       l.count2,       l.dram_stride0, l.sram_stride0,
                         l.dram_stride1, l.sram_stride1, l.dram_stride2, l.sram_stride2};
  c.dram_stride0 = c.row_bytes + number(0, 20);
  c.dram_stride1 = c.count0 * c.dram_stride0;
  c.dram_stride2 = c.count1 * c.dram_stride1;
  c.dram = number(0, region_bytes - c.count2 * c.dram_stride2);
  return c;
}

} // namespace avocet::test
