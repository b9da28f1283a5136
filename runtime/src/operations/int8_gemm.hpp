// SPDX-License-Identifier: Apache-2.0
// Integer matrix product for convolutions: rows of int16 (8 bit values minus their zero point) times packed int16 weights,
// int32 sums. Products of pairs are added exactly, so every machine gives the same bits.
#pragma once

#include <cstdint>

#include "aligned_buffer.hpp"
#include "output_stage.hpp"

namespace avocet::runtime {

/// Weights [columns][depth] minus their zero point, in panels of sixteen columns; within a panel pairs of depth alternate.
class PackedWeights {
 public:
  static constexpr size_t kPanel = 16;

  template <typename Stored>  // int8_t or uint8_t
  PackedWeights(const Stored* weights, size_t columns, size_t depth, int32_t zero_point);

  size_t columns() const { return columns_; }
  size_t panels() const { return (columns_ + kPanel - 1) / kPanel; }
  /// Elements of a row of the left matrix: depth rounded up to even; the last one multiplies zeros but must be readable.
  size_t row_length() const { return pairs_ * 2; }
  size_t pairs() const { return pairs_; }
  const int16_t* panel(size_t p) const { return values_.data() + p * pairs_ * 2 * kPanel; }

 private:
  size_t columns_;
  size_t pairs_;
  AlignedBuffer<int16_t> values_;
};

/// out[r][c] = stage(sum over k of left[r][k] * weights[c][k]) for rows [0, rows) and the columns of panels
/// [first_panel, last_panel). Row strides in elements.
void multiply_requantise(const int16_t* left, size_t left_stride, size_t rows, const PackedWeights& weights, size_t first_panel,
                         size_t last_panel, const OutputStage& stage, uint8_t* out, size_t out_stride);

/// to[i] = from[i] - zero_point. `is_signed` tells int8 from uint8.
void widen_row(const uint8_t* from, bool is_signed, int32_t zero_point, int16_t* to, size_t count);

}  // namespace avocet::runtime
