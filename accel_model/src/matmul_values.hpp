// SPDX-License-Identifier: Apache-2.0
// The values of one MATMUL command, without its time. Exact: int32 sums that wrap, whatever path computes them.
#pragma once

#include <cstdint>

#include "avocet_isa.h"

namespace avocet::model {

// Bytes that may be read (never used) behind the end of the SRAM: vector loads need no edge cases.
constexpr uint64_t kSramSlack = 64;

struct MatmulMemory {
  const uint8_t *sram; // followed by kSramSlack readable bytes
  int32_t *accumulators;
  uint32_t array_rows, array_columns;
};

// By the fastest way this processor has.
void matmul_values(const avocet_cmd_matmul &command, const MatmulMemory &memory);

// The plain loops: fallback, and the reference of the vector code's test.
void matmul_values_scalar(const avocet_cmd_matmul &command, const MatmulMemory &memory);

#if defined(__x86_64__)
void matmul_values_avx2(const avocet_cmd_matmul &command, const MatmulMemory &memory);
#endif

// Whether this processor has what the vector paths need, and AVOCET_NO_AVX2 is not in the environment (for tests).
bool have_avx2();

// Tiles of consecutive channel blocks lie one behind the other, so a kernel position's weights are one row-major matrix
// [channels rounded up to array_rows][array_columns]. Byte address of that of position (ky, kx).
inline uint64_t matmul_weights_of(const avocet_cmd_matmul &c, const MatmulMemory &memory, uint64_t position) {
  uint64_t blocks = (uint64_t{c.channels} + memory.array_rows - 1) / memory.array_rows;
  return c.weights + position * blocks * memory.array_rows * memory.array_columns;
}

// Byte address of the activations of output `index` (= y * x_count + x), kernel position (0, 0).
inline uint64_t matmul_row_of(const avocet_cmd_matmul &c, uint64_t index) {
  return c.ifm + index / c.x_count * c.y_stride + index % c.x_count * c.x_stride;
}

// Offset of kernel position `position` (= ky * kx_count + kx) from there.
inline uint64_t matmul_position_offset(const avocet_cmd_matmul &c, uint64_t position) {
  return position / c.kx_count * c.ky_stride + position % c.kx_count * c.kx_stride;
}

} // namespace avocet::model
