// SPDX-License-Identifier: Apache-2.0
// Accumulator rows are handed out round robin, so that the rows of a tile are reused as late as possible.
#pragma once

#include <cstdint>

namespace avocet::compiler {

class Accumulators {
 public:
  explicit Accumulators(uint32_t rows) : rows_(rows) {}

  /// First of `count` neighbouring rows, count at most all rows.
  uint32_t take(uint32_t count) {
    if (next_ + count > rows_) next_ = 0;
    const uint32_t first = next_;
    next_ += count;
    return first;
  }

 private:
  uint32_t rows_;
  uint32_t next_ = 0;
};

}  // namespace avocet::compiler
