// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "graph_passes.hpp"
#include "operation_rules.hpp"

namespace avocet::compiler {
namespace {

struct Bounds {
  int32_t min, max;
};

/// The bounds when the table does nothing but clamp stored values of this type.
std::optional<Bounds> clamp_of_table(const std::vector<uint8_t>& table, ElementType type) {
  const int32_t low = type == ElementType::kUint8 ? 0 : -128, high = low + 255;
  const auto entry = [&](int32_t value) -> int32_t {
    const uint8_t byte = table[static_cast<uint8_t>(value)];
    return type == ElementType::kUint8 ? byte : static_cast<int8_t>(byte);
  };
  const Bounds bounds{entry(low), entry(high)};
  if (bounds.min > bounds.max) return std::nullopt;
  for (int32_t value = low; value <= high; ++value)
    if (entry(value) != std::clamp(value, bounds.min, bounds.max)) return std::nullopt;
  return bounds;
}

/// Whether the operation clamps what it makes anyway.
bool clamps(OperationType type) {
  switch (type) {
    case OperationType::kTable:
    case OperationType::kArgMaximum:
    case OperationType::kArgMinimum:
    case OperationType::kResizeBilinear:
    case OperationType::kMovement:
      return false;
    default:
      return true;
  }
}

class Fusion {
 public:
  explicit Fusion(Graph& graph) : graph_(graph), maker_(graph.tensors.size(), UINT32_MAX), readers_(graph.tensors.size()) {
    for (const Operation& operation : graph.operations)
      for (uint32_t tensor : operation.inputs) ++readers_[tensor];
    for (uint32_t tensor : graph.outputs) ++readers_[tensor];
  }

  void run() {
    for (uint32_t i = 0; i < graph_.operations.size(); ++i) {
      Operation& operation = graph_.operations[i];
      if (operation.type == OperationType::kTable) fuse(operation);
      for (uint32_t tensor : operation.outputs) maker_[tensor] = i;
    }
    // Operations whose output another one took over.
    std::erase_if(graph_.operations, [](const Operation& operation) { return operation.outputs.empty(); });
  }

 private:
  void fuse(Operation& table) {
    const uint32_t middle = table.inputs[0], output = table.outputs[0];
    if (maker_[middle] == UINT32_MAX || readers_[middle] != 1) return;
    Operation& before = graph_.operations[maker_[middle]];
    if (before.type == OperationType::kTable) {
      for (uint8_t& byte : before.table) byte = table.table[byte];
    } else if (clamps(before.type)) {
      const Tensor &from = graph_.tensors[middle], &to = graph_.tensors[output];
      const auto bounds = clamp_of_table(table.table, from.type);
      if (!bounds || from.type != to.type || from.scale != to.scale || from.zero_point != to.zero_point) return;
      Attributes& a = before.attributes;
      a.clamp_min = std::clamp(a.clamp_min, bounds->min, bounds->max);
      a.clamp_max = std::clamp(a.clamp_max, bounds->min, bounds->max);
    } else {
      return;
    }
    before.outputs[0] = output;
    before.folded_sources.push_back(table.source);
    maker_[output] = maker_[middle];
    table.outputs.clear();
  }

  Graph& graph_;
  std::vector<uint32_t> maker_;    // per tensor
  std::vector<uint32_t> readers_;  // per tensor; being returned counts
};

}  // namespace

void fuse_tables(Graph& graph) { Fusion(graph).run(); }

}  // namespace avocet::compiler
