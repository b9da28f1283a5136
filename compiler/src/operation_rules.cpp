// SPDX-License-Identifier: Apache-2.0
// One function per kind of operation; each returns the first obstacle. Limits are those of the command stream's fields.
#include "operation_rules.hpp"

#include <cmath>

#include "quantisation.hpp"

namespace avocet::compiler {
namespace {

using Obstacle = std::optional<std::string>;

constexpr uint64_t kElementsMax = uint64_t{1} << 31;  // of one tensor: byte offsets in a region have 32 bits
constexpr uint32_t kSideMax = 65535;                  // height, width, window, stride
constexpr uint32_t kPadMax = 32767;
constexpr uint32_t kChannelsMax = (1u << 24) - 1;

std::string shape_text(const Tensor& tensor) {
  std::string text = "[";
  for (size_t i = 0; i < tensor.dims.size(); ++i) {
    if (i > 0) text += ",";
    text += std::to_string(tensor.dims[i]);
  }
  return text + "]";
}

bool is_quantised(const Tensor& tensor) {
  return tensor.type == ElementType::kInt8 || tensor.type == ElementType::kUint8;
}

Obstacle activation_obstacle(const Tensor& tensor, const char* what) {
  const std::string subject = std::string("its ") + what;
  if (!is_quantised(tensor)) return subject + " is neither int8 nor uint8";
  if (!(tensor.scale > 0.0f) || !std::isfinite(tensor.scale)) return subject + " has no positive scale";
  const Clamp range = clamp_of(Activation::kNone, tensor);
  if (tensor.zero_point < range.min || tensor.zero_point > range.max)
    return subject + " has a zero point outside its type";
  if (!tensor.channel_scales.empty()) return subject + " has a scale for each channel";
  return {};
}

Obstacle weights_obstacle(const Tensor& weights, const Tensor& bias, uint32_t channels) {
  if (!is_quantised(weights)) return "its weights are neither int8 nor uint8";
  if (!weights.data) return "its weights are not constant";
  if (!bias.data) return "its bias is not constant";
  const Clamp range = clamp_of(Activation::kNone, weights);
  if (weights.zero_point < range.min || weights.zero_point > range.max)
    return "its weights have a zero point outside their type";
  if (bias.type != ElementType::kInt32 || element_count(bias) != channels)
    return "its bias is not int32 [" + std::to_string(channels) + "]";
  if (weights.channel_scales.empty()) {
    if (!(weights.scale > 0.0f) || !std::isfinite(weights.scale)) return "its weights have no positive scale";
    return {};
  }
  if (weights.channel_scales.size() != channels) return "its weights have not one scale for each output channel";
  for (float scale : weights.channel_scales)
    if (!(scale >= 0.0f) || !std::isfinite(scale)) return "its weights have a scale that is no number";
  return {};
}

Obstacle feature_maps_obstacle(const Tensor& input, const Tensor& output) {
  if (input.dims.size() != 4 || output.dims.size() != 4)
    return "its input " + shape_text(input) + " and output " + shape_text(output) + " are not both of rank 4";
  if (input.type != output.type) return "its input and output differ in type";
  if (input.dims[0] != output.dims[0]) return "its input and output differ in batch";
  for (const Tensor* tensor : {&input, &output}) {
    if (tensor->dims[1] > kSideMax || tensor->dims[2] > kSideMax)
      return "a side of " + shape_text(*tensor) + " exceeds " + std::to_string(kSideMax);
    if (tensor->dims[3] > kChannelsMax)
      return "the channels of " + shape_text(*tensor) + " exceed " + std::to_string(kChannelsMax);
  }
  return {};
}

Obstacle window_obstacle(const Attributes& a, uint32_t window_y, uint32_t window_x) {
  if (window_y == 0 || window_x == 0) return "its window is empty";
  if (a.stride_x == 0 || a.stride_y == 0) return "its stride is 0";
  if (a.dilation_x == 0 || a.dilation_y == 0) return "its dilation is 0";
  for (uint32_t side : {window_y, window_x, a.stride_x, a.stride_y, a.dilation_x, a.dilation_y})
    if (side > kSideMax) return "a window, stride or dilation exceeds " + std::to_string(kSideMax);
  if (a.pad_left > kPadMax || a.pad_top > kPadMax) return "its padding exceeds " + std::to_string(kPadMax);
  return {};
}

/// The vector unit's windows need at least one row and one column inside the input.
Obstacle empty_window_obstacle(const Attributes& a, uint32_t window_y, uint32_t window_x, const Tensor& input,
                               const Tensor& output) {
  const auto misses = [](uint64_t window, uint64_t dilation, uint64_t stride, uint64_t pad, uint64_t in, uint64_t out) {
    return (window - 1) * dilation + 1 <= pad || (out - 1) * stride >= in + pad;
  };
  if (misses(window_y, a.dilation_y, a.stride_y, a.pad_top, input.dims[1], output.dims[1]) ||
      misses(window_x, a.dilation_x, a.stride_x, a.pad_left, input.dims[2], output.dims[2]))
    return "one of its windows lies wholly in the padding";
  return {};
}

Obstacle convolution_obstacle(const Graph& graph, const Operation& operation) {
  const Tensor& input = graph.tensors[operation.inputs[0]];
  const Tensor& weights = graph.tensors[operation.inputs[1]];
  const Tensor& output = graph.tensors[operation.outputs[0]];
  if (auto obstacle = feature_maps_obstacle(input, output)) return obstacle;
  if (weights.dims.size() != 4) return "its weights " + shape_text(weights) + " are not of rank 4";
  if (weights.dims[3] != input.dims[3])
    return "its weights are for " + std::to_string(weights.dims[3]) + " channels, its input has " +
           std::to_string(input.dims[3]);
  if (weights.dims[0] != output.dims[3]) return "its weights and its output differ in channels";
  if (auto obstacle = window_obstacle(operation.attributes, weights.dims[1], weights.dims[2])) return obstacle;
  return weights_obstacle(weights, graph.tensors[operation.inputs[2]], output.dims[3]);
}

Obstacle depthwise_obstacle(const Graph& graph, const Operation& operation) {
  const Tensor& input = graph.tensors[operation.inputs[0]];
  const Tensor& weights = graph.tensors[operation.inputs[1]];
  const Tensor& output = graph.tensors[operation.outputs[0]];
  if (auto obstacle = feature_maps_obstacle(input, output)) return obstacle;
  if (weights.dims.size() != 4 || weights.dims[0] != 1)
    return "its weights " + shape_text(weights) + " are not [1,height,width,channels]";
  if (weights.dims[3] != output.dims[3]) return "its weights and its output differ in channels";
  if (output.dims[3] % input.dims[3] != 0) return "its output channels are no multiple of its input channels";
  if (output.dims[3] / input.dims[3] > kSideMax) return "its depth multiplier exceeds " + std::to_string(kSideMax);
  const Attributes& a = operation.attributes;
  if (auto obstacle = window_obstacle(a, weights.dims[1], weights.dims[2])) return obstacle;
  if (auto obstacle = empty_window_obstacle(a, weights.dims[1], weights.dims[2], input, output)) return obstacle;
  return weights_obstacle(weights, graph.tensors[operation.inputs[2]], output.dims[3]);
}

Obstacle fully_connected_obstacle(const Graph& graph, const Operation& operation) {
  const Tensor& input = graph.tensors[operation.inputs[0]];
  const Tensor& weights = graph.tensors[operation.inputs[1]];
  const Tensor& output = graph.tensors[operation.outputs[0]];
  if (input.type != output.type) return "its input and output differ in type";
  if (weights.dims.size() != 2) return "its weights " + shape_text(weights) + " are not of rank 2";
  if (weights.dims[1] > kChannelsMax)
    return "its " + std::to_string(weights.dims[1]) + " inputs exceed " + std::to_string(kChannelsMax);
  if (element_count(input) % weights.dims[1] != 0)
    return "its input " + shape_text(input) + " is no multiple of " + std::to_string(weights.dims[1]);
  const uint64_t batch = element_count(input) / weights.dims[1];
  if (element_count(output) != batch * weights.dims[0])
    return "its output " + shape_text(output) + " is not [batch,units]";
  if (batch > kSideMax) return "its batch exceeds " + std::to_string(kSideMax);
  return weights_obstacle(weights, graph.tensors[operation.inputs[2]], weights.dims[0]);
}

Obstacle pool_obstacle(const Graph& graph, const Operation& operation) {
  const Tensor& input = graph.tensors[operation.inputs[0]];
  const Tensor& output = graph.tensors[operation.outputs[0]];
  const Attributes& a = operation.attributes;
  if (auto obstacle = feature_maps_obstacle(input, output)) return obstacle;
  if (input.dims[3] != output.dims[3]) return "its input and output differ in channels";
  if (a.dilation_x != 1 || a.dilation_y != 1) return "its window is dilated";
  if (input.scale != output.scale || input.zero_point != output.zero_point)
    return "its input and output differ in scale or zero point";
  if (auto obstacle = window_obstacle(a, a.window_y, a.window_x)) return obstacle;
  if (uint64_t{a.window_x} * a.window_y > (1u << 22)) return "its window has more than 4194304 cells";
  return empty_window_obstacle(a, a.window_y, a.window_x, input, output);
}

Obstacle add_obstacle(const Graph& graph, const Operation& operation) {
  const Tensor& a = graph.tensors[operation.inputs[0]];
  const Tensor& b = graph.tensors[operation.inputs[1]];
  const Tensor& output = graph.tensors[operation.outputs[0]];
  if (auto obstacle = activation_obstacle(b, "second input")) return obstacle;
  if (a.type != b.type || a.type != output.type) return "its inputs and output differ in type";
  if (a.dims != b.dims || a.dims != output.dims)
    return "it broadcasts " + shape_text(a) + " and " + shape_text(b) + " to " + shape_text(output);
  return {};
}

Obstacle reshape_obstacle(const Graph& graph, const Operation& operation) {
  const Tensor& input = graph.tensors[operation.inputs[0]];
  const Tensor& output = graph.tensors[operation.outputs[0]];
  if (input.type != output.type) return "its input and output differ in type";
  if (element_count(input) != element_count(output)) return "its input and output differ in size";
  if (input.scale != output.scale || input.zero_point != output.zero_point)
    return "its input and output differ in scale or zero point";
  return {};
}

size_t input_count(OperationType type) {
  switch (type) {
    case OperationType::kConv2d:
    case OperationType::kDepthwiseConv2d:
    case OperationType::kFullyConnected:
      return 3;
    case OperationType::kAdd:
      return 2;
    default:
      return 1;
  }
}

}  // namespace

const char* name(OperationType type) {
  switch (type) {
    case OperationType::kConv2d:
      return "CONV_2D";
    case OperationType::kDepthwiseConv2d:
      return "DEPTHWISE_CONV_2D";
    case OperationType::kFullyConnected:
      return "FULLY_CONNECTED";
    case OperationType::kAveragePool2d:
      return "AVERAGE_POOL_2D";
    case OperationType::kMaxPool2d:
      return "MAX_POOL_2D";
    case OperationType::kAdd:
      return "ADD";
    case OperationType::kReshape:
      return "RESHAPE";
  }
  return "?";
}

uint64_t element_count(const Tensor& tensor) {
  uint64_t count = 1;
  for (uint32_t dim : tensor.dims) count = count > kElementsMax ? count : count * dim;
  return count;
}

uint32_t batch_of(const Tensor& tensor) { return tensor.dims.size() == 4 ? tensor.dims[0] : 1; }

std::optional<std::string> operation_obstacle(const Graph& graph, uint32_t index) {
  const Operation& operation = graph.operations[index];
  if (operation.inputs.size() != input_count(operation.type) || operation.outputs.size() != 1)
    return "it has not the inputs and outputs of " + std::string(name(operation.type));
  for (const auto* list : {&operation.inputs, &operation.outputs}) {
    for (uint32_t tensor : *list) {
      if (tensor >= graph.tensors.size()) return "it names tensor " + std::to_string(tensor) + ", which is not there";
      const uint64_t elements = element_count(graph.tensors[tensor]);
      if (elements == 0) return "its tensor " + shape_text(graph.tensors[tensor]) + " is empty";
      if (elements > kElementsMax)
        return "its tensor " + shape_text(graph.tensors[tensor]) + " has more than 2147483648 elements";
    }
  }
  if (graph.tensors[operation.outputs[0]].data) return "its output is a constant";
  if (auto obstacle = activation_obstacle(graph.tensors[operation.inputs[0]], "input")) return obstacle;
  if (auto obstacle = activation_obstacle(graph.tensors[operation.outputs[0]], "output")) return obstacle;
  switch (operation.type) {
    case OperationType::kConv2d:
      return convolution_obstacle(graph, operation);
    case OperationType::kDepthwiseConv2d:
      return depthwise_obstacle(graph, operation);
    case OperationType::kFullyConnected:
      return fully_connected_obstacle(graph, operation);
    case OperationType::kAveragePool2d:
    case OperationType::kMaxPool2d:
      return pool_obstacle(graph, operation);
    case OperationType::kAdd:
      return add_obstacle(graph, operation);
    case OperationType::kReshape:
      return reshape_obstacle(graph, operation);
  }
  return "its type is unknown";
}

std::optional<std::string> graph_fault(const Graph& graph) {
  std::vector<bool> known(graph.tensors.size());
  for (size_t i = 0; i < graph.tensors.size(); ++i) known[i] = graph.tensors[i].data != nullptr;
  for (uint32_t tensor : graph.inputs) {
    if (tensor >= graph.tensors.size()) return "input tensor " + std::to_string(tensor) + " is not there";
    if (element_count(graph.tensors[tensor]) == 0) return "input tensor " + std::to_string(tensor) + " is empty";
    known[tensor] = true;
  }
  for (size_t i = 0; i < graph.operations.size(); ++i) {
    const std::string subject = "operation " + std::to_string(i) + " (" + name(graph.operations[i].type) + ")";
    if (auto obstacle = operation_obstacle(graph, static_cast<uint32_t>(i))) return subject + ": " + *obstacle;
    for (uint32_t tensor : graph.operations[i].inputs)
      if (!known[tensor])
        return subject + " reads tensor " + std::to_string(tensor) + " before anything has written it";
    const uint32_t output = graph.operations[i].outputs[0];
    if (known[output]) return subject + " writes tensor " + std::to_string(output) + ", which is already written";
    known[output] = true;
  }
  for (uint32_t tensor : graph.outputs) {
    if (tensor >= graph.tensors.size()) return "output tensor " + std::to_string(tensor) + " is not there";
    if (!known[tensor]) return "nothing writes output tensor " + std::to_string(tensor);
  }
  return {};
}

}  // namespace avocet::compiler
