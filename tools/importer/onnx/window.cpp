// SPDX-License-Identifier: Apache-2.0
// Extents are at most 2^31 - 1, so that (kernel - 1) * dilation and sums with it stay inside int64.
#include "importer/onnx/window.hpp"

#include <algorithm>
#include <limits>

#include "importer/onnx/shapes.hpp"

namespace avocet::tools::onnx {
namespace {

constexpr int64_t kLimit = std::numeric_limits<int32_t>::max();

/// One number for each spatial dimension; `absent` where the attribute is not there.
std::vector<int64_t> spatial(NodeContext& context, const char* name, size_t rank, int64_t absent, int64_t lowest) {
  std::vector<int64_t> values = context.attributes().integers(name);
  if (values.empty()) values.assign(rank, absent);
  if (values.size() != rank) refuse(std::string("'") + name + "' has " + std::to_string(values.size()) + " numbers");
  for (const int64_t value : values) {
    if (value < lowest || value > kLimit) refuse(std::string("'") + name + "' has the number " + std::to_string(value));
  }
  return values;
}

void set_same_padding(WindowAxis& axis, bool upper) {
  const int64_t output = (axis.input + axis.stride - 1) / axis.stride;
  const int64_t total = std::max<int64_t>(0, (output - 1) * axis.stride + axis.reach() - axis.input);
  axis.pad_begin = upper ? total / 2 : total - total / 2;
  axis.pad_end = total - axis.pad_begin;
}

void set_output(WindowAxis& axis, bool ceil_mode) {
  const int64_t padded = axis.input + axis.pad_begin + axis.pad_end;
  if (padded < axis.reach()) {
    refuse("a window of " + std::to_string(axis.reach()) + " does not fit " + std::to_string(padded) +
           " padded elements");
  }
  const int64_t room = padded - axis.reach();
  axis.output = room / axis.stride + 1;
  const bool partial = room % axis.stride != 0;
  // A window that would begin in the padding at the end does not count.
  if (ceil_mode && partial && axis.output * axis.stride < axis.input + axis.pad_begin) {
    axis.pad_end += axis.stride - room % axis.stride;
    ++axis.output;
  }
  if (axis.pad_begin > kLimit || axis.pad_end > kLimit || axis.output > kLimit) refuse("a padding beyond 31 bits");
}

}  // namespace

Dims image_dims(const Dims& dims) {
  if (dims.size() == 3) return {dims[0], dims[1], 1, dims[2]};
  if (dims.size() != 4) refuse("an image of shape " + dims_text(dims) + ": one or two spatial dimensions only");
  return dims;
}

Dims dims_as(const Dims& dims, const Dims& like) { return like.size() == 3 ? Dims{dims[0], dims[1], dims[3]} : dims; }

Window read_window_attributes(NodeContext& context, const Dims& image, const Dims& kernel) {
  const size_t rank = kernel.size();  // 1 or 2
  const std::vector<int64_t> strides = spatial(context, "strides", rank, 1, 1);
  const std::vector<int64_t> dilations = spatial(context, "dilations", rank, 1, 1);
  const std::vector<int64_t> pads = spatial(context, "pads", 2 * rank, 0, 0);
  Window window;
  const auto axis = [&](size_t i, uint32_t input) {
    return WindowAxis{.input = input,
                      .kernel = kernel[i],
                      .stride = strides[i],
                      .dilation = dilations[i],
                      .pad_begin = pads[i],
                      .pad_end = pads[rank + i],
                      .output = 1};
  };
  window.width = axis(rank - 1, image[3]);
  if (rank == 2) window.height = axis(0, image[2]);
  for (const uint32_t extent : kernel) {
    if (extent == 0 || extent > kLimit) refuse("a kernel of " + dims_text(kernel));
  }
  return window;
}

Window read_window(NodeContext& context, const Dims& image, const Dims& kernel, bool ceil_mode) {
  Window window = read_window_attributes(context, image, kernel);
  const std::string mode = context.attributes().text("auto_pad", "NOTSET");
  for (WindowAxis* axis : {&window.height, &window.width}) {
    if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
      set_same_padding(*axis, mode == "SAME_UPPER");
    } else if (mode == "VALID") {
      axis->pad_begin = axis->pad_end = 0;
    } else if (mode != "NOTSET") {
      refuse("auto_pad '" + mode + "'");
    }
    set_output(*axis, ceil_mode && mode == "NOTSET");
  }
  return window;
}

Dims kernel_shape(NodeContext& context, size_t spatial_rank) {
  const std::vector<int64_t> shape = spatial(context, "kernel_shape", spatial_rank, 0, 1);
  return {shape.begin(), shape.end()};
}

std::vector<uint32_t> window_inputs(NodeContext& context, const Window& window) {
  OperandBuilder& builder = context.builder();
  std::vector<uint32_t> inputs;
  for (const int64_t value : {window.width.pad_begin, window.width.pad_end, window.height.pad_begin,
                              window.height.pad_end, window.width.stride, window.height.stride}) {
    inputs.push_back(builder.int_scalar(static_cast<int32_t>(value)));
  }
  return inputs;
}

}  // namespace avocet::tools::onnx
