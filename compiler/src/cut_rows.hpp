// SPDX-License-Identifier: Apache-2.0
// Long commands of the vector unit are cut into several by rows, so that a reader of the first rows can begin before the
// last ones are there.
#pragma once

#include <algorithm>

#include "command_cost.hpp"
#include "window.hpp"

namespace avocet::compiler {

constexpr uint32_t kCommandCountMax = 65536;  // of a count in a command

/// Calls emit(box) for parts of whole rows.
template <typename Emit>
void cut_rows(const Box& box, uint64_t cycles, Emit emit) {
  constexpr uint64_t kCommandCycles = 1500;  // worth a command of its own
  constexpr uint64_t kPiecesMax = 8;
  const auto rows = static_cast<uint64_t>(box.rows());
  const uint64_t pieces = std::clamp<uint64_t>(cycles / kCommandCycles, 1, kPiecesMax);
  const uint64_t step = std::min<uint64_t>(kCommandCountMax, divide_up(rows, pieces));
  for (uint64_t done = 0; done < rows; done += step) {
    Box part = box;
    part.row_begin = box.row_begin + static_cast<int64_t>(done);
    part.row_end = std::min(box.row_end, part.row_begin + static_cast<int64_t>(step));
    emit(part);
  }
}

inline uint32_t stride_unless_one(uint64_t count, int64_t stride) {
  return count > 1 ? static_cast<uint32_t>(stride) : 0;
}

}  // namespace avocet::compiler
