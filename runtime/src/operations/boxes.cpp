// SPDX-License-Identifier: Apache-2.0
// Axis-aligned boxes: see boxes.hpp.
#include "boxes.hpp"

#include <algorithm>

namespace avocet::runtime {

float intersection_over_union(const Box& a, const Box& b) {
  const float width = std::max(std::min(a.x2, b.x2) - std::max(a.x1, b.x1), 0.0f);
  const float height = std::max(std::min(a.y2, b.y2) - std::max(a.y1, b.y1), 0.0f);
  const float common = width * height;
  const float whole = a.width() * a.height() + b.width() * b.height() - common;
  return whole > 0.0f ? common / whole : 0.0f;
}

Box transformed(const Box& box, const float* deltas, float width, float height) {
  const float box_width = box.width(), box_height = box.height();
  const float x = (box.x1 + box.x2) / 2 + deltas[0] * box_width, y = (box.y1 + box.y2) / 2 + deltas[1] * box_height;
  const float half_width = std::exp(deltas[2]) * box_width / 2, half_height = std::exp(deltas[3]) * box_height / 2;
  const auto clip = [](float value, float limit) { return std::min(std::max(value, 0.0f), limit); };
  return {clip(x - half_width, width), clip(y - half_height, height), clip(x + half_width, width), clip(y + half_height, height)};
}

void suppress_hard(std::vector<Candidate>& candidates, size_t most, float threshold) {
  suppress(candidates, most, [threshold](const Candidate&, float overlap) { return !(overlap >= threshold); });
}

void keep_best(std::vector<Candidate>& candidates, size_t most) {
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  if (candidates.size() > most) candidates.resize(most);
}

}  // namespace avocet::runtime
