// SPDX-License-Identifier: Apache-2.0
// Backwards through the segment: which rows of each map the core needs. Forwards: its nodes, on maps of these rows alone.
#include "split_segment.hpp"

#include <algorithm>
#include <map>

#include "command_cost.hpp"
#include "passes.hpp"
#include "reads.hpp"

namespace avocet::compiler {
namespace {

/// Share `index` of `count` things; the first ones are longer by one when they are not even.
Span share_of(uint32_t count, uint32_t index, uint32_t parts) {
  const uint32_t each = count / parts, longer = count % parts;
  const uint32_t begin = index * each + std::min(index, longer);
  return {begin, int64_t{begin} + each + (index < longer ? 1 : 0)};
}

bool has_window(NodeKind kind) {
  return kind == NodeKind::kConvolution || kind == NodeKind::kDepthwise || kind == NodeKind::kPool;
}
/// Whose rows are made from rows of the inputs.
bool has_row_parts(const Node& node) { return has_window(node.kind) || is_elementwise(node.kind) || is_along_axis(node); }

}  // namespace

/// One core's part of one segment.
class SegmentPart {
 public:
  SegmentPart(SegmentMaker& maker, uint32_t begin, uint32_t end, uint32_t core)
      : maker_(maker), work_(maker.work_), begin_(begin), end_(end), core_(core) {}

  /// Everything, as it is.
  std::vector<Node> whole() {
    for (uint32_t i = begin_; i < end_; ++i) {
      Node node = original(i);
      for (uint32_t& input : node.inputs) input = copy_whole(input);
      node.output = copy_whole(node.output);
      result_.push_back(std::move(node));
    }
    return std::move(result_);
  }

  std::optional<std::vector<Node>> rows() {
    for (uint32_t i = begin_; i < end_; ++i)
      if (!may_share_rows(i)) return std::nullopt;
    const Span own = share_of(map_of(original(end_ - 1).output).height, core_, maker_.cores_);
    if (own.begin == own.end) return result_;
    for (uint32_t i = end_; i-- > begin_;) find_rows(i, own);
    for (uint32_t i = begin_; i < end_; ++i) add_rows_of(i);
    return std::move(result_);
  }

  std::optional<std::vector<Node>> channels() {
    Node node = original(begin_);
    if (end_ - begin_ != 1 || !has_window(node.kind)) return std::nullopt;
    const uint32_t unit = channel_unit(node), channels = map_of(node.output).channels;
    const Span units = share_of(static_cast<uint32_t>(divide_up(channels, unit)), core_, maker_.cores_);
    if (units.begin == units.end) return result_;
    const auto first = static_cast<uint32_t>(units.begin) * unit;
    const auto last = static_cast<uint32_t>(std::min<int64_t>(channels, units.end * unit));
    if (node.kind == NodeKind::kConvolution)
      node.inputs[0] = append(map_of(node.inputs[0]));
    else
      node.inputs[0] = append(cut_channels(map_of(node.inputs[0]), first / node.depth_multiplier,
                                           (last - 1) / node.depth_multiplier + 1));
    if (node.kind != NodeKind::kPool) node.weights = cut_weights(work_.weights[node.weights], first, last);
    node.output = append(cut_channels(map_of(node.output), first, last));
    result_.push_back(std::move(node));
    return std::move(result_);
  }

 private:
  const Node& original(uint32_t i) const { return maker_.nodes_[i]; }
  const Map& map_of(uint32_t map) const { return work_.maps[map]; }

  uint32_t append(const Map& map) {
    work_.maps.push_back(map);
    return static_cast<uint32_t>(work_.maps.size() - 1);
  }
  uint32_t append_value(uint64_t bytes) {
    Value value;
    value.bytes = bytes;
    work_.values.push_back(value);
    return static_cast<uint32_t>(work_.values.size() - 1);
  }

  /// Nobody outside the segment sees the value.
  bool is_private(uint32_t value) const {
    const Lifetime& life = maker_.lifetimes_[value];
    const auto inside = [&](int32_t node) { return node >= static_cast<int32_t>(begin_) && node < static_cast<int32_t>(end_); };
    return work_.values[value].home == Home::kScratch && inside(life.first_writer) && inside(life.last_writer) &&
           inside(life.last_reader);
  }

  // ---- everything ----

  uint32_t copy_whole(uint32_t map) {
    const auto [copy, is_new] = copies_.try_emplace(map, 0);
    if (!is_new) return copy->second;
    Map own = map_of(map);
    if (is_private(own.value)) {
      const auto [value, fresh] = values_.try_emplace(own.value, 0);
      if (fresh) value->second = append_value(work_.values[own.value].bytes);
      own.value = value->second;
    }
    return copy->second = append(own);
  }

  // ---- rows ----

  /// Of a private value: its one map, of which all users have a view of the same extents.
  bool is_plain(const Map& map) const {
    return map.offset == 0 && map.is_dense() && map.bytes() == work_.values[map.value].bytes;
  }

  bool may_share_rows(uint32_t i) {
    const Node& node = original(i);
    const Map& output = map_of(node.output);
    const bool leaves = !is_private(output.value);
    if (!has_row_parts(node) || leaves != (i + 1 == end_)) return false;
    if (!leaves && (!is_plain(output) || !extents_.try_emplace(output.value, node.output).second)) return false;
    for (uint32_t input : node.inputs) {
      const Map& map = map_of(input);
      if (!is_private(map.value)) continue;
      const auto made = extents_.find(map.value);
      if (made == extents_.end() || !is_plain(map)) return false;
      const Map& whole = map_of(made->second);
      if (whole.height != map.height || whole.width != map.width || whole.channels != map.channels) return false;
    }
    return true;
  }

