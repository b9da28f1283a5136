// SPDX-License-Identifier: Apache-2.0
// A block of a convolution: some output pixels (rows) times some panels of filters. Plain, grouped and transposed convolutions
// differ only in where the rows come from and where the results go.
#pragma once

#include "convolution_rows.hpp"
#include "float_gemm.hpp"
#include "int8_gemm.hpp"

namespace avocet::runtime {

/// Rows [first, last) of output pixels, counted through all batches, and panels [first_panel, last_panel) of the weights.
struct ProductBlock {
  size_t first_row, last_row;
  size_t first_panel, last_panel;
  size_t rows() const { return last_row - first_row; }
};

/// Images of one quantised type, stored.
struct QuantisedImages {
  const uint8_t* data;
  bool is_signed;
  int32_t zero_point;
};
QuantisedImages quantised_images(const OperandView& input);

/// Filters [columns][depth] from the stored values of a filter of any quantised type.
PackedWeights pack_filters(const OperandView& filter, const void* values, size_t columns, size_t depth);

/// out[(row - first_row) * out_stride + column] for the rows and columns of the block; `bias` counts from column 0.
void convolve_block(const PatchGeometry& geometry, const float* images, const ProductBlock& block, const PackedFloatWeights& weights,
                    const float* bias, Range<float> range, float* out, size_t out_stride);
void convolve_block(const PatchGeometry& geometry, const QuantisedImages& images, const ProductBlock& block,
                    const PackedWeights& weights, const OutputStage& stage, uint8_t* out, size_t out_stride);

}  // namespace avocet::runtime
