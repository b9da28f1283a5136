// SPDX-License-Identifier: Apache-2.0
// Values of ARG_REDUCE. Only a better value than all before it moves the index, so the first of equal ones stays.
#include <vector>

#include "vector_unit.hpp"

namespace avocet::model {

namespace {

/// The best value so far of each channel, and where it was found.
template <typename Cell> struct Found {
  std::vector<Cell> values;
  std::vector<uint32_t> indices;
};

template <typename Cell, bool kSmallest>
void find_in_group(const avocet_cmd_arg_reduce &c, const uint8_t *group, Found<Cell> &found) {
  for (uint32_t channel = 0; channel < c.channels; ++channel) {
    found.values[channel] = static_cast<Cell>(group[channel]);
    found.indices[channel] = 0;
  }
  for (uint32_t i = 1; i < c.axis_count; ++i) {
    const auto *cell = reinterpret_cast<const Cell *>(group + uint64_t{i} * c.axis_stride);
    for (uint32_t channel = 0; channel < c.channels; ++channel) {
      const bool better = kSmallest ? cell[channel] < found.values[channel] : cell[channel] > found.values[channel];
      found.values[channel] = better ? cell[channel] : found.values[channel];
      found.indices[channel] = better ? i : found.indices[channel];
    }
  }
}

template <typename Cell, bool kSmallest> void find_in_groups(const avocet_cmd_arg_reduce &c, uint8_t *sram) {
  Found<Cell> found{std::vector<Cell>(c.channels), std::vector<uint32_t>(c.channels)};
  for (uint64_t y = 0; y < c.y_count; ++y) {
    find_in_group<Cell, kSmallest>(c, sram + c.ifm + y * c.in_y_stride, found);
    uint8_t *out = sram + c.ofm + y * c.y_stride;
    for (const uint32_t index : found.indices)
      for (int shift = 0; shift < 32; shift += 8) *out++ = static_cast<uint8_t>(index >> shift);
  }
}

} // namespace

void arg_reduce_values(const avocet_cmd_arg_reduce &c, uint8_t *sram) {
  if (c.smallest)
    return c.input_unsigned ? find_in_groups<uint8_t, true>(c, sram) : find_in_groups<int8_t, true>(c, sram);
  return c.input_unsigned ? find_in_groups<uint8_t, false>(c, sram) : find_in_groups<int8_t, false>(c, sram);
}

} // namespace avocet::model
