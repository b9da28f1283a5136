// SPDX-License-Identifier: Apache-2.0
// Values of TABLE.
#include <algorithm>
#include <array>

#include "vector_unit.hpp"

namespace avocet::model {

// The unit loads the table first: an output over it does not change what follows.
void table_values(const avocet_cmd_table &c, uint8_t *sram) {
  std::array<uint8_t, 256> table;
  std::copy_n(sram + c.table, table.size(), table.begin());
  for (uint64_t y = 0; y < c.y_count; ++y) {
    const uint8_t *in = sram + c.ifm + y * c.in_y_stride;
    uint8_t *out = sram + c.ofm + y * c.y_stride;
    for (uint64_t i = 0; i < c.row_bytes; ++i) out[i] = table[in[i]];
  }
}

} // namespace avocet::model
