// SPDX-License-Identifier: Apache-2.0
// The planner's estimates leave out how the SRAM fragments and how early weights can be fetched; plans that use less of
// the SRAM sometimes win. As the steps down are the same for all devices, more memory never makes a program slower.
#include "search_plans.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "allocate_sram.hpp"
#include "command_cost.hpp"
#include "emit_stream.hpp"
#include "place_scratch.hpp"
#include "plan.hpp"
#include "schedule_writer.hpp"

namespace avocet::compiler {
namespace {

Schedule build_schedule(const Network& network, const DeviceConfig& device, const Plan& plan, ConstantPool& constants) {
  ScheduleWriter writer(network, device, plan, constants);
  const std::vector<Lifetime> lives = lifetimes(network);
  for (const GroupPlan& group : plan.groups) schedule_group(writer, group, lives);
  return writer.take();
}

// How far ahead loads may run, in percent of the time that it takes to fill the plan's memory.
constexpr uint32_t kAheadPercents[] = {30, 80};
// The streams of huge schedules cost more to make than the choice brings.
constexpr size_t kSlotsToChoose = 20000;
// How much slower than the first plan another one may be predicted to be for its streams to be made.
constexpr uint64_t kWorthStreamsPercent = 5;
// A rate of the DRAM, in thousandths of a byte per cycle, that bounds nothing, and how much slower than with it plans may be with one
// that counts as enough.
constexpr uint64_t kUnboundRate = 1000000, kSlowerRatePercent = 8;
constexpr size_t kMemorySteps = 24, kRateSteps = 8;

/// `whole` and lower steps of a scale that is the same for all devices, `fractions` of them in each power of two times `unit`.
std::vector<uint64_t> steps_below(uint64_t whole, uint64_t unit, uint64_t fractions, size_t count) {
  std::vector<uint64_t> steps{whole};
  for (uint64_t power = unit * std::bit_floor(std::max<uint64_t>(1, whole / unit)); power >= unit; power /= 2)
    for (uint64_t part = 2 * fractions; part-- > fractions;)
      if (const uint64_t step = power * part / fractions; step < whole && steps.size() < count) steps.push_back(step);
  return steps;
}

bool is_same(const Plan& a, const Plan& b) {
  const auto same_chunks = [](const WeightChunks& x, const WeightChunks& y) { return x.chunks.size() == y.chunks.size(); };
  return a.groups == b.groups && a.resident == b.resident &&
         std::equal(a.weights.begin(), a.weights.end(), b.weights.begin(), b.weights.end(), same_chunks);
}

class Search {
 public:
  Search(Network& network, const DeviceConfig& device)
      : network_(network), device_(device), groups_(network), rate_(device.dram_millibytes_per_cycle) {}

  std::optional<Draft> run() {
    std::optional<Plan> first = plan_at_lowest_rate();
    for (uint64_t bytes : steps_below(device_.sram_bytes, 1024, 4, kMemorySteps)) {
      const PlanLimits limits{bytes, rate_, 10, true};
      if (!consider(limits, bytes == device_.sram_bytes ? std::move(first) : make_plan(limits))) break;
    }
    // Node by node, each result to the DRAM.
    const PlanLimits least{device_.sram_bytes, rate_, 1, false};
    if (!draft_) consider(least, make_plan(least));
    return std::move(draft_);
  }

 private:
  DeviceConfig planned_device(const PlanLimits& limits) const {
    DeviceConfig device = device_;
    device.sram_bytes = static_cast<uint32_t>(limits.sram_bytes);
    device.dram_millibytes_per_cycle = static_cast<uint32_t>(limits.dram_millibytes_per_cycle);
    return device;
  }
  std::optional<Plan> make_plan(const PlanLimits& limits) { return plan_groups(network_, planned_device(limits), limits, groups_); }

