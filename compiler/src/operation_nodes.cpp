// SPDX-License-Identifier: Apache-2.0
#include "operation_nodes.hpp"

#include <algorithm>

#include "avocet_isa.h"
#include "operation_rules.hpp"
#include "quantisation.hpp"
#include "transposed_phase.hpp"

namespace avocet::compiler {
namespace {

class Making {
 public:
  Making(const Graph& graph, const Operation& operation, const Shape& in, const Shape& out, Network& network)
      : graph_(graph), operation_(operation), a_(operation.attributes), in_(in), out_(out), network_(network) {}

  std::vector<NodePart> run() {
    Node node;
    node.clamp = clamp_of(a_, output());
    switch (operation_.type) {
      case OperationType::kConv2d:
        node.kind = NodeKind::kConvolution;
        node.geometry = window(weights().dims[1], weights().dims[2]);
        node.weights = add_weights(all_weights());
        break;
      case OperationType::kDepthwiseConv2d:
        node.kind = NodeKind::kDepthwise;
        node.depth_multiplier = out_.channels / in_.channels;
        node.geometry = window(weights().dims[1], weights().dims[2]);
        node.weights = add_weights(all_weights());
        break;
      case OperationType::kGroupedConv2d:
        return grouped(node);
      case OperationType::kTransposeConv2d:
        return transposed(node);
      case OperationType::kFullyConnected:
        node.kind = NodeKind::kConvolution;
        node.weights = add_weights(all_weights());
        break;
      case OperationType::kAveragePool2d:
      case OperationType::kMaxPool2d:
        node.kind = NodeKind::kPool;
        node.average = operation_.type == OperationType::kAveragePool2d;
        node.geometry = window(a_.window_y, a_.window_x);
        break;
      case OperationType::kAdd:
        node.kind = NodeKind::kAdd;
        node.vector.add = add_scales(tensor(0), tensor(1), output());
        node.vector.subtract = a_.subtract;
        break;
      case OperationType::kMultiply:
        node.kind = NodeKind::kBinary;
        node.vector.mode = AVOCET_BINARY_MODE_MULTIPLY;
        node.vector.scale = product_scale(tensor(0), tensor(1), output());
        break;
      case OperationType::kMaximum:
      case OperationType::kMinimum:
        node.kind = NodeKind::kBinary;
        node.vector.mode = operation_.type == OperationType::kMaximum ? AVOCET_BINARY_MODE_MAXIMUM : AVOCET_BINARY_MODE_MINIMUM;
        break;
      case OperationType::kPrelu:
        node.kind = NodeKind::kBinary;
        node.vector.mode = AVOCET_BINARY_MODE_PRELU;
        node.vector.scale = prelu_scale(tensor(0), output());
        node.vector.negative_scale = prelu_scale(tensor(0), tensor(1), output());
        break;
      case OperationType::kTable:
        node.kind = NodeKind::kTable;
        node.table = add_table();
        break;
      case OperationType::kReduceSum:
        node.kind = NodeKind::kReduce;
        node.vector.mode = AVOCET_REDUCE_MODE_SUM;
        node.vector.scale = a_.scale;
        break;
      case OperationType::kReduceMaximum:
      case OperationType::kReduceMinimum:
        node.kind = NodeKind::kReduce;
        node.vector.mode = operation_.type == OperationType::kReduceMaximum ? AVOCET_REDUCE_MODE_MAXIMUM : AVOCET_REDUCE_MODE_MINIMUM;
        break;
      case OperationType::kArgMaximum:
      case OperationType::kArgMinimum:
        node.kind = NodeKind::kArgReduce;
        node.depth_multiplier = kIndexBytes;
        node.vector.smallest = operation_.type == OperationType::kArgMinimum;
        node.vector.across_channels = a_.across_channels;
        break;
      case OperationType::kSoftmax:
        node.kind = NodeKind::kSoftmax;
        node.table = add_table();
        break;
      case OperationType::kL2Normalise:
        node.kind = NodeKind::kNormalise;
        node.vector.left_shift = a_.left_shift;
        node.vector.out_shift = a_.out_shift;
        break;
      case OperationType::kResizeBilinear:
        node.kind = NodeKind::kResize;
        node.vector.resampling = a_.resampling;
        break;
      case OperationType::kMovement:
        return {};
    }
    return {{node, {}, {}}};
  }

