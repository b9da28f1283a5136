// SPDX-License-Identifier: Apache-2.0
// Making plans: choose a device for each operation, cut the model into steps, compile or prepare them, lay out values.
#include "plan.hpp"

#include <algorithm>

#include "api.hpp"
#include "memory_plan.hpp"
#include "operations/failure.hpp"
#include "environment.hpp"
#include "partition.hpp"
#include "partition_cost.hpp"

namespace avocet::runtime {
namespace {

constexpr uint32_t kNever = UINT32_MAX;

/// When operands are written first and read last, in steps' time: operations of an accelerator step happen at once.
struct Lifetimes {
  std::vector<uint32_t> first, last;     // per operand
  std::vector<uint32_t> last_operation;  // per operand: after which it may go
};

Lifetimes lifetimes_of(const Model& model, const std::vector<Step>& steps) {
  const size_t count = model.operands().size();
  Lifetimes times{std::vector<uint32_t>(count, kNever), std::vector<uint32_t>(count),
                  std::vector<uint32_t>(count, kNever)};
  uint32_t now = 0;
  for (const Step& step : steps) {
    const bool at_once = step.program || step.late;
    for (uint32_t index : step.operations) {
      const ModelOperation& operation = model.operations()[index];
      for (const std::vector<uint32_t>* list : {&operation.inputs, &operation.outputs}) {
        for (uint32_t operand : *list) {
          times.first[operand] = std::min(times.first[operand], now);
          times.last[operand] = now;
          times.last_operation[operand] = index;
        }
      }
      if (!at_once) ++now;
    }
    if (at_once) ++now;
  }
  return times;
}

/// Operands that exist only inside of an accelerator step.
std::vector<bool> inside_programs(const Model& model, const std::vector<Step>& steps) {
  std::vector<bool> inside(model.operands().size());
  for (const Step& step : steps) {
    if (!step.program && !step.late) continue;
    for (uint32_t operation : step.operations) {
      for (uint32_t operand : model.operations()[operation].outputs) inside[operand] = true;
    }
    for (uint32_t operand : step.group.outputs) inside[operand] = false;
  }
  return inside;
}

FrameLayout layout_of(const Model& model, const std::vector<Step>& steps) {
  FrameLayout layout;
  const size_t operands = model.operands().size();
  layout.dims_fixed.resize(operands);
  layout.offset.assign(operands, FrameLayout::kNoOffset);
  layout.bytes.resize(operands);
  layout.last_read.resize(model.operations().size());
  for (const ModelOperation& operation : model.operations()) {
    layout.slots.push_back({static_cast<uint32_t>(layout.inputs), static_cast<uint32_t>(layout.outputs)});
    layout.inputs += operation.inputs.size();
    layout.outputs += operation.outputs.size();
  }
  const Lifetimes times = lifetimes_of(model, steps);
  const std::vector<bool> inside = inside_programs(model, steps);
  std::vector<uint32_t> planned;
  std::vector<PlannedBuffer> buffers;
  for (uint32_t i = 0; i < operands; ++i) {
    const Operand& operand = model.operand(i);
    layout.dims_fixed[i] = operand.lifetime == Lifetime::kNoValue || operand.lifetime == Lifetime::kModel ||
                           fully_specified(operand.type, operand.dims);
    if (operand.lifetime != Lifetime::kTemporary) continue;
    layout.last_read[times.last_operation[i]].push_back(i);
    if (!layout.dims_fixed[i] || inside[i]) continue;
    layout.bytes[i] = value_bytes(operand.type, operand.dims).value_or(0);
    planned.push_back(i);
    buffers.push_back({layout.bytes[i], times.first[i], times.last[i], 0});
  }
  layout.block_bytes = plan_memory(buffers);
  for (size_t k = 0; k < planned.size(); ++k) layout.offset[planned[k]] = buffers[k].offset;
  return layout;
}

/// What a group reads from outside and what others need of it.
SubModel sub_model_of(const Model& model, const std::vector<uint32_t>& operations) {
  SubModel group;
  group.model = &model;
  group.operations = operations;
  std::vector<bool> member(model.operations().size()), written(model.operands().size()),
      needed(model.operands().size()), seen(model.operands().size());
  for (uint32_t i : operations) {
    member[i] = true;
    for (uint32_t operand : model.operations()[i].outputs) written[operand] = true;
  }
  for (uint32_t i : model.outputs()) needed[i] = true;
  for (uint32_t i = 0; i < model.operations().size(); ++i) {
    if (member[i]) continue;
    for (uint32_t operand : model.operations()[i].inputs) needed[operand] = true;
  }
  for (uint32_t i : operations) {
    for (uint32_t operand : model.operations()[i].inputs) {
      const Lifetime lifetime = model.operand(operand).lifetime;
      const bool variable =
          lifetime == Lifetime::kTemporary || lifetime == Lifetime::kInput || lifetime == Lifetime::kOutput;
      if (!variable || written[operand] || seen[operand]) continue;
      seen[operand] = true;
      group.inputs.push_back(operand);
    }
    for (uint32_t operand : model.operations()[i].outputs) {
      if (needed[operand]) group.outputs.push_back(operand);
    }
  }
  return group;
}

}  // namespace

Status PlanBuilder::build(const Model& model, const Plan** result) {
  if (const auto done = done_.find(&model); done != done_.end()) {
    *result = done->second;
    return {};
  }
  auto owned = std::make_unique<Plan>();
  Plan& plan = *owned;
  plan.model_ = &model;
  for (const Operand& operand : model.operands()) {
    if (operand.lifetime != Lifetime::kModel || plan.inner_.count(operand.model)) continue;
    const Plan* inner = nullptr;
    AVOCET_RETURN_IF_FAILED(build(*operand.model, &inner));
    plan.inner_[operand.model] = inner;
  }
  Choice choice;
  AVOCET_RETURN_IF_FAILED(choose_devices(plan, &choice));
  for (OperationGroup& group : partition_by_cost(plan, choice)) {
    Step step;
    step.device = options_.devices[group.device];
    step.operations = std::move(group.operations);
    prepare_late_step(plan, step, choice);
    if (!step.late) AVOCET_RETURN_IF_FAILED(compile_step(plan, step, static_cast<uint32_t>(plan.steps_.size())));
    plan.steps_.push_back(std::move(step));
  }
  plan.layout_ = layout_of(model, plan.steps_);
  plan.prepared_.resize(model.operations().size());
  for (const Step& step : plan.steps_) {
    if (step.program) continue;
    prepare_step(plan, step);
    if (options_.compile.deadline.passed())
      return failure(ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT, "compiling takes too long");
  }
  *result = done_[&model] = &plan;
  plans_.push_back(std::move(owned));
  return {};
}

const Device* PlanBuilder::cpu() const {
  for (const Device* device : options_.devices) {
    if (!device->accelerator()) return device;
  }
  return nullptr;
}

Status PlanBuilder::choose_devices(Plan& plan, Choice* choice) const {
  const Model& model = *plan.model_;
  const size_t count = model.operations().size();
  plan.reasons_.resize(count);
  choice->late.resize(count);
  choice->constants.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t chosen = kNever;
    for (uint32_t d = 0; d < options_.devices.size() && chosen == kNever; ++d) {
      const Support support = device_supports(*options_.devices[d], model, i);
      if (support.supported) chosen = d;
      if (!support.supported && plan.reasons_[i].empty()) plan.reasons_[i] = support.reason;
      // Should it turn out at execution that it cannot be, the CPU has to be there.
      if (!support.supported && cpu() && device_may_support(*options_.devices[d], model, i, &choice->constants[i])) {
        chosen = d;
        choice->late[i] = choice->any_late = true;
      }
    }
    if (chosen == kNever) {
      return bad_data("operation ", i, " (", model.operations()[i].name(),
                      ") runs on none of the devices: ", plan.reasons_[i]);
    }
    const bool on_cpu = !options_.devices[chosen]->accelerator();
    if (!on_cpu) plan.reasons_[i].clear();
    if (on_cpu && plan.reasons_[i].empty()) plan.reasons_[i] = "no accelerator was asked for";
    choice->device_of.push_back(chosen);
  }
  return {};
}

