// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "passes.hpp"
#include "place_box.hpp"
#include "window.hpp"

namespace avocet::compiler {
namespace {

void pad_for(const Node& node, const Map& output, Map& input) {
  const Geometry& g = node.geometry;
  const auto beyond = [](int64_t end, uint32_t size) {
    return static_cast<uint32_t>(std::max<int64_t>(0, end - size));
  };
  const auto before = [](int32_t pad) { return static_cast<uint32_t>(std::max(0, pad)); };
  input.gap = std::max({input.gap, before(g.pad_left), beyond(g.end_column(output.width), input.width)});
  input.margin_top = std::max(input.margin_top, before(g.pad_top));
  input.margin_bottom = std::max(input.margin_bottom, beyond(g.end_row(output.height), input.height));
}

/// The frame of which the map is all rows and columns: beside others there are neighbours and no padding.
std::optional<Frame> frame_around(const Map& map, const Value& value) {
  const uint64_t cell = map.width > 1 ? map.cell_stride : map.height > 1 ? map.row_stride : value.bytes;
  const bool whole_rows = map.height == 1 || map.row_stride == map.width * cell;
  if (!whole_rows || map.height * map.width * cell != value.bytes || map.offset + map.channels > cell) return std::nullopt;
  return Frame{map.height, map.width, static_cast<uint32_t>(cell), map.gap, map.margin_top, map.margin_bottom, map.zero_point};
}

bool same_extents(const Frame& a, const Frame& b) {
  return a.height == b.height && a.width == b.width && a.channels == b.channels;
}

/// Whether the map is some rows, columns and channels of the frame.
bool lies_in(const Map& map, const Frame& frame) {
  const uint64_t row = uint64_t{frame.width} * frame.channels, in_row = map.offset % row;
  if (map.height > 1 && map.row_stride % row != 0) return false;
  if (map.width > 1 && map.cell_stride % frame.channels != 0) return false;
  return in_row % frame.channels + map.channels <= frame.channels &&
         in_row / frame.channels * frame.channels + (map.width - 1) * map.cell_stride < row;
}

/// The frame that serves all of the value's maps: no height when none needs padding, nullopt when there is none.
std::optional<Frame> common_frame(const Value& value, const std::vector<Map*>& maps) {
  Frame common;
  for (const Map* map : maps) {
    if (!map->is_padded()) continue;
    const auto frame = frame_around(*map, value);
    if (!frame || (common.height && (!same_extents(*frame, common) || frame->zero_point != common.zero_point)))
      return std::nullopt;
    const Frame before = common;
    common = *frame;
    common.gap = std::max(common.gap, before.gap);
    common.margin_top = std::max(common.margin_top, before.margin_top);
    common.margin_bottom = std::max(common.margin_bottom, before.margin_bottom);
  }
  if (!common.height) return common;
  for (const Map* map : maps)
    if (!lies_in(*map, common)) return std::nullopt;
  return common;
}

bool movement_fits(const Network& network, const Node& node, const Map& map, Side side) {
  const Window window = Window::of_value(0, network.values[map.value], map);
  for (MovementBox box : network.movements[node.movement].boxes)
    if (!place_box(box, side, window.pitches(map))) return false;
  return true;
}

}  // namespace

void choose_layouts(Network& network) {
  for (const Node& node : network.nodes)
    if (node.kind == NodeKind::kConvolution) pad_for(node, network.output(node), network.maps[node.inputs[0]]);

  std::vector<std::vector<Map*>> maps(network.values.size());
  for (Map& map : network.maps) maps[map.value].push_back(&map);
  const auto keep_in_dram = [](Value& value) {
    value.dram_only = true;
    value.frame = {};
  };
  for (size_t i = 0; i < maps.size(); ++i) {
    Value& value = network.values[i];
    if (value.dram_only) continue;  // of several cores
    if (const auto frame = common_frame(value, maps[i]))
      value.frame = *frame;
    else
      keep_in_dram(value);
  }
  for (const Node& node : network.nodes) {
    if (node.kind != NodeKind::kMovement) continue;
    if (!movement_fits(network, node, network.output(node), Side::kTo)) keep_in_dram(network.values[network.output(node).value]);
    for (uint32_t input : node.inputs)
      if (!movement_fits(network, node, network.maps[input], Side::kFrom))
        keep_in_dram(network.values[network.maps[input].value]);
  }
  // Windows of such maps are laid out like the frame, as far as that goes.
  for (size_t i = 0; i < maps.size(); ++i) {
    const Frame& frame = network.values[i].frame;
    for (Map* map : maps[i]) {
      const auto around = frame.height ? frame_around(*map, network.values[i]) : std::nullopt;
      if (!around || !same_extents(*around, frame)) continue;
      map->gap = frame.gap;
      map->margin_top = frame.margin_top;
      map->margin_bottom = frame.margin_bottom;
    }
  }
}

}  // namespace avocet::compiler
