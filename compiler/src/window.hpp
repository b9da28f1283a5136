// SPDX-License-Identifier: Apache-2.0
// A part of a map in an SRAM block. Cells outside the map may be in it too: padding.
#pragma once

#include <algorithm>
#include <cstdint>

#include "network.hpp"
#include "place_box.hpp"

namespace avocet::compiler {

/// Cells [row_begin, row_end) x [column_begin, column_end), channels [channel_begin, channel_end) of a map.
struct Box {
  int64_t row_begin = 0, row_end = 0, column_begin = 0, column_end = 0;
  uint32_t channel_begin = 0, channel_end = 0;

  int64_t rows() const { return row_end - row_begin; }
  int64_t columns() const { return column_end - column_begin; }
  uint32_t channels() const { return channel_end - channel_begin; }
  bool empty() const { return rows() <= 0 || columns() <= 0; }
  Box inside(const Map& map) const {
    Box box = *this;
    box.row_begin = std::clamp<int64_t>(row_begin, 0, map.height);
    box.row_end = std::clamp<int64_t>(row_end, 0, map.height);
    box.column_begin = std::clamp<int64_t>(column_begin, 0, map.width);
    box.column_end = std::clamp<int64_t>(column_end, 0, map.width);
    return box;
  }
};

struct Window {
  uint32_t block = 0;
  int64_t origin = 0;       // offset in the block of the map's cell (0, 0), channel 0; that cell itself may be outside
  int64_t row_pitch = 0;    // bytes
  uint32_t cell_bytes = 0;  // bytes between neighbouring cells

  Pitches pitches(const Map& map) const {
    return {map.row_bytes(), map.channels, static_cast<uint64_t>(row_pitch), cell_bytes};
  }
  uint32_t offset(int64_t row, int64_t column, uint32_t channel) const {
    return static_cast<uint32_t>(origin + row * row_pitch + column * cell_bytes + channel);
  }

  /// Whole rows from `first_row` on, with the map's gaps.
  static Window of_rows(uint32_t block, const Map& map, int64_t first_row) {
    const auto pitch = static_cast<int64_t>(map.row_pitch());
    return {block, int64_t{map.gap} * map.channels - first_row * pitch, pitch, map.channels};
  }
  /// In a block that holds a whole value.
  static Window of_value(uint32_t block, const Value& value, const Map& map) {
    const Frame& f = value.frame;
    if (f.height == 0) {
      return {block, static_cast<int64_t>(map.offset), static_cast<int64_t>(map.row_stride),
              static_cast<uint32_t>(map.cell_stride)};
    }
    const uint64_t row = uint64_t{f.width} * f.channels, pitch = f.row_pitch();
    const uint64_t origin = uint64_t{f.gap} * f.channels + (f.margin_top + map.offset / row) * pitch + map.offset % row;
    const uint64_t row_pitch = map.height > 1 ? map.row_stride / row * pitch : pitch;
    const uint64_t cell = map.width > 1 ? map.cell_stride : f.channels;
    return {block, static_cast<int64_t>(origin), static_cast<int64_t>(row_pitch), static_cast<uint32_t>(cell)};
  }
  /// Exactly the box, densely.
  static Window of_box(uint32_t block, const Box& box) {
    const int64_t cell = box.channels(), pitch = box.columns() * cell;
    return {block, -(box.row_begin * pitch + box.column_begin * cell + box.channel_begin), pitch, box.channels()};
  }
};

}  // namespace avocet::compiler