/// Groups that are not worth the way to their accelerator go to the CPU, if the client offers it. A model that is one group
/// stays where it is: the client chose the device, and nothing would come between.
std::vector<OperationGroup> PlanBuilder::partition_by_cost(Plan& plan, Choice& choice) const {
  const Model& model = *plan.model_;
  const std::span<const std::vector<uint32_t>> before =
      choice.any_late ? std::span<const std::vector<uint32_t>>(choice.constants) : std::span<const std::vector<uint32_t>>();
  std::vector<OperationGroup> groups = partition(model, choice.device_of, before);
  const auto here = std::find(options_.devices.begin(), options_.devices.end(), cpu());
  if (environment().partition_all || groups.size() < 2 || here == options_.devices.end()) return groups;
  bool moved = false;
  for (const OperationGroup& group : groups) {
    const Accelerator* accelerator = options_.devices[group.device]->accelerator();
    const bool late = std::any_of(group.operations.begin(), group.operations.end(), [&](uint32_t i) { return choice.late[i]; });
    if (!accelerator || late) continue;
    const auto reason = not_worth_the_way(*accelerator, sub_model_of(model, group.operations));
    if (!reason) continue;
    moved = true;
    for (uint32_t i : group.operations) {
      choice.device_of[i] = static_cast<uint32_t>(here - options_.devices.begin());
      plan.reasons_[i] = *reason;
    }
  }
  return moved ? partition(model, choice.device_of, before) : groups;
}

