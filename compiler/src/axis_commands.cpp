// SPDX-License-Identifier: Apache-2.0
// REDUCE, SOFTMAX and L2_NORMALISE along the columns of maps [outer, axis, inner].
#include <algorithm>

#include "axis_cycles.hpp"
#include "cut_rows.hpp"
#include "node_commands.hpp"

namespace avocet::compiler {

AxisFactors axis_factors(uint32_t cells) {
  if (cells <= kCommandCountMax) return {cells, 1};
  for (uint32_t inner = kCommandCountMax; inner > 1; --inner)
    if (cells % inner == 0) return {inner, cells / inner};
  return {cells, 1};
}

uint64_t axis_cycles(const Network& network, const Node& node, const DeviceConfig& device, uint64_t rows) {
  const CommandCost cost(device);
  const Map& input = network.input(node);
  if (node.kind == NodeKind::kReduce) return rows * cost.reduce_group(input.channels, input.width);
  if (node.kind == NodeKind::kArgReduce && node.vector.across_channels)
    return rows * input.width * cost.arg_reduce_group(1, input.channels);
  if (node.kind == NodeKind::kArgReduce) return rows * cost.arg_reduce_group(input.channels, input.width);
  const uint64_t passes = node.kind == NodeKind::kSoftmax ? 3 : 2, rest = node.kind == NodeKind::kSoftmax ? 16 : 32;
  if (input.channels == 1) return cost.rows_of_elements(input.width, rows, passes, rest);
  return rows * cost.columns_of_elements(input.width, input.channels, passes, rest);
}

void NodeCommands::along_axis(const Node& node, const Window& input, const Window& output, uint32_t table, const Box& box,
                              std::vector<Command>* commands) const {
  const uint64_t cycles = axis_cycles(network_, node, device_, static_cast<uint64_t>(box.rows()));
  cut_rows(box, cycles, [&](Box part) {
    for (uint64_t channel = box.channel_begin; channel < box.channel_end; channel += kCommandCountMax) {
      part.channel_begin = static_cast<uint32_t>(channel);
      part.channel_end = static_cast<uint32_t>(std::min<uint64_t>(box.channel_end, channel + kCommandCountMax));
      if (node.kind == NodeKind::kReduce)
        commands->push_back(reduce(node, input, output, part));
      else if (part.channels() == 1)
        commands->push_back(slices(node, input, output, table, part));
      else
        for (int64_t row = part.row_begin; row < part.row_end; ++row)
          commands->push_back(slices(node, input, output, table, {row, row + 1, 0, 0, part.channel_begin, part.channel_end}));
    }
  });
}

Command NodeCommands::reduce(const Node& node, const Window& input, const Window& output, const Box& box) const {
  const AxisFactors factors = axis_factors(network_.input(node).width);
  avocet_cmd_reduce c{};
  c.input_unsigned = network_.input(node).is_unsigned;
  c.mode = node.vector.mode;
  c.ifm = input.offset(box.row_begin, 0, box.channel_begin);
  c.ofm = output.offset(box.row_begin, 0, box.channel_begin);
  c.channels = box.channels();
  c.y_count = static_cast<uint32_t>(box.rows());
  c.axis0_count = factors.inner;
  c.axis1_count = factors.outer;
  c.axis0_stride = stride_unless_one(factors.inner, input.cell_bytes);
  c.axis1_stride = stride_unless_one(factors.outer, int64_t{factors.inner} * input.cell_bytes);
  c.in_y_stride = stride_unless_one(c.y_count, input.row_pitch);
  c.y_stride = stride_unless_one(c.y_count, output.row_pitch);
  c.input_zero_point = network_.input(node).zero_point;
  c.zero_point = network_.output(node).zero_point;
  c.multiplier = node.vector.scale.multiplier;
  c.shift = node.vector.scale.shift;
  c.clamp_min = node.clamp.min;
  c.clamp_max = node.clamp.max;
  Command command;
  avocet_reduce_encode(&c, node.tag, command.words.data());
  command.blocks = {input.block, output.block};
  return command;
}

/// Rows of one channel, or the channels of one row.
Command NodeCommands::slices(const Node& node, const Window& input, const Window& output, uint32_t table, const Box& box) const {
  const bool rows = box.channels() == 1;
  const uint32_t width = network_.input(node).width, count = rows ? static_cast<uint32_t>(box.rows()) : box.channels();
  const uint32_t from = input.offset(box.row_begin, 0, box.channel_begin), to = output.offset(box.row_begin, 0, box.channel_begin);
  // Elements of a row alone count as neighbours.
  const uint32_t in_x = width > 1 ? input.cell_bytes : 1, out_x = width > 1 ? output.cell_bytes : 1;
  const uint32_t in_y = stride_unless_one(count, rows ? input.row_pitch : 1), out_y = stride_unless_one(count, rows ? output.row_pitch : 1);
  Command command;
  if (node.kind == NodeKind::kSoftmax) {
    avocet_cmd_softmax c{};
    c.input_unsigned = network_.input(node).is_unsigned;
    c.ifm = from;
    c.ofm = to;
    c.x_count = width;
    c.y_count = count;
    c.in_x_stride = in_x, c.in_y_stride = in_y, c.x_stride = out_x, c.y_stride = out_y;
    c.zero_point = network_.output(node).zero_point;
    c.clamp_min = node.clamp.min;
    c.clamp_max = node.clamp.max;
    avocet_softmax_encode(&c, node.tag, command.words.data());
    command.blocks = {input.block, table, output.block};
    return command;
  }
  avocet_cmd_l2_normalise c{};
  c.input_unsigned = network_.input(node).is_unsigned;
  c.left_shift = node.vector.left_shift;
  c.out_shift = node.vector.out_shift;
  c.ifm = from;
  c.ofm = to;
  c.x_count = width;
  c.y_count = count;
  c.in_x_stride = in_x, c.in_y_stride = in_y, c.x_stride = out_x, c.y_stride = out_y;
  c.input_zero_point = network_.input(node).zero_point;
  c.zero_point = network_.output(node).zero_point;
  c.clamp_min = node.clamp.min;
  c.clamp_max = node.clamp.max;
  avocet_l2_normalise_encode(&c, node.tag, command.words.data());
  command.blocks = {input.block, output.block};
  return command;
}

}  // namespace avocet::compiler
