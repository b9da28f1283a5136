// SPDX-License-Identifier: Apache-2.0
// A block of a convolution: see convolution_product.hpp.
#include "convolution_product.hpp"

#include "shape.hpp"

namespace avocet::runtime {

QuantisedImages quantised_images(const OperandView& input) {
  return {input.as<uint8_t>(), input.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, input.zero_point};
}

PackedWeights pack_filters(const OperandView& filter, const void* values, size_t columns, size_t depth) {
  if (filter.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM) {
    return {static_cast<const uint8_t*>(values), columns, depth, filter.zero_point};
  }
  return {static_cast<const int8_t*>(values), columns, depth, filter.zero_point};
}

void convolve_block(const PatchGeometry& geometry, const float* images, const ProductBlock& block, const PackedFloatWeights& weights,
                    const float* bias, Range<float> range, float* out, size_t out_stride) {
  const size_t depth = weights.depth();
  const float* left = images + block.first_row * depth;
  if (!geometry.is_identity()) {
    float* gathered = thread_scratch<float>(block.rows() * depth);
    gather_rows(geometry, images, block.first_row, block.last_row, gathered, depth,
                [](const float* from, float* to, size_t n) { std::copy_n(from, n, to); });
    left = gathered;
  }
  multiply_add_clamp(left, depth, block.rows(), weights, block.first_panel, block.last_panel, bias, range, out, out_stride);
}

void convolve_block(const PatchGeometry& geometry, const QuantisedImages& images, const ProductBlock& block,
                    const PackedWeights& weights, const OutputStage& stage, uint8_t* out, size_t out_stride) {
  const size_t stride = weights.row_length(), rows = block.rows();
  int16_t* gathered = thread_scratch<int16_t>(rows * stride);
  const auto widen = [&](const uint8_t* from, int16_t* to, size_t n) {
    widen_row(from, images.is_signed, images.zero_point, to, n);
  };
  const bool is_odd = geometry.row_length() != stride;  // the last element of a row is there only to make it even
  if (geometry.is_identity() && !is_odd) {
    widen(images.data + block.first_row * stride, gathered, rows * stride);
  } else {
    for (size_t r = 0; is_odd && r < rows; ++r) gathered[r * stride + stride - 1] = 0;
    gather_rows(geometry, images.data, block.first_row, block.last_row, gathered, stride, widen);
  }
  multiply_requantise(gathered, stride, rows, weights, block.first_panel, block.last_panel, stage, out, out_stride);
}

}  // namespace avocet::runtime
