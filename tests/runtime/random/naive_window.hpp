// SPDX-License-Identifier: Apache-2.0
// Sliding windows as the API describes them: strides, dilation, explicit padding or a scheme.
#pragma once

#include <algorithm>

#include "naive_value.hpp"

namespace avocet::random_models::naive {

struct WindowSide {
  int64_t stride = 1, filter = 1, dilation = 1, before = 0, after = 0;
  int64_t reach() const { return (filter - 1) * dilation + 1; }
  int64_t output(int64_t input) const { return (input + before + after - reach()) / stride + 1; }
  void pad_same(int64_t input) {
    const int64_t outputs = (input + stride - 1) / stride;
    const int64_t total = std::max<int64_t>(0, (outputs - 1) * stride + reach() - input);
    before = total / 2;
    after = total - total / 2;
  }
};

struct Window {
  WindowSide width, height;
  bool same = false;
  bool nchw = false;
  int64_t activation = 0;
  int64_t extra = 1;  // depthwise multiplier or number of groups

  void place(int64_t input_height, int64_t input_width) {
    if (!same) return;
    height.pad_same(input_height);
    width.pad_same(input_width);
  }
};

/// Reads the inputs from `first` on: padding, strides, then (where the operation has them) filter extents, one number of its
/// own, the activation, the layout and the dilations.
inline Window read_window(const Call& call, size_t first, bool is_explicit, bool filter_inputs, bool extra_input) {
  Window window;
  size_t next = first;
  if (is_explicit) {
    window.width.before = call.integer(next++);
    window.width.after = call.integer(next++);
    window.height.before = call.integer(next++);
    window.height.after = call.integer(next++);
  } else {
    window.same = call.integer(next++) == ANEURALNETWORKS_PADDING_SAME;
  }
  window.width.stride = call.integer(next++);
  window.height.stride = call.integer(next++);
  if (filter_inputs) {
    window.width.filter = call.integer(next++);
    window.height.filter = call.integer(next++);
  }
  if (extra_input) window.extra = call.integer(next++);
  window.activation = call.integer(next++);
  window.nchw = call.flag(next++);
  if (!filter_inputs) {
    window.width.dilation = call.integer(next++, 1);
    window.height.dilation = call.integer(next++, 1);
  }
  return window;
}

}  // namespace avocet::random_models::naive
