// SPDX-License-Identifier: Apache-2.0
// Windows over an input of which cells may lie outside: the taps of one dimension that are inside.
#pragma once

#include <cstdint>

namespace avocet::model {

// Taps [first, last) of `taps` whose cell start + tap * dilation is in [0, size).
struct TapRange {
  int64_t first, last;
};

inline TapRange taps_inside(int64_t start, int64_t taps, int64_t dilation, int64_t size) {
  int64_t first = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
  int64_t last = start >= size ? 0 : (size - start + dilation - 1) / dilation;
  if (last > taps) last = taps;
  return {first, first < last ? last : first};
}

} // namespace avocet::model
