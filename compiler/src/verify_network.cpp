// SPDX-License-Identifier: Apache-2.0
// What every pass over a Network must leave true.
#include "network.hpp"
#include "weight_chunks.hpp"

namespace avocet::compiler {
namespace {

class Verification {
 public:
  Verification(const Network& network, const char* after_pass) : network_(network), pass_(after_pass) {}

  void run() {
    for (const Map& map : network_.maps) {
      require(map.value < network_.values.size(), "a map of no value");
      require(map.bytes() > 0 && map.offset + map.extent() <= network_.values[map.value].bytes,
              "a map beyond its value");
      require(map.channels <= map.cell_stride && map.row_stride >= (map.width - 1) * map.cell_stride + map.channels,
              "a map whose cells overlap");
    }
    std::vector<bool> written(network_.values.size());
    for (const Node& node : network_.nodes) {
      require(node.tag < network_.layers.size(), "a node of no layer");
      const bool two = node.kind == NodeKind::kAdd || node.kind == NodeKind::kBinary;
      require(node.inputs.size() == (two ? 2u : fills_only(node) ? 0u : 1u),
              "a node with another number of inputs");
      require(node.output < network_.maps.size(), "a node without output");
      for (uint32_t input : node.inputs) {
        require(input < network_.maps.size(), "a node without input");
        const Value& value = network_.values[network_.maps[input].value];
        const bool given = value.home == Home::kInput || value.home == Home::kConstant;
        require(given || written[network_.maps[input].value], "a value read before it is written");
      }
      const Home home = network_.values[network_.output(node).value].home;
      require(home == Home::kScratch || home == Home::kOutput, "a node that writes what is given");
      written[network_.output(node).value] = true;
      if (node.kind == NodeKind::kMovement) check_movement(node);
      if (has_table(node.kind)) require(node.table < network_.tables.size(), "a node without its table");
      if (node.kind == NodeKind::kConvolution || node.kind == NodeKind::kDepthwise) check_weights(node);
    }
  }

 private:
  bool fills_only(const Node& node) const {
    return node.kind == NodeKind::kMovement && node.movement < network_.movements.size() &&
           network_.movements[node.movement].boxes[0].input == MovementBox::kFill;
  }
  void check_movement(const Node& node) const {
    require(node.movement < network_.movements.size(), "a movement without boxes");
    for (const MovementBox& box : network_.movements[node.movement].boxes) {
      require(box.to + box.to_extent() <= network_.output(node).bytes(), "a movement beyond its output");
      require((box.input == MovementBox::kFill) == node.inputs.empty(), "a movement that fills and copies");
      if (node.inputs.empty()) continue;
      require(box.from + box.from_extent() <= network_.input(node).bytes(), "a movement from beyond its input");
    }
  }
  void check_weights(const Node& node) const {
    require(node.weights < network_.weights.size(), "a convolution without weights");
    const Weights& weights = network_.weights[node.weights];
    require((weights.data || weights.are_zero) && weights.bias, "weights without data");
    require(weights.scales.size() == network_.output(node).channels, "weights with another number of channels");
  }
  void require(bool truth, const char* fault) const {
    if (!truth) throw CompileError(std::string("internal fault after ") + pass_ + ": " + fault);
  }

  const Network& network_;
  const char* pass_;
};

}  // namespace

void verify_network(const Network& network, const char* after_pass) { Verification(network, after_pass).run(); }

}  // namespace avocet::compiler
