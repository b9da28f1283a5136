// SPDX-License-Identifier: Apache-2.0
// A node in tiles that are cut in all directions; every tile has blocks of its own, which the allocator may give
// addresses early enough to load one tile while another is made.
#include <algorithm>

#include "reads.hpp"
#include "schedule_writer.hpp"

namespace avocet::compiler {
namespace {

class BoxScheduler {
 public:
  BoxScheduler(ScheduleWriter& writer, const GroupPlan& plan)
      : writer_(writer),
        network_(writer.network),
        index_(plan.begin),
        node_(network_.nodes[plan.begin]),
        tile_(plan.box),
        slot_cycles_(plan.box_cycles),
        output_(network_.output(node_)),
        layout_(box_layout(network_, node_, writer.device, plan.box)) {}

  void run() {
    for (uint32_t y = 0; y < output_.height; y += tile_.rows)
      for (uint32_t x = 0; x < output_.width; x += tile_.columns) {
        whole_input_.reset();
        for (uint64_t channel = 0; channel < output_.channels; channel += tile_.channels) {
          const Box box{y,
                        std::min<int64_t>(output_.height, int64_t{y} + tile_.rows),
                        x,
                        std::min<int64_t>(output_.width, int64_t{x} + tile_.columns),
                        static_cast<uint32_t>(channel),
                        static_cast<uint32_t>(std::min<uint64_t>(output_.channels, channel + tile_.channels))};
          run_tile(box);
        }
      }
  }

 private:
  void run_tile(const Box& box) {
    const Window output = Window::of_box(new_block(box), box);
    if (node_.kind == NodeKind::kConvolution)
      convolution(box, output);
    else
      vector(box, output);
    writer_.store(output_, box, output, node_.tag);
  }

  /// Cells of input i that the box needs, with padding where the array reads it.
  Box needed(size_t i, const Box& box) const { return box_read(node_, network_.input(node_, i), output_, box); }
  Box needed(const Box& box, uint32_t channel_begin, uint32_t channel_end) const {
    Box cells = needed(0, box);
    cells.channel_begin = channel_begin;
    cells.channel_end = channel_end;
    return cells;
  }

  uint32_t new_block(const Box& box) {
    return writer_.new_block(static_cast<uint64_t>(box.rows() * box.columns()) * box.channels());
  }

  /// Loads cells of an input for the current slot.
  Window load(const Map& map, const Box& cells) {
    const uint32_t block = new_block(cells);
    const Window window = Window::of_box(block, cells);
    const Box inside = cells.inside(map);
    std::vector<Command> commands;
    if (inside.rows() < cells.rows() || inside.columns() < cells.columns()) {
      const uint64_t bytes = static_cast<uint64_t>(cells.rows() * cells.columns()) * cells.channels();
      writer_.transfers.fill(block, 0, bytes, 1, 0, static_cast<uint8_t>(map.zero_point), node_.tag, &commands);
    }
    writer_.transfers.load(map, inside, window, node_.tag, &commands);
    const uint64_t bytes =
        inside.empty() ? 0 : static_cast<uint64_t>(inside.rows() * inside.columns()) * inside.channels();
    const uint32_t earliest = inside.empty() ? 0 : writer_.slot_after_store(map, inside);
    writer_.load(std::move(commands), block, writer_.current_slot(), earliest, false, bytes);
    return window;
  }

  void convolution(const Box& box, const Window& output) {
    const Map& input = network_.input(node_);
    const bool whole = layout_.fold != KernelFold::kNone || tile_.blocks >= layout_.blocks;
    const uint32_t step = whole ? layout_.blocks : tile_.blocks;
    for (uint32_t block = 0; block < layout_.blocks; block += step) {
      const uint32_t end = std::min(layout_.blocks, block + step);
      const WeightChunk chunk =
          weight_chunk(node_, layout_, writer_.device, box.channel_begin, box.channel_end, block, end);
      writer_.open_slot(index_, slot_cycles_);
      Window source;
      if (tile_.slices_input) {
        const uint32_t rows = writer_.device.array_rows;
        source = load(input, needed(box, block * rows, std::min(input.channels, end * rows)));
      } else {
        if (!whole_input_) whole_input_ = load(input, needed(box, 0, input.channels));
        source = *whole_input_;
      }
      const uint32_t constants = writer_.load_chunk(index_, layout_, chunk);
      writer_.commands.convolution(node_, layout_, chunk, constants, source, output, box, &writer_.compute());
      for (uint32_t used : {source.block, constants, output.block}) writer_.used(used);
    }
  }

  void vector(const Box& box, const Window& output) {
    writer_.open_slot(index_, slot_cycles_);
    std::vector<Window> sources;
    for (size_t i = 0; i < node_.inputs.size(); ++i)
      sources.push_back(i > 0 && node_.inputs[i] == node_.inputs[0] ? sources[0]
                                                                    : load(network_.input(node_, i), needed(i, box)));
    std::optional<WeightChunk> chunk;
    uint32_t constants = 0;
    if (node_.kind == NodeKind::kDepthwise || has_table(node_.kind)) {
      chunk = weight_chunk(node_, layout_, writer_.device, box.channel_begin, box.channel_end, 0, 0);
      constants = writer_.load_chunk(index_, layout_, *chunk);
    }
    writer_.commands.vector(node_, sources, output, chunk ? &*chunk : nullptr, constants, box, &writer_.compute());
    for (const Window& source : sources) writer_.used(source.block);
    if (chunk) writer_.used(constants);
    writer_.used(output.block);
  }

  ScheduleWriter& writer_;
  const Network& network_;
  const uint32_t index_;
  const Node& node_;
  const BoxTile& tile_;
  const uint64_t slot_cycles_;
  const Map& output_;
  const KernelLayout layout_;
  std::optional<Window> whole_input_;  // of the current place, for all its output channels
};

}  // namespace

void schedule_boxes(ScheduleWriter& writer, const GroupPlan& group) { BoxScheduler(writer, group).run(); }

}  // namespace avocet::compiler
