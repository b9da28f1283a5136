// SPDX-License-Identifier: Apache-2.0
// Two sweeps over the operations: the first notes through which maps each tensor group is seen and so how it falls into
// values; the second makes the nodes.
#include "legalise.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "operation_nodes.hpp"
#include "operation_rules.hpp"
#include "tensor_places.hpp"
#include "tensor_shape.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kBindingAlignment = 64;

uint64_t align(uint64_t bytes) { return (bytes + kBindingAlignment - 1) / kBindingAlignment * kBindingAlignment; }

class Legalisation {
 public:
  explicit Legalisation(const Graph& graph)
      : graph_(graph), places_(place_tensors(graph)), views_(places_.groups.size()) {}

  Network run() {
    bind();
    for (size_t i = 0; i < graph_.operations.size(); ++i) note_operation(i);
    for (const OutputCopy& copy : places_.output_copies) {
      note_whole(copy.tensor);
      views_[copy.group].push_back({0, places_.groups[copy.group].bytes});
    }
    for (uint32_t group = 0; group < views_.size(); ++group) make_values(group);
    for (size_t i = 0; i < graph_.operations.size(); ++i) lower_operation(i);
    for (const OutputCopy& copy : places_.output_copies) lower_copy(copy);
    return std::move(network_);
  }

 private:
  struct View {
    uint64_t offset = 0, bytes = 0;
    bool operator<(const View& other) const { return std::tie(offset, bytes) < std::tie(other.offset, other.bytes); }
  };

  void bind() {
    for (uint32_t tensor : graph_.inputs) bind_one(tensor, &network_.inputs, &network_.input_bytes);
    for (uint32_t tensor : graph_.outputs) bind_one(tensor, &network_.outputs, &network_.output_bytes);
  }
  void bind_one(uint32_t tensor, std::vector<Binding>* bindings, uint64_t* end) {
    bindings->push_back({*end, byte_count(graph_.tensors[tensor])});
    *end = align(*end + bindings->back().bytes);
  }

  const Tensor& tensor(uint32_t index) const { return graph_.tensors[index]; }

  // ---- first sweep ----

  void note(uint32_t index, const Shape& shape) {
    const Place& place = places_.of_tensor[index];
    const Map map = extents(index, shape);
    for (uint32_t n = 0; n < shape.batch; ++n)
      views_[place.group].push_back({place.offset + n * shape.image_bytes(), map.extent()});
  }
  void note_whole(uint32_t index) { note(index, natural_shape(tensor(index)).stacked()); }

  Shape input_shape(const Operation& operation, size_t i) const {
    if (is_binary(operation.type)) return aligned_shape(tensor(operation.inputs[i]), tensor(operation.outputs[0]).dims.size());
    if (operation.type != OperationType::kFullyConnected) return natural_shape(tensor(operation.inputs[i]));
    return matrix_shape(tensor(operation.inputs[i]), tensor(operation.inputs[1]).dims[1]);
  }
  Shape output_shape(const Operation& operation) const {
    const Shape in = natural_shape(tensor(operation.inputs[0]));
    if (is_reduction(operation.type)) return {1, in.height, 1, in.channels};
    if (is_arg_reduction(operation.type)) {
      if (operation.attributes.across_channels) return {in.batch, in.height, in.width, kIndexBytes};
      return {1, in.height, 1, in.channels * kIndexBytes};
    }
    if (operation.type == OperationType::kSoftmax || operation.type == OperationType::kL2Normalise) return in;
    if (operation.type != OperationType::kFullyConnected) return natural_shape(tensor(operation.outputs[0]));
    return matrix_shape(tensor(operation.outputs[0]), tensor(operation.inputs[1]).dims[0]);
  }

  void note_operation(size_t index) {
    const Operation& operation = graph_.operations[index];
    if (operation.type == OperationType::kMovement) {
      for (size_t b = 0; b < operation.movement.boxes.size(); ++b) {
        if (!places_.moves[index][b]) continue;
        const MovementBox& box = operation.movement.boxes[b];
        if (box.input != MovementBox::kFill) note_whole(operation.inputs[box.input]);
        note_whole(operation.outputs[box.output]);
      }
      return;
    }
    for (size_t i = 0; i < activation_inputs(operation); ++i) note(operation.inputs[i], input_shape(operation, i));
    note(operation.outputs[0], output_shape(operation));
  }