  /// With the rate of the DRAM from which on more brings hardly anything, or the device's if that is lower: all devices that have
  /// enough get the same plans.
  std::optional<Plan> plan_at_lowest_rate() {
    const std::optional<Plan> unbound = make_plan({device_.sram_bytes, kUnboundRate, 10, true});
    std::optional<Plan> best;
    for (uint64_t rate : steps_below(rate_, 1000, 2, kRateSteps)) {
      std::optional<Plan> plan = make_plan({device_.sram_bytes, rate, 10, true});
      const bool is_enough = plan && plan->cycles <= unbound->cycles + unbound->cycles * kSlowerRatePercent / 100;
      if (best && !is_enough) break;
      rate_ = rate;
      best = std::move(plan);
      if (!is_enough) break;
    }
    return best;
  }

  /// Weighs the streams of a plan for less than the device has on the device. False: less brings nothing.
  bool consider(const PlanLimits& limits, std::optional<Plan> plan) {
    if (!plan) return false;
    if (plans_.empty()) first_cycles_ = plan->cycles;
    if (draft_ && plan->cycles > first_cycles_ + first_cycles_ * kWorthStreamsPercent / 100) return false;
    if (std::any_of(plans_.begin(), plans_.end(), [&](const Plan& other) { return is_same(other, *plan); })) return true;
    const bool may_go_on = make_streams(*plan, planned_device(limits));
    plans_.push_back(std::move(*plan));
    return may_go_on || !draft_;
  }

  /// Makes streams from copies of the plan's schedule and keeps the fastest; none when the memory turns out too small. False:
  /// more take too long.
  bool make_streams(const Plan& plan, const DeviceConfig& planned) {
    Draft draft{{}, ConstantPool(network_, device_), 0, {}};
    draft.scratch_bytes = place_scratch(network_, plan);
    for (uint32_t i = 0; i < network_.values.size(); ++i)
      if (network_.values[i].home == Home::kConstant) network_.values[i].offset = draft.constants.place_value(i);
    const Schedule schedule = build_schedule(network_, planned, plan, draft.constants);
    const bool is_huge = schedule.slots.size() > kSlotsToChoose;
    const uint64_t fill_cycles = CommandCost(planned).dram(planned.sram_bytes);
    for (uint32_t percent : kAheadPercents) {
      // What was planned may not fit for the gaps between blocks; there may be more than was planned with.
      Schedule placed = schedule;
      const bool fits = allocate_sram(placed, planned, fill_cycles * percent / 100);
      if (!fits && !allocate_sram(placed = schedule, device_, fill_cycles * percent / 100)) return true;
      std::vector<uint32_t> stream = emit_stream(placed);
      CycleEstimate estimate = estimate_cycles(stream, device_);
      if (draft.stream.empty() || estimate.cycles < draft.estimate.cycles) {
        draft.stream = std::move(stream);
        draft.estimate = std::move(estimate);
      }
      if (is_huge) break;
    }
    if (!draft_ || draft.estimate.cycles < draft_->estimate.cycles) draft_.emplace(std::move(draft));
    return !is_huge;
  }

  Network& network_;
  const DeviceConfig& device_;
  BandedGroups groups_;
  uint64_t rate_;  // of the DRAM, that is planned with
  std::vector<Plan> plans_;
  uint64_t first_cycles_ = 0;  // as the first plan is predicted
  std::optional<Draft> draft_;
};

std::string obstacle(const Network& network, const DeviceConfig& device) {
  for (const Node& node : network.nodes) {
    if (node.kind == NodeKind::kMovement) continue;
    const uint64_t bytes = box_bytes(network, node, device, smallest_box(network, node, device));
    if (bytes > device.sram_bytes)
      return network.layers[node.tag].name + " needs " + std::to_string(bytes) +
             " bytes of SRAM for its smallest tile; there are " + std::to_string(device.sram_bytes);
  }
  return "internal fault: no plan fits the SRAM";
}

}  // namespace

Draft search_plans(Network& network, const DeviceConfig& device) {
  std::optional<Draft> best = Search(network, device).run();
  if (!best) throw CompileError(obstacle(network, device));
  return std::move(*best);
}

}  // namespace avocet::compiler
