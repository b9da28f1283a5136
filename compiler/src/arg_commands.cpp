// SPDX-License-Identifier: Apache-2.0
// ARG_REDUCE, along the columns of [outer, axis, inner] or over the channels of each cell. A channel of the input makes four
// bytes of the output.
#include <algorithm>

#include "axis_cycles.hpp"
#include "cut_rows.hpp"
#include "node_commands.hpp"

namespace avocet::compiler {

void NodeCommands::arg_reduce(const Node& node, const Window& input, const Window& output, const Box& box,
                              std::vector<Command>* commands) const {
  const uint64_t cycles = axis_cycles(network_, node, device_, static_cast<uint64_t>(box.rows()));
  cut_rows(box, cycles, [&](Box part) {
    if (node.vector.across_channels) return arg_of_cells(node, input, output, part, commands);
    static_assert(kCommandCountMax % kIndexBytes == 0);
    for (uint64_t channel = box.channel_begin; channel < box.channel_end; channel += kCommandCountMax) {
      part.channel_begin = static_cast<uint32_t>(channel);
      part.channel_end = static_cast<uint32_t>(std::min<uint64_t>(box.channel_end, channel + kCommandCountMax));
      avocet_cmd_arg_reduce c{};
      c.ifm = input.offset(part.row_begin, 0, part.channel_begin / kIndexBytes);
      c.ofm = output.offset(part.row_begin, 0, part.channel_begin);
      c.channels = part.channels() / kIndexBytes;
      c.axis_count = network_.input(node).width;
      c.axis_stride = stride_unless_one(c.axis_count, input.cell_bytes);
      arg_of_groups(node, input, output, c, static_cast<uint64_t>(part.rows()), input.row_pitch, output.row_pitch, commands);
    }
  });
}

/// A group for each cell: rows at once where they follow each other.
void NodeCommands::arg_of_cells(const Node& node, const Window& input, const Window& output, const Box& box,
                                std::vector<Command>* commands) const {
  const auto rows = static_cast<uint64_t>(box.rows()), columns = static_cast<uint64_t>(box.columns());
  avocet_cmd_arg_reduce c{};
  c.channels = 1;
  c.axis_count = network_.input(node).channels;
  c.axis_stride = stride_unless_one(c.axis_count, 1);
  const auto add = [&](int64_t row, uint64_t groups, int64_t in_pitch, int64_t out_pitch) {
    c.ifm = input.offset(row, box.column_begin, 0);
    c.ofm = output.offset(row, box.column_begin, 0);
    arg_of_groups(node, input, output, c, groups, in_pitch, out_pitch, commands);
  };
  if (columns == 1) return add(box.row_begin, rows, input.row_pitch, output.row_pitch);
  const bool follow = input.row_pitch == box.columns() * input.cell_bytes && output.row_pitch == box.columns() * output.cell_bytes;
  if (follow) return add(box.row_begin, rows * columns, input.cell_bytes, output.cell_bytes);
  for (int64_t row = box.row_begin; row < box.row_end; ++row) add(row, columns, input.cell_bytes, output.cell_bytes);
}

/// As many commands of `c` as the number of groups needs.
void NodeCommands::arg_of_groups(const Node& node, const Window& input, const Window& output, avocet_cmd_arg_reduce c, uint64_t groups,
                                 int64_t in_pitch, int64_t out_pitch, std::vector<Command>* commands) const {
  c.input_unsigned = network_.input(node).is_unsigned;
  c.smallest = node.vector.smallest;
  for (uint64_t done = 0; done < groups; done += kCommandCountMax) {
    c.y_count = static_cast<uint32_t>(std::min<uint64_t>(groups - done, kCommandCountMax));
    c.in_y_stride = stride_unless_one(c.y_count, in_pitch);
    c.y_stride = stride_unless_one(c.y_count, out_pitch);
    Command command;
    avocet_arg_reduce_encode(&c, node.tag, command.words.data());
    command.blocks = {input.block, output.block};
    commands->push_back(command);
    c.ifm += c.y_count * static_cast<uint32_t>(in_pitch);
    c.ofm += c.y_count * static_cast<uint32_t>(out_pitch);
  }
}

}  // namespace avocet::compiler
