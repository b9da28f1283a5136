// SPDX-License-Identifier: Apache-2.0
// Float matrix product for convolutions and fully connected layers: rows times packed weights, plus bias, clamped.
#pragma once

#include <cstddef>

#include "aligned_buffer.hpp"
#include "requantise.hpp"

namespace avocet::runtime {

/// Weights [columns][depth] in panels of sixteen columns.
class PackedFloatWeights {
 public:
  static constexpr size_t kPanel = 16;
  PackedFloatWeights(const float* weights, size_t columns, size_t depth);
  size_t columns() const { return columns_; }
  size_t depth() const { return depth_; }
  size_t panels() const { return (columns_ + kPanel - 1) / kPanel; }
  const float* panel(size_t p) const { return values_.data() + p * depth_ * kPanel; }

 private:
  size_t columns_;
  size_t depth_;
  AlignedBuffer<float> values_;
};

/// out[r][c] = clamp(bias[c] + sum over k of left[r][k] * weights[c][k]) for rows [0, rows) and panels
/// [first_panel, last_panel). Strides in elements. `bias` may be null.
void multiply_add_clamp(const float* left, size_t left_stride, size_t rows, const PackedFloatWeights& weights, size_t first_panel,
                        size_t last_panel, const float* bias, Range<float> range, float* out, size_t out_stride);

}  // namespace avocet::runtime
