// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE, POOL and RESIZE.
#include <algorithm>

#include "cut_rows.hpp"
#include "node_commands.hpp"
#include "reads.hpp"

namespace avocet::compiler {
namespace {

/// Input cells inside the map that the windows of an output box touch.
Box touched(const Geometry& g, const Map& input, const Box& box) {
  Box cells = box;
  cells.row_begin = g.first_row(static_cast<uint32_t>(box.row_begin));
  cells.row_end = g.end_row(static_cast<uint32_t>(box.row_end));
  cells.column_begin = g.first_column(static_cast<uint32_t>(box.column_begin));
  cells.column_end = g.end_column(static_cast<uint32_t>(box.column_end));
  return cells.inside(input);
}

}  // namespace

void NodeCommands::depthwise(const Node& node, const WeightChunk& chunk, uint32_t constants, const Window& input,
                             const Window& output, const Box& box, std::vector<Command>* commands) const {
  const uint64_t taps = uint64_t{node.geometry.kernel_height} * node.geometry.kernel_width;
  const uint64_t cycles = CommandCost(device_).depthwise(chunk.channels(), static_cast<uint64_t>(box.columns()),
                                                         static_cast<uint64_t>(box.rows()), taps);
  cut_rows(box, cycles,
           [&](const Box& part) { depthwise_rows(node, chunk, constants, input, output, part, commands); });
}

void NodeCommands::depthwise_rows(const Node& node, const WeightChunk& chunk, uint32_t constants, const Window& input,
                                  const Window& output, const Box& box, std::vector<Command>* commands) const {
  const Geometry& g = node.geometry;
  const Box cells = touched(g, network_.input(node), box);
  avocet_cmd_depthwise c{};
  c.input_unsigned = network_.input(node).is_unsigned;
  c.weight_zero_point = network_.weights[node.weights].zero_point;
  c.multiplier = node.depth_multiplier;
  c.ifm = input.offset(cells.row_begin, cells.column_begin, chunk.channel_begin / node.depth_multiplier);
  c.weights = static_cast<uint32_t>(chunk.tiles_offset);
  c.ofm = output.offset(box.row_begin, box.column_begin, chunk.channel_begin);
  c.channels = chunk.channels();
  c.input_channels = chunk.channels() / node.depth_multiplier;
  c.in_width = static_cast<uint32_t>(cells.columns());
  c.in_height = static_cast<uint32_t>(cells.rows());
  c.in_x_stride = stride_unless_one(c.in_width, input.cell_bytes);
  c.in_y_stride = stride_unless_one(c.in_height, input.row_pitch);
  c.x_count = static_cast<uint32_t>(box.columns());
  c.y_count = static_cast<uint32_t>(box.rows());
  c.x_stride = stride_unless_one(c.x_count, output.cell_bytes);
  c.y_stride = stride_unless_one(c.y_count, output.row_pitch);
  c.kernel_width = g.kernel_width;
  c.kernel_height = g.kernel_height;
  c.conv_stride_x = g.stride_x;
  c.conv_stride_y = g.stride_y;
  c.dilation_x = g.dilation_x;
  c.dilation_y = g.dilation_y;
  c.x_start = static_cast<int32_t>(g.first_column(static_cast<uint32_t>(box.column_begin)) - cells.column_begin);
  c.y_start = static_cast<int32_t>(g.first_row(static_cast<uint32_t>(box.row_begin)) - cells.row_begin);
  c.input_zero_point = network_.input(node).zero_point;
  c.zero_point = network_.output(node).zero_point;
  c.clamp_min = node.clamp.min;
  c.clamp_max = node.clamp.max;
  Command command;
  avocet_depthwise_encode(&c, node.tag, command.words.data());
  command.blocks = {input.block, constants, constants, output.block};
  commands->push_back(command);
}

void NodeCommands::pool(const Node& node, const Window& input, const Window& output, const Box& box,
                        std::vector<Command>* commands) const {
  const uint64_t taps = uint64_t{node.geometry.kernel_height} * node.geometry.kernel_width;
  const uint64_t cycles = CommandCost(device_).pool(box.channels(), static_cast<uint64_t>(box.columns()),
                                                    static_cast<uint64_t>(box.rows()), taps);
  cut_rows(box, cycles, [&](Box part) {
    for (uint64_t channel = box.channel_begin; channel < box.channel_end; channel += kCommandCountMax) {
      part.channel_begin = static_cast<uint32_t>(channel);
      part.channel_end = static_cast<uint32_t>(std::min<uint64_t>(box.channel_end, channel + kCommandCountMax));
      pool_rows(node, input, output, part, commands);
    }
  });
}

void NodeCommands::pool_rows(const Node& node, const Window& input, const Window& output, const Box& box,
                             std::vector<Command>* commands) const {
  const Geometry& g = node.geometry;
  const Box cells = touched(g, network_.input(node), box);
  avocet_cmd_pool c{};
  c.input_unsigned = network_.input(node).is_unsigned;
  c.mode = node.average ? AVOCET_POOL_MODE_AVERAGE : AVOCET_POOL_MODE_MAX;
  c.ifm = input.offset(cells.row_begin, cells.column_begin, box.channel_begin);
  c.ofm = output.offset(box.row_begin, box.column_begin, box.channel_begin);
  c.channels = box.channels();
  c.in_width = static_cast<uint32_t>(cells.columns());
  c.in_height = static_cast<uint32_t>(cells.rows());
  c.in_x_stride = stride_unless_one(c.in_width, input.cell_bytes);
  c.in_y_stride = stride_unless_one(c.in_height, input.row_pitch);
  c.x_count = static_cast<uint32_t>(box.columns());
  c.y_count = static_cast<uint32_t>(box.rows());
  c.x_stride = stride_unless_one(c.x_count, output.cell_bytes);
  c.y_stride = stride_unless_one(c.y_count, output.row_pitch);
  c.kernel_width = g.kernel_width;
  c.kernel_height = g.kernel_height;
  c.pool_stride_x = g.stride_x;
  c.pool_stride_y = g.stride_y;
  c.x_start = static_cast<int32_t>(g.first_column(static_cast<uint32_t>(box.column_begin)) - cells.column_begin);
  c.y_start = static_cast<int32_t>(g.first_row(static_cast<uint32_t>(box.row_begin)) - cells.row_begin);
  c.clamp_min = node.clamp.min;
  c.clamp_max = node.clamp.max;
  Command command;
  avocet_pool_encode(&c, node.tag, command.words.data());
  command.blocks = {input.block, output.block};
  commands->push_back(command);
}

void NodeCommands::copy_rows(const Map& map, uint32_t row_begin, uint32_t row_end, const Window& from, const Window& to,
                             uint32_t tag, std::vector<Command>* commands) const {
  // A maximum over single bytes, as long runs of channels.
  const uint64_t row_bytes = map.row_bytes();
  for (uint64_t at = 0; at < row_bytes; at += kCommandCountMax) {
    avocet_cmd_pool c{};
    c.input_unsigned = 1;
    c.mode = AVOCET_POOL_MODE_MAX;
    c.ifm = from.offset(row_begin, 0, static_cast<uint32_t>(at));
    c.ofm = to.offset(row_begin, 0, static_cast<uint32_t>(at));
    c.channels = static_cast<uint32_t>(std::min<uint64_t>(kCommandCountMax, row_bytes - at));
    c.in_height = c.y_count = row_end - row_begin;
    c.in_y_stride = stride_unless_one(c.y_count, from.row_pitch);
    c.y_stride = stride_unless_one(c.y_count, to.row_pitch);
    c.in_width = c.x_count = c.kernel_width = c.kernel_height = c.pool_stride_x = c.pool_stride_y = 1;
    c.clamp_max = 255;
    Command command;
    avocet_pool_encode(&c, tag, command.words.data());
    command.blocks = {from.block, to.block};
    commands->push_back(command);
  }
}

void NodeCommands::resize(const Node& node, const Window& input, const Window& output, const Box& box,
                          std::vector<Command>* commands) const {
  const uint64_t cycles = CommandCost(device_).resize(box.channels(), static_cast<uint64_t>(box.columns()),
                                                      static_cast<uint64_t>(box.rows()));
  cut_rows(box, cycles, [&](Box part) {
    for (uint64_t channel = box.channel_begin; channel < box.channel_end; channel += kCommandCountMax) {
      part.channel_begin = static_cast<uint32_t>(channel);
      part.channel_end = static_cast<uint32_t>(std::min<uint64_t>(box.channel_end, channel + kCommandCountMax));
      resize_rows(node, input, output, part, commands);
    }
  });
}

void NodeCommands::resize_rows(const Node& node, const Window& input, const Window& output, const Box& box,
                               std::vector<Command>* commands) const {
  constexpr int kFractionBits = 10;
  const Box cells = box_read(node, network_.input(node), network_.output(node), box);
  const Resampling& r = node.vector.resampling;
  avocet_cmd_resize c{};
  c.input_unsigned = network_.input(node).is_unsigned;
  c.mode = AVOCET_RESIZE_MODE_BILINEAR;
  c.ifm = input.offset(cells.row_begin, cells.column_begin, box.channel_begin);
  c.ofm = output.offset(box.row_begin, box.column_begin, box.channel_begin);
  c.channels = box.channels();
  c.in_width = static_cast<uint32_t>(cells.columns());
  c.in_height = static_cast<uint32_t>(cells.rows());
  c.in_x_stride = stride_unless_one(c.in_width, input.cell_bytes);
  c.in_y_stride = stride_unless_one(c.in_height, input.row_pitch);
  c.x_count = static_cast<uint32_t>(box.columns());
  c.y_count = static_cast<uint32_t>(box.rows());
  c.x_stride = stride_unless_one(c.x_count, output.cell_bytes);
  c.y_stride = stride_unless_one(c.y_count, output.row_pitch);
  // Positions count from the first cell present.
  c.x_start = static_cast<int32_t>(r.x_start + box.column_begin * r.x_step - (cells.column_begin << kFractionBits));
  c.y_start = static_cast<int32_t>(r.y_start + box.row_begin * r.y_step - (cells.row_begin << kFractionBits));
  c.x_step = r.x_step;
  c.y_step = r.y_step;
  Command command;
  avocet_resize_encode(&c, node.tag, command.words.data());
  command.blocks = {input.block, output.block};
  commands->push_back(command);
}

void NodeCommands::vector(const Node& node, std::span<const Window> inputs, const Window& output, const WeightChunk* chunk,
                          uint32_t constants, const Box& box, std::vector<Command>* commands) const {
  switch (node.kind) {
    case NodeKind::kDepthwise:
      return depthwise(node, *chunk, constants, inputs[0], output, box, commands);
    case NodeKind::kPool:
      return pool(node, inputs[0], output, box, commands);
    case NodeKind::kAdd:
    case NodeKind::kBinary:
    case NodeKind::kTable:
      return elementwise(node, inputs, output, constants, box, commands);
    case NodeKind::kReduce:
    case NodeKind::kSoftmax:
    case NodeKind::kNormalise:
      return along_axis(node, inputs[0], output, constants, box, commands);
    case NodeKind::kArgReduce:
      return arg_reduce(node, inputs[0], output, box, commands);
    case NodeKind::kResize:
      return resize(node, inputs[0], output, box, commands);
    case NodeKind::kConvolution:
    case NodeKind::kMovement:
      return;
  }
}

}  // namespace avocet::compiler
