// SPDX-License-Identifier: Apache-2.0
// Two sweeps over the operations: the first notes through which shapes each tensor group is seen and so how it falls
// into values; the second makes the nodes.
#include "legalise.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "operation_rules.hpp"
#include "quantisation.hpp"
#include "tensor_groups.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kBindingAlignment = 64;

uint64_t align(uint64_t bytes) { return (bytes + kBindingAlignment - 1) / kBindingAlignment * kBindingAlignment; }

/// `batch` maps of height x width x channels, one behind the other.
struct Shape {
  uint32_t batch = 1, height = 1, width = 1, channels = 1;
  uint64_t image_bytes() const { return uint64_t{height} * width * channels; }
};

Shape natural_shape(const Tensor& tensor) {
  Shape shape;
  const size_t rank = tensor.dims.size();
  if (rank >= 1) shape.channels = tensor.dims[rank - 1];
  if (rank == 2) shape.height = tensor.dims[0];
  if (rank >= 3) shape.width = tensor.dims[rank - 2];
  for (size_t i = 0; i + 2 < rank; ++i) (rank == 4 && i == 0 ? shape.batch : shape.height) *= tensor.dims[i];
  if (tensor.type == ElementType::kInt32) shape.channels *= 4;
  return shape;
}

/// FULLY_CONNECTED sees its input and output as `batch` rows of one cell.
Shape matrix_shape(const Tensor& tensor, uint32_t columns) {
  return {1, static_cast<uint32_t>(element_count(tensor) / columns), 1, columns};
}

class Legalisation {
 public:
  explicit Legalisation(const Graph& graph)
      : graph_(graph), groups_(group_tensors(graph)), views_(groups_.groups.size()) {}

  Network run() {
    bind();
    for (size_t i = 0; i < graph_.operations.size(); ++i) note_operation(i);
    for (const OutputCopy& copy : groups_.output_copies) {
      note(groups_.of_tensor[copy.tensor], natural_shape(graph_.tensors[copy.tensor]));
      note(copy.group, natural_shape(graph_.tensors[copy.tensor]));
    }
    for (uint32_t group = 0; group < views_.size(); ++group) make_values(group);
    for (size_t i = 0; i < graph_.operations.size(); ++i) lower_operation(i);
    for (const OutputCopy& copy : groups_.output_copies) {
      const uint32_t source = groups_.of_tensor[copy.tensor];
      lower_copy(copy.tensor, source, copy.group, open_layer("COPY", {}, graph_.tensors[copy.tensor], source));
    }
    return std::move(network_);
  }

 private:
  struct View {
    uint64_t offset = 0, bytes = 0;
    bool operator<(const View& other) const { return std::tie(offset, bytes) < std::tie(other.offset, other.bytes); }
    bool operator==(const View&) const = default;
  };

  void bind() {
    for (uint32_t tensor : graph_.inputs) bind_one(tensor, &network_.inputs, &network_.input_bytes);
    for (uint32_t tensor : graph_.outputs) bind_one(tensor, &network_.outputs, &network_.output_bytes);
  }
  void bind_one(uint32_t tensor, std::vector<Binding>* bindings, uint64_t* end) {
    bindings->push_back({*end, byte_count(graph_.tensors[tensor])});
    *end = align(*end + bindings->back().bytes);
  }

  // ---- first sweep ----

  void note(uint32_t group, const Shape& shape) {
    for (uint32_t n = 0; n < shape.batch; ++n) views_[group].push_back({n * shape.image_bytes(), shape.image_bytes()});
  }

  Shape input_shape(const Operation& operation, size_t i) const {
    const Tensor& tensor = graph_.tensors[operation.inputs[i]];
    if (operation.type != OperationType::kFullyConnected) return natural_shape(tensor);
    return matrix_shape(tensor, graph_.tensors[operation.inputs[1]].dims[1]);
  }
  Shape output_shape(const Operation& operation) const {
    const Tensor& tensor = graph_.tensors[operation.outputs[0]];
    if (operation.type != OperationType::kFullyConnected) return natural_shape(tensor);
    return matrix_shape(tensor, graph_.tensors[operation.inputs[1]].dims[0]);
  }

  void note_operation(size_t index) {
    const Operation& operation = graph_.operations[index];
    if (operation.type == OperationType::kReshape && !groups_.copied[index]) return;
    note(groups_.of_tensor[operation.inputs[0]], input_shape(operation, 0));
    if (operation.type == OperationType::kAdd) note(groups_.of_tensor[operation.inputs[1]], input_shape(operation, 1));
    // A copied RESHAPE writes its output in the shape of its input.
    const bool reshape = operation.type == OperationType::kReshape;
    note(groups_.of_tensor[operation.outputs[0]], reshape ? input_shape(operation, 0) : output_shape(operation));
  }

