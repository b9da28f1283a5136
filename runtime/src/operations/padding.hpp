// SPDX-License-Identifier: Apache-2.0
// Geometry of windows that slide over images: implicit and explicit padding, dilation, output extents with overflow checks.
#pragma once

#include <cstdint>
#include <string>

#include "failure.hpp"
#include "operation.hpp"

namespace avocet::runtime {

/// One dimension of a sliding window. All numbers are in elements of the input.
struct WindowAxis {
  int32_t stride = 1;
  int32_t dilation = 1;
  int32_t filter = 1;
  int32_t pad_before = 0;
  int32_t pad_after = 0;

  /// Extent that the dilated filter covers. 64 bits: dilation and filter come from clients.
  int64_t reach() const { return (int64_t{filter} - 1) * dilation + 1; }
};

struct Window2d {
  WindowAxis height;
  WindowAxis width;
  int32_t activation = 0;
  int32_t multiplier = 1;  // depthwise only
};

/// Output extent for explicit padding, or a failure when the filter does not fit once or numbers leave 31 bits.
/// An input extent of 0 is a failure too: only batches may be empty.
Status output_extent(const char* name, uint32_t input, const WindowAxis& axis, uint32_t* output);

/// Padding that scheme SAME needs: total = max(0, (out - 1) * stride + reach - in), the odd one at the end.
void set_same_padding(uint32_t input, WindowAxis& axis);

/// Reads "padding, strides, [filter,] [multiplier,] activation, [layout, dilations]" as convolutions and pools have them from
/// input `first` on. Convolutions take the filter's extents from `filter_dims` (height, width); pools pass null.
/// Explicit padding is recognised as the API does, by count and by the type of the input where layout may stand.
/// Input extents are those of NHWC input 0, for padding scheme SAME.
struct WindowLayout {
  size_t first = 1;                 // index of the first padding input
  bool filter_inputs = false;       // filter width and height are scalars after the strides
  bool multiplier_input = false;    // a depth multiplier or group count follows the strides
};
Window2d read_window(const OperationContext& context, const WindowLayout& layout, const uint32_t* filter_dims);

/// Output height and width of input 0 under the window. OP_FAILED when impossible, also for an image without channels.
Status window_output(const OperationContext& context, const Window2d& window, uint32_t* height, uint32_t* width);

}  // namespace avocet::runtime
