// SPDX-License-Identifier: Apache-2.0
#include "reads.hpp"

#include <algorithm>

namespace avocet::compiler {
namespace {

constexpr int kFractionBits = 10;  // of RESIZE's positions

/// An extent of 1 stands for all.
Span repeated(uint32_t extent, uint32_t of, uint32_t begin, uint32_t end) {
  if (extent == 1 && of > 1) return {0, 1};
  return {begin, end};
}

Span resampled(int64_t start, int64_t step, uint32_t extent, uint32_t begin, uint32_t end) {
  const auto cell = [&](uint32_t index) {
    return std::clamp<int64_t>(start + index * step, 0, int64_t{extent - 1} << kFractionBits) >> kFractionBits;
  };
  return {cell(begin), std::min<int64_t>(extent, cell(end - 1) + 2)};
}

uint64_t widest(int64_t step, uint32_t extent, uint32_t count) {
  return std::min<uint64_t>(extent, static_cast<uint64_t>(((count - 1) * step) >> kFractionBits) + 3);
}

}  // namespace

Span rows_read(const Node& node, const Map& input, const Map& output, uint32_t begin, uint32_t end) {
  if (is_elementwise(node.kind)) return repeated(input.height, output.height, begin, end);
  if (is_along_axis(node)) return {begin, end};
  const Resampling& r = node.vector.resampling;
  if (node.kind == NodeKind::kResize) return resampled(r.y_start, r.y_step, input.height, begin, end);
  return {node.geometry.first_row(begin), node.geometry.end_row(end)};
}

Span columns_read(const Node& node, const Map& input, const Map& output, uint32_t begin, uint32_t end) {
  if (is_elementwise(node.kind)) return repeated(input.width, output.width, begin, end);
  if (is_along_axis(node)) return {0, input.width};
  const Resampling& r = node.vector.resampling;
  if (node.kind == NodeKind::kResize) return resampled(r.x_start, r.x_step, input.width, begin, end);
  return {node.geometry.first_column(begin), node.geometry.end_column(end)};
}

Box box_read(const Node& node, const Map& input, const Map& output, const Box& box) {
  const Span rows = rows_read(node, input, output, static_cast<uint32_t>(box.row_begin), static_cast<uint32_t>(box.row_end));
  const Span columns =
      columns_read(node, input, output, static_cast<uint32_t>(box.column_begin), static_cast<uint32_t>(box.column_end));
  Box cells{rows.begin, rows.end, columns.begin, columns.end, box.channel_begin, box.channel_end};
  if (node.kind == NodeKind::kConvolution) {
    cells.channel_begin = 0;
    cells.channel_end = input.channels;
    return cells;
  }
  if (node.vector.across_channels) {
    cells.channel_begin = 0;
    cells.channel_end = input.channels;
  } else if (node.depth_multiplier > 1) {
    cells.channel_begin = box.channel_begin / node.depth_multiplier;
    cells.channel_end = static_cast<uint32_t>((uint64_t{box.channel_end} + node.depth_multiplier - 1) / node.depth_multiplier);
  } else if (input.channels == 1 && output.channels > 1) {
    cells.channel_begin = 0;
    cells.channel_end = 1;
  }
  return cells.inside(input);
}

uint64_t bytes_read(const Node& node, const Map& input, const Map& output, uint32_t rows, uint32_t columns,
                    uint32_t channels) {
  const Span high = rows_read(node, input, output, 0, rows), wide = columns_read(node, input, output, 0, columns);
  auto height = static_cast<uint64_t>(high.end - high.begin), width = static_cast<uint64_t>(wide.end - wide.begin);
  if (node.kind == NodeKind::kConvolution) return height * width * channels;
  if (node.kind == NodeKind::kResize) {
    height = widest(node.vector.resampling.y_step, input.height, rows);
    width = widest(node.vector.resampling.x_step, input.width, columns);
  }
  channels = node.vector.across_channels ? input.channels : (channels + node.depth_multiplier - 1) / node.depth_multiplier;
  if (input.channels == 1 && output.channels > 1) channels = 1;
  return std::min<uint64_t>(height, input.height) * std::min<uint64_t>(width, input.width) * channels;
}

}  // namespace avocet::compiler