  void make_values(uint32_t group) {
    std::vector<View>& views = views_[group];
    std::sort(views.begin(), views.end());
    views.erase(std::unique(views.begin(), views.end()), views.end());
    const auto overlaps = [](const View& a, const View& b) { return a.offset + a.bytes > b.offset; };
    const bool mixed = std::adjacent_find(views.begin(), views.end(), overlaps) != views.end();
    if (mixed) views = {{0, groups_.groups[group].bytes}};
    const TensorGroup& info = groups_.groups[group];
    uint64_t base = 0;
    if (info.home == Home::kInput) base = network_.inputs[info.position].offset;
    if (info.home == Home::kOutput) base = network_.outputs[info.position].offset;
    for (const View& view : views) {
      values_[{group, view.offset}] = static_cast<uint32_t>(network_.values.size());
      const void* data = info.data ? static_cast<const uint8_t*>(info.data) + view.offset : nullptr;
      network_.values.push_back({view.bytes, info.home, base + view.offset, data, mixed});
    }
  }

  // ---- second sweep ----

  uint32_t map_of(uint32_t group, const Shape& shape, uint32_t image, const Tensor& tensor) {
    const uint64_t offset = image * shape.image_bytes();
    const auto key = std::make_tuple(group, offset, shape.height, shape.width, shape.channels);
    if (const auto known = maps_.find(key); known != maps_.end()) return known->second;
    const auto value = std::prev(values_.upper_bound({group, offset}));
    Map map;
    map.value = value->second;
    map.offset = offset - value->first.second;
    map.height = shape.height;
    map.width = shape.width;
    map.channels = shape.channels;
    map.is_unsigned = tensor.type == ElementType::kUint8;
    map.zero_point = tensor.zero_point;
    network_.maps.push_back(map);
    return maps_[key] = static_cast<uint32_t>(network_.maps.size() - 1);
  }

  /// A layer of the program; RESHAPEs that it reads through join its sources.
  uint32_t open_layer(const char* layer_name, std::vector<uint32_t> sources, const Tensor& output, uint32_t group) {
    auto& waiting = waiting_reshapes_[group];
    sources.insert(sources.end(), waiting.begin(), waiting.end());
    waiting.clear();
    network_.layers.push_back({layer_name, std::move(sources), output.dims, 0});
    return static_cast<uint32_t>(network_.layers.size() - 1);
  }

  void lower_operation(size_t index) {
    const Operation& operation = graph_.operations[index];
    const Tensor& output = graph_.tensors[operation.outputs[0]];
    const uint32_t source = groups_.of_tensor[operation.inputs[0]];
    const uint32_t target = groups_.of_tensor[operation.outputs[0]];
    if (operation.type == OperationType::kReshape && !groups_.copied[index]) {
      if (const auto layer = layer_of_group_.find(source); layer != layer_of_group_.end())
        network_.layers[layer->second].sources.push_back(operation.source);
      else
        waiting_reshapes_[source].push_back(operation.source);
      return;
    }
    const uint32_t tag = open_layer(name(operation.type), {operation.source}, output, source);
    layer_of_group_[target] = tag;
    if (operation.type == OperationType::kReshape) return lower_copy(operation.inputs[0], source, target, tag);

    const Shape in = input_shape(operation, 0), out = output_shape(operation);
    Node node = make_node(operation, in);
    node.tag = tag;
    for (uint32_t image = 0; image < out.batch; ++image) {
      node.inputs = {map_of(source, in, image, graph_.tensors[operation.inputs[0]])};
      if (node.kind == NodeKind::kAdd) {
        const uint32_t second = groups_.of_tensor[operation.inputs[1]];
        node.inputs.push_back(map_of(second, in, image, graph_.tensors[operation.inputs[1]]));
      }
      node.output = map_of(target, out, image, output);
      network_.nodes.push_back(node);
    }
    network_.layers[tag].macs = macs(operation, in, out);
  }

  void lower_copy(uint32_t tensor, uint32_t source, uint32_t target, uint32_t tag) {
    const Shape shape = natural_shape(graph_.tensors[tensor]);
    for (uint32_t image = 0; image < shape.batch; ++image) {
      Node node;
      node.tag = tag;
      node.inputs = {map_of(source, shape, image, graph_.tensors[tensor])};
      node.output = map_of(target, shape, image, graph_.tensors[tensor]);
      network_.nodes.push_back(node);
    }
  }

