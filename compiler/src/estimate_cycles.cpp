// SPDX-License-Identifier: Apache-2.0
// Time advances from event to event: a dispatched command, a unit that is free again, a completion, the end of a DMA
// transfer, whose rate changes with the number of transfers of all cores. A few steps for each command.
#include "estimate_cycles.hpp"

#include <algorithm>
#include <deque>

#include "avocet_stream.h"
#include "command_cost.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kNever = UINT64_MAX;
constexpr uint64_t kMilli = 1000;

class Estimation {
 public:
  Estimation(std::span<const uint32_t> stream, const DeviceConfig& device, std::vector<CommandSpan>* commands)
      : stream_(stream), device_(device), commands_(commands), cost_(device) {
    for (uint32_t channel = 0; channel < device.dma_channels; ++channel) present_.push_back(AVOCET_UNIT_DMA0 + channel);
    for (size_t at = 0, begin = 0; at < stream.size();) {
      const bool ends = avocet_command_opcode(stream[at]) == AVOCET_OP_END;
      at += avocet_command_length(stream[at]);
      if (!ends && at < stream.size()) continue;
      cores_.emplace_back().position = begin;
      cores_.back().end = begin = at;
    }
  }

  CycleEstimate run() {
    while (true) {
      for (bool moved = true; moved;) {
        moved = false;
        for (Core& core : cores_)
          while (step(core)) moved = true;
        moved = moved && cores_.size() > 1;  // others may wait for what this core did
      }
      const uint64_t next = next_event();
      if (next == kNever) break;
      advance(next);
    }
    result_.cycles = now_;
    return std::move(result_);
  }

 private:
  struct Unit {
    std::deque<const uint32_t*> queue;
    uint64_t free_at = 0;              // when the head may begin; kNever during a DMA transfer
    uint64_t transfer_left = 0;        // DMA: thousandths of a byte
    uint64_t transfer_limit = 0;       // DMA: thousandths of a byte per cycle that rows of this length allow
    std::deque<uint64_t> completions;  // times, rising
    uint32_t completed = 0;
    uint64_t last_completion = 0;
    const uint32_t* transfer = nullptr;
    uint64_t transfer_begin = 0;
    uint64_t rate = 0;         // DMA: thousandths of a byte per cycle
    bool at_barrier = false;   // DMA: its head is a BARRIER that has been counted
  };

  struct Core {
    std::array<Unit, AVOCET_UNIT_COUNT> units;
    uint64_t dispatch_at = 0, vectors_done = 0;
    size_t position = 0, end = 0;
    bool fetched = false;   // the command at `position` has been read and waits for room
    uint32_t arrived = 0;   // BARRIERs that it has come to
  };

  // ---- what can happen now ----

  bool step(Core& core) {
    bool moved = false;
    for (uint32_t u : present_) {
      Unit& unit = core.units[u];
      while (!unit.completions.empty() && unit.completions.front() <= now_) {
        unit.completions.pop_front();
        ++unit.completed;
        moved = true;
      }
    }
    for (uint32_t u : present_) moved |= begin_head(core, u);
    return dispatch(core) || moved;
  }

  bool dispatch(Core& core) {
    if (core.position >= core.end || core.dispatch_at > now_) return false;
    const uint32_t* words = stream_.data() + core.position;
    const uint32_t length = avocet_command_length(words[0]);
    if (!core.fetched) {
      core.fetched = true;
      core.dispatch_at = now_ + length;
      stream_left_ += length * sizeof(uint32_t) * kMilli;
      return true;
    }
    const uint32_t u = avocet_command_unit(words);
    if (u < AVOCET_UNIT_COUNT) {
      if (core.units[u].queue.size() >= AVOCET_QUEUE_DEPTH) return false;
      core.units[u].queue.push_back(words);
    }
    core.position += length;
    core.fetched = false;
    return true;
  }

  bool begin_head(Core& core, uint32_t u) {
    Unit& unit = core.units[u];
    if (unit.queue.empty() || unit.free_at > now_) return false;
    const uint32_t* words = unit.queue.front();
    if (avocet_command_opcode(words[0]) == AVOCET_OP_WAIT) {
      avocet_cmd_wait wait;
      avocet_wait_decode(words, &wait);
      if (core.units[wait.producer].completed < wait.count) return false;
      unit.queue.pop_front();
      return true;
    }
    if (avocet_command_opcode(words[0]) == AVOCET_OP_BARRIER) return meet(core, unit, words);
    unit.queue.pop_front();
    begin(core, u, unit, words);
    return true;
  }

