// SPDX-License-Identifier: Apache-2.0
// Operators with weights. The file's int8 weights become TENSOR_QUANT8_SYMM_PER_CHANNEL, also where they have a single
// scale: only that form has TensorFlow Lite's per-channel rounding of the multiplier.
#include <android/NeuralNetworks.h>

#include <cstring>

#include "importer/operators.hpp"

namespace avocet::tools {
namespace {

struct Weights {
  uint32_t operand = 0;
  bool per_channel = false;
  float scale = 0;  // per tensor
};

/// The weights operand of a convolution whose output channels lie along `channel_dim`.
Weights add_weights(OperatorContext& context, size_t input, uint32_t channel_dim) {
  GraphBuilder& graph = context.graph();
  const TensorView view = context.in(input);
  if (view.type != ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED) {
    return {.operand = context.read(input), .per_channel = false, .scale = view.scale};
  }
  if (!view.constant) context.refuse("int8 weights that are no constant");
  const tflite::QuantizationParameters* quantization = graph.file().tensor(view.index).quantization();
  const uint32_t channels = view.dims[channel_dim];
  if (view.scale_count > 1 && view.scale_count != channels) {
    context.refuse(std::to_string(view.scale_count) + " scales for " + std::to_string(channels) + " channels");
  }
  for (const int64_t zero_point : zero_points_of(graph.file().tensor(view.index))) {
    if (zero_point != 0) context.refuse("int8 weights with a zero point");
  }
  Operand operand;
  operand.type = ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL;
  operand.dims = view.dims;
  operand.lifetime = Lifetime::constant_copy;
  operand.channel_dim = channel_dim;
  for (uint32_t c = 0; c < channels; ++c) {
    operand.channel_scales.push_back(view.scale_count > 1 ? quantization->scale()->Get(c) : view.scale);
  }
  const auto data = graph.file().constant(view.index);
  operand.value.emplace(data.begin(), data.end());
  return {.operand = graph.add(std::move(operand)), .per_channel = true, .scale = 0};
}

/// The bias operand, zeros where the file has none. Its scale follows from input and weights, whatever the file says.
uint32_t add_bias(OperatorContext& context, size_t input, uint32_t channels, const TensorView& data,
                  const Weights& weights) {
  GraphBuilder& graph = context.graph();
  const bool is_float = data.type == ANEURALNETWORKS_TENSOR_FLOAT32 || data.type == ANEURALNETWORKS_TENSOR_FLOAT16;
  const float scale = is_float || weights.per_channel ? 0 : data.scale * weights.scale;
  if (!context.has_input(input)) {
    const size_t bytes = data.type == ANEURALNETWORKS_TENSOR_FLOAT16 ? 2 : 4;
    return graph.add_constant(is_float ? data.type : ANEURALNETWORKS_TENSOR_INT32, {channels},
                              std::vector<uint8_t>(channels * bytes), scale);
  }
  const TensorView view = context.in(input);
  if (is_float) return context.read(input);
  if (!view.constant || view.file_type != tflite::TensorType::INT32) context.refuse("a bias that is no int32 constant");
  const auto bytes = graph.file().constant(view.index);
  if (bytes.size() != channels * size_t{4}) context.refuse("a bias whose size is not the number of channels");
  return graph.add_constant(ANEURALNETWORKS_TENSOR_INT32, {channels}, {bytes.begin(), bytes.end()}, scale);
}

void require_rank(const OperatorContext& context, const TensorView& view, size_t rank, const char* what) {
  if (view.dims.size() != rank) {
    context.refuse(std::string(what) + " has rank " + std::to_string(view.dims.size()) + ", expected " +
                   std::to_string(rank));
  }
}

void add_dilation(GraphBuilder& graph, std::vector<uint32_t>& inputs, int32_t width, int32_t height) {
  if (width == 1 && height == 1) return;
  inputs.insert(inputs.end(), {graph.bool_scalar(false), graph.int_scalar(width), graph.int_scalar(height)});
}

/// int8 FULLY_CONNECTED with a scale per channel: a 1x1 convolution, the only form with such weights.
void emit_fully_connected_as_convolution(OperatorContext& context, const TensorView& data, uint32_t activation) {
  GraphBuilder& graph = context.graph();
  const TensorView view = context.in(1);
  const TensorView result = context.out(0);
  Weights weights = add_weights(context, 1, 0);
  const uint32_t outputs = view.dims[0];
  const uint32_t depth = view.dims[1];
  graph.description().operands[weights.operand].dims = {outputs, 1, 1, depth};
  const uint32_t bias = add_bias(context, 2, outputs, data, weights);
  uint64_t elements = 1;
  for (const uint32_t extent : data.dims) elements *= extent;
  if (depth == 0 || elements % depth != 0) context.refuse("the input is no multiple of the weights' depth");
  const auto batches = static_cast<uint32_t>(elements / depth);
  const uint32_t input = graph.add_temporary(data.type, {batches, 1, 1, depth}, data.scale, data.zero_point);
  graph.emit_reshape(context.read(0), input);
  const uint32_t output = graph.add_temporary(result.type, {batches, 1, 1, outputs}, result.scale, result.zero_point);
  graph.emit(ANEURALNETWORKS_CONV_2D,
             {input, weights.operand, bias, graph.int_scalar(ANEURALNETWORKS_PADDING_VALID), graph.int_scalar(1),
              graph.int_scalar(1), activation},
             {output});
  graph.emit_reshape(output, context.write(0));
}

}  // namespace

void convert_conv_2d(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const auto& options = context.options<tflite::Conv2DOptions>();
  const TensorView data = context.in(0);
  const TensorView filter = context.in(1);
  require_rank(context, data, 4, "the input");
  require_rank(context, filter, 4, "the filter");
  const Weights weights = add_weights(context, 1, 0);
  const uint32_t bias = add_bias(context, 2, filter.dims[0], data, weights);
  const uint32_t groups = data.dims[3] / filter.dims[3];
  if (groups * filter.dims[3] != data.dims[3]) context.refuse("input channels are no multiple of the filter's depth");
  std::vector<uint32_t> inputs = {context.read(0),
                                  weights.operand,
                                  bias,
                                  context.padding(options.padding()),
                                  graph.int_scalar(options.stride_w()),
                                  graph.int_scalar(options.stride_h())};
  if (groups > 1) {
    if (options.dilation_w_factor() != 1 || options.dilation_h_factor() != 1) context.refuse("dilated groups");
    inputs.push_back(graph.int_scalar(static_cast<int32_t>(groups)));
    inputs.push_back(context.activation(options.fused_activation_function()));
    inputs.push_back(graph.bool_scalar(false));
    nnapi = ANEURALNETWORKS_GROUPED_CONV_2D;
  } else {
    inputs.push_back(context.activation(options.fused_activation_function()));
    add_dilation(graph, inputs, options.dilation_w_factor(), options.dilation_h_factor());
  }
  graph.emit(nnapi, std::move(inputs), {context.write(0)});
}

void convert_depthwise_conv_2d(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const auto& options = context.options<tflite::DepthwiseConv2DOptions>();
  const TensorView data = context.in(0);
  const TensorView filter = context.in(1);
  require_rank(context, data, 4, "the input");
  require_rank(context, filter, 4, "the filter");
  const uint32_t multiplier = filter.dims[3] / data.dims[3];
  if (multiplier * data.dims[3] != filter.dims[3]) context.refuse("filter channels are no multiple of the input's");
  const Weights weights = add_weights(context, 1, 3);
  const uint32_t bias = add_bias(context, 2, filter.dims[3], data, weights);
  std::vector<uint32_t> inputs = {context.read(0),
                                  weights.operand,
                                  bias,
                                  context.padding(options.padding()),
                                  graph.int_scalar(options.stride_w()),
                                  graph.int_scalar(options.stride_h()),
                                  graph.int_scalar(static_cast<int32_t>(multiplier)),
                                  context.activation(options.fused_activation_function())};
  add_dilation(graph, inputs, options.dilation_w_factor(), options.dilation_h_factor());
  graph.emit(nnapi, std::move(inputs), {context.write(0)});
}

void convert_transpose_conv(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const auto& options = context.options<tflite::TransposeConvOptions>();
  const TensorView filter = context.in(1);
  const TensorView data = context.in(2);
  require_rank(context, data, 4, "the input");
  require_rank(context, filter, 4, "the filter");
  const Weights weights = add_weights(context, 1, 0);
  const uint32_t bias = add_bias(context, 3, filter.dims[0], data, weights);
  graph.emit(nnapi,
             {context.read(2), weights.operand, bias, graph.int_tensor(context.constant_ints(0)),
              context.padding(options.padding()), graph.int_scalar(options.stride_w()),
              graph.int_scalar(options.stride_h()), context.activation(options.fused_activation_function()),
              graph.bool_scalar(false)},
             {context.write(0)});
}

void convert_fully_connected(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const auto& options = context.options<tflite::FullyConnectedOptions>();
  if (options.weights_format() != 0) context.refuse("shuffled weights");
  const TensorView data = context.in(0);
  const TensorView view = context.in(1);
  require_rank(context, view, 2, "the weights tensor");
  const uint32_t activation = context.activation(options.fused_activation_function());
  if (data.quantised() != view.quantised()) context.refuse("input and weights of different kinds (hybrid)");
  if (view.scale_count > 1) return emit_fully_connected_as_convolution(context, data, activation);
  const Weights weights = {.operand = context.read(1), .per_channel = false, .scale = view.scale};
  const uint32_t bias = add_bias(context, 2, view.dims[0], data, weights);
  const TensorView result = context.out(0);
  const std::vector<uint32_t> inputs = {context.read(0), weights.operand, bias, activation};
  if (result.dims.size() == 2) return graph.emit(nnapi, inputs, {context.write(0)});
  // The API's result has two dimensions; the file may keep those of the input.
  uint64_t elements = 1;
  for (const uint32_t extent : result.dims) elements *= extent;
  const auto batches = static_cast<uint32_t>(elements / view.dims[0]);
  const uint32_t flat = graph.add_temporary(result.type, {batches, view.dims[0]}, result.scale, result.zero_point);
  graph.emit(nnapi, inputs, {flat});
  graph.emit_reshape(flat, context.write(0));
}

}  // namespace avocet::tools