void PlanBuilder::prepare_late_step(const Plan& plan, Step& step, const Choice& choice) {
  Accelerator* accelerator = step.device->accelerator();
  if (!accelerator || std::none_of(step.operations.begin(), step.operations.end(), [&](uint32_t i) { return choice.late[i]; })) return;
  step.group = sub_model_of(*plan.model_, step.operations);
  step.group.model_number = static_cast<uint32_t>(done_.size());
  std::vector<uint32_t> constants;
  for (uint32_t i : step.operations) constants.insert(constants.end(), choice.constants[i].begin(), choice.constants[i].end());
  step.late = std::make_unique<LateProgram>(accelerator, step.group, options_.compile, std::move(constants));
}

Status PlanBuilder::compile_step(Plan& plan, Step& step, uint32_t number) {
  Accelerator* accelerator = step.device->accelerator();
  if (!accelerator) return {};
  if (options_.compile.deadline.passed())
    return failure(ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT, "compiling takes too long");
  step.group = sub_model_of(*plan.model_, step.operations);
  step.group.model_number = static_cast<uint32_t>(done_.size());
  if (options_.cache) {
    if (const auto bytes = options_.cache->read(*accelerator, step.group, options_.compile)) {
      const Status status = accelerator->load(step.group, options_.compile, *bytes, &step.program);
      if (status.ok() && step.program) return {};
      step.program.reset();
      log_info("a cached program was refused, compiling again: " + status.message);
    }
  }
  const Status status = accelerator->compile(step.group, options_.compile, &step.program);
  if (status.ok() && step.program) {
    if (options_.cache) options_.cache->write(*accelerator, step.group, options_.compile, step.program->bytes());
    return {};
  }
  step.program.reset();
  const std::string what =
      "step " + std::to_string(number) + " was not compiled for " + step.device->name() + ": " + status.message;
  const bool missed = status.code == ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT ||
                      status.code == ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT;
  if (!options_.may_fall_back || missed)
    return failure(status.ok() ? int{ANEURALNETWORKS_OP_FAILED} : status.code, what);
  log_info(what + "; it runs on the CPU");
  step.device = &cpu_device();
  for (uint32_t i : step.operations) plan.reasons_[i] = what;
  return {};
}

void PlanBuilder::prepare_step(Plan& plan, const Step& step) {
  const Model& model = *plan.model_;
  for (uint32_t index : step.operations) {
    const ModelOperation& operation = model.operations()[index];
    if (!operation.row || !operation.row->prepare) continue;
    std::vector<OperandView> inputs, outputs;
    for (uint32_t i : operation.inputs) inputs.push_back(view_of(model.operand(i)));
    for (uint32_t i : operation.outputs) outputs.push_back(view_of(model.operand(i)));
    OperationContext context;
    context.inputs = inputs;
    context.outputs = outputs;
    plan.prepared_[index] = operation.row->prepare(context);
  }
}

}  // namespace avocet::runtime
