// SPDX-License-Identifier: Apache-2.0
// Pools over windows and over whole images.
#include <android/NeuralNetworks.h>

#include <numeric>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/node_context.hpp"
#include "importer/onnx/shapes.hpp"
#include "importer/onnx/window.hpp"

namespace avocet::tools::onnx {
namespace {

/// The image with its padding made part of it: zeros that an average then counts.
uint32_t emit_padding(NodeContext& context, uint32_t input, const Dims& image, Window& window) {
  OperandBuilder& builder = context.builder();
  const auto pad = [](int64_t value) { return static_cast<int32_t>(value); };
  const std::vector<int32_t> paddings = {0,
                                         0,
                                         0,
                                         0,
                                         pad(window.height.pad_begin),
                                         pad(window.height.pad_end),
                                         pad(window.width.pad_begin),
                                         pad(window.width.pad_end)};
  Dims dims = image;
  const int64_t height = dims[2] + window.height.pad_begin + window.height.pad_end;
  const int64_t width = dims[3] + window.width.pad_begin + window.width.pad_end;
  if (height > INT32_MAX || width > INT32_MAX) refuse("a padding beyond 31 bits");
  dims[2] = static_cast<uint32_t>(height);
  dims[3] = static_cast<uint32_t>(width);
  const uint32_t padded = builder.add_temporary_like(input, operand_dims(dims));
  builder.emit(ANEURALNETWORKS_PAD, {input, builder.int_tensor(paddings, {4, 2})}, {padded});
  for (WindowAxis* axis : {&window.height, &window.width}) axis->pad_begin = axis->pad_end = 0;
  return padded;
}

/// A quantised average with another scale: a depthwise convolution whose weights are 1 at a scale of 1 / cells rounds
/// once.
void emit_average_convolution(NodeContext& context, uint32_t input, const Window& window, uint32_t channels,
                              uint32_t output) {
  OperandBuilder& builder = context.builder();
  const auto cells = static_cast<float>(window.height.kernel * window.width.kernel);
  Operand weights;
  weights.type = ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL;
  weights.dims = {1, static_cast<uint32_t>(window.height.kernel), static_cast<uint32_t>(window.width.kernel), channels};
  weights.lifetime = Lifetime::constant_copy;
  weights.channel_dim = 3;
  weights.channel_scales.assign(channels, 1 / cells);
  const size_t bytes = element_count_of(weights.dims);
  context.conversion().charge(bytes);
  weights.value.emplace(bytes, uint8_t{1});
  const uint32_t filter = builder.add(std::move(weights));
  const uint32_t bias =
      builder.add_constant(ANEURALNETWORKS_TENSOR_INT32, {channels}, std::vector<uint8_t>(channels * size_t{4}));
  std::vector<uint32_t> inputs = {input, filter, bias};
  const std::vector<uint32_t> numbers = window_inputs(context, window);
  inputs.insert(inputs.end(), numbers.begin(), numbers.end());
  inputs.insert(inputs.end(), {builder.int_scalar(1), context.activation(), builder.bool_scalar(true)});
  context.emit(ANEURALNETWORKS_DEPTHWISE_CONV_2D, std::move(inputs), {output});
}

}  // namespace

void convert_pool(NodeContext& context, int32_t nnapi) {
  const Dims dims = context.dims(0);
  const Dims image = image_dims(dims);
  const bool average = nnapi == ANEURALNETWORKS_AVERAGE_POOL_2D;
  const bool ceil_mode = context.attributes().integer("ceil_mode", 0) != 0;
  const bool count_padding = average && context.attributes().integer("count_include_pad", 0) != 0;
  if (context.attributes().integer("channels_last", 0) != 0) refuse("channels in the last dimension");
  if (!average) context.attributes().integer("storage_order", 0);  // of the indices, which are refused
  if (context.output_count() > 1 && !context.node().outputs[1].empty()) refuse("indices of the largest elements");
  Window window = read_window(context, image, kernel_shape(context, dims.size() - 2), ceil_mode);
  if (window.height.dilation != 1 || window.width.dilation != 1) refuse("dilated windows");
  if (count_padding && window.padded() && ceil_mode) refuse("ceil_mode with a padding that counts");
  const Dims written = {image[0], image[1], static_cast<uint32_t>(window.height.output),
                        static_cast<uint32_t>(window.width.output)};
  uint32_t input = context.read_as(0, image);
  if (count_padding && window.padded()) input = emit_padding(context, input, image, window);
  const bool other_scale = context.quantised() && context.form().target_type == context.byte_type() &&
                           context.form().target != context.quantisation(0);
  const bool small = !window.padded() && window.height.kernel * window.width.kernel * image[1] < (1 << 24);
  if (average && other_scale && small) {
    context.allow_any_scale();
    return emit_average_convolution(context, input, window, image[1],
                                    context.write_as(dims_as(written, dims), written));
  }
  OperandBuilder& builder = context.builder();
  std::vector<uint32_t> inputs = {input};
  const std::vector<uint32_t> numbers = window_inputs(context, window);
  inputs.insert(inputs.end(), numbers.begin(), numbers.end());
  inputs.push_back(builder.int_scalar(static_cast<int32_t>(window.width.kernel)));
  inputs.push_back(builder.int_scalar(static_cast<int32_t>(window.height.kernel)));
  inputs.push_back(context.activation());
  inputs.push_back(builder.bool_scalar(true));
  context.emit(nnapi, std::move(inputs), {context.write_as(dims_as(written, dims), written)});
}

void convert_global_pool(NodeContext& context, int32_t nnapi) {
  if (context.attributes().integer("channels_last", 0) != 0) refuse("channels in the last dimension");
  Dims dims = context.dims(0);
  if (dims.size() < 3) refuse("an image of shape " + dims_text(dims));
  const uint32_t input = context.read(0);
  std::vector<int32_t> axes(dims.size() - 2);
  std::iota(axes.begin(), axes.end(), 2);
  std::fill(dims.begin() + 2, dims.end(), 1u);
  OperandBuilder& builder = context.builder();
  const uint32_t keep = nnapi == ANEURALNETWORKS_MEAN ? builder.int_scalar(1) : builder.bool_scalar(true);
  context.emit(nnapi, {input, builder.int_tensor(axes), keep}, {context.write(dims)});
}

}  // namespace avocet::tools::onnx
