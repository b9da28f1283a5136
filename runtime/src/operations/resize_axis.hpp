// SPDX-License-Identifier: Apache-2.0
// Where the pixels of a resized image come from along one axis, with the numerics of TensorFlow Lite's reference kernels:
// float32 positions, and for int8 positions of ten fraction bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace avocet::runtime {

struct ResizeAxis {
  uint32_t input, output;
  bool align_corners, half_pixel_centers;

  float scale() const {
    return align_corners && output > 1 ? static_cast<float>(input - 1) / static_cast<float>(output - 1)
                                       : static_cast<float>(input) / static_cast<float>(output);
  }
  size_t clamped(int64_t index) const { return static_cast<size_t>(std::clamp<int64_t>(index, 0, int64_t{input} - 1)); }

  size_t nearest(uint32_t index) const {
    const float position = (static_cast<float>(index) + (half_pixel_centers ? 0.5f : 0.0f)) * scale();
    return clamped(static_cast<int64_t>(align_corners ? std::round(position) : std::floor(position)));
  }

  /// The two pixels a result lies between, and how far it is from the first.
  template <typename Weight>
  struct Between {
    size_t low, high;
    Weight fraction;  // float: of 1; int32_t: of 1024
  };
  Between<float> between(uint32_t index) const {
    const float at = static_cast<float>(index);
    const float position = half_pixel_centers ? (at + 0.5f) * scale() - 0.5f : at * scale();
    const size_t low = clamped(static_cast<int64_t>(std::floor(position)));
    return {low, clamped(static_cast<int64_t>(std::ceil(position))), position - static_cast<float>(low)};
  }
  Between<int32_t> between_in_fixed_point(uint32_t index) const {
    constexpr int64_t kOne = 1 << 10;
    const bool corners = align_corners && output > 1;
    const int64_t from = int64_t{input} - (corners ? 1 : 0), to = int64_t{output} - (corners ? 1 : 0);
    const int64_t step = (kOne * from + to / 2) / to;
    const int64_t position = index * step + (half_pixel_centers ? step / 2 - kOne / 2 : 0);
    const size_t low = clamped(position / kOne);
    // The rounded step can lead beyond the last pixel, which is then the result.
    const int64_t fraction = std::min(position - kOne * static_cast<int64_t>(low), kOne);
    return {low, clamped((position + kOne - 1) / kOne), static_cast<int32_t>(fraction)};
  }
};

}  // namespace avocet::runtime
