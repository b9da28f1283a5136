// SPDX-License-Identifier: Apache-2.0
// Dynamic programming over the cuts between nodes. A state is a cut and the set of values that are in the SRAM there; a
// step is a group of nodes from one cut to a later one, banded or boxed, together with the choice which of the values
// that it makes stay in the SRAM. Values in the SRAM at a cut take their memory from every group until their last
// reader.
#include <algorithm>
#include <map>

#include "command_cost.hpp"
#include "group_cost.hpp"
#include "movement_tiles.hpp"
#include "plan.hpp"

namespace avocet::compiler {
namespace {

constexpr size_t kLiveMax = 6;  // values considered for residency at one cut
constexpr uint32_t kBandsMax = 4096;
constexpr uint64_t kGroupCycles = 150;  // a group's start, seen from the one before

constexpr uint64_t kMovementBytesMin = 32;
constexpr uint64_t kBoxCycles = 2000;  // a loss that is not worth a search

using Mask = uint32_t;  // over the values of a cut's list

struct State {
  uint64_t cycles = 0;
  uint32_t from_cut = 0;
  Mask from_mask = 0;
  GroupPlan group;
};

/// Bytes and cycles of a banded group under one choice of homes.
struct Weighing {
  uint64_t memory = 0, loads = 0, stores = 0;
};

class Planner {
 public:
  Planner(const Network& network, const DeviceConfig& device, const PlanLimits& limits, BandedGroups& groups)
      : network_(network),
        device_(device),
        limits_(limits),
        cost_(device),
        groups_(groups),
        lifetimes_(groups.lifetimes_of_values()) {
    // Chunks that are small against the SRAM, but long against the DRAM's latency.
    const uint64_t chunk = std::clamp<uint64_t>(limits.sram_bytes / 24, 1024, 32768);
    for (const Node& node : network.nodes) {
      weights_.push_back(weight_chunks(network, node, device, {chunk, limits.sram_bytes / 6, KernelFold::kAll}));
    }
    list_live_values();
  }

  std::optional<Plan> run() {
    states_.resize(network_.nodes.size() + 1);
    states_[0][0] = {};
    for (uint32_t begin = 0; begin < network_.nodes.size(); ++begin) {
      for (uint32_t end = begin + 1; end <= network_.nodes.size() && end - begin <= limits_.group_nodes_max; ++end)
        if (!extend(begin, end)) break;
      if (network_.nodes[begin].kind == NodeKind::kMovement)
        add_movement(begin);
      else
        add_box(begin);
    }
    return trace_back();
  }

 private:
  // ---- values ----

  bool may_stay(uint32_t value) const {
    const Value& v = network_.values[value];
    const Lifetime& life = lifetimes_[value];
    if (life.first_writer < 0) return false;
    // A part written behind the last reader would have to go elsewhere than the parts before.
    if (life.first_writer != life.last_writer && life.last_writer >= life.last_reader) return false;
    return limits_.residency && !v.dram_only && (v.home == Home::kScratch || v.home == Home::kOutput) &&
           whole_[value] <= limits_.sram_bytes;
  }

  void list_live_values() {
    for (const Value& value : network_.values) whole_.push_back(divide_up(value.sram_bytes(), 16) * 16);
    live_.resize(network_.nodes.size() + 1);
    for (uint32_t value = 0; value < network_.values.size(); ++value) {
      if (!may_stay(value)) continue;
      for (int32_t cut = lifetimes_[value].first_writer + 1; cut <= lifetimes_[value].last_reader; ++cut)
        live_[static_cast<size_t>(cut)].push_back(value);
    }
    for (std::vector<uint32_t>& list : live_) {
      if (list.size() <= kLiveMax) continue;
      std::stable_sort(list.begin(), list.end(), [&](uint32_t a, uint32_t b) { return whole_[a] < whole_[b]; });
      list.resize(kLiveMax);
      std::sort(list.begin(), list.end());
    }
  }