  static bool has_ended(const Core& core) {
    return core.position >= core.end && std::all_of(core.units.begin(), core.units.end(), [](const Unit& unit) {
             return unit.queue.empty() && unit.completions.empty() && !unit.transfer;
           });
  }

  /// A core waits at one BARRIER at a time: all are of one channel.
  bool meet(Core& core, Unit& unit, const uint32_t* words) {
    if (!unit.completions.empty()) return false;
    const bool comes = !unit.at_barrier;
    if (comes) {
      unit.at_barrier = true;
      ++core.arrived;
    }
    for (const Core& other : cores_)
      if (other.arrived < core.arrived && !has_ended(other)) return comes;
    unit.at_barrier = false;
    unit.queue.pop_front();
    complete(unit, words, now_, now_);
    return true;
  }

  void begin(Core& core, uint32_t u, Unit& unit, const uint32_t* words) {
    switch (avocet_command_opcode(words[0])) {
      case AVOCET_OP_MATMUL:
        return begin_matmul(core, unit, words);
      case AVOCET_OP_DMA_LOAD:
      case AVOCET_OP_DMA_STORE:
        return begin_transfer(unit, words);
      default:
        break;
    }
    const uint64_t cycles = fixed_cycles(words);
    const uint64_t latency = u == AVOCET_UNIT_REQUANT  ? cost_.requant_latency()
                             : u == AVOCET_UNIT_VECTOR ? cost_.vector_latency()
                                                       : 0;
    unit.free_at = now_ + cycles;
    result_.busy[u] += cycles;
    complete(unit, words, now_, now_ + cycles + latency);
  }

  /// Of SOFTMAX and L2_NORMALISE: elements side by side, or rows side by side, or neither.
  template <typename Slices>
  uint64_t slice_cycles(const Slices& c, uint64_t passes, uint64_t rest) const {
    if (c.in_x_stride == 1 && c.x_stride == 1) return cost_.rows_of_elements(c.x_count, c.y_count, passes, rest);
    if (c.in_y_stride == 1 && c.y_stride == 1) return cost_.columns_of_elements(c.x_count, c.y_count, passes, rest);
    return (passes * c.x_count + rest) * c.y_count;
  }

  /// Of cells that are reduced, side by side or not.
  uint64_t line_cycles(uint64_t cells, uint64_t channels, uint64_t stride) const {
    return stride == channels ? cost_.copy(cells * channels) : cells * cost_.copy(channels);
  }

