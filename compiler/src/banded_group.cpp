// SPDX-License-Identifier: Apache-2.0
// Rows are found backwards: the last nodes make their share of a band, every other node what its readers then need.
#include "banded_group.hpp"

#include <algorithm>
#include <limits>

#include "reads.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kAlignment = 16;

class Banding {
 public:
  Banding(const Network& network, const std::vector<Lifetime>& lifetimes, uint32_t begin, uint32_t end, uint32_t bands)
      : network_(network), lifetimes_(lifetimes) {
    group_.begin = begin;
    group_.end = end;
    group_.bands = bands;
  }

  std::optional<BandedGroup> run() {
    for (uint32_t k = 0; k < group_.nodes(); ++k)
      if (!add_node(k)) return std::nullopt;
    for (uint32_t k = group_.nodes(); k-- > 0;) find_rows_made(group_.maps[group_.outputs[k]]);
    for (BandedMap& map : group_.maps) {
      if (map.from_outside()) find_rows_loaded(map);
      find_windows(map);
      find_buffers(map);
    }
    return std::move(group_);
  }

 private:
  const Node& node(uint32_t k) const { return network_.nodes[group_.begin + k]; }
  const Map& map_of(const BandedMap& banded) const { return network_.maps[banded.map]; }

  bool add_node(uint32_t k) {
    uint32_t delay = 0;
    std::vector<uint32_t> inputs;
    for (uint32_t input : node(k).inputs) {
      const uint32_t index = find_or_add(input);
      BandedMap& banded = group_.maps[index];
      inputs.push_back(index);
      if (banded.consumers.empty() || banded.consumers.back() != k) banded.consumers.push_back(k);
      if (banded.from_outside()) continue;
      const auto producer = static_cast<uint32_t>(banded.producer);
      const bool same_unit = node(producer).kind == NodeKind::kConvolution && node(k).kind == NodeKind::kConvolution;
      const bool both_vector = node(producer).kind != NodeKind::kConvolution && node(k).kind != NodeKind::kConvolution;
      delay = std::max(delay, group_.delay[producer] + (same_unit || both_vector ? 0 : 1));
    }
    group_.inputs.push_back(std::move(inputs));
    group_.delay.push_back(delay);
    const uint32_t output = find_or_add(node(k).output);
    group_.outputs.push_back(output);
    group_.maps[output].producer = static_cast<int32_t>(k);
    return group_.nodes() == 1 || one_map_for_each_value();
  }

  uint32_t find_or_add(uint32_t map) {
    for (uint32_t i = 0; i < group_.maps.size(); ++i)
      if (group_.maps[i].map == map) return i;
    BandedMap banded;
    banded.map = map;
    const uint32_t value = network_.maps[map].value;
    banded.live_out = network_.values[value].home == Home::kOutput || network_.values[value].dram_only ||
                      lifetimes_[value].last_reader >= static_cast<int32_t>(group_.end);
    banded.end.assign(group_.bands, 0);
    group_.maps.push_back(std::move(banded));
    return static_cast<uint32_t>(group_.maps.size() - 1);
  }

