// SPDX-License-Identifier: Apache-2.0
// Tensors form trees: a child lies inside its parent. A movement makes its output a child of its input (SPLIT), or its
// inputs children of its output (CONCATENATION).
#include "tensor_places.hpp"

#include <algorithm>
#include <optional>

#include "operation_rules.hpp"
#include "place_box.hpp"
#include "tensor_shape.hpp"

namespace avocet::compiler {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

struct Relation {
  uint32_t parent = kNone;
  uint64_t offset = 0;    // in the parent's bytes, as if it were dense
  bool is_part = false;   // rows, columns and channels of the parent; else its bytes seen through another shape
};

class Placement {
 public:
  explicit Placement(const Graph& graph)
      : graph_(graph),
        relations_(graph.tensors.size()),
        children_(graph.tensors.size()),
        users_(graph.tensors.size()),
        home_position_(graph.tensors.size(), kNone) {
    for (uint32_t i = 0; i < graph.operations.size(); ++i) {
      const Operation& operation = graph.operations[i];
      result_.moves.emplace_back(operation.movement.boxes.size(), true);
      for (const auto* list : {&operation.inputs, &operation.outputs})
        for (uint32_t tensor : *list) users_[tensor].push_back(i);
    }
    for (uint32_t i = 0; i < graph.outputs.size(); ++i)
      if (home_position_[graph.outputs[i]] == kNone) home_position_[graph.outputs[i]] = i;
    is_input_.resize(graph.tensors.size());
    for (uint32_t tensor : graph.inputs) is_input_[tensor] = true;
  }

  TensorPlaces run() {
    for (uint32_t i = 0; i < graph_.operations.size(); ++i)
      if (graph_.operations[i].type == OperationType::kMovement) relate(i);
    result_.of_tensor.resize(graph_.tensors.size());
    for (uint32_t i = 0; i < graph_.inputs.size(); ++i) open(graph_.inputs[i], Home::kInput, i);
    for (const Operation& operation : graph_.operations) {
      for (size_t i = 0; i < activation_inputs(operation); ++i) place(operation.inputs[i]);
      for (uint32_t tensor : operation.outputs) place(tensor);
    }
    for (uint32_t i = 0; i < graph_.outputs.size(); ++i) add_output(i);
    return std::move(result_);
  }

 private:
  Shape shape(uint32_t tensor) const { return natural_shape(graph_.tensors[tensor]); }
  uint64_t bytes(uint32_t tensor) const { return byte_count(graph_.tensors[tensor]); }
  bool is_scratch(uint32_t tensor) const {
    return !graph_.tensors[tensor].data && !is_input_[tensor] && home_position_[tensor] == kNone;
  }

  // ---- trees ----

  void relate(uint32_t index) {
    const Operation& operation = graph_.operations[index];
    const std::vector<MovementBox>& boxes = operation.movement.boxes;
    for (uint32_t output = 0; output < operation.outputs.size(); ++output) {
      const uint32_t made = operation.outputs[output];
      std::vector<size_t> writers;
      for (size_t b = 0; b < boxes.size(); ++b)
        if (boxes[b].output == output) writers.push_back(b);
      if (writers.size() == 1 && boxes[writers[0]].input != MovementBox::kFill) {
        const MovementBox& box = boxes[writers[0]];
        result_.moves[index][writers[0]] = false;
        if (put_output_in_input(box, made, operation.inputs[box.input])) continue;
        result_.moves[index][writers[0]] = true;
      }
      for (size_t b : writers) {
        if (boxes[b].input == MovementBox::kFill) continue;
        result_.moves[index][b] = false;
        if (!put_input_in_output(boxes[b], operation.inputs[boxes[b].input], made)) result_.moves[index][b] = true;
      }
    }
  }

  bool put_output_in_input(const MovementBox& box, uint32_t child, uint32_t parent) {
    if (!is_scratch(child)) return false;
    auto relation = relation_of(box, Side::kFrom, child, parent);
    if (!relation) return false;
    const Place above = place_of(parent);
    if (!relation->is_part && !is_dense(parent, above)) return false;
    const bool cells = above.cell_stride != shape(child).channels;
    if (relation->is_part && !is_dense(child, above) && !may_spread(child, cells)) return false;
    while (shorten(*relation)) {
    }
    link(child, *relation);
    return true;
  }

