// SPDX-License-Identifier: Apache-2.0
// A banded group as slots. In time step t node k makes band t - delay[k]; each map is kept whole in one block, or in a
// ring of blocks, one for each window alive, where rows that two windows share are copied on by the vector unit.
#include <algorithm>

#include "group_cost.hpp"
#include "schedule_writer.hpp"

namespace avocet::compiler {
namespace {

/// Where a map of the group is kept.
struct Kept {
  bool resident = false;        // in the block of its value
  bool in_sram_before = false;  // since an earlier group
  bool whole = false;
  bool loads = false;   // its rows come from the DRAM
  bool stores = false;  // its rows go there
  std::vector<uint32_t> blocks;
  std::vector<bool> padded;   // per block: the gaps between the rows are filled
  uint32_t opened = 0;        // bands whose window has been prepared
  uint32_t loads_issued = 0;  // bands whose load has a slot
  struct PendingLoad {
    std::vector<Command> commands;
    uint32_t earliest = 0;
    uint64_t bytes = 0;
  };
  std::vector<PendingLoad> pending;  // per band
};

class BandScheduler {
 public:
  BandScheduler(ScheduleWriter& writer, const GroupPlan& plan, const std::vector<Lifetime>& lifetimes)
      : writer_(writer),
        network_(writer.network),
        plan_(plan),
        lifetimes_(lifetimes),
        group_(*band_nodes(network_, lifetimes, plan.begin, plan.end, plan.bands)) {}

  void run() {
    keep_maps();
    chunk_blocks_.resize(group_.nodes());
    for (uint32_t step = 0; step < group_.steps(); ++step)
      for (uint32_t k = 0; k < group_.nodes(); ++k) {
        if (step < group_.delay[k] || step - group_.delay[k] >= group_.bands) continue;
        run_node(k, step - group_.delay[k]);
      }
  }

 private:
  const Node& node(uint32_t k) const { return network_.nodes[group_.begin + k]; }
  const Map& map_of(uint32_t i) const { return network_.maps[group_.maps[i].map]; }
  const WeightChunks& weights(uint32_t k) const { return writer_.plan.weights[group_.begin + k]; }

  // ---- where maps are ----

  void keep_maps() {
    kept_.resize(group_.maps.size());
    for (uint32_t i = 0; i < group_.maps.size(); ++i) keep_map(i);
  }

  void keep_map(uint32_t i) {
    const BandedMap& banded = group_.maps[i];
    const Map& map = map_of(i);
    Kept& kept = kept_[i];
    const bool resident = writer_.plan.resident[map.value];
    kept.pending.resize(group_.bands);
    kept.resident = resident;
    // An earlier group may have made another part of the value.
    kept.in_sram_before = resident && (banded.from_outside() || writer_.has_resident_block(map.value));
    kept.loads = !resident && banded.from_outside();
    kept.stores =
        !banded.from_outside() && (network_.values[map.value].home == Home::kOutput || (banded.live_out && !resident));
    kept.whole = resident || keeps_whole(map, banded);
    if (kept.in_sram_before) {
      kept.blocks = {writer_.resident_block(map.value)};
    } else if (kept.whole) {
      kept.blocks = {resident ? resident_block(i) : writer_.new_block(whole_bytes(map))};
      if (resident) writer_.keep_resident(map.value, kept.blocks[0]);
    } else {
      for (uint32_t n = 0; n < banded.buffers; ++n)
        kept.blocks.push_back(writer_.new_block(window_bytes(map, banded.window_rows)));
    }
    kept.padded.assign(kept.blocks.size(), kept.in_sram_before);
  }

  /// A new block, or that of an input which an addition overwrites.
  uint32_t resident_block(uint32_t i) {
    for (uint32_t input : overwritable_inputs(network_, lifetimes_, group_, i))
      if (writer_.plan.resident[map_of(input).value]) return writer_.resident_block(map_of(input).value);
    return writer_.new_block(network_.values[map_of(i).value].sram_bytes());
  }

