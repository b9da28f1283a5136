// SPDX-License-Identifier: Apache-2.0
// A movement in pieces, one slot each; a piece's blocks are its own, so that the next one can be loaded meanwhile.
#include <algorithm>

#include "copy_commands.hpp"
#include "movement_tiles.hpp"
#include "schedule_writer.hpp"

namespace avocet::compiler {
namespace {

class MovementScheduler {
 public:
  MovementScheduler(ScheduleWriter& writer, const GroupPlan& plan)
      : writer_(writer),
        network_(writer.network),
        index_(plan.begin),
        node_(network_.nodes[plan.begin]),
        bytes_(plan.movement_bytes),
        output_(network_.output(node_).value) {
    sides_.to_sram = writer.plan.resident[output_];
    sides_.from_sram = !node_.inputs.empty() && writer.plan.resident[network_.input(node_).value];
  }

  void run() {
    if (sides_.to_sram) keep_output();
    const std::vector<MovementBox> boxes = placed_boxes(network_, node_, sides_);
    if (node_.inputs.empty() && sides_.to_sram)
      fill_block(boxes);
    else if (node_.inputs.empty())
      fill_dram(boxes);
    else
      for (const MovementBox& box : boxes) move(box);
    if (sides_.to_sram && network_.values[output_].home == Home::kOutput) return_output();
  }

 private:
  void keep_output() {
    if (writer_.has_resident_block(output_)) return;
    const Value& value = network_.values[output_];
    const uint32_t block = writer_.new_block(value.sram_bytes());
    writer_.keep_resident(output_, block);
    writer_.open_slot(index_, 0);
    std::vector<Command> commands;
    writer_.transfers.pad(value.frame, block, node_.tag, &commands);
    writer_.load(std::move(commands), block, writer_.current_slot(), 0, false, 0);
  }

  uint8_t fill_value() const { return network_.movements[node_.movement].fill_value; }

  void fill_block(const std::vector<MovementBox>& boxes) {
    const uint32_t block = writer_.resident_block(output_);
    writer_.open_slot(index_, 0);
    std::vector<Command> commands;
    for (const MovementBox& box : boxes) writer_.transfers.fill(block, box, fill_value(), node_.tag, &commands);
    writer_.load(std::move(commands), block, writer_.current_slot(), 0, false, 0);
  }

  void fill_dram(const std::vector<MovementBox>& boxes) {
    uint64_t longest = 1;
    for (const MovementBox& box : boxes) longest = std::max(longest, box.run);
    const uint64_t bytes = std::min({longest, bytes_ / 2, kFillBlockBytesMax});
    writer_.open_slot(index_, 0);
    const uint32_t block = writer_.new_block(bytes);
    std::vector<Command> commands;
    writer_.transfers.fill(block, 0, bytes, 1, 0, fill_value(), node_.tag, &commands);
    writer_.load(std::move(commands), block, writer_.current_slot(), 0, false, 0);
    for (const MovementBox& box : boxes)
      for (const MovementBox& store : fill_stores(box, bytes)) writer_.store(block, store, output_, node_.tag);
  }

  void move(const MovementBox& box) {
    const MovementTile tile = choose_movement_tile(box, sides_, writer_.device, bytes_);
    slot_cycles_ = tile.cycles / tile.pieces;
    MovementBox part = box;
    cut(box, tile, 0, part);
  }

  /// Cuts dimension `dim` of the box, and then those behind it.
  void cut(const MovementBox& box, const MovementTile& tile, size_t dim, MovementBox& part) {
    const size_t dims = box.dims.size();
    if (dim > dims) return run_piece(part, tile.reorders);
    const MovementBox::Dim whole = dim < dims ? box.dims[dim] : MovementBox::Dim{box.run, 1, 1};
    uint64_t& count = dim < dims ? part.dims[dim].count : part.run;
    const uint64_t from = part.from, to = part.to;
    for (uint64_t done = 0; done < whole.count; done += tile.counts[dim]) {
      part.from = from + done * whole.from_stride;
      part.to = to + done * whole.to_stride;
      count = std::min(tile.counts[dim], whole.count - done);
      cut(box, tile, dim + 1, part);
    }
    part.from = from;
    part.to = to;
  }

  void run_piece(const MovementBox& part, bool reorders) {
    const MovementPiece piece = make_piece(part, reorders, sides_);
    writer_.open_slot(index_, slot_cycles_);
    const uint32_t to = sides_.to_sram ? writer_.resident_block(output_) : 0;
    uint32_t from = sides_.from_sram ? writer_.resident_block(network_.input(node_).value) : 0;
    if (piece.loads) {
      const uint32_t source = network_.input(node_).value;
      const uint32_t block = piece.loaded_bytes ? writer_.new_block(piece.loaded_bytes) : to;
      std::vector<Command> commands;
      writer_.transfers.load(network_.values[source], piece.load, block, node_.tag, &commands);
      const uint32_t earliest =
          writer_.slot_after_store(source, piece.load.from, piece.load.from + piece.load.from_extent());
      writer_.load(std::move(commands), block, writer_.current_slot(), earliest, false, piece.load.bytes());
      from = block;
    }
    if (piece.shuffles) {
      const uint32_t block = piece.stores ? writer_.new_block(piece.reordered_bytes) : to;
      copy_box(piece.shuffle, from, block, node_.tag, writer_.device, &writer_.compute());
      writer_.used(from);
      writer_.used(block);
      from = block;
    }
    if (piece.stores) writer_.store(from, piece.store, output_, node_.tag);
  }

  /// What has been moved into the SRAM belongs to the graph's outputs, too.
  void return_output() {
    writer_.open_slot(index_, 0);
    for (const MovementBox& store : output_stores(network_, node_))
      writer_.store(writer_.resident_block(output_), store, output_, node_.tag);
  }

  ScheduleWriter& writer_;
  const Network& network_;
  const uint32_t index_;
  const Node& node_;
  const uint64_t bytes_;
  const uint32_t output_;
  MovementSides sides_;
  uint64_t slot_cycles_ = 0;
};

}  // namespace

void schedule_movement(ScheduleWriter& writer, const GroupPlan& group) { MovementScheduler(writer, group).run(); }

}  // namespace avocet::compiler
