// SPDX-License-Identifier: Apache-2.0
// Which part of its inputs a node reads for a part of its output.
#pragma once

#include "network.hpp"
#include "window.hpp"

namespace avocet::compiler {

struct Span {
  int64_t begin = 0, end = 0;
};

/// Rows and columns of `input` for those of the output [begin, end), end > begin. Of convolutions and pools they may lie
/// outside the map: padding.
Span rows_read(const Node& node, const Map& input, const Map& output, uint32_t begin, uint32_t end);
Span columns_read(const Node& node, const Map& input, const Map& output, uint32_t begin, uint32_t end);

/// Cells and channels for a box of the output; all channels for convolutions.
Box box_read(const Node& node, const Map& input, const Map& output, const Box& box);

/// At most so many cells and channels of the input for any box of these extents; padding counts for convolutions alone.
uint64_t bytes_read(const Node& node, const Map& input, const Map& output, uint32_t rows, uint32_t columns,
                    uint32_t channels);

inline bool is_elementwise(NodeKind kind) {
  return kind == NodeKind::kAdd || kind == NodeKind::kBinary || kind == NodeKind::kTable;
}
/// Works along whole rows of [outer, axis, inner].
inline bool is_along_axis(const Node& node) {
  return node.kind == NodeKind::kReduce || node.kind == NodeKind::kSoftmax || node.kind == NodeKind::kNormalise ||
         (node.kind == NodeKind::kArgReduce && !node.vector.across_channels);
}

}  // namespace avocet::compiler