  uint64_t fixed_cycles(const uint32_t* words) const {
    switch (avocet_command_opcode(words[0])) {
      case AVOCET_OP_REQUANT: {
        avocet_cmd_requant c;
        avocet_requant_decode(words, &c);
        return cost_.requant(c.channels, uint64_t{c.x_count} * c.y_count);
      }
      case AVOCET_OP_DEPTHWISE: {
        avocet_cmd_depthwise c;
        avocet_depthwise_decode(words, &c);
        return cost_.depthwise(c.channels, c.x_count, c.y_count, uint64_t{c.kernel_width} * c.kernel_height);
      }
      case AVOCET_OP_POOL: {
        avocet_cmd_pool c;
        avocet_pool_decode(words, &c);
        return cost_.pool(c.channels, c.x_count, c.y_count, uint64_t{c.kernel_width} * c.kernel_height);
      }
      case AVOCET_OP_ADD: {
        avocet_cmd_add c;
        avocet_add_decode(words, &c);
        return cost_.binary(c.row_bytes, c.y_count, c.a_scalar + c.b_scalar);
      }
      case AVOCET_OP_BINARY: {
        avocet_cmd_binary c;
        avocet_binary_decode(words, &c);
        return cost_.binary(c.row_bytes, c.y_count, c.a_scalar + c.b_scalar);
      }
      case AVOCET_OP_TABLE: {
        avocet_cmd_table c;
        avocet_table_decode(words, &c);
        return cost_.table(c.row_bytes, c.y_count);
      }
      case AVOCET_OP_REDUCE: {
        avocet_cmd_reduce c;
        avocet_reduce_decode(words, &c);
        return (line_cycles(c.axis0_count, c.channels, c.axis0_stride) * c.axis1_count + cost_.copy(c.channels)) * c.y_count;
      }
      case AVOCET_OP_ARG_REDUCE: {
        avocet_cmd_arg_reduce c;
        avocet_arg_reduce_decode(words, &c);
        return std::max(line_cycles(c.axis_count, c.channels, c.axis_stride), cost_.copy(uint64_t{4} * c.channels)) * c.y_count;
      }
      case AVOCET_OP_SOFTMAX: {
        avocet_cmd_softmax c;
        avocet_softmax_decode(words, &c);
        return slice_cycles(c, 3, 16) + cost_.copy(1024);
      }
      case AVOCET_OP_L2_NORMALISE: {
        avocet_cmd_l2_normalise c;
        avocet_l2_normalise_decode(words, &c);
        return slice_cycles(c, 2, 32);
      }
      case AVOCET_OP_RESIZE: {
        avocet_cmd_resize c;
        avocet_resize_decode(words, &c);
        return cost_.resize(c.channels, c.x_count, c.y_count);
      }
      case AVOCET_OP_DMA_FILL: {
        avocet_cmd_dma_fill c;
        avocet_dma_fill_decode(words, &c);
        return cost_.fill(c.row_bytes, uint64_t{c.count0} * c.count1);
      }
      default:
        return 0;
    }
  }

  /// The next command's first weights are fetched during the last pass of the one before.
  void begin_matmul(Core& core, Unit& unit, const uint32_t* words) {
    avocet_cmd_matmul c;
    avocet_matmul_decode(words, &c);
    const uint64_t vectors = uint64_t{c.x_count} * c.y_count, rows = device_.array_rows;
    const uint64_t passes = c.weight_bytes / (rows * device_.array_cols);
    const uint64_t first = std::max(now_ + 1 + rows, core.vectors_done);
    const uint64_t last_pass = first + (passes - 1) * std::max(vectors, rows);
    result_.busy[AVOCET_UNIT_MAC] += last_pass + vectors - std::max(now_, core.vectors_done);
    core.vectors_done = last_pass + vectors;
    unit.free_at = last_pass;
    complete(unit, words, now_, core.vectors_done + cost_.matmul_latency());
  }

  void begin_transfer(Unit& unit, const uint32_t* words) {
    avocet_cmd_dma_load c;
    avocet_dma_load_decode(words, &c);
    uint64_t rows = uint64_t{c.count0} * c.count1 * c.count2, bytes = c.row_bytes;
    const bool gapless =
        c.count0 == 1 && c.count2 == 1 && c.dram_stride1 == c.row_bytes && c.sram_stride1 == c.row_bytes;
    if (gapless) {
      bytes *= rows;
      rows = 1;
    }
    const uint64_t beats = rows * divide_up(bytes, device_.dma_bytes_per_cycle);
    const uint64_t bursts = rows * divide_up(bytes, CommandCost::kBurstBytes);
    const uint64_t cycles =
        std::max({uint64_t{1}, beats, bursts * device_.dram_latency / CommandCost::kBurstsOutstanding});
    unit.transfer = words;
    unit.transfer_begin = now_;
    unit.transfer_left = rows * bytes * kMilli;
    unit.transfer_limit = std::max<uint64_t>(1, rows * bytes * kMilli / cycles);
    unit.free_at = kNever;
    transfers_changed_ = true;
  }

  void complete(Unit& unit, const uint32_t* words, uint64_t begin, uint64_t end) {
    end = std::max(end, unit.last_completion);
    unit.last_completion = end;
    unit.completions.push_back(end);
    if (commands_) commands_->push_back({static_cast<uint64_t>(words - stream_.data()), begin, end});
    const uint32_t tag = avocet_command_tag(words[0]);
    if (tag >= result_.layers.size()) result_.layers.resize(tag + 1);
    result_.layers[tag].first = std::min(result_.layers[tag].first, begin);
    result_.layers[tag].last = std::max(result_.layers[tag].last, end);
  }

