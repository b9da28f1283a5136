// SPDX-License-Identifier: Apache-2.0
// Where values of known size lie in one block of memory, so that those never alive together share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace avocet::runtime {

inline constexpr size_t kBufferAlignment = 64;

struct PlannedBuffer {
  size_t bytes = 0;
  uint32_t first = 0, last = 0;  // times at which it is alive, inclusive
  size_t offset = 0;             // the result, a multiple of kBufferAlignment
};

/// Fills in the offsets and returns the size of the block. Buffers of equal times are placed in the given order.
size_t plan_memory(std::vector<PlannedBuffer>& buffers);

}  // namespace avocet::runtime
