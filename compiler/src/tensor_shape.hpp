// SPDX-License-Identifier: Apache-2.0
// How tensors of any rank are seen as images.
#pragma once

#include <avocet/compiler/graph.hpp>

namespace avocet::compiler {

/// `batch` images of height x width x channels bytes, one behind the other.
struct Shape {
  uint32_t batch = 1, height = 1, width = 1, channels = 1;
  uint64_t row_bytes() const { return uint64_t{width} * channels; }
  uint64_t image_bytes() const { return height * row_bytes(); }
  /// All images as one.
  Shape stacked() const { return {1, batch * height, width, channels}; }
};

Shape natural_shape(const Tensor& tensor);
/// As a tensor of `rank` dimensions, the missing ones in front having extent 1.
Shape aligned_shape(const Tensor& tensor, size_t rank);
/// `columns` wide rows of one cell, as FULLY_CONNECTED sees its input and output.
Shape matrix_shape(const Tensor& tensor, uint32_t columns);

uint64_t byte_count(const Tensor& tensor);

}  // namespace avocet::compiler
