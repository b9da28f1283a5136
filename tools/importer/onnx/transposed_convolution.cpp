// SPDX-License-Identifier: Apache-2.0
// ConvTranspose. What TRANSPOSE_CONV_2D lacks is put into the filter: dilation and output padding as zeros inside and
// around it, groups as zeros between them.
#include <android/NeuralNetworks.h>

#include <algorithm>
#include <cstring>

#include "importer/onnx/fold_functions.hpp"
#include "importer/onnx/shapes.hpp"
#include "importer/onnx/weights.hpp"
#include "importer/onnx/window.hpp"

namespace avocet::tools::onnx {
namespace {

/// Output extent, and the padding that leads to it, by `output_shape` or `auto_pad`.
void fix_output(WindowAxis& axis, int64_t output, bool upper, int64_t output_padding) {
  const int64_t total = axis.stride * (axis.input - 1) + output_padding + axis.reach() - output;
  // What is wanted beyond the product lies behind it.
  axis.pad_begin = total < 0 ? 0 : upper ? total / 2 : total - total / 2;
  axis.pad_end = total - axis.pad_begin;
  axis.output = output;
}

/// Zeros that the filter needs before its first and after its last element.
struct Margin {
  int64_t before, after;
};

/// The API's paddings are not negative; output padding is a negative padding at the end.
Margin normalise(WindowAxis& axis, int64_t output_padding) {
  constexpr int64_t kLimit = INT32_MAX;
  axis.output = axis.stride * (axis.input - 1) + axis.reach() + output_padding - axis.pad_begin - axis.pad_end;
  if (axis.output < 1 || axis.output > kLimit) refuse("an output extent of " + std::to_string(axis.output));
  axis.pad_end -= output_padding;
  const Margin margin = {std::max<int64_t>(0, -axis.pad_begin), std::max<int64_t>(0, -axis.pad_end)};
  axis.pad_begin = std::max<int64_t>(0, axis.pad_begin);
  axis.pad_end = std::max<int64_t>(0, axis.pad_end);
  if (axis.pad_begin > kLimit || axis.pad_end > kLimit) refuse("a padding beyond 31 bits");
  return margin;
}

/// The filter [a, b, h, w] dilated, and with margins, in place.
void spread(Weights& weights, const Window& window, Margin rows, Margin columns) {
  const int64_t height = rows.before + window.height.reach() + rows.after;
  const int64_t width = columns.before + window.width.reach() + columns.after;
  const Dims from = weights.tensor.dims;
  if (height == from[2] && width == from[3]) return;
  if (height > 4096 || width > 4096)
    refuse("a dilated filter of " + std::to_string(height) + " by " + std::to_string(width));
  if (weights.quantisation &&
      std::adjacent_find(weights.quantisation->zero_points.begin(), weights.quantisation->zero_points.end(),
                         std::not_equal_to<>()) != weights.quantisation->zero_points.end()) {
    throw NeedsFloats{};
  }
  const auto zero = static_cast<uint8_t>(weights.quantisation ? weights.quantisation->zero_point() : 0);
  Tensor to{.type = weights.tensor.type,
            .dims = {from[0], from[1], static_cast<uint32_t>(height), static_cast<uint32_t>(width)},
            .bytes = {}};
  check_folded_size(to.dims);
  const size_t element = element_type_info(to.type).element_bytes;
  to.bytes.assign(element_count_of(to.dims) * element, zero);
  const size_t plane = static_cast<size_t>(height * width);
  for (size_t i = 0; i < weights.tensor.count(); ++i) {
    const size_t column = i % from[3];
    const size_t row = i / from[3] % from[2];
    const size_t at = i / from[3] / from[2] * plane +
                      (static_cast<size_t>(rows.before) + row * static_cast<size_t>(window.height.dilation)) *
                          static_cast<size_t>(width) +
                      static_cast<size_t>(columns.before) + column * static_cast<size_t>(window.width.dilation);
    std::memcpy(to.bytes.data() + at * element, weights.tensor.bytes.data() + i * element, element);
  }
  weights.tensor = std::move(to);
}

/// Numbers for height and width; a height of `absent` where there is one dimension.
std::vector<int64_t> two(NodeContext& context, const char* name, size_t rank, int64_t absent) {
  std::vector<int64_t> values = context.attributes().integers(name);
  if (values.empty()) return {absent, absent};
  // output_shape may name batch and channels too.
  if (values.size() == rank + 2) values.erase(values.begin(), values.begin() + 2);
  if (values.size() != rank) refuse(std::string("'") + name + "' has " + std::to_string(values.size()) + " numbers");
  for (const int64_t value : values) {
    if (value < 0 || value > INT32_MAX) refuse(std::string("'") + name + "' has the number " + std::to_string(value));
  }
  if (rank == 1) values.insert(values.begin(), absent);
  return values;
}

struct Paddings {
  Margin rows, columns;
};

Paddings resolve(NodeContext& context, Window& window, size_t rank) {
  const std::string mode = context.attributes().text("auto_pad", "NOTSET");
  const std::vector<int64_t> output = two(context, "output_shape", rank, 0);
  const std::vector<int64_t> padding = two(context, "output_padding", rank, 0);
  const bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (!same && mode != "NOTSET" && mode != "VALID") refuse("auto_pad '" + mode + "'");
  WindowAxis* axes[] = {&window.height, &window.width};
  for (size_t i = 0; i < 2; ++i) {
    WindowAxis& axis = *axes[i];
    if (i == 0 && rank == 1) continue;
    if (output[i] > 0) {
      fix_output(axis, output[i], mode == "SAME_UPPER", padding[i]);
    } else if (same) {
      fix_output(axis, axis.input * axis.stride, mode == "SAME_UPPER", padding[i]);
    } else if (mode == "VALID") {
      axis.pad_begin = axis.pad_end = 0;
    }
  }
  return {normalise(window.height, padding[0]), normalise(window.width, padding[1])};
}

struct Transposed {
  Dims image;       // NCHW
  Weights weights;  // [in, out, height, width], as the API can use them
  Window window;
};

Transposed read_transposed(NodeContext& context) {
  Transposed conv{.image = image_dims(context.dims(0)), .weights = read_weights(context, 1), .window = {}};
  const Dims given = conv.weights.tensor.dims;  // [in, out / groups, height, width]
  if (given.size() != context.dims(0).size() || given[0] != conv.image[1])
    refuse("weights of shape " + dims_text(given));
  if (element_count_of(given) == 0) refuse("empty weights");
  const Dims kernel(given.begin() + 2, given.end());
  const std::vector<int64_t> stated = context.attributes().integers("kernel_shape");
  if (!stated.empty() && !std::equal(stated.begin(), stated.end(), kernel.begin(), kernel.end())) {
    refuse("kernel_shape differs from the weights");
  }
  conv.window = read_window_attributes(context, conv.image, kernel);
  const Paddings paddings = resolve(context, conv.window, kernel.size());
  conv.weights.tensor.dims = image_dims(given);
  const int64_t groups = context.attributes().integer("group", 1);
  if (groups < 1 || groups > conv.image[1] || conv.image[1] % groups != 0) refuse(std::to_string(groups) + " groups");
  if (groups > 1) make_ungrouped(conv.weights, static_cast<uint32_t>(groups));
  if (context.form().affine) scale_channels(conv.weights, 1, context.form().affine->scales);
  spread(conv.weights, conv.window, paddings.rows, paddings.columns);
  return conv;
}

}  // namespace

void convert_conv_transpose(NodeContext& context, int32_t nnapi) {
  Transposed conv = read_transposed(context);
  const uint32_t channels = conv.weights.tensor.dims[1];
  constexpr size_t kToFilter[] = {1, 2, 3, 0};  // [in, out, h, w] to [out, h, w, in]
  const Filter filter = add_filter(context, transposed(conv.weights, kToFilter), 0);
  const uint32_t bias = add_bias(context, context.has(2) ? &context.in(2) : nullptr, channels, filter);
  std::vector<uint32_t> inputs = {context.read_as(0, conv.image), filter.operand, bias};
  const std::vector<uint32_t> numbers = window_inputs(context, conv.window);
  inputs.insert(inputs.end(), numbers.begin(), numbers.end());
  inputs.push_back(context.activation());
  inputs.push_back(context.builder().bool_scalar(true));
  const Dims written = {conv.image[0], channels, static_cast<uint32_t>(conv.window.height.output),
                        static_cast<uint32_t>(conv.window.width.output)};
  context.emit(nnapi, std::move(inputs), {context.write_as(dims_as(written, context.dims(0)), written)});
}

}  // namespace avocet::tools::onnx