  Window window(uint32_t i, uint32_t band) const {
    const Kept& kept = kept_[i];
    if (kept.resident) return Window::of_value(kept.blocks[0], network_.values[map_of(i).value], map_of(i));
    if (kept.whole) return Window::of_rows(kept.blocks[0], map_of(i), -int64_t{map_of(i).margin_top});
    return Window::of_rows(kept.blocks[band % kept.blocks.size()], map_of(i), group_.maps[i].first[band]);
  }

  // ---- windows ----

  /// Makes the windows up to `band` ready to be written, or loaded. Commands on the vector unit go to the current slot.
  void open_until(uint32_t i, uint32_t band, uint32_t tag) {
    Kept& kept = kept_[i];
    for (; kept.opened <= std::min(band, group_.bands - 1); ++kept.opened) {
      if (kept.in_sram_before) continue;
      open_window(i, kept.opened, tag);
    }
  }

  void open_window(uint32_t i, uint32_t band, uint32_t tag) {
    Kept& kept = kept_[i];
    const BandedMap& banded = group_.maps[i];
    const Window target = window(i, band);
    Kept::PendingLoad& load = kept.pending[band];
    load.earliest = kept.whole && band > 0 ? 0 : writer_.slot_after_last_use(target.block);
    if (!kept.whole || band == 0) pad_window(i, band, target, tag, &load.commands);
    int64_t first = banded.begin(band);
    if (!kept.whole) first = std::max<int64_t>(first, banded.first[band]);
    if (kept.loads) {
      const Box rows{first, banded.end[band], 0, map_of(i).width, 0, map_of(i).channels};
      writer_.transfers.load(map_of(i), rows, target, tag, &load.commands);
      load.bytes = rows.empty() ? 0 : static_cast<uint64_t>(rows.rows()) * map_of(i).row_bytes();
      if (!rows.empty()) load.earliest = std::max(load.earliest, writer_.slot_after_store(map_of(i), rows));
    }
    if (!kept.whole && band > 0) hand_on_rows(i, band, target, tag);
  }

  /// Rows that the window before this one holds already.
  void hand_on_rows(uint32_t i, uint32_t band, const Window& target, uint32_t tag) {
    const BandedMap& banded = group_.maps[i];
    const auto first = static_cast<uint32_t>(std::max<int64_t>(0, banded.first[band]));
    if (first >= banded.begin(band)) return;
    const Window source = window(i, band - 1);
    issue_load(i, band - 1);
    writer_.commands.copy_rows(map_of(i), first, banded.begin(band), source, target, tag, &writer_.compute());
    writer_.used(source.block);
    writer_.used(target.block);
  }

  void pad_window(uint32_t i, uint32_t band, const Window& target, uint32_t tag, std::vector<Command>* commands) {
    Kept& kept = kept_[i];
    const BandedMap& banded = group_.maps[i];
    const Map& map = map_of(i);
    if (kept.resident) return writer_.transfers.pad(network_.values[map.value].frame, target.block, tag, commands);
    const auto zero = static_cast<uint8_t>(map.zero_point);
    const int64_t first = kept.whole ? -int64_t{map.margin_top} : banded.first[band];
    const int64_t last = kept.whole ? int64_t{map.height} + map.margin_bottom : banded.last[band];
    const uint32_t rows = kept.whole ? map.height + map.margin_top + map.margin_bottom : banded.window_rows;
    const size_t block = kept.whole ? 0 : band % kept.blocks.size();
    const auto fill = [&](uint64_t offset, uint64_t bytes, uint64_t count) {
      writer_.transfers.fill(target.block, offset, bytes, count, map.row_pitch(), zero, tag, commands);
    };
    if (map.gap > 0 && !kept.padded[block]) fill(0, uint64_t{map.gap} * map.channels, uint64_t{rows} + 1);
    kept.padded[block] = true;
    const int64_t above = std::min<int64_t>(0, last), below = std::max<int64_t>(map.height, first);
    if (first < above) fill(target.offset(first, 0, 0), static_cast<uint64_t>(above - first) * map.row_pitch(), 1);
    if (below < last) fill(target.offset(below, 0, 0), static_cast<uint64_t>(last - below) * map.row_pitch(), 1);
  }