  /// Rows of one map say nothing about rows of another map of the same bytes.
  bool one_map_for_each_value() const {
    for (size_t i = 0; i < group_.maps.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (map_of(group_.maps[i]).value == map_of(group_.maps[j]).value) return false;
    return true;
  }

  Span read_by(uint32_t consumer, const BandedMap& banded, uint32_t begin, uint32_t end) const {
    const Node& reader = node(consumer);
    return rows_read(reader, map_of(banded), network_.output(reader), begin, end);
  }

  /// Rows of `banded` that its readers have passed when they have made band b.
  uint32_t rows_needed(const BandedMap& banded, uint32_t band) const {
    int64_t needed = 0;
    for (uint32_t consumer : banded.consumers) {
      const uint32_t made = group_.maps[group_.outputs[consumer]].end[band];
      if (made > 0) needed = std::max(needed, read_by(consumer, banded, made - 1, made).end);
    }
    return static_cast<uint32_t>(std::clamp<int64_t>(needed, 0, map_of(banded).height));
  }

  void find_rows_made(BandedMap& banded) {
    const uint32_t height = map_of(banded).height;
    for (uint32_t b = 0; b < group_.bands; ++b) {
      uint32_t rows = rows_needed(banded, b);
      if (banded.consumers.empty())
        rows = static_cast<uint32_t>((uint64_t{height} * (b + 1) + group_.bands - 1) / group_.bands);
      if (banded.live_out && b + 1 == group_.bands) rows = height;
      banded.end[b] = std::max(rows, banded.begin(b));
    }
  }

  void find_rows_loaded(BandedMap& banded) {
    for (uint32_t b = 0; b < group_.bands; ++b) banded.end[b] = std::max(rows_needed(banded, b), banded.begin(b));
  }

  void find_windows(BandedMap& banded) {
    const int64_t height = map_of(banded).height;
    banded.first.assign(group_.bands, std::numeric_limits<int64_t>::max());
    banded.last.assign(group_.bands, std::numeric_limits<int64_t>::min());
    for (uint32_t b = 0; b < group_.bands; ++b) {
      for (uint32_t consumer : banded.consumers) {
        const BandedMap& output = group_.maps[group_.outputs[consumer]];
        if (output.begin(b) == output.end[b]) continue;
        // The vector unit skips cells outside the map by itself.
        const bool padded = node(consumer).kind == NodeKind::kConvolution;
        const auto [first, last] = read_by(consumer, banded, output.begin(b), output.end[b]);
        banded.first[b] = std::min(banded.first[b], padded ? first : std::clamp<int64_t>(first, 0, height));
        banded.last[b] = std::max(banded.last[b], padded ? last : std::clamp<int64_t>(last, 0, height));
      }
      if (banded.from_outside() || banded.begin(b) == banded.end[b]) continue;
      banded.first[b] = std::min<int64_t>(banded.first[b], banded.begin(b));
      banded.last[b] = std::max<int64_t>(banded.last[b], banded.end[b]);
    }
    // A row that a later band reads has to pass through all windows in between.
    for (uint32_t b = group_.bands - 1; b-- > 0;) banded.first[b] = std::min(banded.first[b], banded.first[b + 1]);
    for (uint32_t b = 0; b < group_.bands; ++b) {
      banded.first[b] = std::min<int64_t>(banded.first[b], banded.end[b]);
      banded.last[b] = std::max<int64_t>({banded.last[b], banded.first[b], banded.end[b]});
      banded.window_rows = std::max(banded.window_rows, static_cast<uint32_t>(banded.last[b] - banded.first[b]));
      if (b > 0 && std::max<int64_t>(banded.first[b], 0) < banded.begin(b)) banded.overlaps = true;
    }
  }

  void find_buffers(BandedMap& banded) {
    uint32_t earliest = UINT32_MAX, latest = 0;
    for (uint32_t consumer : banded.consumers) {
      earliest = std::min(earliest, group_.delay[consumer]);
      latest = std::max(latest, group_.delay[consumer]);
    }
    if (banded.from_outside()) {
      banded.buffers = latest - earliest + 2;  // the next band is loaded meanwhile
    } else {
      const uint32_t made = group_.delay[static_cast<uint32_t>(banded.producer)];
      banded.buffers = std::max(latest, made) - made + 1;
      if (banded.overlaps || banded.live_out) banded.buffers = std::max(banded.buffers, 2u);
    }
    banded.buffers = std::min(banded.buffers, group_.bands);
  }

  const Network& network_;
  const std::vector<Lifetime>& lifetimes_;
  BandedGroup group_;
};

}  // namespace

uint32_t BandedGroup::steps() const { return bands + *std::max_element(delay.begin(), delay.end()); }

std::optional<BandedGroup> band_nodes(const Network& network, const std::vector<Lifetime>& lifetimes, uint32_t begin,
                                      uint32_t end, uint32_t bands) {
  return Banding(network, lifetimes, begin, end, bands).run();
}

const std::optional<BandedGroup>& BandedGroups::get(uint32_t begin, uint32_t end, uint32_t bands) {
  const auto key = std::tuple(begin, end, bands);
  if (const auto at = kept_.find(key); at != kept_.end()) return at->second;
  std::optional<BandedGroup> made = band_nodes(network_, lifetimes_, begin, end, bands);
  if (bytes_ > kBytesMax) return last_ = std::move(made);
  bytes_ += sizeof *made;
  if (made) bytes_ += made->maps.size() * (sizeof(BandedMap) + bands * (sizeof(uint32_t) + 2 * sizeof(int64_t)));
  return kept_.emplace(key, std::move(made)).first->second;
}

std::vector<uint32_t> overwritable_inputs(const Network& network, const std::vector<Lifetime>& lifetimes,
                                          const BandedGroup& group, uint32_t output) {
  std::vector<uint32_t> result;
  const Map& made = network.maps[group.maps[output].map];
  const int32_t producer = group.maps[output].producer;
  if (producer < 0) return result;
  const uint32_t node = group.begin + static_cast<uint32_t>(producer);
  if (!is_elementwise(network.nodes[node].kind)) return result;
  for (uint32_t input : group.inputs[static_cast<uint32_t>(producer)]) {
    const BandedMap& banded = group.maps[input];
    const Map& map = network.maps[banded.map];
    const bool dies = banded.from_outside() && banded.consumers.size() == 1 &&
                      lifetimes[map.value].last_reader == static_cast<int32_t>(node);
    const bool alike = map.bytes() == made.bytes() && map.bytes() == network.values[map.value].bytes &&
                       made.bytes() == network.values[made.value].bytes && map.is_dense() &&
                       made.is_dense();
    if (dies && alike && !map.is_padded() && !made.is_padded()) result.push_back(input);
  }
  return result;
}

uint64_t window_bytes(const Map& map, uint64_t rows) {
  const uint64_t bytes = rows * map.row_pitch() + uint64_t{map.gap} * map.channels;
  return std::max<uint64_t>(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

uint64_t whole_bytes(const Map& map) {
  return window_bytes(map, uint64_t{map.height} + map.margin_top + map.margin_bottom);
}

bool keeps_whole(const Map& map, const BandedMap& banded) {
  return whole_bytes(map) <= banded.buffers * window_bytes(map, banded.window_rows);
}

uint64_t group_bytes(const Map& map, const BandedMap& banded) {
  return std::min(whole_bytes(map), banded.buffers * window_bytes(map, banded.window_rows));
}

}  // namespace avocet::compiler
