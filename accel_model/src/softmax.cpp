// SPDX-License-Identifier: Apache-2.0
// Values of SOFTMAX: three passes over each row, as the unit makes them.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "avocet_softmax.h"
#include "vector_unit.hpp"

namespace avocet::model {

namespace {

struct Exponentials {
  std::array<int32_t, AVOCET_SOFTMAX_EXPONENTIALS> values, terms;
};

Exponentials load_exponentials(const uint8_t *from) {
  Exponentials table;
  std::memcpy(table.values.data(), from, sizeof table.values);
  std::transform(table.values.begin(), table.values.end(), table.terms.begin(), avocet_softmax_term);
  return table;
}

// `differences`: of each element to the largest. They are kept, so that an output over the input changes none of them.
template <typename Cell>
void softmax_row(const avocet_cmd_softmax &c, const Exponentials &table, const uint8_t *in, uint8_t *out,
                 std::vector<uint8_t> *differences) {
  const auto *cells = reinterpret_cast<const Cell *>(in);
  const uint64_t count = c.x_count, step = c.in_x_stride;
  Cell largest = cells[0];
  for (uint64_t i = 1; i < count; ++i) largest = std::max(largest, cells[i * step]);
  int64_t sum = 0;
  for (uint64_t i = 0; i < count; ++i) {
    (*differences)[i] = static_cast<uint8_t>(largest - cells[i * step]);
    sum += table.terms[(*differences)[i]];
  }
  const avocet_softmax_divisor divisor = avocet_softmax_divide(sum);
  for (uint64_t i = 0; i < count; ++i) {
    int32_t value = avocet_softmax_quotient(table.values[(*differences)[i]], &divisor) + c.zero_point;
    out[i * c.x_stride] = static_cast<uint8_t>(std::clamp(value, c.clamp_min, c.clamp_max));
  }
}

} // namespace

void softmax_values(const avocet_cmd_softmax &c, uint8_t *sram) {
  const Exponentials table = load_exponentials(sram + c.exponentials);
  const auto row = c.input_unsigned ? softmax_row<uint8_t> : softmax_row<int8_t>;
  std::vector<uint8_t> differences(c.x_count);
  for (uint64_t y = 0; y < c.y_count; ++y)
    row(c, table, sram + c.ifm + y * c.in_y_stride, sram + c.ofm + y * c.y_stride, &differences);
}

} // namespace avocet::model
