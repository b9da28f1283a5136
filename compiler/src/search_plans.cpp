// SPDX-License-Identifier: Apache-2.0
// The planner's estimates leave out how the SRAM fragments and how early weights can be fetched; plans that use less of
// the SRAM for maps sometimes win.
#include "search_plans.hpp"

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
  for (const GroupPlan& group : plan.groups) {
    if (group.moves)
      schedule_movement(writer, group);
    else if (group.boxed)
      schedule_boxes(writer, group);
    else
      schedule_bands(writer, group, lives);
  }
  return writer.take();
}

// How far ahead loads may run, in percent of the time that it takes to fill the SRAM; the streams of huge schedules
// cost more to make than the choice brings.
constexpr uint32_t kAheadPercents[] = {20, 40, 80};
constexpr size_t kSlotsToChoose = 20000;

/// Makes streams from copies of the schedule and keeps the fastest; false when the SRAM is too small for it.
bool make_stream(const Schedule& schedule, const DeviceConfig& device, Draft& draft) {
  const uint64_t fill_cycles = CommandCost(device).dram(device.sram_bytes);
  for (uint32_t percent : kAheadPercents) {
    Schedule placed = schedule;
    if (!allocate_sram(placed, device, fill_cycles * percent / 100)) return false;
    std::vector<uint32_t> stream = emit_stream(placed);
    CycleEstimate estimate = estimate_cycles(stream, device);
    if (draft.stream.empty() || estimate.cycles < draft.estimate.cycles) {
      draft.stream = std::move(stream);
      draft.estimate = std::move(estimate);
    }
    if (schedule.slots.size() > kSlotsToChoose) break;
  }
  return true;
}

/// nullopt when there is no plan, or the SRAM turns out too small for it.
std::optional<Draft> make_draft(Network& network, const DeviceConfig& device, const PlanLimits& limits) {
  const std::optional<Plan> plan = plan_groups(network, device, limits);
  if (!plan) return std::nullopt;
  Draft draft{{}, ConstantPool(network, device), 0, {}};
  draft.scratch_bytes = place_scratch(network, *plan);
  for (uint32_t i = 0; i < network.values.size(); ++i)
    if (network.values[i].home == Home::kConstant) network.values[i].offset = draft.constants.place_value(i);
  if (!make_stream(build_schedule(network, device, *plan, draft.constants), device, draft)) return std::nullopt;
  return draft;
}

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
  constexpr uint32_t kPercents[] = {100, 90, 75};  // of the SRAM, for maps and weights in use
  std::optional<Draft> best;
  const auto consider = [&](const PlanLimits& limits) {
    std::optional<Draft> candidate = make_draft(network, device, limits);
    if (candidate && (!best || candidate->estimate.cycles < best->estimate.cycles)) best.emplace(std::move(*candidate));
  };
  const auto share = [&](uint32_t percent) { return uint64_t{device.sram_bytes} * percent / 100; };
  for (uint32_t percent : kPercents) consider({share(percent), 10, true});
  if (!best) consider({share(100), 1, false});
  if (!best) throw CompileError(obstacle(network, device));
  return std::move(*best);
}

}  // namespace avocet::compiler
