// SPDX-License-Identifier: Apache-2.0
// Axis-aligned boxes: overlap, deltas, and greedy suppression of boxes that overlap better ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace avocet::runtime {

/// Corners. Operations that write y before x swap the axes, which changes nothing here.
struct Box {
  float x1, y1, x2, y2;

  /// False for NaN, too.
  bool is_ordered() const { return x1 <= x2 && y1 <= y2; }
  float width() const { return x2 - x1; }
  float height() const { return y2 - y1; }
};

/// Box `index` of a tensor whose last dimension holds boxes.
inline Box box_at(std::span<const float> values, size_t index) {
  return {values[4 * index], values[4 * index + 1], values[4 * index + 2], values[4 * index + 3]};
}

/// Area of the intersection over area of the union; 0 for two boxes without area.
float intersection_over_union(const Box& a, const Box& b);

/// `box` moved by (dx, dy, dw, dh): the centre by fractions of its size, the size by powers of e. Clipped to [0, width] x
/// [0, height]. A NaN among the numbers stays one.
Box transformed(const Box& box, const float* deltas, float width, float height);

struct Candidate {
  Box box;
  float score;     // not NaN
  uint32_t index;  // what it means is the caller's
};

/// "No more than this many", written as the operations have it: negative for all.
inline size_t limit_of(int32_t most) { return most < 0 ? std::numeric_limits<size_t>::max() : static_cast<size_t>(most); }

/// Greedy suppression: again and again the pending candidate with the highest score is chosen, of equal scores the first in
/// the list, until `most` are or none is left. keep(candidate, overlap with the one just chosen) may lower the score and says
/// whether the candidate stays pending. `candidates` becomes the chosen ones in the order they were chosen.
template <typename Keep>
void suppress(std::vector<Candidate>& candidates, size_t most, const Keep& keep) {
  size_t chosen = 0;
  while (chosen < candidates.size() && chosen < most) {
    const auto pending = candidates.begin() + static_cast<ptrdiff_t>(chosen);
    const auto best =
        std::max_element(pending, candidates.end(), [](const Candidate& a, const Candidate& b) { return a.score < b.score; });
    std::rotate(pending, best, best + 1);
    const Box box = pending->box;
    candidates.erase(std::remove_if(pending + 1, candidates.end(),
                                    [&](Candidate& one) { return !keep(one, intersection_over_union(one.box, box)); }),
                     candidates.end());
    ++chosen;
  }
  candidates.resize(chosen);
}

/// The same with candidates dropped from an overlap of `threshold` on.
void suppress_hard(std::vector<Candidate>& candidates, size_t most, float threshold);

/// Sorted by falling score, equal ones in the order they had, and cut to `most`.
void keep_best(std::vector<Candidate>& candidates, size_t most);

}  // namespace avocet::runtime
