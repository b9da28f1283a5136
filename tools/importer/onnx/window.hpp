// SPDX-License-Identifier: Apache-2.0
// Sliding windows: kernel, strides, dilations and padding of convolutions and pools, with the explicit padding that the
// API is given, whatever way the file says it.
#pragma once

#include "importer/onnx/node_context.hpp"

namespace avocet::tools::onnx {

struct WindowAxis {
  int64_t input = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_begin = 0;
  int64_t pad_end = 0;
  int64_t output = 1;

  int64_t reach() const { return (kernel - 1) * dilation + 1; }
};

/// Images have rank 4, NCHW, or rank 3, NCL, which is computed as a height of 1.
struct Window {
  WindowAxis height, width;
  bool padded() const { return height.pad_begin || height.pad_end || width.pad_begin || width.pad_end; }
};

/// [n, c, l] as [n, c, 1, l]; rank 4 as it is. Refuses other ranks.
Dims image_dims(const Dims& dims);
/// `dims` (of rank 4) as a value of the rank of `like`.
Dims dims_as(const Dims& dims, const Dims& like);

/// Strides, dilations and paddings without the output (a transposed convolution computes its own). `kernel` holds the
/// extents of the spatial dimensions. Refuses what does not fit 31 bits.
Window read_window_attributes(NodeContext& context, const Dims& image, const Dims& kernel);
/// Also resolves auto_pad and computes the outputs; with `ceil_mode` the end padding grows to the last partial window.
Window read_window(NodeContext& context, const Dims& image, const Dims& kernel, bool ceil_mode);

/// The kernel of a pool, from its attribute.
Dims kernel_shape(NodeContext& context, size_t spatial_rank);

/// Operand indices of padding left, right, top, bottom, stride width, height.
std::vector<uint32_t> window_inputs(NodeContext& context, const Window& window);

}  // namespace avocet::tools::onnx
