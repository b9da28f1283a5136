// SPDX-License-Identifier: Apache-2.0
// A transposed convolution taken apart into plain ones of stride 1: output pixels that are `stride` apart meet the same taps
// of the filter, every stride-th one, in reverse order. Along one axis
//
//   output o receives input i through tap k where o + pad_before = i * stride + k
//
// and the taps k with the same residue k mod stride make one plain convolution.
#pragma once

#include <memory>
#include <vector>

#include "convolution_product.hpp"

namespace avocet::runtime {

struct TransposedAxis {
  int64_t stride = 1;
  int64_t filter = 1;
  int64_t pad_before = 0;
  int64_t output = 0;

  /// Number of residues of taps; the taps of residue r are r, r + stride, ... below `filter`.
  int64_t residues() const { return std::min(stride, filter); }
  int64_t taps(int64_t residue) const { return (filter - residue + stride - 1) / stride; }

  /// The plain convolution that a residue amounts to.
  struct Phase {
    int64_t first, count;  // output positions first, first + stride, ...
    int64_t pad_before;    // of the plain convolution; negative when it starts inside the image
  };
  Phase phase(int64_t residue) const {
    const int64_t first = ((residue - pad_before) % stride + stride) % stride;
    const int64_t count = first < output ? (output - first + stride - 1) / stride : 0;
    return {first, count, taps(residue) - 1 - (first + pad_before) / stride};
  }
};

/// Filters of each pair of residues, rows of height residues one after the other; one of the two is empty.
struct PreparedPhases : PreparedState {
  std::vector<PackedWeights> weights;
  std::vector<PackedFloatWeights> float_weights;
};

std::unique_ptr<PreparedPhases> pack_phases(const OperandView& filter, bool quantised, const TransposedAxis& height,
                                            const TransposedAxis& width);

/// One plain convolution and where its output pixels stand.
class PhasePlace {
 public:
  PhasePlace(const OperationContext& context, const TransposedAxis& height, const TransposedAxis& width, int64_t rh, int64_t rw);
  const PatchGeometry& geometry() const { return geometry_; }
  size_t pixels() const { return geometry_.out_height * geometry_.out_width; }

  /// Index of the output pixel that the phase's pixel `row`, counted through all batches, is.
  size_t operator()(size_t row) const {
    const size_t batch = row / pixels(), y = row % pixels() / geometry_.out_width, x = row % geometry_.out_width;
    const size_t out_y = static_cast<size_t>(h_.first) + y * static_cast<size_t>(height_.stride);
    const size_t out_x = static_cast<size_t>(w_.first) + x * static_cast<size_t>(width_.stride);
    return (batch * static_cast<size_t>(height_.output) + out_y) * static_cast<size_t>(width_.output) + out_x;
  }

 private:
  const TransposedAxis& height_;
  const TransposedAxis& width_;
  TransposedAxis::Phase h_, w_;
  PatchGeometry geometry_;
};

/// Runs all phases. multiply(index of the weights, geometry, block, to, stride) computes a block of one of them.
template <typename T, typename Multiply>
void run_phases(OperationContext& context, const TransposedAxis& height, const TransposedAxis& width, const Multiply& multiply) {
  const size_t batches = context.output(0).dims[0], columns = context.output(0).dims[3];
  T* out = context.out<T>(0);
  size_t index = 0;
  for (int64_t rh = 0; rh < height.residues(); ++rh) {
    for (int64_t rw = 0; rw < width.residues(); ++rw, ++index) {
      const PhasePlace place(context, height, width, rh, rw);
      if (place.pixels() == 0) continue;
      constexpr size_t kGathered = std::max(sizeof(T), sizeof(int16_t));
      const size_t row_bytes = std::max(place.geometry().row_length() * kGathered, columns * sizeof(T));
      const size_t panels = (columns + PackedWeights::kPanel - 1) / PackedWeights::kPanel;
      for_product_blocks(context, batches * place.pixels(), row_bytes, panels, [&](size_t r0, size_t r1, size_t p0, size_t p1) {
        const size_t first = p0 * PackedWeights::kPanel, last = std::min(columns, p1 * PackedWeights::kPanel);
        AlignedBuffer<T> results((r1 - r0) * columns);
        multiply(index, place.geometry(), ProductBlock{r0, r1, p0, p1}, results.data(), columns);
        for (size_t row = r0; row < r1; ++row) {
          std::copy(results.data() + (row - r0) * columns + first, results.data() + (row - r0) * columns + last,
                    out + place(row) * columns + first);
        }
      });
    }
  }
}

}  // namespace avocet::runtime
