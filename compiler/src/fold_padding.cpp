// SPDX-License-Identifier: Apache-2.0
// A movement pads when it is one box that puts the whole input somewhere into an output with as many images and channels,
// and fills for the rest.
#include <optional>

#include "graph_passes.hpp"
#include "operation_rules.hpp"

namespace avocet::compiler {
namespace {

struct Border {
  uint32_t top = 0, left = 0;
};

std::optional<Border> border_of(const Graph& graph, const Operation& operation) {
  if (operation.type != OperationType::kMovement || operation.inputs.size() != 1 || operation.outputs.size() != 1)
    return std::nullopt;
  const Tensor &in = graph.tensors[operation.inputs[0]], &out = graph.tensors[operation.outputs[0]];
  if (in.dims.size() != 4 || out.dims.size() != 4 || in.dims[0] != out.dims[0] || in.dims[3] != out.dims[3])
    return std::nullopt;
  const bool zero = operation.movement.fill_value == static_cast<uint8_t>(in.zero_point);
  if (!zero || in.zero_point != out.zero_point || in.scale != out.scale || in.type != out.type) return std::nullopt;
  const MovementBox* copy = nullptr;
  for (const MovementBox& box : operation.movement.boxes) {
    if (box.input == MovementBox::kFill) continue;
    if (copy) return std::nullopt;
    copy = &box;
  }
  if (!copy || copy->from != 0) return std::nullopt;
  const uint64_t cell = in.dims[3], from_row = in.dims[2] * cell, to_row = out.dims[2] * cell;
  MovementBox expected;
  expected.run = cell;
  expected.dims = {{in.dims[0], in.dims[1] * from_row, out.dims[1] * to_row},
                   {in.dims[1], from_row, to_row},
                   {in.dims[2], cell, cell}};
  expected.simplify();
  if (copy->run != expected.run || copy->dims != expected.dims) return std::nullopt;
  // [1, 3, 1, c] has the bytes of [1, 1, 3, c], but nothing is padded there.
  const uint64_t top = copy->to / to_row, left = copy->to % to_row / cell;
  if (top + in.dims[1] > out.dims[1] || left + in.dims[2] > out.dims[2]) return std::nullopt;
  return Border{static_cast<uint32_t>(top), static_cast<uint32_t>(left)};
}

bool takes_padding(OperationType type) {
  return type == OperationType::kConv2d || type == OperationType::kDepthwiseConv2d ||
         type == OperationType::kGroupedConv2d;
}

}  // namespace

void fold_padding(Graph& graph) {
  std::vector<uint32_t> maker(graph.tensors.size(), UINT32_MAX);
  for (uint32_t i = 0; i < graph.operations.size(); ++i) {
    for (uint32_t tensor : graph.operations[i].outputs) maker[tensor] = i;
    if (!takes_padding(graph.operations[i].type)) continue;
    const uint32_t padded = graph.operations[i].inputs[0];
    if (maker[padded] == UINT32_MAX) continue;
    const Operation& padding = graph.operations[maker[padded]];
    const auto border = border_of(graph, padding);
    if (!border) continue;
    const Operation before = graph.operations[i];
    Operation& reader = graph.operations[i];
    reader.inputs[0] = padding.inputs[0];
    reader.attributes.pad_top += border->top;
    reader.attributes.pad_left += border->left;
    reader.folded_sources.push_back(padding.source);
    if (operation_obstacle(graph, i)) reader = before;
  }
}

}  // namespace avocet::compiler
