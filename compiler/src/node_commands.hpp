// SPDX-License-Identifier: Apache-2.0
// The commands that make a box of a node's output from windows in the SRAM.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "accumulators.hpp"
#include "elementwise_commands.hpp"
#include "network.hpp"
#include "schedule.hpp"
#include "weight_chunks.hpp"
#include "window.hpp"

namespace avocet::compiler {

class NodeCommands {
 public:
  NodeCommands(const Network& network, const DeviceConfig& device)
      : network_(network), device_(device), accumulators_(device.acc_rows) {}

  /// The output channels of `chunk` of `box`. With the first chunk of a split kernel the partial sums are given
  /// accumulators, which the following chunks of the same box add to; the last one requantises.
  void convolution(const Node& node, const KernelLayout& layout, const WeightChunk& chunk, uint32_t constants,
                   const Window& input, const Window& output, const Box& box, std::vector<Command>* commands);

  /// `box` of the output of a node of the vector unit. `chunk` and `constants`: of nodes that have any; the box has the
  /// chunk's channels.
  void vector(const Node& node, std::span<const Window> inputs, const Window& output, const WeightChunk* chunk,
              uint32_t constants, const Box& box, std::vector<Command>* commands) const;

  /// Whole rows of a map from one window to another.
  void copy_rows(const Map& map, uint32_t row_begin, uint32_t row_end, const Window& from, const Window& to,
                 uint32_t tag, std::vector<Command>* commands) const;

 private:
  struct Tile {
    int64_t row = 0, column = 0;
    uint32_t rows = 0, columns = 0;
  };
  static std::vector<Tile> tiles(const Box& box, uint32_t vectors);

  Command matmul(const Node& node, const KernelLayout& layout, const WeightChunk& chunk, uint32_t constants,
                 const Window& input, const Tile& tile, uint32_t column_block, uint32_t acc) const;
  Command requant(const Node& node, const WeightChunk& chunk, uint32_t constants, const Window& output,
                  const Tile& tile, uint32_t column_block, uint32_t acc) const;
  void depthwise_rows(const Node& node, const WeightChunk& chunk, uint32_t constants, const Window& input,
                      const Window& output, const Box& box, std::vector<Command>* commands) const;
  void pool_rows(const Node& node, const Window& input, const Window& output, const Box& box,
                 std::vector<Command>* commands) const;
  void resize_rows(const Node& node, const Window& input, const Window& output, const Box& box,
                   std::vector<Command>* commands) const;
  void depthwise(const Node& node, const WeightChunk& chunk, uint32_t constants, const Window& input,
                 const Window& output, const Box& box, std::vector<Command>* commands) const;
  void pool(const Node& node, const Window& input, const Window& output, const Box& box,
            std::vector<Command>* commands) const;
  void resize(const Node& node, const Window& input, const Window& output, const Box& box,
              std::vector<Command>* commands) const;

  // elementwise_commands.cpp; offsets in the order output, first input, second input
  void elementwise(const Node& node, std::span<const Window> inputs, const Window& output, uint32_t table, const Box& box,
                   std::vector<Command>* commands) const;
  Command add(const Node& node, const ElementwiseLoops& loops, uint64_t rows, const std::array<uint32_t, 3>& at) const;
  Command binary(const Node& node, const ElementwiseLoops& loops, uint64_t rows, const std::array<uint32_t, 3>& at) const;
  static Command look_up(const Node& node, const ElementwiseLoops& loops, uint64_t rows, const std::array<uint32_t, 3>& at);

  // axis_commands.cpp
  void along_axis(const Node& node, const Window& input, const Window& output, uint32_t table, const Box& box,
                  std::vector<Command>* commands) const;
  Command reduce(const Node& node, const Window& input, const Window& output, const Box& box) const;
  Command slices(const Node& node, const Window& input, const Window& output, uint32_t table, const Box& box) const;

  // arg_commands.cpp
  void arg_reduce(const Node& node, const Window& input, const Window& output, const Box& box, std::vector<Command>* commands) const;
  void arg_of_cells(const Node& node, const Window& input, const Window& output, const Box& box, std::vector<Command>* commands) const;
  void arg_of_groups(const Node& node, const Window& input, const Window& output, avocet_cmd_arg_reduce c, uint64_t groups,
                     int64_t in_pitch, int64_t out_pitch, std::vector<Command>* commands) const;

  const Network& network_;
  const DeviceConfig& device_;
  Accumulators accumulators_;
  uint32_t partial_sums_ = 0;  // first accumulator row of a split kernel's box
};

}  // namespace avocet::compiler