  bool holds(uint32_t cut, Mask mask, uint32_t value) const {
    const auto& list = live_[cut];
    const auto at = std::lower_bound(list.begin(), list.end(), value);
    return at != list.end() && *at == value && (mask >> (at - list.begin()) & 1);
  }

  uint64_t memory(uint32_t cut, Mask mask) const {
    uint64_t bytes = 0;
    for (size_t i = 0; i < live_[cut].size(); ++i)
      if (mask >> i & 1) bytes += whole_[live_[cut][i]];
    return bytes;
  }

  /// The values held at `cut` as a mask of the later cut `next`; false when one that is still read is not on its list.
  bool carry(uint32_t cut, Mask mask, uint32_t next, Mask* carried) const {
    *carried = 0;
    for (size_t i = 0; i < live_[cut].size(); ++i) {
      const uint32_t value = live_[cut][i];
      if (!(mask >> i & 1) || lifetimes_[value].last_reader < static_cast<int32_t>(next)) continue;
      const auto& list = live_[next];
      const auto at = std::lower_bound(list.begin(), list.end(), value);
      if (at == list.end() || *at != value) return false;
      *carried |= Mask{1} << (at - list.begin());
    }
    return true;
  }

  // ---- steps ----

  void reach(uint32_t cut, Mask mask, const State& state) {
    const auto [at, is_new] = states_[cut].try_emplace(mask, state);
    if (!is_new && state.cycles < at->second.cycles) at->second = state;
  }

  /// All ways to run nodes [begin, end) together. False: no longer group from `begin` is worth a look.
  bool extend(uint32_t begin, uint32_t end) {
    const bool alone = end - begin == 1;
    uint64_t weight_bytes = 0;
    for (uint32_t i = begin; i < end; ++i) {
      if (network_.nodes[i].kind == NodeKind::kMovement) return false;
      if (!alone && weights_[i].splits_kernel) return false;
      weight_bytes += weights_[i].total_bytes;
    }
    if (!alone && weight_bytes > limits_.sram_bytes) return false;
    const uint32_t height = network_.output(network_.nodes[end - 1]).height;
    bool fits = alone;
    for (uint32_t bands : band_counts(height)) {
      if (!alone && bands == 1) continue;
      const auto& group = groups_.get(begin, end, bands);
      if (!group) return false;
      const GroupCost group_costs = group_cost(network_, device_, *group, weights_);
      if (!group_costs.accumulators_fit) continue;
      fits |= weigh(*group, group_costs);
    }
    // A group that ends in one row may be followed by one that does not.
    return fits || height == 1;
  }

  static std::vector<uint32_t> band_counts(uint32_t height) {
    std::vector<uint32_t> counts;
    for (uint32_t bands = 1; bands < std::min(height, kBandsMax); bands += std::max(1u, bands / 4)) {
      // The fewest bands with this band height.
      const auto rows = static_cast<uint32_t>(divide_up(height, bands));
      const auto even = static_cast<uint32_t>(divide_up(height, rows));
      if (counts.empty() || counts.back() < even) counts.push_back(even);
    }
    if (height <= kBandsMax && (counts.empty() || counts.back() < height)) counts.push_back(height);
    return counts;
  }

