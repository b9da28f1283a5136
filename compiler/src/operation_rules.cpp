// SPDX-License-Identifier: Apache-2.0
// One function per kind of operation; each returns the first obstacle. Limits are those of the command stream's fields.
#include "operation_rules.hpp"

#include <algorithm>
#include <cmath>

#include "axis_cycles.hpp"
#include "quantisation.hpp"

namespace avocet::compiler {
namespace {

using Obstacle = std::optional<std::string>;

constexpr uint64_t kElementsMax = uint64_t{1} << 31;  // of one tensor: byte offsets in a region have 32 bits
constexpr uint32_t kSideMax = 65535;                  // height, width, window, stride
constexpr uint32_t kPadMax = 32767;
constexpr uint32_t kChannelsMax = (1u << 24) - 1;
constexpr uint32_t kCellsMax = 65536;  // along one of the two reduced dimensions of a command
constexpr uint32_t kPartsMax = 1024;  // convolutions that one operation becomes

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
  if (empty_window(a, window_y, window_x, input, output)) return "one of its windows lies wholly in the padding";
  return {};
}

Obstacle convolution_obstacle(const Graph& graph, const Operation& operation) {
  const Tensor& input = graph.tensors[operation.inputs[0]];
  const Tensor& weights = graph.tensors[operation.inputs[1]];
  const Tensor& output = graph.tensors[operation.outputs[0]];
  if (auto obstacle = feature_maps_obstacle(input, output)) return obstacle;
  if (weights.dims.size() != 4) return "its weights " + shape_text(weights) + " are not of rank 4";
  if (uint64_t{weights.dims[3]} * operation.attributes.groups != input.dims[3])
    return "its weights are for " + std::to_string(weights.dims[3]) + " channels" +
           (operation.type == OperationType::kGroupedConv2d ? " of a group" : "") + ", its input has " +
           std::to_string(input.dims[3]);
  if (weights.dims[0] != output.dims[3]) return "its weights and its output differ in channels";
  if (auto obstacle = window_obstacle(operation.attributes, weights.dims[1], weights.dims[2])) return obstacle;
  return weights_obstacle(weights, graph.tensors[operation.inputs[2]], output.dims[3]);
}

Obstacle grouped_obstacle(const Graph& graph, const Operation& operation) {
  const uint32_t groups = operation.attributes.groups;
  if (auto obstacle = convolution_obstacle(graph, operation)) return obstacle;
  if (graph.tensors[operation.outputs[0]].dims[3] % groups != 0) return "its output channels are no multiple of its groups";
  if (uint64_t{groups} * graph.tensors[operation.outputs[0]].dims[0] > kPartsMax)
    return "it becomes more than " + std::to_string(kPartsMax) + " convolutions";
  return {};
}

Obstacle transpose_obstacle(const Graph& graph, const Operation& operation) {
  if (auto obstacle = convolution_obstacle(graph, operation)) return obstacle;
  const Attributes& a = operation.attributes;
  if (a.dilation_x != 1 || a.dilation_y != 1) return "it is dilated";
  const Tensor &weights = graph.tensors[operation.inputs[1]], &output = graph.tensors[operation.outputs[0]];
  const uint64_t parts = uint64_t{std::min({a.stride_x, output.dims[2], weights.dims[2]})} *
                         std::min({a.stride_y, output.dims[1], weights.dims[1]});
  if (parts * output.dims[0] > kPartsMax) return "it becomes more than " + std::to_string(kPartsMax) + " convolutions";
  return {};
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

bool same_quantisation(const Tensor& a, const Tensor& b) { return a.scale == b.scale && a.zero_point == b.zero_point; }

Obstacle broadcast_obstacle(const Tensor& a, const Tensor& b, const Tensor& output) {
  if (a.dims == output.dims && b.dims == output.dims) return {};
  const size_t rank = output.dims.size();
  const std::string subject = "it broadcasts " + shape_text(a) + " and " + shape_text(b) + " to " + shape_text(output);
  if (rank > 4) return subject + ", which have more than 4 dimensions";
  for (size_t i = 0; i < rank; ++i) {
    const auto extent = [&](const Tensor& tensor) {
      const size_t missing = rank - std::min(rank, tensor.dims.size());
      return i < missing ? 1 : tensor.dims[i - missing];
    };
    const bool fits = std::max(a.dims.size(), b.dims.size()) == rank && extent(a) * uint64_t{extent(b)} != 0 &&
                      (extent(a) == 1 || extent(a) == output.dims[i]) && (extent(b) == 1 || extent(b) == output.dims[i]) &&
                      std::max(extent(a), extent(b)) == output.dims[i];
    if (!fits) return subject + ", which do not go together";
  }
  return {};
}

Obstacle elementwise_obstacle(const Graph& graph, const Operation& operation) {
  const Tensor& a = graph.tensors[operation.inputs[0]];
  const Tensor& b = graph.tensors[operation.inputs[1]];
  const Tensor& output = graph.tensors[operation.outputs[0]];
  if (auto obstacle = activation_obstacle(b, "second input")) return obstacle;
  if (a.type != b.type || a.type != output.type) return "its inputs and output differ in type";
  if (auto obstacle = broadcast_obstacle(a, b, output)) return obstacle;
  constexpr int32_t kShiftMax = 29;  // further ones saturate
  // Beyond these PRELU saturates on the CPU path where the device wraps.
  constexpr int32_t kProductShiftMax = 14, kValueShiftMax = 22;
  const std::string far_apart = "its scales are too far apart";
  switch (operation.type) {
    case OperationType::kMultiply:
      if (product_scale(a, b, output).shift > kShiftMax) return far_apart;
      return {};
    case OperationType::kPrelu:
      if (prelu_scale(a, b, output).shift > kProductShiftMax || prelu_scale(a, output).shift > kValueShiftMax) return far_apart;
      return {};
    case OperationType::kMaximum:
    case OperationType::kMinimum:
      if (!same_quantisation(a, b) || !same_quantisation(a, output)) return "its inputs and output differ in scale or zero point";
      return {};
    default:
      return {};
  }
}

Obstacle table_obstacle(const Graph& graph, const Operation& operation) {
  if (graph.tensors[operation.inputs[0]].dims != graph.tensors[operation.outputs[0]].dims)
    return "its input and output differ in shape";
  if (operation.table.size() != 256) return "its table has not 256 entries";
  return {};
}

Obstacle axis_obstacle(const Graph& graph, const Operation& operation) {
  const Tensor& input = graph.tensors[operation.inputs[0]];
  const Tensor& output = graph.tensors[operation.outputs[0]];
  if (input.type != output.type) return "its input and output differ in type";
  if (input.dims.size() != 3) return "its input " + shape_text(input) + " is not [outer,axis,inner]";
  const bool reduces = is_reduction(operation.type);
  const uint64_t cells = input.dims[1], results = element_count(input) / (reduces ? cells : 1);
  if (element_count(output) != results) return "its input and output do not go together";
  if (!reduces) {
    if (cells > kChannelsMax) return "its axis has more than " + std::to_string(kChannelsMax) + " elements";
    if (operation.type == OperationType::kSoftmax && operation.table.size() != 1024) return "its table has not 1024 bytes";
    return {};
  }
  if (axis_factors(input.dims[1]).inner > kCellsMax) return "it reduces " + std::to_string(cells) + " cells, which do not factor";
  if (operation.type == OperationType::kReduceSum) {
    const FixedScale& scale = operation.attributes.scale;
    if (scale.shift < -31 || scale.shift > 30) return "its scales are too far apart";
    const uint64_t largest = 255 * cells;
    if (largest >> 31 || (scale.shift > 0 && largest << scale.shift >> 31)) return "its sum exceeds 32 bits";
  }
  return {};
}

Obstacle arg_obstacle(const Graph& graph, const Operation& operation) {
  const Tensor& input = graph.tensors[operation.inputs[0]];
  const Tensor& output = graph.tensors[operation.outputs[0]];
  if (output.type != ElementType::kInt32) return "its output is not int32";
  const bool across = operation.attributes.across_channels;
  if (across ? input.dims.empty() : input.dims.size() != 3)
    return "its input " + shape_text(input) + (across ? " has no axis" : " is not [outer,axis,inner]");
  const uint64_t cells = across ? input.dims.back() : input.dims[1], indices = element_count(input) / cells;
  if (element_count(output) != indices) return "its input and output do not go together";
  if (indices > kElementsMax / 4) return "its output " + shape_text(output) + " has more than 2147483648 bytes";
  if (cells > kChannelsMax) return "its axis has more than " + std::to_string(kChannelsMax) + " elements";
  return {};
}

Obstacle resize_obstacle(const Graph& graph, const Operation& operation) {
  const Tensor& input = graph.tensors[operation.inputs[0]];
  const Tensor& output = graph.tensors[operation.outputs[0]];
  if (auto obstacle = feature_maps_obstacle(input, output)) return obstacle;
  if (input.dims[3] != output.dims[3]) return "its input and output differ in channels";
  if (!same_quantisation(input, output)) return "its input and output differ in scale or zero point";
  const Resampling& r = operation.attributes.resampling;
  constexpr int32_t kStepMax = 1 << 26;
  if (r.x_step < 0 || r.y_step < 0 || r.x_step > kStepMax || r.y_step > kStepMax || std::abs(int64_t{r.x_start}) > kStepMax ||
      std::abs(int64_t{r.y_start}) > kStepMax)
    return "its positions are out of range";
  return {};
}

/// Whether `count` steps of `stride` bytes and `run` more end at `limit` at the latest.
bool stays_within(const MovementBox& box, bool to, uint64_t limit) {
  uint64_t end = to ? box.to : box.from;
  for (const MovementBox::Dim& dim : box.dims) {
    const uint64_t stride = to ? dim.to_stride : dim.from_stride;
    if (dim.count == 0 || stride > limit || (stride > 0 && dim.count > limit)) return false;
    end += (dim.count - 1) * stride;
    if (end > limit) return false;
  }
  return box.run > 0 && box.run <= limit && end <= limit - box.run;
}

Obstacle movement_obstacle(const Graph& graph, const Operation& operation) {
  if (operation.movement.boxes.size() > movements::kBoxesMax) return "it falls into too many pieces";
  std::vector<uint64_t> written(operation.outputs.size());
  for (const MovementBox& box : operation.movement.boxes) {
    if (box.output >= operation.outputs.size()) return "it moves bytes to an output that it has not";
    const uint64_t limit = element_count(graph.tensors[operation.outputs[box.output]]);
    if (!stays_within(box, true, limit) || box.bytes() > limit) return "it moves bytes beyond its output";
    written[box.output] += box.bytes();
    if (box.input == MovementBox::kFill) continue;
    if (box.input >= operation.inputs.size()) return "it moves bytes from an input that it has not";
    if (!stays_within(box, false, element_count(graph.tensors[operation.inputs[box.input]])))
      return "it moves bytes from beyond its input";
  }
  for (size_t i = 0; i < written.size(); ++i)
    if (written[i] != element_count(graph.tensors[operation.outputs[i]])) return "it does not write all of its output";
  for (const auto* list : {&operation.inputs, &operation.outputs})
    for (uint32_t tensor : *list)
      if (!is_quantised(graph.tensors[tensor])) return "it moves elements that are neither int8 nor uint8";
  return {};
}

bool counts_fit(const Operation& operation) {
  if (operation.type == OperationType::kMovement) return !operation.inputs.empty() && !operation.outputs.empty();
  const size_t inputs = has_weights(operation.type) ? 3 : is_binary(operation.type) ? 2 : 1;
  return operation.inputs.size() == inputs && operation.outputs.size() == 1;
}

}  // namespace

bool has_weights(OperationType type) {
  switch (type) {
    case OperationType::kConv2d:
    case OperationType::kDepthwiseConv2d:
    case OperationType::kGroupedConv2d:
    case OperationType::kTransposeConv2d:
    case OperationType::kFullyConnected:
      return true;
    default:
      return false;
  }
}

bool is_binary(OperationType type) {
  switch (type) {
    case OperationType::kAdd:
    case OperationType::kMultiply:
    case OperationType::kMaximum:
    case OperationType::kMinimum:
    case OperationType::kPrelu:
      return true;
    default:
      return false;
  }
}

bool is_reduction(OperationType type) {
  return type == OperationType::kReduceSum || type == OperationType::kReduceMaximum || type == OperationType::kReduceMinimum;
}

bool is_arg_reduction(OperationType type) { return type == OperationType::kArgMaximum || type == OperationType::kArgMinimum; }

bool empty_window(const Attributes& a, uint32_t window_y, uint32_t window_x, const Tensor& input, const Tensor& output) {
  const auto misses = [](uint64_t window, uint64_t dilation, uint64_t stride, uint64_t pad, uint64_t in, uint64_t out) {
    return (window - 1) * dilation + 1 <= pad || (out - 1) * stride >= in + pad;
  };
  return misses(window_y, a.dilation_y, a.stride_y, a.pad_top, input.dims[1], output.dims[1]) ||
         misses(window_x, a.dilation_x, a.stride_x, a.pad_left, input.dims[2], output.dims[2]);
}

size_t activation_inputs(const Operation& operation) {
  return has_weights(operation.type) ? 1 : operation.inputs.size();
}

const char* name(const Operation& operation) {
  switch (operation.type) {
    case OperationType::kConv2d:
      return "CONV_2D";
    case OperationType::kDepthwiseConv2d:
      return "DEPTHWISE_CONV_2D";
    case OperationType::kGroupedConv2d:
      return "GROUPED_CONV_2D";
    case OperationType::kTransposeConv2d:
      return "TRANSPOSE_CONV_2D";
    case OperationType::kFullyConnected:
      return "FULLY_CONNECTED";
    case OperationType::kAveragePool2d:
      return "AVERAGE_POOL_2D";
    case OperationType::kMaxPool2d:
      return "MAX_POOL_2D";
    case OperationType::kAdd:
      return operation.attributes.subtract ? "SUB" : "ADD";
    case OperationType::kMultiply:
      return "MUL";
    case OperationType::kMaximum:
      return "MAXIMUM";
    case OperationType::kMinimum:
      return "MINIMUM";
    case OperationType::kPrelu:
      return "PRELU";
    case OperationType::kTable:
      return operation.label.empty() ? "TABLE" : operation.label.c_str();
    case OperationType::kReduceSum:
      return operation.label.empty() ? "REDUCE_SUM" : operation.label.c_str();
    case OperationType::kReduceMaximum:
      return "REDUCE_MAX";
    case OperationType::kReduceMinimum:
      return "REDUCE_MIN";
    case OperationType::kArgMaximum:
      return "ARGMAX";
    case OperationType::kArgMinimum:
      return "ARGMIN";
    case OperationType::kSoftmax:
      return "SOFTMAX";
    case OperationType::kL2Normalise:
      return "L2_NORMALIZATION";
    case OperationType::kResizeBilinear:
      return "RESIZE_BILINEAR";
    case OperationType::kMovement:
      return operation.movement.name.c_str();
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
  if (!counts_fit(operation)) return "it has not the inputs and outputs of " + std::string(name(operation));
  for (const auto* list : {&operation.inputs, &operation.outputs}) {
    for (uint32_t tensor : *list) {
      if (tensor >= graph.tensors.size()) return "it names tensor " + std::to_string(tensor) + ", which is not there";
      const uint64_t elements = element_count(graph.tensors[tensor]);
      if (elements == 0) return "its tensor " + shape_text(graph.tensors[tensor]) + " is empty";
      if (elements > kElementsMax)
        return "its tensor " + shape_text(graph.tensors[tensor]) + " has more than 2147483648 elements";
    }
  }
  for (uint32_t tensor : operation.outputs)
    if (graph.tensors[tensor].data) return "its output is a constant";
  if (operation.type == OperationType::kMovement) return movement_obstacle(graph, operation);
  if (auto obstacle = activation_obstacle(graph.tensors[operation.inputs[0]], "input")) return obstacle;
  if (is_arg_reduction(operation.type)) return arg_obstacle(graph, operation);
  if (auto obstacle = activation_obstacle(graph.tensors[operation.outputs[0]], "output")) return obstacle;
  switch (operation.type) {
    case OperationType::kConv2d:
      return convolution_obstacle(graph, operation);
    case OperationType::kDepthwiseConv2d:
      return depthwise_obstacle(graph, operation);
    case OperationType::kGroupedConv2d:
      return grouped_obstacle(graph, operation);
    case OperationType::kTransposeConv2d:
      return transpose_obstacle(graph, operation);
    case OperationType::kFullyConnected:
      return fully_connected_obstacle(graph, operation);
    case OperationType::kAveragePool2d:
    case OperationType::kMaxPool2d:
      return pool_obstacle(graph, operation);
    case OperationType::kAdd:
    case OperationType::kMultiply:
    case OperationType::kMaximum:
    case OperationType::kMinimum:
    case OperationType::kPrelu:
      return elementwise_obstacle(graph, operation);
    case OperationType::kTable:
      return table_obstacle(graph, operation);
    case OperationType::kReduceSum:
    case OperationType::kReduceMaximum:
    case OperationType::kReduceMinimum:
    case OperationType::kSoftmax:
    case OperationType::kL2Normalise:
      return axis_obstacle(graph, operation);
    case OperationType::kResizeBilinear:
      return resize_obstacle(graph, operation);
    case OperationType::kArgMaximum:
    case OperationType::kArgMinimum:
    case OperationType::kMovement:
      break;
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
    const std::string subject = "operation " + std::to_string(i) + " (" + name(graph.operations[i]) + ")";
    if (auto obstacle = operation_obstacle(graph, static_cast<uint32_t>(i))) return subject + ": " + *obstacle;
    for (uint32_t tensor : graph.operations[i].inputs)
      if (!known[tensor])
        return subject + " reads tensor " + std::to_string(tensor) + " before anything has written it";
    for (uint32_t output : graph.operations[i].outputs) {
      if (known[output]) return subject + " writes tensor " + std::to_string(output) + ", which is already written";
      known[output] = true;
    }
  }
  for (uint32_t tensor : graph.outputs) {
    if (tensor >= graph.tensors.size()) return "output tensor " + std::to_string(tensor) + " is not there";
    if (!known[tensor]) return "nothing writes output tensor " + std::to_string(tensor);
  }
  return {};
}

}  // namespace avocet::compiler