  /// One for each private value, and for each map of what comes from outside.
  std::pair<bool, uint32_t> key_of(uint32_t map) const {
    const uint32_t value = map_of(map).value;
    return is_private(value) ? std::pair{true, value} : std::pair{false, map};
  }

  void find_rows(uint32_t i, Span own) {
    const Node& node = original(i);
    const Map& output = map_of(node.output);
    Span made = own;
    if (i + 1 != end_) {
      const auto read = rows_.find(key_of(node.output));
      if (read == rows_.end()) return;  // not for this core
      made = read->second;
    }
    made_[i] = made;
    for (uint32_t input : node.inputs) {
      const Map& map = map_of(input);
      const Span all = rows_read(node, map, output, static_cast<uint32_t>(made.begin), static_cast<uint32_t>(made.end));
      const Span read{std::clamp<int64_t>(all.begin, 0, map.height - 1), std::clamp<int64_t>(all.end, 1, map.height)};
      const auto [rows, is_new] = rows_.try_emplace(key_of(input), read);
      if (is_new) continue;
      rows->second = {std::min(rows->second.begin, read.begin), std::max(rows->second.end, read.end)};
    }
  }

  /// The rows of the map that the core has.
  uint32_t cut_map(uint32_t map, Span rows) {
    const auto [copy, is_new] = cuts_.try_emplace({key_of(map), rows.begin, rows.end}, 0);
    if (!is_new) return copy->second;
    Map own = map_of(map);
    own.height = static_cast<uint32_t>(rows.end - rows.begin);
    if (!is_private(own.value)) {
      own.offset += static_cast<uint64_t>(rows.begin) * own.row_stride;
      return copy->second = append(own);
    }
    const Span kept = rows_.at(key_of(map));
    const auto [value, fresh] = values_.try_emplace(own.value, 0);
    if (fresh) value->second = append_value(static_cast<uint64_t>(kept.end - kept.begin) * own.row_bytes());
    own.value = value->second;
    own.offset = static_cast<uint64_t>(rows.begin - kept.begin) * own.row_bytes();
    return copy->second = append(own);
  }

  void add_rows_of(uint32_t i) {
    const auto made = made_.find(i);
    if (made == made_.end()) return;
    Node node = original(i);
    const Map output = map_of(node.output);
    for (uint32_t& input : node.inputs) {
      const Span kept = rows_.at(key_of(input));
      if (has_window(node.kind)) {
        node.geometry.pad_top += static_cast<int32_t>(kept.begin - made->second.begin * node.geometry.stride_y);
        input = cut_map(input, kept);
      } else {
        input = cut_map(input, rows_read(node, map_of(input), output, static_cast<uint32_t>(made->second.begin),
                                         static_cast<uint32_t>(made->second.end)));
      }
    }
    node.output = cut_map(node.output, made->second);
    result_.push_back(std::move(node));
  }

  // ---- channels ----

  uint32_t channel_unit(const Node& node) const {
    if (node.kind == NodeKind::kConvolution) return maker_.array_cols_;
    return node.kind == NodeKind::kDepthwise ? std::max(node.depth_multiplier, 16 / node.depth_multiplier * node.depth_multiplier) : 16;
  }
  static Map cut_channels(Map map, uint32_t first, uint32_t last) {
    map.offset += first;
    map.channels = last - first;
    return map;
  }
  uint32_t cut_weights(const Weights& whole, uint32_t first, uint32_t last) {
    Weights part = whole;
    part.scales.assign(whole.scales.begin() + first, whole.scales.begin() + last);
    if (part.data) part.data += int64_t{first} * part.stride_co;
    part.bias += uint64_t{first} * 4;
    work_.weights.push_back(std::move(part));
    return static_cast<uint32_t>(work_.weights.size() - 1);
  }

  SegmentMaker& maker_;
  Network& work_;
  const uint32_t begin_, end_, core_;
  std::vector<Node> result_;
  std::map<uint32_t, uint32_t> copies_, values_;  // original map, value -> own
  std::map<uint32_t, uint32_t> extents_;          // private value -> map of its maker
  std::map<std::pair<bool, uint32_t>, Span> rows_;
  std::map<uint32_t, Span> made_;  // node -> rows of its output
  std::map<std::tuple<std::pair<bool, uint32_t>, int64_t, int64_t>, uint32_t> cuts_;
};

SegmentMaker::SegmentMaker(const Network& network, const DeviceConfig& device, uint32_t cores)
    : work_(network), nodes_(network.nodes), lifetimes_(lifetimes(network)), array_cols_(device.array_cols), cores_(cores) {
  for (Value& value : work_.values) value.dram_only = true;
  work_.nodes.clear();
}

std::optional<std::vector<Node>> SegmentMaker::make(uint32_t begin, uint32_t end, Share share, uint32_t core) {
  SegmentPart part(*this, begin, end, core);
  std::optional<std::vector<Node>> nodes;
  if (share == Share::kOneCore)
    nodes = core == 0 ? part.whole() : std::vector<Node>();
  else
    nodes = share == Share::kRows ? part.rows() : part.channels();
  if (!nodes) return nodes;
  work_.nodes.swap(*nodes);
  choose_layouts(work_);
  work_.nodes.swap(*nodes);
  return nodes;
}

uint32_t SegmentMaker::longest_part(uint32_t end, Share share) const {
  if (share != Share::kRows || cores_ == 2) return 0;
  const uint32_t longer = work_.maps[nodes_[end - 1].output].height % cores_;
  return longer == 1 ? 0 : 1;  // one with neighbours on both sides
}

void SegmentMaker::drop(const Mark& mark) {
  work_.values.resize(mark.values);
  work_.maps.resize(mark.maps);
  work_.weights.resize(mark.weights);
}

}  // namespace avocet::compiler