  /// Adds the group to all states before it, with all choices of homes; whether it fitted with any.
  bool weigh(const BandedGroup& group, const GroupCost& costs) {
    std::vector<uint32_t> made;  // maps whose values may stay in the SRAM behind the group
    for (uint32_t i = 0; i < group.maps.size(); ++i) {
      const uint32_t value = network_.maps[group.maps[i].map].value;
      const auto& list = live_[group.end];
      const bool begins = lifetimes_[value].first_writer >= static_cast<int32_t>(group.begin);
      if (!group.maps[i].from_outside() && begins && std::binary_search(list.begin(), list.end(), value))
        made.push_back(i);
    }
    made.resize(std::min<size_t>(made.size(), 4));
    bool fits = false;
    for (const auto& [mask, state] : states_[group.begin]) {
      Mask carried = 0;
      if (!carry(group.begin, mask, group.end, &carried)) continue;
      for (uint32_t choice = 0; choice < 1u << made.size(); ++choice) {
        std::vector<bool> stays(group.maps.size());
        Mask next = carried;
        for (size_t i = 0; i < made.size(); ++i) {
          if (!(choice >> i & 1)) continue;
          stays[made[i]] = true;
          const auto& list = live_[group.end];
          next |= Mask{1} << (std::lower_bound(list.begin(), list.end(), network_.maps[group.maps[made[i]].map].value) -
                              list.begin());
        }
        fits |= add(group, costs, mask, state.cycles, stays, next);
      }
    }
    return fits;
  }

  Weighing weigh_maps(const BandedGroup& group, Mask mask, const std::vector<bool>& stays) const {
    Weighing sum;
    sum.memory = memory(group.begin, mask);
    for (size_t i = 0; i < group.maps.size(); ++i) {
      const BandedMap& banded = group.maps[i];
      const Map& map = network_.maps[banded.map];
      const bool held = holds(group.begin, mask, map.value);
      if (banded.from_outside()) {
        if (held) continue;
        sum.loads += traffic(map, banded.end.back());
      } else if (network_.values[map.value].home == Home::kOutput || (banded.live_out && !stays[i] && !held)) {
        sum.stores += traffic(map, map.height);
      }
      if (held || (stays[i] && overwrites(group, mask, static_cast<uint32_t>(i)))) continue;
      sum.memory += stays[i] ? whole_[map.value] : group_bytes(map, banded);
    }
    return sum;
  }

  /// Bytes that take the DRAM as long as these rows of a map: cells on their own are short rows.
  uint64_t traffic(const Map& map, uint64_t rows) const {
    if (map.has_dense_cells()) return rows * map.row_bytes();
    return cost_.transfer(rows * map.width, map.channels) * device_.dram_millibytes_per_cycle / 1000;
  }

  /// Whether map i of the group takes the place of one that is in the SRAM and dies.
  bool overwrites(const BandedGroup& group, Mask mask, uint32_t i) const {
    for (uint32_t input : overwritable_inputs(network_, lifetimes_, group, i))
      if (holds(group.begin, mask, network_.maps[group.maps[input].map].value)) return true;
    return false;
  }

  bool add(const BandedGroup& group, const GroupCost& costs, Mask mask, uint64_t cycles_before,
           const std::vector<bool>& stays, Mask next) {
    const Weighing sum = weigh_maps(group, mask, stays);
    bool fits = false;
    for (bool streams : {false, true}) {
      if (streams && (group.nodes() > 1 || costs.weight_memory_streamed == costs.weight_memory_all)) break;
      const bool rolling = streams || group.bands == 1;  // chunks need not be there together
      const uint64_t memory = sum.memory + (rolling ? costs.weight_memory_streamed : costs.weight_memory_all);
      if (memory > limits_.sram_bytes) continue;
      const uint64_t weights = streams ? costs.weight_bytes * group.bands : costs.weight_bytes;
      const uint64_t ends = cost_.dram(sum.loads + sum.stores) / group.bands;  // first loads and last stores
      const uint64_t dram = cost_.dram(sum.loads + sum.stores + weights);
      State state;
      state.cycles = cycles_before + std::max(costs.compute_cycles + ends, dram) + kGroupCycles;
      state.from_cut = group.begin;
      state.from_mask = mask;
      state.group = {group.begin, group.end, group.bands, streams, false, {}, 0, false, 0};
      reach(group.end, next, state);
      fits = true;
    }
    return fits;
  }

