// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE, POOL and ADD. Long ones are cut into several commands by rows, so that a reader of the first rows can
// begin before the last ones are there.
#include <algorithm>

#include "command_cost.hpp"
#include "node_commands.hpp"

namespace avocet::compiler {
namespace {

constexpr uint32_t kCountMax = 65536;
constexpr uint64_t kCommandCycles = 1500;  // worth a command of its own
constexpr uint64_t kPiecesMax = 8;

/// Calls emit(box) for parts of whole rows.
template <typename Emit>
void cut_rows(const Box& box, uint64_t cycles, Emit emit) {
  const auto rows = static_cast<uint64_t>(box.rows());
  const uint64_t pieces = std::clamp<uint64_t>(cycles / kCommandCycles, 1, kPiecesMax);
  const uint64_t step = std::min<uint64_t>(kCountMax, divide_up(rows, pieces));
  for (uint64_t done = 0; done < rows; done += step) {
    Box part = box;
    part.row_begin = box.row_begin + static_cast<int64_t>(done);
    part.row_end = std::min(box.row_end, part.row_begin + static_cast<int64_t>(step));
    emit(part);
  }
}

/// Input cells inside the map that the windows of an output box touch.
Box touched(const Geometry& g, const Map& input, const Box& box) {
  Box cells = box;
  cells.row_begin = g.first_row(static_cast<uint32_t>(box.row_begin));
  cells.row_end = g.end_row(static_cast<uint32_t>(box.row_end));
  cells.column_begin = g.first_column(static_cast<uint32_t>(box.column_begin));
  cells.column_end = g.end_column(static_cast<uint32_t>(box.column_end));
  return cells.inside(input);
}

uint32_t stride_unless_one(uint32_t count, int64_t stride) { return count > 1 ? static_cast<uint32_t>(stride) : 0; }

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
    for (uint64_t channel = box.channel_begin; channel < box.channel_end; channel += kCountMax) {
      part.channel_begin = static_cast<uint32_t>(channel);
      part.channel_end = static_cast<uint32_t>(std::min<uint64_t>(box.channel_end, channel + kCountMax));
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
  for (uint64_t at = 0; at < row_bytes; at += kCountMax) {
    avocet_cmd_pool c{};
    c.input_unsigned = 1;
    c.mode = AVOCET_POOL_MODE_MAX;
    c.ifm = from.offset(row_begin, 0, static_cast<uint32_t>(at));
    c.ofm = to.offset(row_begin, 0, static_cast<uint32_t>(at));
    c.channels = static_cast<uint32_t>(std::min<uint64_t>(kCountMax, row_bytes - at));
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

void NodeCommands::add(const Node& node, const Window& a, const Window& b, const Window& output, const Box& box,
                       std::vector<Command>* commands) const {
  const uint64_t cycles = CommandCost(device_).add(static_cast<uint64_t>(box.columns()) * box.channels(),
                                                   static_cast<uint64_t>(box.rows()));
  cut_rows(box, cycles, [&](const Box& part) { add_rows(node, a, b, output, part, commands); });
}

void NodeCommands::add_rows(const Node& node, const Window& a, const Window& b, const Window& output, const Box& box,
                            std::vector<Command>* commands) const {
  const int64_t row_bytes = box.columns() * box.channels();
  const bool dense = a.row_pitch == row_bytes && b.row_pitch == row_bytes && output.row_pitch == row_bytes;
  const Tile tile{box.row_begin, box.column_begin, 0, 0};
  avocet_cmd_add c{};
  c.input_unsigned = network_.input(node).is_unsigned;
  c.left_shift = AddScales::kLeftShift;
  c.a = a.offset(tile.row, tile.column, box.channel_begin);
  c.b = b.offset(tile.row, tile.column, box.channel_begin);
  c.ofm = output.offset(tile.row, tile.column, box.channel_begin);
  c.row_bytes = static_cast<uint32_t>(dense ? row_bytes * box.rows() : row_bytes);
  c.y_count = dense ? 1 : static_cast<uint32_t>(box.rows());
  c.a_stride = stride_unless_one(c.y_count, a.row_pitch);
  c.b_stride = stride_unless_one(c.y_count, b.row_pitch);
  c.y_stride = stride_unless_one(c.y_count, output.row_pitch);
  c.a_zero_point = network_.input(node, 0).zero_point;
  c.b_zero_point = network_.input(node, 1).zero_point;
  c.a_multiplier = node.add.a.multiplier;
  c.b_multiplier = node.add.b.multiplier;
  c.out_multiplier = node.add.output.multiplier;
  c.a_shift = node.add.a.shift;
  c.b_shift = node.add.b.shift;
  c.out_shift = node.add.output.shift;
  c.zero_point = network_.output(node).zero_point;
  c.clamp_min = node.clamp.min;
  c.clamp_max = node.clamp.max;
  Command command;
  avocet_add_encode(&c, node.tag, command.words.data());
  command.blocks = {a.block, b.block, output.block};
  commands->push_back(command);
}

}  // namespace avocet::compiler
