// SPDX-License-Identifier: Apache-2.0
// What every pass over a Network must leave true.
#include "network.hpp"

namespace avocet::compiler {
namespace {

class Verification {
 public:
  Verification(const Network& network, const char* after_pass) : network_(network), pass_(after_pass) {}

  void run() {
    for (const Map& map : network_.maps) {
      require(map.value < network_.values.size(), "a map of no value");
      require(map.bytes() > 0 && map.offset + map.bytes() <= network_.values[map.value].bytes,
              "a map beyond its value");
    }
    std::vector<bool> written(network_.values.size());
    for (const Node& node : network_.nodes) {
      require(node.tag < network_.layers.size(), "a node of no layer");
      require(node.inputs.size() == (node.kind == NodeKind::kAdd ? 2u : 1u), "a node with another number of inputs");
      require(node.output < network_.maps.size(), "a node without output");
      for (uint32_t input : node.inputs) {
        require(input < network_.maps.size(), "a node without input");
        const Value& value = network_.values[network_.maps[input].value];
        const bool given = value.home == Home::kInput || value.home == Home::kConstant;
        require(given || written[network_.maps[input].value], "a value read before it is written");
      }
      const uint32_t value = network_.output(node).value;
      require(!written[value] || network_.values[value].dram_only, "a value written twice");
      written[value] = true;
      if (node.kind == NodeKind::kConvolution || node.kind == NodeKind::kDepthwise) check_weights(node);
    }
  }

 private:
  void check_weights(const Node& node) const {
    require(node.weights < network_.weights.size(), "a convolution without weights");
    const Weights& weights = network_.weights[node.weights];
    require(weights.data && weights.bias, "weights without data");
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
