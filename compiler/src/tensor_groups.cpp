// SPDX-License-Identifier: Apache-2.0
#include "tensor_groups.hpp"

#include <algorithm>

#include "operation_rules.hpp"

namespace avocet::compiler {
namespace {

class Grouping {
 public:
  explicit Grouping(const Graph& graph) : graph_(graph) {
    result_.of_tensor.assign(graph.tensors.size(), TensorGroups::kNone);
    result_.copied.assign(graph.operations.size(), false);
  }

  TensorGroups run() {
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      const uint32_t tensor = graph_.inputs[i];
      if (result_.of_tensor[tensor] == TensorGroups::kNone) open(tensor, Home::kInput, static_cast<uint32_t>(i));
    }
    for (size_t i = 0; i < graph_.operations.size(); ++i) add_operation(i);
    for (size_t i = 0; i < graph_.outputs.size(); ++i) add_output(static_cast<uint32_t>(i));
    return std::move(result_);
  }

 private:
  uint32_t open(uint32_t tensor, Home home, uint32_t position) {
    const auto group = static_cast<uint32_t>(result_.groups.size());
    result_.groups.push_back({byte_count(graph_.tensors[tensor]), home, position, nullptr});
    result_.of_tensor[tensor] = group;
    return group;
  }

  /// Activations may be constants too.
  uint32_t group_of_input(uint32_t tensor) {
    if (result_.of_tensor[tensor] == TensorGroups::kNone)
      result_.groups[open(tensor, Home::kConstant, 0)].data = graph_.tensors[tensor].data;
    return result_.of_tensor[tensor];
  }

  void open_output(uint32_t tensor) {
    const auto listed = std::find(graph_.outputs.begin(), graph_.outputs.end(), tensor);
    if (listed == graph_.outputs.end())
      open(tensor, Home::kScratch, 0);
    else
      open(tensor, Home::kOutput, static_cast<uint32_t>(listed - graph_.outputs.begin()));
  }

  void add_operation(size_t index) {
    const Operation& operation = graph_.operations[index];
    const bool two = operation.type == OperationType::kAdd;
    const uint32_t source = group_of_input(operation.inputs[0]);
    if (two) group_of_input(operation.inputs[1]);
    const uint32_t output = operation.outputs[0];
    if (operation.type != OperationType::kReshape) return open_output(output);
    const auto listed = std::find(graph_.outputs.begin(), graph_.outputs.end(), output);
    if (listed == graph_.outputs.end()) {
      result_.of_tensor[output] = source;
    } else if (result_.groups[source].home == Home::kScratch) {
      result_.groups[source].home = Home::kOutput;
      result_.groups[source].position = static_cast<uint32_t>(listed - graph_.outputs.begin());
      result_.of_tensor[output] = source;
    } else {
      open_output(output);
      result_.copied[index] = true;
    }
  }

  void add_output(uint32_t position) {
    const uint32_t tensor = graph_.outputs[position];
    const TensorGroup& group = result_.groups[group_of_input(tensor)];
    if (group.home == Home::kOutput && group.position == position) return;
    const auto copy = static_cast<uint32_t>(result_.groups.size());
    result_.output_copies.push_back({tensor, position, copy});
    result_.groups.push_back({group.bytes, Home::kOutput, position, nullptr});
  }

  const Graph& graph_;
  TensorGroups result_;
};

}  // namespace

uint64_t byte_count(const Tensor& tensor) {
  return element_count(tensor) * (tensor.type == ElementType::kInt32 ? 4 : 1);
}

TensorGroups group_tensors(const Graph& graph) { return Grouping(graph).run(); }

}  // namespace avocet::compiler
