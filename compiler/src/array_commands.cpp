// SPDX-License-Identifier: Apache-2.0
// Convolutions: MATMUL and REQUANT, tile by tile of at most tile_vectors() outputs, all column blocks of a tile in
// turn.
#include <algorithm>

#include "command_cost.hpp"
#include "node_commands.hpp"
#include "plan.hpp"

namespace avocet::compiler {
namespace {

constexpr uint32_t kCountMax = 65536;

}  // namespace

std::vector<NodeCommands::Tile> NodeCommands::tiles(const Box& box, uint32_t vectors) {
  std::vector<Tile> result;
  const auto width = static_cast<uint64_t>(box.columns()), height = static_cast<uint64_t>(box.rows());
  const uint64_t limit = std::min(vectors, kCountMax);
  const uint64_t column_parts = divide_up(width, limit);
  const uint64_t columns = divide_up(width, column_parts);
  const uint64_t row_parts = divide_up(height, std::max<uint64_t>(1, limit / columns));
  const uint64_t rows = divide_up(height, row_parts);
  for (uint64_t y = 0; y < height; y += rows)
    for (uint64_t x = 0; x < width; x += columns)
      result.push_back({box.row_begin + static_cast<int64_t>(y), box.column_begin + static_cast<int64_t>(x),
                        static_cast<uint32_t>(std::min(rows, height - y)),
                        static_cast<uint32_t>(std::min(columns, width - x))});
  return result;
}

void NodeCommands::convolution(const Node& node, const KernelLayout& layout, const WeightChunk& chunk,
                               uint32_t constants, const Window& input, const Window& output, const Box& box,
                               std::vector<Command>* commands) {
  const auto column_blocks = static_cast<uint32_t>(divide_up(chunk.channels(), device_.array_cols));
  const bool split = chunk.block_begin > 0 || chunk.block_end < layout.blocks;
  const auto all_vectors = static_cast<uint32_t>(box.rows() * box.columns());
  if (split && chunk.block_begin == 0) partial_sums_ = accumulators_.take(all_vectors * column_blocks);
  uint32_t next_sum = partial_sums_;
  for (const Tile& tile : tiles(box, split ? device_.acc_rows : tile_vectors(device_)))
    for (uint32_t column_block = 0; column_block < column_blocks; ++column_block) {
      const uint32_t vectors = tile.rows * tile.columns;
      const uint32_t acc = split ? next_sum : accumulators_.take(vectors);
      next_sum += vectors;
      commands->push_back(matmul(node, layout, chunk, constants, input, tile, column_block, acc));
      if (chunk.block_end == layout.blocks)
        commands->push_back(requant(node, chunk, constants, output, tile, column_block, acc));
    }
}

Command NodeCommands::matmul(const Node& node, const KernelLayout& layout, const WeightChunk& chunk, uint32_t constants,
                             const Window& input, const Tile& tile, uint32_t column_block, uint32_t acc) const {
  const Geometry& g = node.geometry;
  const uint32_t tile_bytes = device_.array_rows * device_.array_cols;
  const uint32_t passes = layout.kx_count * layout.ky_count * (chunk.block_end - chunk.block_begin);
  const uint32_t first_channel = chunk.block_begin * device_.array_rows;
  avocet_cmd_matmul c{};
  c.input_unsigned = network_.input(node).is_unsigned;
  c.accumulate = chunk.block_begin > 0;
  c.weight_zero_point = network_.weights[node.weights].zero_point;
  c.ifm = input.offset(g.first_row(static_cast<uint32_t>(tile.row)), g.first_column(static_cast<uint32_t>(tile.column)),
                       first_channel);
  c.weights = static_cast<uint32_t>(chunk.tiles_offset) + column_block * passes * tile_bytes;
  c.weight_bytes = passes * tile_bytes;
  c.acc = acc;
  c.x_count = tile.columns;
  c.y_count = tile.rows;
  c.x_stride = tile.columns > 1 ? g.stride_x * input.cell_bytes : 0;
  c.y_stride = tile.rows > 1 ? g.stride_y * static_cast<uint32_t>(input.row_pitch) : 0;
  c.kx_count = layout.kx_count;
  c.ky_count = layout.ky_count;
  c.kx_stride = layout.kx_count > 1 ? g.dilation_x * input.cell_bytes : 0;
  c.ky_stride = layout.ky_count > 1 ? g.dilation_y * static_cast<uint32_t>(input.row_pitch) : 0;
  c.channels = std::min(layout.channels, chunk.block_end * device_.array_rows) - first_channel;
  Command command;
  avocet_matmul_encode(&c, node.tag, command.words.data());
  command.blocks = {input.block, constants};
  return command;
}

Command NodeCommands::requant(const Node& node, const WeightChunk& chunk, uint32_t constants, const Window& output,
                              const Tile& tile, uint32_t column_block, uint32_t acc) const {
  const uint32_t first = column_block * device_.array_cols;
  avocet_cmd_requant c{};
  c.acc = acc;
  c.channels = std::min(device_.array_cols, chunk.channels() - first);
  c.parameters = first * AVOCET_PARAMETER_BYTES;
  c.ofm = output.offset(tile.row, tile.column, chunk.channel_begin + first);
  c.x_count = tile.columns;
  c.y_count = tile.rows;
  c.x_stride = tile.columns > 1 ? output.cell_bytes : 0;
  c.y_stride = tile.rows > 1 ? static_cast<uint32_t>(output.row_pitch) : 0;
  c.zero_point = network_.output(node).zero_point;
  c.clamp_min = node.clamp.min;
  c.clamp_max = node.clamp.max;
  Command command;
  avocet_requant_encode(&c, node.tag, command.words.data());
  command.blocks = {constants, output.block};
  return command;
}

}  // namespace avocet::compiler
