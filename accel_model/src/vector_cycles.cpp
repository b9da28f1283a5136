// SPDX-License-Identifier: Apache-2.0
// The formulas of vector_cycles.hpp. Products saturate: a field's extremes must not look cheap.
#include "vector_cycles.hpp"

#include <algorithm>

#include "saturating.hpp"

namespace avocet::model {

namespace {

uint64_t operand_cycles(bool scalar, uint64_t groups) { return scalar ? 1 : groups; }

// Of cells that are reduced: as many bytes at once as lie side by side.
uint64_t line_cycles(uint64_t cells, uint64_t channels, uint64_t stride, uint64_t lanes) {
  return stride == channels ? divide_up(cells * channels, lanes) : cells * divide_up(channels, lanes);
}

// Passes over rows of elements, and what one row (or one group of rows side by side) costs besides.
template <typename C> uint64_t row_cycles(const C &c, uint64_t lanes, uint64_t passes, uint64_t per_row) {
  const uint64_t x = c.x_count, y = c.y_count;
  if (c.in_x_stride == 1 && c.x_stride == 1) return saturating_multiply(passes * divide_up(x, lanes) + per_row, y);
  if (c.in_y_stride == 1 && c.y_stride == 1) return saturating_multiply(passes * x + per_row, divide_up(y, lanes));
  return saturating_multiply(passes * x + per_row, y);
}

} // namespace

uint64_t depthwise_cycles(const avocet_cmd_depthwise &c, uint64_t lanes) {
  uint64_t taps = uint64_t{c.kernel_width} * c.kernel_height;
  uint64_t row = saturating_multiply(divide_up(uint64_t{c.x_count} * c.channels, lanes), taps);
  return saturating_add(saturating_multiply(row, c.y_count), divide_up(uint64_t{c.channels} * AVOCET_PARAMETER_BYTES, lanes));
}

uint64_t pool_cycles(const avocet_cmd_pool &c, uint64_t lanes) {
  uint64_t taps = uint64_t{c.kernel_width} * c.kernel_height;
  return saturating_multiply(saturating_multiply(divide_up(uint64_t{c.x_count} * c.channels, lanes), taps), c.y_count);
}

uint64_t add_cycles(const avocet_cmd_add &c, uint64_t lanes) {
  uint64_t groups = divide_up(c.row_bytes, lanes);
  return saturating_multiply(operand_cycles(c.a_scalar, groups) + operand_cycles(c.b_scalar, groups), c.y_count);
}

uint64_t binary_cycles(const avocet_cmd_binary &c, uint64_t lanes) {
  uint64_t groups = divide_up(c.row_bytes, lanes);
  return saturating_multiply(operand_cycles(c.a_scalar, groups) + operand_cycles(c.b_scalar, groups), c.y_count);
}

uint64_t table_cycles(const avocet_cmd_table &c, uint64_t lanes) {
  return saturating_add(saturating_multiply(divide_up(c.row_bytes, lanes), c.y_count), divide_up(256, lanes));
}

uint64_t reduce_cycles(const avocet_cmd_reduce &c, uint64_t lanes) {
  uint64_t line = line_cycles(c.axis0_count, c.channels, c.axis0_stride, lanes);
  uint64_t group = saturating_add(saturating_multiply(line, c.axis1_count), divide_up(c.channels, lanes));
  return saturating_multiply(group, c.y_count);
}

uint64_t arg_reduce_cycles(const avocet_cmd_arg_reduce &c, uint64_t lanes) {
  uint64_t line = line_cycles(c.axis_count, c.channels, c.axis_stride, lanes);
  return saturating_multiply(std::max(line, divide_up(kIndexBytes * c.channels, lanes)), c.y_count);
}

uint64_t softmax_cycles(const avocet_cmd_softmax &c, uint64_t lanes) {
  return saturating_add(row_cycles(c, lanes, 3, kReciprocalCycles), divide_up(4 * 256, lanes));
}

uint64_t resize_cycles(const avocet_cmd_resize &c, uint64_t lanes) {
  uint64_t cells = c.mode == AVOCET_RESIZE_MODE_NEAREST ? 1 : 4;
  return saturating_multiply(divide_up(uint64_t{c.x_count} * c.channels, lanes) * cells, c.y_count);
}

uint64_t l2_normalise_cycles(const avocet_cmd_l2_normalise &c, uint64_t lanes) {
  return row_cycles(c, lanes, 2, kInverseRootCycles);
}

} // namespace avocet::model
