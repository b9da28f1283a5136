// SPDX-License-Identifier: Apache-2.0
// Run-time dispatch and the plain loops.
#include "matmul_values.hpp"

#include <cstdlib>

namespace avocet::model {

bool have_avx2() {
#if defined(__x86_64__)
  static const bool have = __builtin_cpu_supports("avx2") && std::getenv("AVOCET_NO_AVX2") == nullptr;
  return have;
#else
  return false;
#endif
}

void matmul_values(const avocet_cmd_matmul &command, const MatmulMemory &memory) {
#if defined(__x86_64__)
  if (have_avx2()) return matmul_values_avx2(command, memory);
#endif
  matmul_values_scalar(command, memory);
}

namespace {

// sums[column] += activations x weights for `channels` channels of one kernel position.
void add_products(const avocet_cmd_matmul &c, const uint8_t *activations, const uint8_t *weights, uint32_t columns,
                  uint32_t *sums) {
  for (uint32_t channel = 0; channel < c.channels; ++channel) {
    int32_t a = c.input_unsigned ? activations[channel] - 128 : static_cast<int8_t>(activations[channel]);
    if (a == 0) continue;
    const uint8_t *row = weights + uint64_t{channel} * columns;
    for (uint32_t column = 0; column < columns; ++column)
      sums[column] += static_cast<uint32_t>(a * (static_cast<int8_t>(row[column]) - c.weight_zero_point));
  }
}

} // namespace

void matmul_values_scalar(const avocet_cmd_matmul &c, const MatmulMemory &memory) {
  const uint64_t outputs = uint64_t{c.x_count} * c.y_count;
  const uint64_t positions = uint64_t{c.kx_count} * c.ky_count;
  for (uint64_t output = 0; output < outputs; ++output) {
    auto *sums = reinterpret_cast<uint32_t *>(memory.accumulators) + (c.acc + output) * memory.array_columns;
    if (!c.accumulate)
      for (uint32_t column = 0; column < memory.array_columns; ++column) sums[column] = 0;
    for (uint64_t position = 0; position < positions; ++position)
      add_products(c, memory.sram + matmul_row_of(c, output) + matmul_position_offset(c, position),
                   memory.sram + matmul_weights_of(c, memory, position), memory.array_columns, sums);
  }
}

} // namespace avocet::model