  /// From a relation to a parent to one to the parent's parent.
  bool shorten(Relation& relation) const {
    const Relation& above = relations_[relation.parent];
    if (above.parent == kNone || (relation.is_part && !above.is_part)) return false;
    const Shape inner = shape(relation.parent), outer = shape(above.parent);
    if (relation.is_part) {
      const Pitches pitches{inner.row_bytes(), inner.channels, outer.row_bytes(), outer.channels};
      relation = {above.parent, above.offset + pitches.offset(relation.offset), true};
      return true;
    }
    // The parent is dense: one run of the bytes of its own parent, if that is dense, too.
    if (!is_dense(above.parent, place_of(above.parent))) return false;
    relation = {above.parent, above.offset + relation.offset, false};
    return true;
  }

  bool put_input_in_output(const MovementBox& box, uint32_t child, uint32_t parent) {
    if (box.bytes() != bytes(child)) return false;
    const uint32_t root = root_of(child);
    if (root == parent || !is_scratch(root)) return false;
    if (root == child) {
      const auto relation = relation_of(box, Side::kTo, child, parent);
      if (!relation) return false;
      if (relation->is_part) {
        const Shape above = shape(parent);
        const Place inside{0, 0, above.channels, above.row_bytes()};
        if (!is_dense(child, inside) && !may_spread(child, inside.cell_stride != shape(child).channels)) return false;
      }
      link(child, *relation);
      return true;
    }
    // A root of which the child is everything, seen through another shape.
    if (!box.dims.empty() || bytes(root) != bytes(child)) return false;
    const Place place = place_of(child);
    if (place.offset != 0 || !is_dense(child, place)) return false;
    link(root, {parent, box.to, false});
    return true;
  }

  /// How the child lies in the parent when `box` is all that connects them.
  std::optional<Relation> relation_of(const MovementBox& box, Side parent_side, uint32_t child, uint32_t parent) const {
    const uint64_t in_parent = parent_side == Side::kFrom ? box.from : box.to;
    const uint64_t in_child = parent_side == Side::kFrom ? box.to : box.from;
    if (in_child != 0 || box.bytes() != bytes(child)) return std::nullopt;
    const Shape inner = shape(child), outer = shape(parent);
    if (inner.batch == 1 && outer.batch == 1 && inner.width <= outer.width && inner.channels <= outer.channels) {
      MovementBox part;
      part.run = inner.channels;
      part.dims = {{inner.height, inner.row_bytes(), outer.row_bytes()}, {inner.width, inner.channels, outer.channels}};
      if (parent_side == Side::kFrom)
        for (MovementBox::Dim& dim : part.dims) std::swap(dim.from_stride, dim.to_stride);
      part.simplify();
      const bool fits = in_parent % outer.channels + inner.channels <= outer.channels &&
                        in_parent % outer.row_bytes() / outer.channels + inner.width <= outer.width;
      if (fits && part.run == box.run && part.dims == box.dims) return Relation{parent, in_parent, true};
    }
    if (!box.dims.empty()) return std::nullopt;
    return Relation{parent, in_parent, false};
  }

  void link(uint32_t child, const Relation& relation) {
    relations_[child] = relation;
    children_[relation.parent].push_back(child);
  }

  uint32_t root_of(uint32_t tensor) const {
    while (relations_[tensor].parent != kNone) tensor = relations_[tensor].parent;
    return tensor;
  }

  /// Without its group.
  Place place_of(uint32_t tensor) const {
    std::vector<uint32_t> path{tensor};
    while (relations_[path.back()].parent != kNone) path.push_back(relations_[path.back()].parent);
    Place place;
    for (auto at = path.rbegin(); at != path.rend(); ++at) {
      const Relation& relation = relations_[*at];
      const Shape own = shape(*at);
      if (relation.parent != kNone && relation.is_part) {
        const Shape outer = shape(relation.parent);
        const Pitches pitches{outer.row_bytes(), outer.channels, place.row_stride, place.cell_stride};
        place.offset += pitches.offset(relation.offset);
      } else {
        place = {Place::kNone, place.offset + relation.offset, own.channels, own.row_bytes()};
      }
    }
    return place;
  }

  bool is_dense(uint32_t tensor, const Place& place) const {
    const Shape own = shape(tensor);
    return (own.width == 1 || place.cell_stride == own.channels) &&
           (uint64_t{own.batch} * own.height == 1 || place.row_stride == own.row_bytes());
  }