  // ---- time ----

  /// Max-min fair rates: a transfer whose own limit is below an equal share leaves the rest to the others.
  void share() {
    transfers_changed_ = false;
    uint64_t rest = device_.dram_millibytes_per_cycle;
    sharing_.clear();
    for (Core& core : cores_)
      for (uint32_t u = AVOCET_UNIT_DMA0; u < AVOCET_UNIT_COUNT; ++u)
        if (core.units[u].transfer) sharing_.push_back(&core.units[u]);
    std::stable_sort(sharing_.begin(), sharing_.end(),
                     [](const Unit* a, const Unit* b) { return a->transfer_limit < b->transfer_limit; });
    size_t left = sharing_.size();
    for (Unit* unit : sharing_) {
      unit->rate = std::max<uint64_t>(1, std::min(unit->transfer_limit, rest / left--));
      rest -= std::min(rest, unit->rate);
    }
  }

  uint64_t next_event() {
    uint64_t next = kNever;
    const auto consider = [&](uint64_t time) {
      if (time > now_) next = std::min(next, time);
    };
    if (transfers_changed_) share();
    for (const Core& core : cores_) {
      for (uint32_t u : present_) {
        const Unit& unit = core.units[u];
        if (!unit.completions.empty()) consider(unit.completions.front());
        if (unit.transfer)
          consider(now_ + std::max<uint64_t>(1, divide_up(unit.transfer_left, unit.rate)));
        else if (!unit.queue.empty())
          consider(unit.free_at);
      }
      if (core.position < core.end) consider(core.dispatch_at);
    }
    return next;
  }

  void advance(uint64_t time) {
    const uint64_t elapsed = time - now_;
    now_ = time;
    if (stream_left_ > 0) fetch(elapsed);
    for (Core& core : cores_)
      for (uint32_t u = AVOCET_UNIT_DMA0; u < AVOCET_UNIT_DMA0 + device_.dma_channels; ++u) move(core.units[u], u, elapsed);
  }

  /// The stream comes from the memory, too: its bytes take what the transfers leave, and then what is theirs.
  void fetch(uint64_t elapsed) {
    uint64_t rates = 0;
    for (const Unit* unit : sharing_) rates += unit->rate;
    const uint64_t bandwidth = std::max<uint64_t>(device_.dram_millibytes_per_cycle, rates);
    stream_left_ -= std::min(stream_left_, (bandwidth - rates) * elapsed);
    for (Unit* unit : sharing_) {
      const uint64_t taken = std::min(stream_left_, unit->rate * elapsed);
      unit->transfer_left += taken;
      stream_left_ -= taken;
    }
  }

  void move(Unit& unit, uint32_t u, uint64_t elapsed) {
    if (!unit.transfer) return;
    unit.transfer_left -= std::min(unit.transfer_left, unit.rate * elapsed);
    if (unit.transfer_left > 0) return;
    result_.busy[u] += now_ - unit.transfer_begin;
    complete(unit, unit.transfer, unit.transfer_begin, now_ + cost_.dma_latency());
    unit.transfer = nullptr;
    transfers_changed_ = true;
    unit.free_at = now_;
  }

  std::span<const uint32_t> stream_;
  const DeviceConfig& device_;
  std::vector<CommandSpan>* const commands_;
  const CommandCost cost_;
  CycleEstimate result_;
  std::vector<Core> cores_;
  std::vector<Unit*> sharing_;
  std::vector<uint32_t> present_{AVOCET_UNIT_MAC, AVOCET_UNIT_REQUANT, AVOCET_UNIT_VECTOR};
  bool transfers_changed_ = false;
  uint64_t now_ = 0;
  uint64_t stream_left_ = 0;  // thousandths of a byte: dispatched, and not yet taken from the memory's bandwidth
};

}  // namespace

CycleEstimate estimate_cycles(std::span<const uint32_t> stream, const DeviceConfig& device,
                              std::vector<CommandSpan>* commands) {
  CycleEstimate estimate = Estimation(stream, device, commands).run();
  if (commands) {
    std::sort(commands->begin(), commands->end(),
              [](const CommandSpan& a, const CommandSpan& b) { return a.position < b.position; });
  }
  return estimate;
}

}  // namespace avocet::compiler
