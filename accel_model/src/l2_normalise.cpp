// SPDX-License-Identifier: Apache-2.0
// Values of L2_NORMALISE: two passes over each row.
#include <vector>

#include "avocet_l2_normalise.h"
#include "uniform_requantiser.hpp"
#include "vector_unit.hpp"

namespace avocet::model {

namespace {

template <typename Cell> void load_row(const avocet_cmd_l2_normalise &c, const uint8_t *in, std::vector<int32_t> *values) {
  const auto *cells = reinterpret_cast<const Cell *>(in);
  for (uint64_t i = 0; i < c.x_count; ++i) (*values)[i] = cells[i * c.in_x_stride] - c.input_zero_point;
}

int64_t sum_of_squares(const std::vector<int32_t> &values) {
  int64_t sum = 0; // at most 2^24 squares of 31 bits
  for (int32_t value : values) sum += int64_t{value} * value;
  return sum;
}

} // namespace

void l2_normalise_values(const avocet_cmd_l2_normalise &c, uint8_t *sram) {
  std::vector<int32_t> values(c.x_count);
  std::vector<uint8_t> bytes(c.x_count);
  const auto load = c.input_unsigned ? load_row<uint8_t> : load_row<int8_t>;
  for (uint64_t y = 0; y < c.y_count; ++y) {
    load(c, sram + c.ifm + y * c.in_y_stride, &values);
    const avocet_inverse_square_root root = avocet_inverse_square_root_of(sum_of_squares(values));
    for (int32_t &value : values) value *= 1 << c.left_shift; // at most 15: below 2^31
    const int32_t shift = avocet_l2_normalise_shift(root, c.out_shift);
    UniformRequantiser(root.multiplier, shift, c.zero_point, c.clamp_min, c.clamp_max)(values.data(), values.size(),
                                                                                      bytes.data());
    uint8_t *out = sram + c.ofm + y * c.y_stride;
    for (uint64_t i = 0; i < c.x_count; ++i) out[i * c.x_stride] = bytes[i];
  }
}

} // namespace avocet::model