 private:
  const Tensor& tensor(size_t i) const { return graph_.tensors[operation_.inputs[i]]; }
  const Tensor& output() const { return graph_.tensors[operation_.outputs[0]]; }
  const Tensor& weights() const { return tensor(1); }

  Geometry window(uint32_t height, uint32_t width) const {
    return {height,         width,          a_.stride_y, a_.stride_x, a_.dilation_y,
            a_.dilation_x, static_cast<int32_t>(a_.pad_top), static_cast<int32_t>(a_.pad_left)};
  }

  std::vector<NodePart> grouped(Node node) {
    const uint32_t inputs = in_.channels / a_.groups, outputs = out_.channels / a_.groups;
    node.geometry = window(weights().dims[1], weights().dims[2]);
    Weights all = all_weights();
    // Groups of one channel are what the vector unit does, if it finds a cell under every window.
    if (inputs == 1 && !empty_window(a_, weights().dims[1], weights().dims[2], tensor(0), output())) {
      node.kind = NodeKind::kDepthwise;
      node.depth_multiplier = outputs;
      node.weights = add_weights(std::move(all));
      return {{node, {}, {}}};
    }
    node.kind = NodeKind::kConvolution;
    std::vector<NodePart> parts;
    for (uint32_t g = 0; g < a_.groups; ++g) {
      NodePart part{node, {}, {}};
      part.input.first_channel = g * inputs;
      part.input.channels = inputs;
      part.output.first_channel = g * outputs;
      part.output.channels = outputs;
      Weights own = all;
      own.data = all.at(part.output.first_channel, 0, 0, 0);
      own.bias += uint64_t{part.output.first_channel} * 4;
      const auto first = all.scales.begin() + static_cast<ptrdiff_t>(part.output.first_channel);
      own.scales.assign(first, first + outputs);
      part.node.weights = add_weights(std::move(own));
      parts.push_back(std::move(part));
    }
    return parts;
  }

  std::vector<NodePart> transposed(Node node) {
    const uint32_t kernel_height = weights().dims[1], kernel_width = weights().dims[2];
    const Weights all = all_weights();
    node.kind = NodeKind::kConvolution;
    std::vector<NodePart> parts;
    // Outputs that no tap reaches: everything is made without taps, and the reached ones once more.
    if (misses_outputs(a_.stride_y, kernel_height, a_.pad_top, out_.height) ||
        misses_outputs(a_.stride_x, kernel_width, a_.pad_left, out_.width)) {
      NodePart part{node, {}, {}};
      Weights none = all;
      none.are_zero = true;
      part.node.weights = add_weights(std::move(none));
      parts.push_back(std::move(part));
    }
    for (uint32_t y = 0; y < std::min(a_.stride_y, out_.height); ++y) {
      const TransposedPhase rows = transposed_phase(y, a_.stride_y, kernel_height, a_.pad_top, out_.height);
      for (uint32_t x = 0; x < std::min(a_.stride_x, out_.width) && rows.taps > 0; ++x) {
        const TransposedPhase columns = transposed_phase(x, a_.stride_x, kernel_width, a_.pad_left, out_.width);
        if (columns.taps == 0) continue;
        NodePart part{node, {}, {}};
        part.output = {y, a_.stride_y, rows.outputs, x, a_.stride_x, columns.outputs, 0, MapPart::kAll};
        Weights own = all;
        own.data = all.at(0, rows.last_tap, columns.last_tap, 0);
        own.stride_y *= -int64_t{a_.stride_y};
        own.stride_x *= -int64_t{a_.stride_x};
        part.node.geometry = {rows.taps, columns.taps, 1, 1, 1, 1, rows.pad_before, columns.pad_before};
        part.node.weights = add_weights(std::move(own));
        parts.push_back(std::move(part));
      }
    }
    return parts;
  }