  /// The loads of windows up to `band` are needed in the current slot at the latest.
  void issue_load(uint32_t i, uint32_t band) {
    Kept& kept = kept_[i];
    for (; kept.loads_issued <= band; ++kept.loads_issued) {
      Kept::PendingLoad& load = kept.pending[kept.loads_issued];
      writer_.load(std::move(load.commands), window(i, kept.loads_issued).block, writer_.current_slot(), load.earliest,
                   false, load.bytes);
    }
  }

  // ---- nodes ----

  void run_node(uint32_t k, uint32_t band) {
    const BandedMap& output = group_.maps[group_.outputs[k]];
    const Map& map = network_.output(node(k));
    const Box box{output.begin(band), output.end[band], 0, map.width, 0, map.channels};
    const auto chunks = static_cast<uint32_t>(std::max<size_t>(1, weights(k).chunks.size()));
    const uint64_t cycles =
        node_cycles(network_, writer_.device, node(k), weights(k), static_cast<uint32_t>(box.rows())) / chunks;
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
      writer_.open_slot(group_.begin + k, cycles);
      if (chunk == 0) open_maps(k, band);
      if (box.empty()) return;
      run_chunk(k, band, chunk, box);
    }
    store_rows(k, band, box);
  }

  void open_maps(uint32_t k, uint32_t band) {
    const uint32_t tag = node(k).tag;
    const uint32_t output = group_.outputs[k];
    const BandedMap& made = group_.maps[output];
    for (uint32_t input : group_.inputs[k]) {
      if (!kept_[input].loads) continue;
      open_until(input, band, tag);
      if (made.begin(band) < made.end[band]) issue_load(input, band);
      open_until(input, band + 1, tag);  // to be loaded while this band is made
    }
    open_until(output, band, tag);
    issue_load(output, band);
  }

  void run_chunk(uint32_t k, uint32_t band, uint32_t chunk, const Box& box) {
    const Node& n = node(k);
    std::vector<Window> inputs;
    for (uint32_t input : group_.inputs[k]) inputs.push_back(window(input, band));
    const Window output = window(group_.outputs[k], band);
    std::vector<Command>* out = &writer_.compute();
    for (const Window& input : inputs) writer_.used(input.block);
    writer_.used(output.block);
    const WeightChunk* constants = weights(k).chunks.empty() ? nullptr : &weights(k).chunks[chunk];
    const uint32_t block = constants ? chunk_block(k, chunk) : 0;
    if (constants) writer_.used(block);
    if (n.kind == NodeKind::kConvolution)
      return writer_.commands.convolution(n, weights(k).layout, *constants, block, inputs[0], output, box, out);
    writer_.commands.vector(n, inputs, output, constants, block, box, out);
  }

  uint32_t chunk_block(uint32_t k, uint32_t chunk) {
    std::vector<uint32_t>& blocks = chunk_blocks_[k];
    if (!plan_.streams_weights && chunk < blocks.size()) return blocks[chunk];
    const uint32_t block = writer_.load_chunk(group_.begin + k, weights(k).layout, weights(k).chunks[chunk]);
    blocks.push_back(block);
    return block;
  }

  void store_rows(uint32_t k, uint32_t band, const Box& box) {
    const uint32_t output = group_.outputs[k];
    if (!kept_[output].stores) return;
    writer_.store(map_of(output), box, window(output, band), node(k).tag);
  }

  ScheduleWriter& writer_;
  const Network& network_;
  const GroupPlan& plan_;
  const std::vector<Lifetime>& lifetimes_;
  const BandedGroup group_;
  std::vector<Kept> kept_;
  std::vector<std::vector<uint32_t>> chunk_blocks_;  // per node
};

}  // namespace

void schedule_bands(ScheduleWriter& writer, const GroupPlan& group, const std::vector<Lifetime>& lifetimes) {
  BandScheduler(writer, group, lifetimes).run();
}

}  // namespace avocet::compiler
