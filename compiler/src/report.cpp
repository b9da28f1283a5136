// SPDX-License-Identifier: Apache-2.0
// One walk over the stream with the event model's times at hand; fields are found by their names in the contract's rows, so
// a command needs nothing here.
#include <algorithm>
#include <array>
#include <avocet/compiler/report.hpp>
#include <cstring>
#include <optional>

#include "avocet_stream.h"
#include "check_program.hpp"
#include "command_cost.hpp"
#include "estimate_cycles.hpp"
#include "memory_occupancy.hpp"

namespace avocet::compiler {
namespace {

std::optional<uint64_t> field(const avocet_command_info& command, const uint32_t* words, const char* name) {
  for (uint32_t f = 0; f < command.field_count; ++f) {
    if (std::strcmp(command.fields[f].name, name) == 0) {
      return static_cast<uint64_t>(avocet_field_value(&command.fields[f], words));
    }
  }
  return std::nullopt;
}

/// Which of the three loops over rows, columns and channels turns how often between neighbouring commands of a layer.
class LoopOrder {
 public:
  void next(std::array<uint64_t, 3> position) {
    if (seen_ > 0) {
      for (size_t i = 0; i < position.size(); ++i) changes_[i] += position[i] != last_[i];
    }
    last_ = position;
    ++seen_;
  }
  std::string text() const {
    static constexpr const char* kNames[] = {"input", "weights", "output"};
    std::array<size_t, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return changes_[a] < changes_[b]; });
    std::string text;
    for (size_t i : order) {
      if (changes_[i] > 0) text += (text.empty() ? "" : ", ") + std::string(kNames[i]);
    }
    return text.empty() ? "-" : text;
  }

 private:
  std::array<uint64_t, 3> last_{};
  std::array<uint64_t, 3> changes_{};
  uint64_t seen_ = 0;
};

class Reader {
 public:
  explicit Reader(const Program& program) : program_(program), cost_(program.device) {}

  ProgramReport run() {
    std::vector<CommandSpan> commands;
    while (avocet_command_opcode(program_.stream[first_core_words_]) != AVOCET_OP_END)
      first_core_words_ += avocet_command_length(program_.stream[first_core_words_]);
    report_.cycles = estimate_cycles(program_.stream, program_.device, &commands).cycles;
    report_.layers.resize(program_.layers.size());
    loops_.resize(program_.layers.size());
    tile_of_array_.resize(program_.layers.size());
    for (const CommandSpan& span : commands) take(span);
    report_.sram = sram_.finish();
    report_.scratch = scratch_.finish();
    finish_layers();
    return std::move(report_);
  }

 private:
  void take(const CommandSpan& span) {
    const uint32_t* words = program_.stream.data() + span.position;
    const avocet_command_info& command = *avocet_command_by_opcode[avocet_command_opcode(words[0])];
    const uint32_t tag = avocet_command_tag(words[0]);
    if (tag >= report_.layers.size()) return;
    LayerReport& layer = report_.layers[tag];
    if (layer.commands++ == 0) layer.first_cycle = span.first;
    layer.first_cycle = std::min(layer.first_cycle, span.first);
    layer.last_cycle = std::max(layer.last_cycle, span.last);
    account(command, words, span, layer);
    if (span.position < first_core_words_) follow_accesses(words, span, tag);
    if (const auto weights = field(command, words, "weights")) {
      const auto input = field(command, words, "ifm"), output = field(command, words, "acc");
      loops_[tag].next({input.value_or(0), *weights, output ? *output : field(command, words, "ofm").value_or(0)});
    }
  }

  void account(const avocet_command_info& command, const uint32_t* words, const CommandSpan& span, LayerReport& layer) {
    const uint32_t unit = avocet_command_unit(words);
    const uint64_t cycles = span.last - span.first;
    if (unit == AVOCET_UNIT_MAC) layer.array_cycles += array_cycles(command, words);
    if (unit == AVOCET_UNIT_REQUANT) layer.requant_cycles += cycles - std::min(cycles, cost_.requant_latency());
    if (unit == AVOCET_UNIT_VECTOR) layer.vector_cycles += cycles - std::min(cycles, cost_.vector_latency());
    const uint32_t opcode = avocet_command_opcode(words[0]);
    if (opcode == AVOCET_OP_DMA_LOAD || opcode == AVOCET_OP_DMA_STORE) {
      avocet_cmd_dma_load c;  // DMA_STORE has the same fields
      avocet_dma_load_decode(words, &c);
      const uint64_t bytes = uint64_t{c.row_bytes} * c.count0 * c.count1 * c.count2;
      (opcode == AVOCET_OP_DMA_LOAD ? layer.dram_read_bytes : layer.dram_write_bytes) += bytes;
    }
    note_tile(command, words, unit, layer);
  }

  /// The stages of the array overlap, so a command's busy time is that of its passes.
  uint64_t array_cycles(const avocet_command_info& command, const uint32_t* words) const {
    const uint64_t vectors = *field(command, words, "x_count") * *field(command, words, "y_count");
    const uint64_t tile_bytes = uint64_t{program_.device.array_rows} * program_.device.array_cols;
    return cost_.matmul(*field(command, words, "weight_bytes") / tile_bytes, vectors);
  }

