// SPDX-License-Identifier: Apache-2.0
#include "transfers.hpp"

#include <algorithm>

namespace avocet::compiler {
namespace {

enum Traffic : uint32_t { kConstantTraffic, kInputTraffic, kOutputTraffic, kFillTraffic };

constexpr int64_t kCountMax = 65536;

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

void Transfers::move(bool is_store, const Map& map, const Box& box, const Window& window, uint32_t tag,
                     std::vector<Command>* commands) const {
  if (box.empty()) return;
  const Value& value = network_.values[map.value];
  const auto row_bytes = static_cast<int64_t>(map.row_bytes());
  const bool whole_cells = box.channels() == map.channels && window.cell_bytes == map.channels;
  const bool whole_rows = whole_cells && box.columns() == map.width && window.row_pitch == row_bytes;
  // Runs, then how many of them in a row of cells, then rows.
  const int64_t run = whole_rows ? box.rows() * row_bytes : whole_cells ? box.columns() * map.channels : box.channels();
  const int64_t across = whole_cells ? 1 : box.columns();
  const int64_t down = whole_rows ? 1 : box.rows();
  for (int64_t y = 0; y < down; y += kCountMax)
    for (int64_t x = 0; x < across; x += kCountMax) {
      const int64_t row = box.row_begin + y, column = box.column_begin + x;
      avocet_cmd_dma_load c{};
      c.channel = channel(is_store ? kOutputTraffic : kInputTraffic);
      c.region = region_of(value.home);
      c.dram =
          static_cast<uint32_t>(value.offset + map.offset +
                                static_cast<uint64_t>(row * row_bytes + column * map.channels) + box.channel_begin);
      c.sram = window.offset(row, column, box.channel_begin);
      c.row_bytes = static_cast<uint32_t>(run);
      c.count0 = static_cast<uint32_t>(std::min(kCountMax, across - x));
      c.count1 = static_cast<uint32_t>(std::min(kCountMax, down - y));
      c.count2 = 1;
      c.dram_stride0 = c.count0 > 1 ? map.channels : 0;
      c.sram_stride0 = c.count0 > 1 ? window.cell_bytes : 0;
      c.dram_stride1 = c.count1 > 1 ? static_cast<uint32_t>(row_bytes) : 0;
      c.sram_stride1 = c.count1 > 1 ? static_cast<uint32_t>(window.row_pitch) : 0;
      Command command;
      avocet_dma_load_encode(&c, tag, command.words.data());
      // DMA_STORE has the same fields.
      if (is_store) command.words[0] = avocet_command_header(AVOCET_OP_DMA_STORE, AVOCET_DMA_STORE_WORDS, tag);
      command.blocks[0] = window.block;
      commands->push_back(command);
    }
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

void Transfers::fill(uint32_t block, uint64_t offset, uint64_t bytes, uint64_t count, uint64_t stride, uint8_t value,
                     uint32_t tag, std::vector<Command>* commands) const {
  if (bytes == 0) return;
  for (uint64_t done = 0; done < count; done += kCountMax) {
    avocet_cmd_dma_fill c{};
    c.channel = channel(kFillTraffic);
    c.value = value;
    c.sram = static_cast<uint32_t>(offset + done * stride);
    c.row_bytes = static_cast<uint32_t>(bytes);
    c.count0 = static_cast<uint32_t>(std::min<uint64_t>(kCountMax, count - done));
    c.count1 = 1;
    c.stride0 = c.count0 > 1 ? static_cast<uint32_t>(stride) : 0;
    Command command;
    avocet_dma_fill_encode(&c, tag, command.words.data());
    command.blocks[0] = block;
    commands->push_back(command);
  }
}

}  // namespace avocet::compiler
