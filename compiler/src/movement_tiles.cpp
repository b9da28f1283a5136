// SPDX-License-Identifier: Apache-2.0
#include "movement_tiles.hpp"

#include <algorithm>
#include <optional>

#include "command_cost.hpp"
#include "copy_commands.hpp"
#include "place_box.hpp"
#include "window.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kAlignment = 16;
constexpr uint64_t kPieceCycles = 60;  // dispatch and waits of one

uint64_t aligned(uint64_t bytes) { return divide_up(bytes, kAlignment) * kAlignment; }

void place_side(MovementBox& box, Side side, const Value& value, const Map& map, bool in_sram) {
  uint64_t origin = map.offset;
  Pitches pitches = pitches_in_value(map);
  if (in_sram) {
    const Window window = Window::of_value(0, value, map);
    origin = static_cast<uint64_t>(window.origin);
    pitches = window.pitches(map);
  }
  if (!place_box(box, side, pitches)) throw CompileError("internal fault: a movement does not fit its maps");
  (side == Side::kFrom ? box.from : box.to) += origin;
}

/// Sets one stride of each dimension so that the box is dense on that side, and returns its bytes there. `order` lists
/// dimensions from the innermost on; those that repeat the same bytes get none.
template <typename GetStride>
uint64_t pack(MovementBox& box, const std::vector<size_t>& order, bool skips_repeats, GetStride stride) {
  uint64_t next = box.run;
  for (size_t i : order) {
    MovementBox::Dim& dim = box.dims[i];
    if (skips_repeats && dim.from_stride == 0) {
      stride(dim) = 0;
      continue;
    }
    stride(dim) = next;
    next *= dim.count;
  }
  return next;
}

std::vector<size_t> inner_first(const MovementBox& box, bool by_source) {
  std::vector<size_t> order(box.dims.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  if (by_source)
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return box.dims[a].from_stride < box.dims[b].from_stride; });
  return order;
}

uint64_t rows_of(const MovementBox& box) {
  uint64_t rows = 1;
  for (const MovementBox::Dim& dim : box.dims) rows *= dim.count;
  return rows;
}

/// Cycles that a DMA channel alone takes for a copy.
uint64_t transfer_cycles(const MovementBox& copy, const CommandCost& cost) {
  return cost.transfer(rows_of(copy), copy.run);
}

class Tiling {
 public:
  Tiling(const MovementBox& box, MovementSides sides, const DeviceConfig& device, uint64_t sram_bytes)
      : box_(box),
        sides_(sides),
        device_(device),
        cost_(device),
        budget_(std::max(kAlignment, sram_bytes / 2 / kAlignment * kAlignment)) {}

  MovementTile run() {
    consider(cut_outermost(), false);
    // Long runs gain nothing, nor does what is in order already. In the SRAM alone there is no other way.
    const bool useless = box_.run >= kLongRun || (is_in_order() && !sides_.from_sram);
    if (useless || (sides_.from_sram && sides_.to_sram)) return *best_;
    counts_.assign(box_.dims.size(), 1);
    counts_.push_back(box_.run);
    search(0, box_.run);
    return *best_;
  }

 private:
  static constexpr uint64_t kLongRun = 128;

  MovementBox part(const std::vector<uint64_t>& counts) const {
    MovementBox result = box_;
    for (size_t i = 0; i < result.dims.size(); ++i) result.dims[i].count = counts[i];
    result.run = counts.back();
    return result;
  }

  uint64_t pieces(const std::vector<uint64_t>& counts) const {
    uint64_t sum = divide_up(box_.run, counts.back());
    for (size_t i = 0; i < box_.dims.size(); ++i) sum *= divide_up(box_.dims[i].count, counts[i]);
    return sum;
  }

  /// Inner dimensions whole, as many as fit, outer ones one by one.
  std::vector<uint64_t> cut_outermost() const {
    std::vector<uint64_t> counts(box_.dims.size() + 1, 1);
    uint64_t bytes = 1;
    const auto take = [&](uint64_t& count, uint64_t all, bool repeats) {
      if (sides_.from_sram || sides_.to_sram) return void(count = all);
      count = std::clamp<uint64_t>(budget_ / bytes, 1, all);
      if (repeats) count = all;
      if (!repeats) bytes = count < all ? budget_ + 1 : bytes * all;
    };
    take(counts.back(), box_.run, false);
    for (size_t i = box_.dims.size(); i-- > 0;) take(counts[i], box_.dims[i].count, box_.dims[i].from_stride == 0);
    return counts;
  }

  bool is_in_order() const {
    for (size_t i = 0; i < box_.dims.size(); ++i) {
      if (box_.dims[i].from_stride == 0) return false;
      if (i > 0 && box_.dims[i].from_stride > box_.dims[i - 1].from_stride) return false;
    }
    return true;
  }

  /// All halvings of the dimensions that fill a good part of the memory; the run, which is short, stays whole.
  void search(size_t dim, uint64_t bytes) {
    if (bytes > budget_) return;
    if (dim == box_.dims.size()) {
      const bool whole = bytes == box_.bytes();
      if (whole || bytes * 8 >= budget_) consider(counts_, true);
      return;
    }
    for (uint64_t parts = 1;; parts *= 2) {
      counts_[dim] = divide_up(box_.dims[dim].count, parts);
      search(dim + 1, bytes * counts_[dim]);
      if (counts_[dim] == 1) return;
    }
  }

