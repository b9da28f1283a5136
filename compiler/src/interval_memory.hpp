// SPDX-License-Identifier: Apache-2.0
// Addresses for memory whose lifetimes are known in advance: two requests may share bytes when their lifetimes do not
// meet.
#pragma once

#include <cstdint>
#include <vector>

namespace avocet::compiler {

struct MemoryRequest {
  uint64_t bytes = 0;
  uint32_t first = 0, last = 0;  // lifetime, both ends included
  uint64_t address = 0;          // the result
};

/// First fit, long lifetimes first, then large requests. Returns the bytes needed.
uint64_t place_by_lifetime(std::vector<MemoryRequest>& requests, uint64_t alignment);

}  // namespace avocet::compiler
