// SPDX-License-Identifier: Apache-2.0
// Where the tensors of a graph lie. Tensors share one run of bytes, a group, when a movement between them only picks a
// contiguous part, or a part of the rows, columns and channels, of the other: then the movement costs nothing. A graph
// input, a constant and a graph output have a home of their own, so between two of them bytes are moved.
#pragma once

#include <avocet/compiler/graph.hpp>
#include <cstdint>
#include <vector>

#include "network.hpp"

namespace avocet::compiler {

struct TensorGroup {
  uint32_t root = 0;  // the tensor that is all of the group
  uint64_t bytes = 0;
  Home home = Home::kScratch;
  uint32_t position = 0;       // kInput, kOutput: in the graph's list
  const void* data = nullptr;  // kConstant
};

/// A tensor inside its group.
struct Place {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t group = kNone;  // kNone: weights and unused tensors
  uint64_t offset = 0;
  uint64_t cell_stride = 1, row_stride = 1;
};

/// A copy that the graph does not avoid: of a tensor to the home of graph output `output`.
struct OutputCopy {
  uint32_t tensor = 0, output = 0, group = 0;  // group: of the copy
};

struct TensorPlaces {
  std::vector<TensorGroup> groups;
  std::vector<Place> of_tensor;
  std::vector<std::vector<bool>> moves;   // per operation and box of a movement: bytes really move
  std::vector<OutputCopy> output_copies;  // behind all operations
};

TensorPlaces place_tensors(const Graph& graph);

}  // namespace avocet::compiler