  /// One node in boxes, with nothing else in the SRAM: where bands do not fit, or load weights again and again.
  void add_box(uint32_t node) {
    const auto empty = states_[node].find(0);
    if (empty == states_[node].end()) return;
    const Node& n = network_.nodes[node];
    const uint64_t least = node_cycles(network_, device_, n, weights_[node], network_.output(n).height);
    const auto banded = states_[node + 1].find(0);
    if (banded != states_[node + 1].end() && banded->second.cycles <= empty->second.cycles + least * 5 / 4 + kBoxCycles)
      return;
    const auto choice = choose_box(network_, n, device_, limits_.sram_bytes);
    if (!choice) return;
    State state;
    state.cycles = empty->second.cycles + choice->cycles + kGroupCycles;
    state.from_cut = node;
    state.group = {node, node + 1, 1, false, true, choice->tile, choice->cycles / choice->loads, false, 0};
    reach(node + 1, 0, state);
  }

  /// A movement, with and without its output in the SRAM afterwards.
  void add_movement(uint32_t index) {
    const Node& node = network_.nodes[index];
    const uint32_t output = network_.output(node).value;
    const auto& list = live_[index + 1];
    const auto listed = std::lower_bound(list.begin(), list.end(), output);
    const bool may_begin = listed != list.end() && *listed == output && lifetimes_[output].first_writer == static_cast<int32_t>(index);
    for (const auto& [mask, state] : states_[index]) {
      Mask carried = 0;
      if (!carry(index, mask, index + 1, &carried)) continue;
      MovementSides sides;
      sides.from_sram = !node.inputs.empty() && holds(index, mask, network_.input(node).value);
      sides.to_sram = holds(index, mask, output);
      const uint64_t held = memory(index, mask);
      reach_by_movement(index, sides, held, mask, carried, state.cycles);
      if (!may_begin) continue;
      sides.to_sram = true;
      reach_by_movement(index, sides, held + whole_[output], mask, carried | Mask{1} << (listed - list.begin()), state.cycles);
    }
  }

  void reach_by_movement(uint32_t index, MovementSides sides, uint64_t held, Mask mask, Mask next, uint64_t cycles) {
    if (held + kMovementBytesMin > limits_.sram_bytes) return;
    State state;
    state.group = {index, index + 1, 1, false, false, {}, 0, true, limits_.sram_bytes - held};
    state.cycles = cycles + kGroupCycles +
                   movement_cost(network_, network_.nodes[index], sides, device_, state.group.movement_bytes).cycles;
    state.from_cut = index;
    state.from_mask = mask;
    reach(index + 1, next, state);
  }

  std::optional<Plan> trace_back() {
    Plan plan;
    plan.resident.assign(network_.values.size(), false);
    auto cut = static_cast<uint32_t>(network_.nodes.size());
    Mask mask = 0;
    while (cut > 0) {
      const auto at = states_[cut].find(mask);
      if (at == states_[cut].end()) return std::nullopt;
      plan.cycles = std::max(plan.cycles, at->second.cycles);
      for (size_t i = 0; i < live_[cut].size(); ++i)
        if (mask >> i & 1) plan.resident[live_[cut][i]] = true;
      plan.groups.push_back(at->second.group);
      cut = at->second.from_cut;
      mask = at->second.from_mask;
    }
    std::reverse(plan.groups.begin(), plan.groups.end());
    plan.weights = std::move(weights_);
    return plan;
  }

  const Network& network_;
  const DeviceConfig& device_;
  const PlanLimits& limits_;
  const CommandCost cost_;
  BandedGroups& groups_;
  const std::vector<Lifetime>& lifetimes_;
  std::vector<WeightChunks> weights_;
  std::vector<uint64_t> whole_;              // per value, SRAM bytes when kept
  std::vector<std::vector<uint32_t>> live_;  // per cut, sorted
  std::vector<std::map<Mask, State>> states_;
};

}  // namespace

std::optional<Plan> plan_groups(const Network& network, const DeviceConfig& device, const PlanLimits& limits, BandedGroups& groups) {
  return Planner(network, device, limits, groups).run();
}

}  // namespace avocet::compiler
