// SPDX-License-Identifier: Apache-2.0
// Dynamic programming over the cuts between nodes, as in plan_groups, but of segments: each is planned for its longest part, with a
// fair share of the DRAM. Then every core's parts are planned, scheduled and emitted as if they were networks of their own, on
// common constants and scratch memory.
#include "split_cores.hpp"

#include <algorithm>
#include <utility>

#include "allocate_sram.hpp"
#include "command_cost.hpp"
#include "emit_stream.hpp"
#include "place_scratch.hpp"
#include "plan.hpp"
#include "schedule_writer.hpp"
#include "split_segment.hpp"

namespace avocet::compiler {
namespace {

constexpr uint32_t kSegmentNodesMax = 6;
constexpr uint32_t kAheadPercents[] = {30, 80};     // of the time that it takes to fill the SRAM
constexpr uint32_t kMemoryPercents[] = {100, 80, 60, 40};  // of the SRAM, that is planned with

struct Segment {
  uint32_t begin = 0, end = 0;
  Share share = Share::kOneCore;
};

/// One core's groups of one segment.
struct Part {
  size_t begin = 0, end = 0;
};

class CoreSplit {
 public:
  CoreSplit(const Network& network, const DeviceConfig& device, uint32_t cores, uint64_t sram_bytes)
      : device_(device), cores_(cores), sram_bytes_(sram_bytes), maker_(network, device, cores) {}

  std::optional<CoresDraft> run() {
    if (!choose_segments() || !plan_parts()) return std::nullopt;
    auto network = std::make_unique<Network>(std::move(maker_.network()));
    verify_network(*network, "split_cores");
    Draft draft{{}, ConstantPool(*network, device_), 0, {}};
    draft.scratch_bytes = place_scratch(*network, plan_, times_);
    for (uint32_t i = 0; i < network->values.size(); ++i)
      if (network->values[i].home == Home::kConstant) network->values[i].offset = draft.constants.place_value(i);
    std::vector<Schedule> schedules;
    for (uint32_t core = 0; core < cores_; ++core) schedules.push_back(schedule(*network, core, draft.constants));
    for (uint32_t percent : kAheadPercents) {
      std::optional<std::vector<uint32_t>> stream = emit(schedules, percent);
      if (!stream) return std::nullopt;
      CycleEstimate estimate = estimate_cycles(*stream, device_);
      if (!draft.stream.empty() && draft.estimate.cycles <= estimate.cycles) continue;
      draft.stream = std::move(*stream);
      draft.estimate = std::move(estimate);
    }
    return CoresDraft{std::move(network), std::move(draft)};
  }

 private:
  /// For the nodes of one part.
  std::optional<Plan> plan(std::vector<Node> nodes, Share share) {
    DeviceConfig planned = device_;
    planned.sram_bytes = static_cast<uint32_t>(sram_bytes_);
    if (share != Share::kOneCore) planned.dram_millibytes_per_cycle = std::max(1u, planned.dram_millibytes_per_cycle / cores_);
    const uint64_t rate = planned.dram_millibytes_per_cycle;
    Network& network = maker_.network();
    network.nodes = std::move(nodes);
    BandedGroups groups(network);
    std::optional<Plan> plan = plan_groups(network, planned, {sram_bytes_, rate, 10, true}, groups);
    if (!plan) plan = plan_groups(network, planned, {sram_bytes_, rate, 1, false}, groups);
    network.nodes.clear();
    return plan;
  }

  // ---- segments ----

  /// From the BARRIER before to the one behind: nothing is loaded or stored while the cores meet.
  uint64_t barrier_cycles() const { return 4 * uint64_t{device_.dram_latency} + 200; }

  std::optional<uint64_t> cycles_of(const Segment& segment) {
    const SegmentMaker::Mark mark = maker_.mark();
    const uint32_t core = maker_.longest_part(segment.end, segment.share);
    std::optional<uint64_t> cycles;
    if (auto nodes = maker_.make(segment.begin, segment.end, segment.share, core); nodes && !nodes->empty())
      if (const auto planned = plan(std::move(*nodes), segment.share)) cycles = planned->cycles + barrier_cycles();
    maker_.drop(mark);
    return cycles;
  }