  void consider(const std::vector<uint64_t>& counts, bool reorders) {
    const MovementPiece piece = make_piece(part(counts), reorders, sides_);
    const uint64_t bytes = aligned(piece.loaded_bytes) + aligned(piece.reordered_bytes);
    if (reorders && bytes > budget_) return;
    MovementTile tile{counts, reorders, 0, pieces(counts)};
    // Cut tiles are counted as whole ones: the last may be smaller.
    const uint64_t load = piece.loads ? transfer_cycles(piece.load, cost_) : 0;
    const uint64_t store = piece.stores ? transfer_cycles(piece.store, cost_) : 0;
    const uint64_t shuffle = piece.shuffles ? copy_cycles(piece.shuffle, device_) : 0;
    const uint64_t dram = cost_.dram((piece.loads ? piece.load.bytes() : 0) + (piece.stores ? piece.store.bytes() : 0));
    tile.cycles = std::max({load, store, shuffle, dram, kPieceCycles}) * tile.pieces + std::min(load, std::max(store, shuffle)) +
                  (piece.loads ? cost_.dma_latency() : 0) + (piece.stores ? cost_.dma_latency() : 0);
    if (!best_ || tile.cycles < best_->cycles) best_ = std::move(tile);
  }

  const MovementBox& box_;
  const MovementSides sides_;
  const DeviceConfig& device_;
  const CommandCost cost_;
  const uint64_t budget_;
  std::vector<uint64_t> counts_;
  std::optional<MovementTile> best_;
};

}  // namespace

std::vector<MovementBox> placed_boxes(const Network& network, const Node& node, MovementSides sides) {
  std::vector<MovementBox> boxes = network.movements[node.movement].boxes;
  for (MovementBox& box : boxes) {
    const Map& output = network.output(node);
    place_side(box, Side::kTo, network.values[output.value], output, sides.to_sram);
    if (!node.inputs.empty()) {
      const Map& input = network.input(node);
      place_side(box, Side::kFrom, network.values[input.value], input, sides.from_sram);
    }
    box.simplify();
  }
  return boxes;
}

std::vector<MovementBox> output_stores(const Network& network, const Node& node) {
  std::vector<MovementBox> boxes = network.movements[node.movement].boxes;
  const Map& map = network.output(node);
  for (MovementBox& box : boxes) {
    box.input = 0;  // from the SRAM, whatever it was before
    box.from = box.to;
    for (MovementBox::Dim& dim : box.dims) dim.from_stride = dim.to_stride;
    place_side(box, Side::kFrom, network.values[map.value], map, true);
    place_side(box, Side::kTo, network.values[map.value], map, false);
  }
  return boxes;
}

MovementTile choose_movement_tile(const MovementBox& box, MovementSides sides, const DeviceConfig& device,
                                  uint64_t sram_bytes) {
  return Tiling(box, sides, device, sram_bytes).run();
}

MovementPiece make_piece(const MovementBox& part, bool reorders, MovementSides sides) {
  MovementPiece piece;
  piece.loads = !sides.from_sram;
  piece.stores = !sides.to_sram;
  piece.shuffles = reorders || (sides.from_sram && sides.to_sram);
  piece.load = piece.shuffle = piece.store = part;
  if (piece.loads && (piece.shuffles || piece.stores)) {
    // Into a block of its own.
    const auto order = inner_first(part, reorders);
    piece.load.to = 0;
    piece.loaded_bytes = pack(piece.load, order, true, [](MovementBox::Dim& dim) -> uint64_t& { return dim.to_stride; });
    MovementBox& next = piece.shuffles ? piece.shuffle : piece.store;
    next.from = 0;
    for (size_t i = 0; i < part.dims.size(); ++i) next.dims[i].from_stride = piece.load.dims[i].to_stride;
    std::erase_if(piece.load.dims, [](const MovementBox::Dim& dim) { return dim.from_stride == 0; });
  }
  if (piece.shuffles && piece.stores) {
    piece.shuffle.to = piece.store.from = 0;
    piece.reordered_bytes = pack(piece.shuffle, inner_first(part, false), false,
                                 [](MovementBox::Dim& dim) -> uint64_t& { return dim.to_stride; });
    for (size_t i = 0; i < part.dims.size(); ++i) piece.store.dims[i].from_stride = piece.shuffle.dims[i].to_stride;
  }
  piece.load.simplify();
  piece.shuffle.simplify();
  piece.store.simplify();
  return piece;
}

std::vector<MovementBox> fill_stores(const MovementBox& fill, uint64_t block_bytes) {
  MovementBox whole = fill;
  whole.input = 0;  // its source is a block now
  whole.from = 0;
  for (MovementBox::Dim& dim : whole.dims) dim.from_stride = 0;
  if (fill.run <= block_bytes) return {whole};
  std::vector<MovementBox> stores;
  const uint64_t rest = fill.run % block_bytes;
  whole.run = block_bytes;
  whole.dims.push_back({fill.run / block_bytes, 0, block_bytes});
  stores.push_back(whole);
  if (rest == 0) return stores;
  whole.dims.pop_back();
  whole.to += fill.run - rest;
  whole.run = rest;
  stores.push_back(whole);
  return stores;
}

MovementCost movement_cost(const Network& network, const Node& node, MovementSides sides, const DeviceConfig& device,
                           uint64_t sram_bytes) {
  const CommandCost cost(device);
  MovementCost sum;
  const bool also_stores = sides.to_sram && network.values[network.output(node).value].home == Home::kOutput;
  for (const MovementBox& box : placed_boxes(network, node, sides)) {
    if (also_stores) sum.cycles += cost.dram(box.bytes());
    if (node.inputs.empty()) {
      sum.cycles += sides.to_sram ? cost.fill(box.run, rows_of(box)) : cost.transfer(rows_of(box), box.run);
      ++sum.pieces;
      continue;
    }
    const MovementTile tile = choose_movement_tile(box, sides, device, sram_bytes);
    sum.cycles += tile.cycles;
    sum.pieces += tile.pieces;
  }
  return sum;
}

}  // namespace avocet::compiler
