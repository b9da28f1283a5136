// SPDX-License-Identifier: Apache-2.0
// Conv: CONV_2D, DEPTHWISE_CONV_2D or GROUPED_CONV_2D by its groups; dilated groups, which the API lacks, become a
// whole convolution with zeros between the groups.
#include <android/NeuralNetworks.h>

#include <algorithm>

#include "importer/onnx/shapes.hpp"
#include "importer/onnx/weights.hpp"
#include "importer/onnx/window.hpp"

namespace avocet::tools::onnx {
namespace {

struct Convolution {
  Dims image;       // NCHW
  Weights weights;  // [out, in / groups, height, width]
  Window window;
  uint32_t groups = 1;
  uint32_t channels_out() const { return weights.tensor.dims[0]; }
};

/// [m, c, l] as [m, c, 1, l].
void make_two_dimensional(Weights& weights) {
  weights.tensor.dims = image_dims(weights.tensor.dims);  // the quantised axis is 0 or 1: it stays
}

Convolution read_convolution(NodeContext& context) {
  Convolution conv{.image = image_dims(context.dims(0)), .weights = read_weights(context, 1), .window = {}};
  const Dims given = conv.weights.tensor.dims;
  if (given.size() != context.dims(0).size()) refuse("weights of shape " + dims_text(given));
  if (element_count_of(given) == 0) refuse("empty weights");
  const Dims kernel(given.begin() + 2, given.end());
  const std::vector<int64_t> stated = context.attributes().integers("kernel_shape");
  if (!stated.empty() && !std::equal(stated.begin(), stated.end(), kernel.begin(), kernel.end())) {
    refuse("kernel_shape differs from the weights");
  }
  conv.window = read_window(context, conv.image, kernel, false);
  make_two_dimensional(conv.weights);
  const int64_t groups = context.attributes().integer("group", 1);
  const uint32_t channels = conv.image[1];
  if (groups < 1 || groups > channels || channels % groups != 0 || conv.channels_out() % groups != 0 ||
      channels / groups != conv.weights.tensor.dims[1]) {
    refuse(std::to_string(groups) + " groups for " + std::to_string(channels) + " channels and weights of shape " +
           dims_text(given));
  }
  conv.groups = static_cast<uint32_t>(groups);
  if (context.form().affine) scale_channels(conv.weights, 0, context.form().affine->scales);
  return conv;
}

constexpr size_t kToFilter[] = {0, 2, 3, 1};     // [out, in, h, w] to [out, h, w, in]
constexpr size_t kToDepthwise[] = {1, 2, 3, 0};  // [out, 1, h, w] to [1, h, w, out]

void emit_convolution(NodeContext& context, const Convolution& conv, Value* bias_value) {
  OperandBuilder& builder = context.builder();
  const bool depthwise = conv.groups > 1 && conv.groups == conv.image[1];
  const Filter filter = depthwise ? add_filter(context, transposed(conv.weights, kToDepthwise), 3)
                                  : add_filter(context, transposed(conv.weights, kToFilter), 0);
  const uint32_t bias = add_bias(context, bias_value, conv.channels_out(), filter);
  std::vector<uint32_t> inputs = {context.read_as(0, conv.image), filter.operand, bias};
  const std::vector<uint32_t> window = window_inputs(context, conv.window);
  inputs.insert(inputs.end(), window.begin(), window.end());
  int32_t code = ANEURALNETWORKS_CONV_2D;
  if (depthwise) {
    code = ANEURALNETWORKS_DEPTHWISE_CONV_2D;
    inputs.push_back(builder.int_scalar(static_cast<int32_t>(conv.channels_out() / conv.groups)));
  } else if (conv.groups > 1) {
    code = ANEURALNETWORKS_GROUPED_CONV_2D;
    inputs.push_back(builder.int_scalar(static_cast<int32_t>(conv.groups)));
  }
  inputs.push_back(context.activation());
  inputs.push_back(builder.bool_scalar(true));
  const bool dilated = conv.window.width.dilation != 1 || conv.window.height.dilation != 1;
  if (dilated) {
    inputs.push_back(builder.int_scalar(static_cast<int32_t>(conv.window.width.dilation)));
    inputs.push_back(builder.int_scalar(static_cast<int32_t>(conv.window.height.dilation)));
  }
  const Dims written = {conv.image[0], conv.channels_out(), static_cast<uint32_t>(conv.window.height.output),
                        static_cast<uint32_t>(conv.window.width.output)};
  context.emit(code, std::move(inputs), {context.write_as(dims_as(written, context.dims(0)), written)});
}

}  // namespace

void convert_conv(NodeContext& context, int32_t) {
  Convolution conv = read_convolution(context);
  const bool dilated = conv.window.width.dilation != 1 || conv.window.height.dilation != 1;
  const bool grouped = conv.groups > 1 && conv.groups != conv.image[1];
  if (dilated && grouped) {
    make_ungrouped(conv.weights, conv.groups);
    conv.groups = 1;
  }
  emit_convolution(context, conv, context.has(2) ? &context.in(2) : nullptr);
}

}  // namespace avocet::tools::onnx
