// SPDX-License-Identifier: Apache-2.0
// Which tensors of a graph share one run of bytes because only RESHAPE stands between them, and where that run lives.
// A RESHAPE whose two sides both have a home of their own (a graph input and a graph output, say) stays: it is a copy.
#pragma once

#include <avocet/compiler/graph.hpp>
#include <cstdint>
#include <vector>

#include "network.hpp"

namespace avocet::compiler {

struct TensorGroup {
  uint64_t bytes = 0;
  Home home = Home::kScratch;
  uint32_t position = 0;       // kInput, kOutput: in the graph's list
  const void* data = nullptr;  // kConstant
};

/// A copy that the graph does not avoid: from a tensor's bytes to the home of graph output `output`.
struct OutputCopy {
  uint32_t tensor = 0, output = 0, group = 0;  // group: of the copy
};

struct TensorGroups {
  std::vector<TensorGroup> groups;
  std::vector<uint32_t> of_tensor;        // group index; kNone for weights and unused tensors
  std::vector<bool> copied;               // per operation: a RESHAPE that moves bytes
  std::vector<OutputCopy> output_copies;  // behind all operations
  static constexpr uint32_t kNone = UINT32_MAX;
};

TensorGroups group_tensors(const Graph& graph);

uint64_t byte_count(const Tensor& tensor);

}  // namespace avocet::compiler