  bool choose_segments() {
    struct Cut {
      uint64_t cycles = UINT64_MAX;
      Segment last;
    };
    const uint32_t nodes = maker_.nodes();
    std::vector<Cut> cuts(nodes + 1);
    cuts[0].cycles = 0;
    for (uint32_t begin = 0; begin < nodes; ++begin) {
      if (cuts[begin].cycles == UINT64_MAX) continue;
      for (Share share : {Share::kRows, Share::kChannels, Share::kOneCore}) {
        const uint32_t longest = share == Share::kChannels ? 1 : kSegmentNodesMax;
        for (uint32_t end = begin + 1; end <= std::min(nodes, begin + longest); ++end) {
          const Segment segment{begin, end, share};
          const auto cycles = cycles_of(segment);
          if (!cycles || cuts[begin].cycles + *cycles >= cuts[end].cycles) continue;
          cuts[end] = {cuts[begin].cycles + *cycles, segment};
        }
      }
    }
    if (cuts[nodes].cycles == UINT64_MAX) return false;
    for (uint32_t end = nodes; end > 0; end = segments_.back().begin) segments_.push_back(cuts[end].last);
    std::reverse(segments_.begin(), segments_.end());
    return std::any_of(segments_.begin(), segments_.end(), [](const Segment& s) { return s.share != Share::kOneCore; });
  }

  // ---- parts ----

  bool plan_parts() {
    std::vector<Node> all;
    std::vector<std::pair<size_t, std::vector<bool>>> resident;
    for (uint32_t s = 0; s < segments_.size(); ++s)
      for (uint32_t core = 0; core < cores_; ++core) {
        parts_.push_back({plan_.groups.size(), plan_.groups.size()});
        auto nodes = maker_.make(segments_[s].begin, segments_[s].end, segments_[s].share, core);
        if (!nodes) return false;
        if (nodes->empty()) continue;
        auto planned = plan(*nodes, segments_[s].share);
        if (!planned) return false;
        for (GroupPlan group : planned->groups) {
          group.begin += static_cast<uint32_t>(all.size());
          group.end += static_cast<uint32_t>(all.size());
          plan_.groups.push_back(std::move(group));
          times_.push_back(s);
        }
        parts_.back().end = plan_.groups.size();
        all.insert(all.end(), nodes->begin(), nodes->end());
        std::move(planned->weights.begin(), planned->weights.end(), std::back_inserter(plan_.weights));
        plan_.resident.resize(maker_.network().values.size());
        for (size_t value = 0; value < planned->resident.size(); ++value)
          if (planned->resident[value]) plan_.resident[value] = true;
      }
    plan_.resident.resize(maker_.network().values.size());
    maker_.network().nodes = std::move(all);
    return true;
  }

  const Part& part(size_t segment, uint32_t core) const { return parts_[segment * cores_ + core]; }

  // ---- streams ----

  Schedule schedule(const Network& network, uint32_t core, ConstantPool& constants) {
    ScheduleWriter writer(network, device_, plan_, constants);
    const std::vector<Lifetime> lives = lifetimes(network);
    size_t used = 0;  // segments up to the core's last work: it ends behind that
    for (size_t s = 0; s < segments_.size(); ++s)
      if (part(s, core).begin < part(s, core).end) used = s + 1;
    for (size_t s = 0; s < used; ++s) {
      if (s > 0) writer.barrier();
      for (size_t group = part(s, core).begin; group < part(s, core).end; ++group)
        schedule_group(writer, plan_.groups[group], lives);
    }
    return writer.take();
  }

  std::optional<std::vector<uint32_t>> emit(const std::vector<Schedule>& schedules, uint32_t percent) {
    const uint64_t fill_cycles = CommandCost(device_).dram(device_.sram_bytes);
    std::vector<uint32_t> stream;
    for (const Schedule& schedule : schedules) {
      Schedule placed = schedule;
      if (!allocate_sram(placed, device_, fill_cycles * percent / 100)) return std::nullopt;
      const std::vector<uint32_t> part = emit_stream(placed);
      stream.insert(stream.end(), part.begin(), part.end());
    }
    return stream;
  }

  const DeviceConfig& device_;
  const uint32_t cores_;
  const uint64_t sram_bytes_;
  SegmentMaker maker_;
  std::vector<Segment> segments_;
  std::vector<Part> parts_;  // [segment][core]
  Plan plan_;                // all parts, one behind the other
  std::vector<uint32_t> times_;  // per group: its segment
};

/// On exactly so many cores.
std::optional<CoresDraft> split_evenly(const Network& network, const DeviceConfig& device, uint32_t cores) {
  for (uint32_t percent : kMemoryPercents) {
    const uint64_t bytes = uint64_t{device.sram_bytes} * percent / 100;
    if (auto found = CoreSplit(network, device, cores, bytes).run()) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<CoresDraft> split_cores(const Network& network, const DeviceConfig& device, uint32_t cores) {
  std::optional<CoresDraft> best;
  for (; cores > 1; cores = cores == 2 ? 1 : (cores + 1) / 2) {
    std::optional<CoresDraft> found = split_evenly(network, device, cores);
    if (best && found && best->draft.estimate.cycles <= found->draft.estimate.cycles) break;
    if (found) best.emplace(std::move(*found));
  }
  return best;
}

}  // namespace avocet::compiler