  /// Output rows, columns and channels of what REQUANT or the vector unit makes in one command.
  void note_tile(const avocet_command_info& command, const uint32_t* words, uint32_t unit, LayerReport& layer) {
    if (unit != AVOCET_UNIT_REQUANT && unit != AVOCET_UNIT_VECTOR) return;
    const auto rows = field(command, words, "y_count");
    if (!rows) return;
    const uint64_t columns = field(command, words, "x_count").value_or(1);
    const auto channels = field(command, words, "channels");
    const uint64_t last = channels ? *channels : field(command, words, "row_bytes").value_or(1);
    const uint64_t volume = *rows * columns * last;
    if (unit == AVOCET_UNIT_VECTOR && layer.requant_cycles > 0) return;  // a copy beside the array's work
    if (unit == AVOCET_UNIT_REQUANT && !tile_of_array_[&layer - report_.layers.data()]) {
      tile_of_array_[&layer - report_.layers.data()] = true;
      layer.tile.clear();
    }
    uint64_t largest = layer.tile.empty() ? 0 : 1;
    for (uint32_t extent : layer.tile) largest *= extent;
    if (volume <= largest) return;
    layer.tile = {static_cast<uint32_t>(*rows), static_cast<uint32_t>(columns), static_cast<uint32_t>(last)};
  }

  void follow_accesses(const uint32_t* words, const CommandSpan& span, uint32_t tag) {
    avocet_access accesses[AVOCET_ACCESSES_MAX];
    const uint32_t count = avocet_command_accesses(words, accesses);
    const bool loads = avocet_command_opcode(words[0]) == AVOCET_OP_DMA_LOAD;
    for (uint8_t mode : {AVOCET_MODE_READ, AVOCET_MODE_WRITE}) {
      for (uint32_t i = 0; i < count; ++i) {
        const avocet_access& access = accesses[i];
        const bool sram = access.space == AVOCET_SPACE_SRAM;
        const bool scratch = access.space == AVOCET_SPACE_DRAM && access.region == kScratch;
        if (!(access.mode & mode) || (!sram && !scratch)) continue;
        OccupancyTracker& memory = sram ? sram_ : scratch_;
        if (mode == AVOCET_MODE_READ) {
          memory.read(access.address, access.extent, span.last);
        } else {
          memory.write(access.address, access.extent, span.first, span.last, tag, sram && loads);
        }
      }
    }
  }

  void finish_layers() {
    std::vector<std::vector<MemoryBlock>> by_layer(report_.layers.size());
    for (const MemoryBlock& block : report_.sram.blocks) by_layer[block.tag].push_back(block);
    std::vector<uint32_t> by_end(report_.layers.size());
    for (uint32_t tag = 0; tag < by_end.size(); ++tag) by_end[tag] = tag;
    std::stable_sort(by_end.begin(), by_end.end(), [&](uint32_t a, uint32_t b) {
      return report_.layers[a].last_cycle < report_.layers[b].last_cycle;
    });
    uint64_t end = 0;
    for (uint32_t tag : by_end) {
      LayerReport& layer = report_.layers[tag];
      layer.cycles = layer.last_cycle - std::min(end, layer.last_cycle);
      end = std::max(end, layer.last_cycle);
      layer.dram_cycles = cost_.dram(layer.dram_read_bytes + layer.dram_write_bytes);
      layer.sram_bytes = most_live_bytes(by_layer[tag]);
      layer.loop_order = loops_[tag].text();
    }
    group_layers();
  }

  /// A layer belongs to the group before it when most of the shorter one of both lies within the other; weights that are
  /// fetched early make neighbours overlap a little.
  void group_layers() {
    std::vector<LayerReport>& layers = report_.layers;
    uint64_t begin = 0, end = 0;
    size_t first = 0;
    for (size_t i = 0; i < layers.size(); ++i) {
      const uint64_t overlap = std::min(end, layers[i].last_cycle) - std::min({end, layers[i].last_cycle, layers[i].first_cycle});
      const uint64_t shorter = std::min(end - begin, layers[i].last_cycle - layers[i].first_cycle);
      const bool joins = i > first && overlap * 2 > shorter;
      if (!joins) {
        set_bound(first, i);
        first = i;
        begin = layers[i].first_cycle;
        end = 0;
      }
      layers[i].group = i == 0 ? 0 : layers[i - 1].group + (joins ? 0 : 1);
      begin = std::min(begin, layers[i].first_cycle);
      end = std::max(end, layers[i].last_cycle);
    }
    set_bound(first, layers.size());
  }

  /// Of the group [first, last).
  void set_bound(size_t first, size_t last) {
    uint64_t begin = UINT64_MAX, end = 0;
    std::pair<uint64_t, Bound> busy[] = {{0, Bound::kArray}, {0, Bound::kRequant}, {0, Bound::kVector}, {0, Bound::kDram}};
    for (size_t i = first; i < last; ++i) {
      const LayerReport& layer = report_.layers[i];
      begin = std::min(begin, layer.first_cycle);
      end = std::max(end, layer.last_cycle);
      busy[0].first += layer.array_cycles;
      busy[1].first += layer.requant_cycles;
      busy[2].first += layer.vector_cycles;
      busy[3].first += layer.dram_cycles;
    }
    const auto longest = *std::max_element(std::begin(busy), std::end(busy),
                                           [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = first; i < last; ++i) {
      report_.layers[i].bound = longest.first * 2 >= end - begin ? longest.second : Bound::kLatency;
    }
  }

  const Program& program_;
  const CommandCost cost_;
  size_t first_core_words_ = 0;  // memories are those of the first core
  ProgramReport report_;
  OccupancyTracker sram_, scratch_;
  std::vector<LoopOrder> loops_;
  std::vector<bool> tile_of_array_;  // layer.tile is of a REQUANT
};

}  // namespace

const char* name(Bound bound) {
  switch (bound) {
    case Bound::kArray: return "array";
    case Bound::kRequant: return "requant";
    case Bound::kVector: return "vector";
    case Bound::kDram: return "DRAM";
    case Bound::kLatency: return "latency";
  }
  return "?";
}

ProgramReport report(const Program& program) {
  check_device(program.device);
  check_program(program, program.device);
  return Reader(program).run();
}

}  // namespace avocet::compiler