  uint64_t macs(const Operation& operation, const Shape& in, const Shape& out) const {
    const uint64_t outputs = out.batch * out.image_bytes();
    if (operation.type == OperationType::kFullyConnected) return outputs * in.channels;
    if (operation.type != OperationType::kConv2d && operation.type != OperationType::kDepthwiseConv2d) return 0;
    const Tensor& weights = graph_.tensors[operation.inputs[1]];
    const uint64_t taps = uint64_t{weights.dims[1]} * weights.dims[2];
    return outputs * taps * (operation.type == OperationType::kConv2d ? in.channels : 1);
  }

  Node make_node(const Operation& operation, const Shape& in) {
    const Attributes& a = operation.attributes;
    const Tensor& output = graph_.tensors[operation.outputs[0]];
    Node node;
    node.clamp = clamp_of(a.activation, output);
    switch (operation.type) {
      case OperationType::kConv2d:
      case OperationType::kDepthwiseConv2d: {
        const Tensor& weights = graph_.tensors[operation.inputs[1]];
        const bool depthwise = operation.type == OperationType::kDepthwiseConv2d;
        node.kind = depthwise ? NodeKind::kDepthwise : NodeKind::kConvolution;
        node.depth_multiplier = depthwise ? output.dims[3] / in.channels : 1;
        node.geometry = window(a, weights.dims[1], weights.dims[2]);
        node.weights = add_weights(operation);
        break;
      }
      case OperationType::kFullyConnected:
        node.kind = NodeKind::kConvolution;
        node.weights = add_weights(operation);
        break;
      case OperationType::kAveragePool2d:
      case OperationType::kMaxPool2d:
        node.kind = NodeKind::kPool;
        node.average = operation.type == OperationType::kAveragePool2d;
        node.geometry = window(a, a.window_y, a.window_x);
        break;
      case OperationType::kAdd:
        node.kind = NodeKind::kAdd;
        node.add = add_scales(graph_.tensors[operation.inputs[0]], graph_.tensors[operation.inputs[1]], output);
        break;
      case OperationType::kReshape:
        break;
    }
    return node;
  }

  static Geometry window(const Attributes& a, uint32_t height, uint32_t width) {
    return {height, width, a.stride_y, a.stride_x, a.dilation_y, a.dilation_x, a.pad_top, a.pad_left};
  }

  uint32_t add_weights(const Operation& operation) {
    const Tensor& tensor = graph_.tensors[operation.inputs[1]];
    const Tensor& output = graph_.tensors[operation.outputs[0]];
    Weights weights;
    weights.data = static_cast<const uint8_t*>(tensor.data);
    weights.is_unsigned = tensor.type == ElementType::kUint8;
    weights.zero_point = tensor.zero_point - (weights.is_unsigned ? 128 : 0);
    weights.bias = graph_.tensors[operation.inputs[2]].data;
    const uint32_t channels = operation.type == OperationType::kFullyConnected ? tensor.dims[0] : output.dims[3];
    weights.scales = convolution_scales(operation.type, graph_.tensors[operation.inputs[0]], tensor, output, channels);
    if (operation.type == OperationType::kFullyConnected) {
      weights.stride_co = tensor.dims[1];
      weights.stride_ci = 1;
    } else if (operation.type == OperationType::kConv2d) {
      weights.stride_ci = 1;
      weights.stride_x = tensor.dims[3];
      weights.stride_y = weights.stride_x * tensor.dims[2];
      weights.stride_co = weights.stride_y * tensor.dims[1];
    } else {
      weights.stride_co = 1;
      weights.stride_x = tensor.dims[3];
      weights.stride_y = weights.stride_x * tensor.dims[2];
    }
    network_.weights.push_back(std::move(weights));
    return static_cast<uint32_t>(network_.weights.size() - 1);
  }

  const Graph& graph_;
  const TensorGroups groups_;
  Network network_;
  std::vector<std::vector<View>> views_;                      // per group
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> values_;  // group, offset
  std::map<std::tuple<uint32_t, uint64_t, uint32_t, uint32_t, uint32_t>, uint32_t> maps_;
  std::map<uint32_t, uint32_t> layer_of_group_;                 // group -> tag of its last writer
  std::map<uint32_t, std::vector<uint32_t>> waiting_reshapes_;  // group -> sources of RESHAPEs before its first reader
};

}  // namespace

Network legalise(const Graph& graph) { return Legalisation(graph).run(); }

}  // namespace avocet::compiler