  /// Whether a tensor and its children can be read and written with space between the rows, or even between the cells.
  bool may_spread(uint32_t tensor, bool cells) const {
    std::vector<uint32_t> left{tensor};
    while (!left.empty()) {
      const uint32_t next = left.back();
      left.pop_back();
      if (shape(next).batch != 1 || (next != tensor && !relations_[next].is_part)) return false;
      for (uint32_t user : users_[next])
        if (!user_may_spread(user, next, cells)) return false;
      left.insert(left.end(), children_[next].begin(), children_[next].end());
    }
    return true;
  }

  bool user_may_spread(uint32_t index, uint32_t tensor, bool cells) const {
    const Operation& operation = graph_.operations[index];
    switch (operation.type) {
      case OperationType::kConv2d:
      case OperationType::kDepthwiseConv2d:
      case OperationType::kGroupedConv2d:
      case OperationType::kTransposeConv2d:
      case OperationType::kAveragePool2d:
      case OperationType::kMaxPool2d:
        return true;
      case OperationType::kResizeBilinear:
        return true;
      case OperationType::kAdd:
      case OperationType::kMultiply:
      case OperationType::kMaximum:
      case OperationType::kMinimum:
      case OperationType::kPrelu:
      case OperationType::kTable:
        // Through another shape than its own a tensor is seen as dense.
        return !cells && graph_.tensors[tensor].dims.size() == graph_.tensors[operation.outputs[0]].dims.size();
      case OperationType::kArgMaximum:
      case OperationType::kArgMinimum:
        return operation.attributes.across_channels && tensor == operation.inputs[0];
      case OperationType::kReduceSum:
      case OperationType::kReduceMaximum:
      case OperationType::kReduceMinimum:
      case OperationType::kSoftmax:
      case OperationType::kL2Normalise:
      case OperationType::kFullyConnected:
        return false;
      case OperationType::kMovement:
        break;
    }
    const Shape own = shape(tensor);
    const uint64_t cell_pitch = own.channels + (cells ? 1 : 0);
    const Pitches spread{own.row_bytes(), own.channels, own.width * cell_pitch + 1, cell_pitch};
    for (size_t b = 0; b < operation.movement.boxes.size(); ++b) {
      if (!result_.moves[index][b]) continue;
      const MovementBox& box = operation.movement.boxes[b];
      const bool from = box.input != MovementBox::kFill && operation.inputs[box.input] == tensor;
      MovementBox reading = box, writing = box;
      if (from && !place_box(reading, Side::kFrom, spread)) return false;
      if (operation.outputs[box.output] == tensor && !place_box(writing, Side::kTo, spread)) return false;
    }
    return true;
  }

  // ---- groups ----

  uint32_t open(uint32_t tensor, Home home, uint32_t position) {
    Place& place = result_.of_tensor[tensor];
    if (place.group != Place::kNone) return place.group;
    place = place_of(tensor);
    place.group = static_cast<uint32_t>(result_.groups.size());
    result_.groups.push_back({tensor, bytes(tensor), home, position, graph_.tensors[tensor].data});
    return place.group;
  }

  void place(uint32_t tensor) {
    if (result_.of_tensor[tensor].group != Place::kNone) return;
    const uint32_t root = root_of(tensor);
    const bool constant = graph_.tensors[root].data != nullptr, output = home_position_[root] != kNone;
    const uint32_t group = open(root, constant ? Home::kConstant : output ? Home::kOutput : Home::kScratch,
                                output && !constant ? home_position_[root] : 0);
    Place place = place_of(tensor);
    place.group = group;
    result_.of_tensor[tensor] = place;
  }

  void add_output(uint32_t position) {
    const uint32_t tensor = graph_.outputs[position];
    place(tensor);
    const TensorGroup& group = result_.groups[result_.of_tensor[tensor].group];
    if (group.home == Home::kOutput && group.root == tensor && group.position == position) return;
    result_.output_copies.push_back({tensor, position, static_cast<uint32_t>(result_.groups.size())});
    result_.groups.push_back({tensor, bytes(tensor), Home::kOutput, position, nullptr});
  }

  const Graph& graph_;
  TensorPlaces result_;
  std::vector<Relation> relations_;
  std::vector<std::vector<uint32_t>> children_, users_;
  std::vector<uint32_t> home_position_;  // among the graph's outputs
  std::vector<bool> is_input_;
};

}  // namespace

TensorPlaces place_tensors(const Graph& graph) { return Placement(graph).run(); }

}  // namespace avocet::compiler
