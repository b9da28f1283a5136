// SPDX-License-Identifier: Apache-2.0
#include "elementwise_commands.hpp"

#include <algorithm>

#include "cut_rows.hpp"
#include "node_commands.hpp"

namespace avocet::compiler {
namespace {

using Loops = ElementwiseLoops;

/// Whether the outer dimension goes on where the inner one ends, for all operands.
bool continues(const Loops::Dim& outer, const Loops::Dim& inner, size_t operands) {
  for (size_t i = 0; i < operands; ++i)
    if (outer.strides[i] != inner.strides[i] * static_cast<int64_t>(inner.count)) return false;
  return true;
}

bool can_be_row(const Loops::Dim& dim, size_t operands) {
  for (size_t i = 0; i < operands; ++i)
    if (dim.strides[i] != 1 && (i == 0 || dim.strides[i] != 0)) return false;
  return true;
}

}  // namespace

uint64_t ElementwiseLoops::commands() const {
  uint64_t count = divide_up(y.count, kCommandCountMax);
  for (const Dim& dim : outer) count *= dim.count;
  return count;
}

ElementwiseLoops elementwise_loops(uint64_t rows, uint64_t columns, uint64_t channels, const Window* windows,
                                   const std::vector<const Map*>& maps) {
  const Map& output = *maps[0];
  Loops::Dim dims[] = {{rows, {}}, {columns, {}}, {channels, {}}};
  for (size_t i = 0; i < maps.size(); ++i) {
    const auto step = [](uint32_t extent, uint32_t of, int64_t stride) { return extent == 1 && of > 1 ? 0 : stride; };
    dims[0].strides[i] = step(maps[i]->height, output.height, windows[i].row_pitch);
    dims[1].strides[i] = step(maps[i]->width, output.width, windows[i].cell_bytes);
    dims[2].strides[i] = step(maps[i]->channels, output.channels, 1);
  }
  std::vector<Loops::Dim> merged;
  for (const Loops::Dim& dim : dims) {
    if (dim.count == 1) continue;
    if (!merged.empty() && continues(merged.back(), dim, maps.size())) {
      const uint64_t count = merged.back().count * dim.count;
      merged.back() = dim;
      merged.back().count = count;
    } else {
      merged.push_back(dim);
    }
  }
  Loops loops;
  if (!merged.empty() && can_be_row(merged.back(), maps.size())) {
    loops.row_bytes = merged.back().count;
    for (size_t i = 0; i < maps.size(); ++i) loops.scalar[i] = merged.back().strides[i] == 0;
    merged.pop_back();
  }
  if (!merged.empty()) {
    loops.y = merged.back();
    merged.pop_back();
  }
  loops.outer = std::move(merged);
  return loops;
}

uint64_t elementwise_cycles(const Network& network, const Node& node, const DeviceConfig& device, uint64_t rows) {
  std::vector<const Map*> maps{&network.output(node)};
  for (uint32_t input : node.inputs) maps.push_back(&network.maps[input]);
  Window windows[Loops::kOperands];
  for (size_t i = 0; i < maps.size(); ++i) windows[i] = Window::of_rows(0, *maps[i], 0);
  const Map& output = *maps[0];
  const Loops loops = elementwise_loops(rows, output.width, output.channels, windows, maps);
  const CommandCost cost(device);
  const uint64_t each = node.kind == NodeKind::kTable
                            ? cost.table(loops.row_bytes, loops.y.count)
                            : cost.binary(loops.row_bytes, loops.y.count, loops.scalar[1] + loops.scalar[2]);
  constexpr uint64_t kDispatchCycles = 20;
  uint64_t commands = 1;
  for (const Loops::Dim& dim : loops.outer) commands *= dim.count;
  return commands * std::max(each, kDispatchCycles);
}

namespace {

/// Calls emit(y_count, offsets of the operands) for each command.
template <typename Emit>
void for_each_command(const Loops& loops, const std::array<uint32_t, Loops::kOperands>& offsets, size_t depth, Emit emit) {
  const bool inner = depth == loops.outer.size();
  const Loops::Dim& dim = inner ? loops.y : loops.outer[depth];
  const uint64_t step = inner ? kCommandCountMax : 1;
  for (uint64_t done = 0; done < dim.count; done += step) {
    auto at = offsets;
    for (size_t i = 0; i < at.size(); ++i) at[i] += static_cast<uint32_t>(static_cast<int64_t>(done) * dim.strides[i]);
    if (inner)
      emit(std::min(step, dim.count - done), at);
    else
      for_each_command(loops, at, depth + 1, emit);
  }
}

}  // namespace

void NodeCommands::elementwise(const Node& node, std::span<const Window> inputs, const Window& output, uint32_t table,
                               const Box& box, std::vector<Command>* commands) const {
  std::vector<const Map*> maps{&network_.output(node)};
  Window windows[Loops::kOperands] = {output};
  for (size_t i = 0; i < inputs.size(); ++i) {
    maps.push_back(&network_.input(node, i));
    windows[i + 1] = inputs[i];
  }
  const uint64_t cycles = elementwise_cycles(network_, node, device_, static_cast<uint64_t>(box.rows()));
  cut_rows(box, cycles, [&](const Box& part) {
    const Loops loops = elementwise_loops(static_cast<uint64_t>(part.rows()), static_cast<uint64_t>(part.columns()),
                                          part.channels(), windows, maps);
    std::array<uint32_t, Loops::kOperands> offsets{};
    for (size_t i = 0; i < maps.size(); ++i) {
      const auto first = [&](uint32_t extent, uint32_t of, int64_t begin) { return extent == 1 && of > 1 ? 0 : begin; };
      offsets[i] = windows[i].offset(first(maps[i]->height, maps[0]->height, part.row_begin),
                                     first(maps[i]->width, maps[0]->width, part.column_begin),
                                     static_cast<uint32_t>(first(maps[i]->channels, maps[0]->channels, part.channel_begin)));
    }
    for_each_command(loops, offsets, 0, [&](uint64_t rows, const std::array<uint32_t, Loops::kOperands>& at) {
      Command command = node.kind == NodeKind::kAdd      ? add(node, loops, rows, at)
                        : node.kind == NodeKind::kBinary ? binary(node, loops, rows, at)
                                                         : look_up(node, loops, rows, at);
      command.blocks = {windows[1].block, node.kind == NodeKind::kTable ? table : windows[2].block, output.block};
      commands->push_back(command);
    });
  });
}

Command NodeCommands::add(const Node& node, const ElementwiseLoops& loops, uint64_t rows,
                          const std::array<uint32_t, 3>& at) const {
  const AddScales& scales = node.vector.add;
  avocet_cmd_add c{};
  c.input_unsigned = network_.input(node).is_unsigned;
  c.subtract = node.vector.subtract;
  c.a_scalar = loops.scalar[1];
  c.b_scalar = loops.scalar[2];
  c.left_shift = AddScales::kLeftShift;
  c.ofm = at[0], c.a = at[1], c.b = at[2];
  c.row_bytes = static_cast<uint32_t>(loops.row_bytes);
  c.y_count = static_cast<uint32_t>(rows);
  c.y_stride = stride_unless_one(rows, loops.y.strides[0]);
  c.a_stride = stride_unless_one(rows, loops.y.strides[1]);
  c.b_stride = stride_unless_one(rows, loops.y.strides[2]);
  c.a_zero_point = network_.input(node, 0).zero_point;
  c.b_zero_point = network_.input(node, 1).zero_point;
  c.a_multiplier = scales.a.multiplier;
  c.b_multiplier = scales.b.multiplier;
  c.out_multiplier = scales.output.multiplier;
  c.a_shift = scales.a.shift;
  c.b_shift = scales.b.shift;
  c.out_shift = scales.output.shift;
  c.zero_point = network_.output(node).zero_point;
  c.clamp_min = node.clamp.min;
  c.clamp_max = node.clamp.max;
  Command command;
  avocet_add_encode(&c, node.tag, command.words.data());
  return command;
}

Command NodeCommands::binary(const Node& node, const ElementwiseLoops& loops, uint64_t rows,
                             const std::array<uint32_t, 3>& at) const {
  avocet_cmd_binary c{};
  c.input_unsigned = network_.input(node).is_unsigned;
  c.mode = node.vector.mode;
  c.a_scalar = loops.scalar[1];
  c.b_scalar = loops.scalar[2];
  c.ofm = at[0], c.a = at[1], c.b = at[2];
  c.row_bytes = static_cast<uint32_t>(loops.row_bytes);
  c.y_count = static_cast<uint32_t>(rows);
  c.y_stride = stride_unless_one(rows, loops.y.strides[0]);
  c.a_stride = stride_unless_one(rows, loops.y.strides[1]);
  c.b_stride = stride_unless_one(rows, loops.y.strides[2]);
  c.a_zero_point = network_.input(node, 0).zero_point;
  c.b_zero_point = network_.input(node, 1).zero_point;
  c.multiplier = node.vector.scale.multiplier;
  c.shift = node.vector.scale.shift;
  c.negative_multiplier = node.vector.negative_scale.multiplier;
  c.negative_shift = node.vector.negative_scale.shift;
  c.zero_point = network_.output(node).zero_point;
  c.clamp_min = node.clamp.min;
  c.clamp_max = node.clamp.max;
  Command command;
  avocet_binary_encode(&c, node.tag, command.words.data());
  return command;
}

Command NodeCommands::look_up(const Node& node, const ElementwiseLoops& loops, uint64_t rows,
                              const std::array<uint32_t, 3>& at) {
  avocet_cmd_table c{};
  c.ofm = at[0], c.ifm = at[1];
  c.row_bytes = static_cast<uint32_t>(loops.row_bytes);
  c.y_count = static_cast<uint32_t>(rows);
  c.y_stride = stride_unless_one(rows, loops.y.strides[0]);
  c.in_y_stride = stride_unless_one(rows, loops.y.strides[1]);
  Command command;
  avocet_table_encode(&c, node.tag, command.words.data());
  return command;
}

}  // namespace avocet::compiler
