// SPDX-License-Identifier: Apache-2.0
// The planner's estimates leave out how the SRAM fragments and how early weights can be fetched; plans that use less of
// the SRAM for maps sometimes win.
#include "search_plans.hpp"

#include <optional>

#include "allocate_sram.hpp"
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
    if (group.boxed)
      schedule_boxes(writer, group);
    else
      schedule_bands(writer, group, lives);
  }
  return writer.take();
}

/// nullopt when there is no plan, or the SRAM turns out too small for it.
std::optional<Draft> draft(Network& network, const DeviceConfig& device, const PlanLimits& limits) {
  const std::optional<Plan> plan = plan_groups(network, device, limits);
  if (!plan) return std::nullopt;
  Draft result{{}, ConstantPool(network, device), 0, {}};
  result.scratch_bytes = place_scratch(network, *plan);
  for (uint32_t i = 0; i < network.values.size(); ++i)
    if (network.values[i].home == Home::kConstant) network.values[i].offset = result.constants.place_value(i);
  Schedule schedule = build_schedule(network, device, *plan, result.constants);
  if (!allocate_sram(schedule, device)) return std::nullopt;
  result.stream = emit_stream(schedule);
  result.estimate = estimate_cycles(result.stream, device);
  return result;
}

std::string obstacle(const Network& network, const DeviceConfig& device) {
  for (const Node& node : network.nodes) {
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
    std::optional<Draft> candidate = draft(network, device, limits);
    if (candidate && (!best || candidate->estimate.cycles < best->estimate.cycles)) best.emplace(std::move(*candidate));
  };
  const auto share = [&](uint32_t percent) { return uint64_t{device.sram_bytes} * percent / 100; };
  for (uint32_t percent : kPercents) consider({share(percent), 10, true});
  if (!best) consider({share(100), 1, false});
  if (!best) throw CompileError(obstacle(network, device));
  return std::move(*best);
}

}  // namespace avocet::compiler
