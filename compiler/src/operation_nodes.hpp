// SPDX-License-Identifier: Apache-2.0
// The nodes that one operation of the graph becomes, for one image, and on which parts of its tensors they work.
#pragma once

#include <avocet/compiler/graph.hpp>
#include <vector>

#include "network.hpp"
#include "tensor_shape.hpp"

namespace avocet::compiler {

/// Some rows, columns and channels of an image.
struct MapPart {
  static constexpr uint32_t kAll = UINT32_MAX;
  uint32_t first_row = 0, row_step = 1, rows = kAll;
  uint32_t first_column = 0, column_step = 1, columns = kAll;
  uint32_t first_channel = 0, channels = kAll;

  /// Makes a map of the whole image one of the part; its offset is the caller's.
  void cut(Map& map) const;
};

struct NodePart {
  Node node;
  MapPart input, output;
};

/// Without tags and maps. Adds the weights and tables that the nodes refer to.
std::vector<NodePart> operation_nodes(const Graph& graph, const Operation& operation, const Shape& in, const Shape& out,
                                      Network& network);

/// Useful multiplications for all images.
uint64_t operation_macs(const Graph& graph, const Operation& operation, const Shape& in, const Shape& out);

}  // namespace avocet::compiler