  /// Views that overlap are one value.
  void make_values(uint32_t group) {
    std::vector<View>& views = views_[group];
    std::sort(views.begin(), views.end());
    const TensorGroup& info = places_.groups[group];
    uint64_t base = 0;
    if (info.home == Home::kInput) base = network_.inputs[info.position].offset;
    if (info.home == Home::kOutput) base = network_.outputs[info.position].offset;
    for (size_t i = 0; i < views.size();) {
      const uint64_t begin = views[i].offset;
      uint64_t end = begin;
      for (; i < views.size() && (end == begin || views[i].offset < end); ++i)
        end = std::max(end, views[i].offset + views[i].bytes);
      values_[{group, begin}] = static_cast<uint32_t>(network_.values.size());
      Value value;
      value.bytes = end - begin;
      value.home = info.home;
      value.offset = base + begin;
      value.data = info.data ? static_cast<const uint8_t*>(info.data) + begin : nullptr;
      network_.values.push_back(value);
    }
  }

  // ---- second sweep ----

  /// A map of no value yet.
  Map dense_extents(uint32_t index, const Shape& shape) const {
    Map map;
    map.height = shape.height;
    map.width = shape.width;
    map.channels = map.cell_stride = shape.channels;
    map.row_stride = shape.row_bytes();
    map.is_unsigned = tensor(index).type == ElementType::kUint8;
    map.zero_point = tensor(index).zero_point;
    return map;
  }
  Map extents(uint32_t index, const Shape& shape) const {
    Map map = dense_extents(index, shape);
    // A tensor seen through another shape than its own is dense.
    const Shape own = natural_shape(tensor(index));
    if (own.width != shape.width || own.channels != shape.channels) return map;
    if (map.width > 1) map.cell_stride = places_.of_tensor[index].cell_stride;
    map.row_stride = map.height > 1 ? places_.of_tensor[index].row_stride : map.width * map.cell_stride;
    return map;
  }

  uint32_t map_of(uint32_t group, Map map, uint64_t offset) {
    const auto key =
        std::make_tuple(group, offset, std::make_tuple(map.height, map.width, map.channels),
                        std::make_tuple(map.row_stride, map.cell_stride), std::make_tuple(map.is_unsigned, map.zero_point));
    if (const auto known = maps_.find(key); known != maps_.end()) return known->second;
    const auto value = std::prev(values_.upper_bound({group, offset}));
    map.value = value->second;
    map.offset = offset - value->first.second;
    network_.maps.push_back(map);
    return maps_[key] = static_cast<uint32_t>(network_.maps.size() - 1);
  }
  uint32_t map_of(uint32_t index, const Shape& shape, uint32_t image, const MapPart& part = {}) {
    const Place& place = places_.of_tensor[index];
    Map map = extents(index, shape);
    const uint64_t image_offset = place.offset + image * shape.image_bytes();
    const uint64_t offset = part.first_row * map.row_stride + part.first_column * map.cell_stride + part.first_channel;
    part.cut(map);
    return map_of(place.group, map, image_offset + offset);
  }
  uint32_t whole_map(uint32_t index) { return map_of(index, natural_shape(tensor(index)).stacked(), 0); }

  /// A layer of the program; movements without cost that it reads through join its sources.
  uint32_t open_layer(const char* layer_name, std::vector<uint32_t> sources, const Tensor& output, uint32_t group) {
    auto& waiting = waiting_sources_[group];
    sources.insert(sources.end(), waiting.begin(), waiting.end());
    waiting.clear();
    network_.layers.push_back({layer_name, std::move(sources), output.dims, 0});
    return static_cast<uint32_t>(network_.layers.size() - 1);
  }

