// SPDX-License-Identifier: Apache-2.0
#include "transfers.hpp"

#include <algorithm>

namespace avocet::compiler {
namespace {

enum Traffic : uint32_t { kConstantTraffic, kInputTraffic, kOutputTraffic, kFillTraffic };

constexpr uint64_t kCountMax = 65536;

uint32_t region_of(Home home) {
  switch (home) {
    case Home::kScratch:
      return kScratch;
    case Home::kInput:
      return kInputs;
    case Home::kOutput:
      return kOutputs;
    case Home::kConstant:
      return kConstants;
  }
  return kScratch;
}

}  // namespace

void Transfers::load(const Map& map, const Box& box, const Window& window, uint32_t tag,
                     std::vector<Command>* commands) const {
  move(false, map, box, window, tag, commands);
}

void Transfers::store(const Map& map, const Box& box, const Window& window, uint32_t tag,
                      std::vector<Command>* commands) const {
  move(true, map, box, window, tag, commands);
}

void Transfers::load(const Value& value, const MovementBox& box, uint32_t block, uint32_t tag,
                     std::vector<Command>* commands) const {
  move(false, value, box, block, tag, commands);
}

void Transfers::store(uint32_t block, const MovementBox& box, const Value& value, uint32_t tag,
                      std::vector<Command>* commands) const {
  move(true, value, box, block, tag, commands);
}

void Transfers::move(bool is_store, const Map& map, const Box& box, const Window& window, uint32_t tag,
                     std::vector<Command>* commands) const {
  if (box.empty()) return;
  const uint64_t in_value = map.offset + static_cast<uint64_t>(box.row_begin) * map.row_stride +
                            static_cast<uint64_t>(box.column_begin) * map.cell_stride + box.channel_begin;
  const uint64_t in_window = window.offset(box.row_begin, box.column_begin, box.channel_begin);
  const auto pitch = static_cast<uint64_t>(window.row_pitch);
  MovementBox copy;
  copy.run = box.channels();
  if (is_store) {
    copy.from = in_window;
    copy.to = in_value;
    copy.dims = {{static_cast<uint64_t>(box.rows()), pitch, map.row_stride},
                 {static_cast<uint64_t>(box.columns()), window.cell_bytes, map.cell_stride}};
  } else {
    copy.from = in_value;
    copy.to = in_window;
    copy.dims = {{static_cast<uint64_t>(box.rows()), map.row_stride, pitch},
                 {static_cast<uint64_t>(box.columns()), map.cell_stride, window.cell_bytes}};
  }
  move(is_store, network_.values[map.value], std::move(copy), window.block, tag, commands);
}

namespace {

/// Calls visit for parts of the box with at most `dims_max` dimensions, none longer than a command takes.
template <typename Visit>
void for_each_command(MovementBox box, size_t dims_max, Visit visit) {
  size_t longest = 0;
  for (size_t i = 0; i < box.dims.size(); ++i)
    if (box.dims[i].count > box.dims[longest].count) longest = i;
  const bool too_long = !box.dims.empty() && box.dims[longest].count > kCountMax;
  if (box.dims.size() <= dims_max && !too_long) return visit(box);
  const size_t cut = too_long ? longest : 0;
  const MovementBox::Dim dim = box.dims[cut];
  const uint64_t step = too_long ? kCountMax : 1;
  for (uint64_t i = 0; i < dim.count; i += step) {
    MovementBox part = box;
    part.from += i * dim.from_stride;
    part.to += i * dim.to_stride;
    part.dims[cut].count = std::min(step, dim.count - i);
    part.simplify();
    for_each_command(std::move(part), dims_max, visit);
  }
}

}  // namespace

void Transfers::move(bool is_store, const Value& value, MovementBox box, uint32_t block, uint32_t tag,
                     std::vector<Command>* commands) const {
  box.simplify();
  for_each_command(std::move(box), 3, [&](const MovementBox& part) {
    avocet_cmd_dma_load c{};
    c.channel = channel(is_store ? kOutputTraffic : kInputTraffic);
    c.region = region_of(value.home);
    c.dram = static_cast<uint32_t>(value.offset + (is_store ? part.to : part.from));
    c.sram = static_cast<uint32_t>(is_store ? part.from : part.to);
    c.row_bytes = static_cast<uint32_t>(part.run);
    uint32_t counts[3] = {1, 1, 1}, dram_strides[3] = {}, sram_strides[3] = {};
    // The innermost dimension comes last in the box and first in the command.
    for (size_t i = 0; i < part.dims.size(); ++i) {
      const MovementBox::Dim& dim = part.dims[part.dims.size() - 1 - i];
      counts[i] = static_cast<uint32_t>(dim.count);
      dram_strides[i] = static_cast<uint32_t>(is_store ? dim.to_stride : dim.from_stride);
      sram_strides[i] = static_cast<uint32_t>(is_store ? dim.from_stride : dim.to_stride);
    }
    c.count0 = counts[0], c.count1 = counts[1], c.count2 = counts[2];
    c.dram_stride0 = dram_strides[0], c.dram_stride1 = dram_strides[1], c.dram_stride2 = dram_strides[2];
    c.sram_stride0 = sram_strides[0], c.sram_stride1 = sram_strides[1], c.sram_stride2 = sram_strides[2];
    Command command;
    avocet_dma_load_encode(&c, tag, command.words.data());
    // DMA_STORE has the same fields.
    if (is_store) command.words[0] = avocet_command_header(AVOCET_OP_DMA_STORE, AVOCET_DMA_STORE_WORDS, tag);
    command.blocks[0] = block;
    commands->push_back(command);
  });
}

Command Transfers::load_constants(uint64_t offset, uint64_t bytes, uint32_t block, uint32_t tag) const {
  avocet_cmd_dma_load c{};
  c.channel = channel(kConstantTraffic);
  c.region = kConstants;
  c.dram = static_cast<uint32_t>(offset);
  c.row_bytes = static_cast<uint32_t>(bytes);
  c.count0 = c.count1 = c.count2 = 1;
  Command command;
  avocet_dma_load_encode(&c, tag, command.words.data());
  command.blocks[0] = block;
  return command;
}

Command Transfers::barrier(uint32_t tag) const {
  const avocet_cmd_barrier c{channel(kOutputTraffic)};
  Command command;
  avocet_barrier_encode(&c, tag, command.words.data());
  return command;
}

void Transfers::fill(uint32_t block, uint64_t offset, uint64_t bytes, uint64_t count, uint64_t stride, uint8_t value,
                     uint32_t tag, std::vector<Command>* commands) const {
  if (bytes == 0 || count == 0) return;
  MovementBox box;
  box.to = offset;
  box.run = bytes;
  box.dims = {{count, 0, stride}};
  fill(block, box, value, tag, commands);
}

void Transfers::fill(uint32_t block, const MovementBox& box, uint8_t value, uint32_t tag,
                     std::vector<Command>* commands) const {
  MovementBox fills = box;
  fills.input = MovementBox::kFill;
  fills.simplify();
  for_each_command(std::move(fills), 2, [&](const MovementBox& part) {
    avocet_cmd_dma_fill c{};
    c.channel = channel(kFillTraffic);
    c.value = value;
    c.sram = static_cast<uint32_t>(part.to);
    c.row_bytes = static_cast<uint32_t>(part.run);
    const size_t dims = part.dims.size();
    c.count0 = dims > 0 ? static_cast<uint32_t>(part.dims[dims - 1].count) : 1;
    c.count1 = dims > 1 ? static_cast<uint32_t>(part.dims[0].count) : 1;
    c.stride0 = dims > 0 ? static_cast<uint32_t>(part.dims[dims - 1].to_stride) : 0;
    c.stride1 = dims > 1 ? static_cast<uint32_t>(part.dims[0].to_stride) : 0;
    Command command;
    avocet_dma_fill_encode(&c, tag, command.words.data());
    command.blocks[0] = block;
    commands->push_back(command);
  });
}

void Transfers::pad(const Frame& frame, uint32_t block, uint32_t tag, std::vector<Command>* commands) const {
  if (frame.height == 0) return;
  const uint64_t pitch = frame.row_pitch(), gap = uint64_t{frame.gap} * frame.channels;
  const auto zero = static_cast<uint8_t>(frame.zero_point);
  fill(block, 0, gap, frame.rows() + 1, pitch, zero, tag, commands);
  fill(block, gap, frame.margin_top * pitch, 1, 0, zero, tag, commands);
  fill(block, gap + (uint64_t{frame.margin_top} + frame.height) * pitch, frame.margin_bottom * pitch, 1, 0, zero, tag,
       commands);
}

}  // namespace avocet::compiler
