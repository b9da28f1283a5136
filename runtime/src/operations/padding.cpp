// SPDX-License-Identifier: Apache-2.0
// Geometry of sliding windows: see padding.hpp.
#include "padding.hpp"

#include <algorithm>
#include <limits>

namespace avocet::runtime {

Status output_extent(const char* name, uint32_t input, const WindowAxis& axis, uint32_t* output) {
  if (axis.stride < 1 || axis.dilation < 1 || axis.filter < 1 || axis.pad_before < 0 || axis.pad_after < 0) {
    return op_failed(name, ": stride, dilation and filter must be at least 1 and padding at least 0");
  }
  const int64_t padded = int64_t{input} + axis.pad_before + axis.pad_after;
  const int64_t reach = axis.reach();
  if (input == 0 || padded < reach || padded > std::numeric_limits<int32_t>::max()) {
    return op_failed(name, ": a filter reaching over ", reach, " does not fit into ", padded, " padded elements");
  }
  *output = static_cast<uint32_t>((padded - reach) / axis.stride + 1);
  return {};
}

void set_same_padding(uint32_t input, WindowAxis& axis) {
  axis.pad_before = axis.pad_after = 0;
  if (input == 0 || axis.stride < 1) return;
  const int64_t output = (int64_t{input} + axis.stride - 1) / axis.stride;
  const int64_t total = std::max<int64_t>(0, (output - 1) * axis.stride + axis.reach() - input);
  if (total > std::numeric_limits<int32_t>::max()) return;  // output_extent() reports it: the filter does not fit
  axis.pad_before = static_cast<int32_t>(total / 2);
  axis.pad_after = static_cast<int32_t>(total - total / 2);
}

Window2d read_window(const OperationContext& context, const WindowLayout& layout, const uint32_t* filter_dims) {
  // Number of inputs of the shortest explicit form, and where the layout flag stands in the implicit form.
  const size_t middle = 2 + (layout.filter_inputs ? 2 : 0) + (layout.multiplier_input ? 1 : 0) + 1;
  const size_t implicit_layout = layout.first + 1 + middle;
  const bool is_explicit = context.inputs.size() >= layout.first + 4 + middle &&
                           context.inputs[implicit_layout].type == ANEURALNETWORKS_INT32;
  Window2d window;
  size_t next = layout.first;
  const auto take = [&](int32_t absent) { return context.scalar<int32_t>(next++, absent); };
  int32_t scheme = 0;
  if (is_explicit) {
    window.width.pad_before = take(0);
    window.width.pad_after = take(0);
    window.height.pad_before = take(0);
    window.height.pad_after = take(0);
  } else {
    scheme = take(ANEURALNETWORKS_PADDING_VALID);
  }
  window.width.stride = take(1);
  window.height.stride = take(1);
  if (layout.filter_inputs) {
    window.width.filter = take(1);
    window.height.filter = take(1);
  } else if (filter_dims) {
    constexpr uint32_t kLimit = std::numeric_limits<int32_t>::max();
    window.height.filter = static_cast<int32_t>(std::min(filter_dims[0], kLimit));
    window.width.filter = static_cast<int32_t>(std::min(filter_dims[1], kLimit));
  }
  if (layout.multiplier_input) window.multiplier = take(1);
  window.activation = take(0);
  ++next;  // the layout flag
  if (!layout.filter_inputs) {
    window.width.dilation = take(1);
    window.height.dilation = take(1);
  }
  if (!is_explicit && scheme == ANEURALNETWORKS_PADDING_SAME) {
    set_same_padding(context.input(0).dims[1], window.height);
    set_same_padding(context.input(0).dims[2], window.width);
  }
  return window;
}

Status window_output(const OperationContext& context, const Window2d& window, uint32_t* height, uint32_t* width) {
  if (context.input(0).dims[3] == 0) return op_failed("the input has no channels; only batches may be empty");
  AVOCET_RETURN_IF_FAILED(output_extent("height", context.input(0).dims[1], window.height, height));
  return output_extent("width", context.input(0).dims[2], window.width, width);
}

}  // namespace avocet::runtime