  void lower_operation(size_t index) {
    const Operation& operation = graph_.operations[index];
    const uint32_t source = places_.of_tensor[operation.inputs[0]].group;
    if (operation.type == OperationType::kMovement) return lower_movement(index, source);
    std::vector<uint32_t> sources = operation.folded_sources;
    sources.insert(sources.begin(), operation.source);
    const uint32_t tag = open_layer(name(operation), std::move(sources), tensor(operation.outputs[0]), source);
    layer_of_group_[places_.of_tensor[operation.outputs[0]].group] = tag;
    const Shape in = input_shape(operation, 0), out = output_shape(operation);
    std::vector<NodePart> parts = operation_nodes(graph_, operation, in, out, network_);
    for (uint32_t image = 0; image < out.batch; ++image)
      for (NodePart& part : parts) {
        Node node = part.node;
        node.tag = tag;
        for (size_t i = 0; i < activation_inputs(operation); ++i)
          node.inputs.push_back(input_map(operation, i, image, part.input));
        node.output = map_of(operation.outputs[0], out, image, part.output);
        network_.nodes.push_back(std::move(node));
      }
    network_.layers[tag].macs = operation_macs(graph_, operation, in, out);
  }

  uint32_t input_map(const Operation& operation, size_t i, uint32_t image, const MapPart& part) {
    const Shape shape = input_shape(operation, i);
    return map_of(operation.inputs[i], shape, shape.batch == 1 ? 0 : image, part);
  }

  void lower_movement(size_t index, uint32_t source) {
    const Operation& operation = graph_.operations[index];
    const std::vector<bool>& moves = places_.moves[index];
    if (std::find(moves.begin(), moves.end(), true) == moves.end()) return join_layer(operation, source);
    const uint32_t tag = open_layer(name(operation), {operation.source}, tensor(operation.outputs[0]), source);
    for (uint32_t output : operation.outputs) layer_of_group_[places_.of_tensor[output].group] = tag;
    // One node for each input and output, and one that fills.
    std::map<std::pair<uint32_t, uint32_t>, NodeMovement> pairs;
    for (size_t b = 0; b < moves.size(); ++b) {
      if (!moves[b]) continue;
      const MovementBox& box = operation.movement.boxes[b];
      pairs[{box.output, box.input}].boxes.push_back(box);
    }
    for (auto& [pair, movement] : pairs) {
      movement.fill_value = operation.movement.fill_value;
      const auto [output, input] = pair;
      std::vector<uint32_t> inputs;
      if (input != MovementBox::kFill) inputs = {whole_map(operation.inputs[input])};
      add_movement(tag, inputs, whole_map(operation.outputs[output]), std::move(movement));
    }
  }

  void add_movement(uint32_t tag, std::vector<uint32_t> inputs, uint32_t output, NodeMovement movement) {
    Node node;
    node.kind = NodeKind::kMovement;
    node.tag = tag;
    node.inputs = std::move(inputs);
    node.output = output;
    node.movement = static_cast<uint32_t>(network_.movements.size());
    network_.movements.push_back(std::move(movement));
    network_.nodes.push_back(std::move(node));
  }

  /// An operation without cost belongs to the layer that makes its bytes, else to the one that reads them first.
  void join_layer(const Operation& operation, uint32_t group) {
    if (const auto layer = layer_of_group_.find(group); layer != layer_of_group_.end())
      network_.layers[layer->second].sources.push_back(operation.source);
    else
      waiting_sources_[group].push_back(operation.source);
  }

  void lower_copy(const OutputCopy& copy) {
    const Tensor& copied = tensor(copy.tensor);
    const uint32_t tag = open_layer("COPY", {}, copied, places_.of_tensor[copy.tensor].group);
    NodeMovement movement;
    movement.boxes = movements::reshape({}, byte_count(copied)).boxes;
    const Map map = dense_extents(copy.tensor, natural_shape(copied).stacked());
    add_movement(tag, {whole_map(copy.tensor)}, map_of(copy.group, map, 0), std::move(movement));
  }

  const Graph& graph_;
  const TensorPlaces places_;
  Network network_;
  std::vector<std::vector<View>> views_;                      // per group
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> values_;  // group, offset
  using MapKey = std::tuple<uint32_t, uint64_t, std::tuple<uint32_t, uint32_t, uint32_t>, std::tuple<uint64_t, uint64_t>,
                            std::tuple<bool, int32_t>>;
  std::map<MapKey, uint32_t> maps_;
  std::map<uint32_t, uint32_t> layer_of_group_;                // group -> tag of its last writer
  std::map<uint32_t, std::vector<uint32_t>> waiting_sources_;  // group -> sources that wait for its first reader
};

}  // namespace

Network legalise(const Graph& graph) { return Legalisation(graph).run(); }

}  // namespace avocet::compiler
