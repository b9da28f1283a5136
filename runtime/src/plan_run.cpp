// SPDX-License-Identifier: Apache-2.0
// Running a plan: step by step, operation by operation, with the fall-back of accelerator steps to the CPU.
#include <chrono>

#include "api.hpp"
#include "operations/failure.hpp"
#include "plan.hpp"

namespace avocet::runtime {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

bool is_missed_deadline(int code) {
  return code == ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT || code == ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT;
}

Status missed_deadline() { return failure(ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT, "the execution takes too long"); }

/// Adds what a step cost to what its execution cost.
void add_to(ExecutionProfile& total, ExecutionProfile& step, size_t operations) {
  total.cycles += step.cycles;
  total.simulated_seconds += step.simulated_seconds;
  total.npu_macs += step.npu_macs;
  total.mac_cycles += step.mac_cycles;
  total.dram_read_bytes += step.dram_read_bytes;
  total.dram_write_bytes += step.dram_write_bytes;
  total.npu_operations += static_cast<uint32_t>(operations);
  for (LayerProfile& layer : step.layers) total.layers.push_back(std::move(layer));
  if (step.mac_utilisation > 0.0 && step.cycles > 0) {
    const double peak = static_cast<double>(step.npu_macs) / (static_cast<double>(step.cycles) * step.mac_utilisation);
    total.mac_utilisation = static_cast<double>(total.npu_macs) / (static_cast<double>(total.cycles) * peak);
  }
}

}  // namespace

Status Plan::run(std::span<const Value> inputs, std::span<OutputSink* const> outputs, const RunContext& context) const {
  std::unique_ptr<Frame> frame = frames_.take(*this);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const uint32_t index = model_->inputs()[i];
    const Operand& operand = model_->operand(index);
    if (!inputs[i].omitted && !agrees(operand.dims, *inputs[i].dims)) {
      return op_failed("input ", i, " is ", dims_text(*inputs[i].dims), " but is declared ", dims_text(operand.dims));
    }
    frame->bind_input(index, inputs[i]);
  }
  for (size_t i = 0; i < outputs.size(); ++i) frame->bind_output(model_->outputs()[i], outputs[i]);
  AVOCET_RETURN_IF_FAILED(run_steps(*frame, context));
  frames_.give_back(std::move(frame));
  return {};
}

Status Plan::run_steps(Frame& frame, const RunContext& context) const {
  for (const Step& step : steps_) {
    if (step.late) {
      const std::shared_ptr<const Specialised> specialised = step.late->specialise(frame);
      if (specialised->status.ok()) {
        const Status status = run_late_step(frame, step, *specialised, context);
        if (status.ok()) continue;
        if (!context.may_fall_back || is_missed_deadline(status.code)) return status;
        log_info(std::string(step.device->name()) + " failed, the step runs again on the CPU: " + status.message);
      }
    }
    if (step.program) {
      const Status status = run_accelerator_step(frame, step, context);
      if (status.ok()) continue;
      if (!context.may_fall_back || is_missed_deadline(status.code)) return status;
      log_info(std::string(step.device->name()) + " failed, the step runs again on the CPU: " + status.message);
    }
    for (uint32_t operation : step.operations) AVOCET_RETURN_IF_FAILED(run_operation(frame, operation, context));
  }
  return {};
}

Status Plan::run_accelerator_step(Frame& frame, const Step& step, const RunContext& context) const {
  if (context.deadline.passed()) return missed_deadline();
  for (uint32_t operand : step.group.outputs) AVOCET_RETURN_IF_FAILED(frame.place(operand, model_->operand(operand).dims));
  return run_program(frame, step, *step.program, step.group.inputs, context);
}

Status Plan::run_late_step(Frame& frame, const Step& step, const Specialised& specialised, const RunContext& context) const {
  if (context.deadline.passed()) return missed_deadline();
  for (size_t i = 0; i < step.group.outputs.size(); ++i) {
    AVOCET_RETURN_IF_FAILED(frame.place(step.group.outputs[i], specialised.output_dims[i]));
  }
  return run_program(frame, step, *specialised.program, specialised.inputs, context);
}

Status Plan::run_program(Frame& frame, const Step& step, PreparedProgram& program, std::span<const uint32_t> input_operands,
                         const RunContext& context) const {
  std::vector<InputBuffer> inputs;
  std::vector<OutputBuffer> outputs;
  for (uint32_t operand : input_operands) {
    const Frame::Cell& cell = frame.cell(operand);
    if (cell.omitted) return op_failed("operand ", operand, " is omitted, but the program was compiled with it");
    inputs.push_back({cell.data, cell.bytes});
  }
  for (uint32_t operand : step.group.outputs) outputs.push_back({frame.cell(operand).data, frame.cell(operand).bytes});
  RunOptions options;
  options.deadline = context.deadline;
  options.priority = context.priority;
  options.profile_layers = context.profile_layers;
  ExecutionProfile profile;
  AVOCET_RETURN_IF_FAILED(program.run(inputs, outputs, options, profile));
  if (step.late) {
    // The program's model has the step's operations alone.
    for (LayerProfile& layer : profile.layers)
      for (uint32_t& operation : layer.operations) operation = step.operations[operation];
  }
  if (context.profile) add_to(*context.profile, profile, step.operations.size());
  for (uint32_t operation : step.operations) frame.retire(operation);
  return {};
}

Status Plan::run_operation(Frame& frame, uint32_t index, const RunContext& context) const {
  if (context.deadline.passed()) return missed_deadline();
  const ModelOperation& operation = model_->operations()[index];
  const auto start = context.profile_layers ? Clock::now() : Clock::time_point();
  Status status;
  switch (operation.code) {
    case ANEURALNETWORKS_IF:
      status = run_if(frame, index, context);
      break;
    case ANEURALNETWORKS_WHILE:
      status = run_while(frame, index, context);
      break;
    default:
      status = run_row(frame, index, context);
  }
  if (!status.ok()) {
    status.message = "operation " + std::to_string(index) + " (" + operation.name() + "): " + status.message;
    return status;
  }
  if (context.profile) ++context.profile->cpu_operations;
  if (context.profile && context.profile_layers) {
    LayerProfile layer;
    layer.operations = {index};
    layer.name = operation.name();
    layer.shape = frame.cell(operation.outputs[0]).dims;
    layer.device = kCpuName;
    layer.host_seconds = seconds_since(start);
    context.profile->layers.push_back(std::move(layer));
  }
  frame.retire(index);
  return {};
}

Status Plan::run_row(Frame& frame, uint32_t index, const RunContext& context) const {
  const ModelOperation& operation = model_->operations()[index];
  if (!operation.row || !operation.row->infer || !operation.row->execute) return op_failed("there is no kernel");
  OperationContext c = frame.context(index);
  c.prepared = prepared_[index].get();
  c.parallel = context.parallel;
  c.relaxed_float = context.relaxed_float;
  AVOCET_RETURN_IF_FAILED(operation.row->infer(c));
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    AVOCET_RETURN_IF_FAILED(frame.place(operation.outputs[i], c.outputs[i].dims));
  }
  frame.bind_output_buffers(index);
  return operation.row->execute(c);
}

}  // namespace avocet::runtime