  Weights all_weights() const {
    const Tensor& from = weights();
    Weights result;
    result.data = static_cast<const uint8_t*>(from.data);
    result.is_unsigned = from.type == ElementType::kUint8;
    result.zero_point = from.zero_point - (result.is_unsigned ? 128 : 0);
    result.bias = static_cast<const uint8_t*>(tensor(2).data);
    const bool matrix = operation_.type == OperationType::kFullyConnected;
    result.scales = convolution_scales(operation_.type, tensor(0), from, output(), out_.channels);
    if (matrix) {
      result.stride_co = from.dims[1];
      result.stride_ci = 1;
    } else if (operation_.type == OperationType::kDepthwiseConv2d) {
      result.stride_co = 1;
      result.stride_x = from.dims[3];
      result.stride_y = result.stride_x * from.dims[2];
    } else {
      result.stride_ci = 1;
      result.stride_x = from.dims[3];
      result.stride_y = result.stride_x * from.dims[2];
      result.stride_co = result.stride_y * from.dims[1];
    }
    return result;
  }

  uint32_t add_weights(Weights weights) {
    network_.weights.push_back(std::move(weights));
    return static_cast<uint32_t>(network_.weights.size() - 1);
  }
  /// Equal tables of neighbours are one.
  uint32_t add_table() {
    constexpr ptrdiff_t kNeighbours = 16;
    auto& tables = network_.tables;
    const auto begin = tables.end() - std::min(kNeighbours, static_cast<ptrdiff_t>(tables.size()));
    const auto known = std::find(begin, tables.end(), operation_.table);
    if (known != tables.end()) return static_cast<uint32_t>(known - tables.begin());
    tables.push_back(operation_.table);
    return static_cast<uint32_t>(tables.size() - 1);
  }

  const Graph& graph_;
  const Operation& operation_;
  const Attributes& a_;
  const Shape &in_, &out_;
  Network& network_;
};

}  // namespace

void MapPart::cut(Map& map) const {
  const auto take = [](uint32_t& count, uint32_t part, uint64_t& stride, uint32_t step) {
    if (part != kAll) count = part;
    stride *= step;
  };
  take(map.height, rows, map.row_stride, row_step);
  take(map.width, columns, map.cell_stride, column_step);
  if (channels != kAll) map.channels = channels;
  // A stride that nothing takes stays one that no cells overlap with.
  if (map.width == 1) map.cell_stride = map.channels;
  if (map.height == 1) map.row_stride = map.width * map.cell_stride;
}

std::vector<NodePart> operation_nodes(const Graph& graph, const Operation& operation, const Shape& in, const Shape& out,
                                      Network& network) {
  return Making(graph, operation, in, out, network).run();
}

uint64_t operation_macs(const Graph& graph, const Operation& operation, const Shape& in, const Shape& out) {
  if (!has_weights(operation.type)) return 0;
  const Tensor& weights = graph.tensors[operation.inputs[1]];
  const uint64_t outputs = out.batch * out.image_bytes();
  switch (operation.type) {
    case OperationType::kFullyConnected:
      return outputs * in.channels;
    case OperationType::kDepthwiseConv2d:
      return outputs * weights.dims[1] * weights.dims[2];
    case OperationType::kTransposeConv2d:
      return in.batch * in.image_bytes() * weights.dims[1] * weights.dims[2] * out.channels;
    default:
      return outputs * weights.dims[1] * weights.dims[2] * weights.dims[3];
  }
}

}  // namespace avocet::compiler
