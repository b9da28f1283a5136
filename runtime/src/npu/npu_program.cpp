// SPDX-License-Identifier: Apache-2.0
#include "npu/npu_program.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "avocet_device.h"
#include "avocet_isa.h"
#include "operations/failure.hpp"
#include "result_code.hpp"

namespace avocet::runtime::npu {
namespace {

uint32_t driver_priority(int priority) {
  switch (priority) {
    case ANEURALNETWORKS_PRIORITY_LOW: return AVOCET_ACCEL_PRIORITY_LOW;
    case ANEURALNETWORKS_PRIORITY_HIGH: return AVOCET_ACCEL_PRIORITY_HIGH;
    default: return AVOCET_ACCEL_PRIORITY_MEDIUM;
  }
}

Status job_failure(const avocet_accel_wait& result) {
  if (result.status == AVOCET_STATUS_DEADLINE) {
    return failure(ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT, "avocet-npu: the deadline passed before the job started");
  }
  return op_failed("avocet-npu: the job ended with status ", result.status, " at word ", result.position, ", address ",
                   result.address);
}

Status create_if_used(const std::shared_ptr<Context>& context, uint64_t bytes, Buffer* buffer) {
  return bytes ? Buffer::create(context, bytes, buffer) : Status{};
}

}  // namespace

Status NpuProgram::load() {
  auto loaded = std::make_shared<Loaded>();
  AVOCET_RETURN_IF_FAILED(session_->context(&loaded->context));
  AVOCET_RETURN_IF_FAILED(DeviceProgram::create(loaded->context, program_.stream, &loaded->program));
  AVOCET_RETURN_IF_FAILED(create_if_used(loaded->context, program_.constant_bytes, &loaded->constants));
  if (session_->moves_values() && loaded->constants) std::memcpy(loaded->constants.data(), program_.constants.data(), program_.constants.size());
  const std::lock_guard lock(mutex_);
  loaded_ = std::move(loaded);
  idle_.clear();
  return {};
}

Status NpuProgram::take(JobBuffers* job) {
  std::shared_ptr<Loaded> loaded;
  {
    const std::lock_guard lock(mutex_);
    if (loaded_ && !idle_.empty()) {
      *job = std::move(idle_.back());
      idle_.pop_back();
      return {};
    }
    loaded = loaded_;
  }
  if (!loaded) {
    AVOCET_RETURN_IF_FAILED(load());
    const std::lock_guard lock(mutex_);
    loaded = loaded_;
  }
  JobBuffers made;
  made.loaded = loaded;
  AVOCET_RETURN_IF_FAILED(create_if_used(loaded->context, program_.scratch_bytes, &made.scratch));
  AVOCET_RETURN_IF_FAILED(create_if_used(loaded->context, program_.input_bytes, &made.inputs));
  AVOCET_RETURN_IF_FAILED(create_if_used(loaded->context, program_.output_bytes, &made.outputs));
  AVOCET_RETURN_IF_FAILED(create_if_used(loaded->context, loaded->program.tags() * cores_ * sizeof(avocet_profile), &made.profile));
  *job = std::move(made);
  return {};
}

void NpuProgram::give_back(JobBuffers job) {
  const std::lock_guard lock(mutex_);
  if (job.loaded == loaded_) idle_.push_back(std::move(job));
}

void NpuProgram::forget(const std::shared_ptr<Loaded>& loaded) {
  session_->retire(loaded->context);
  const std::lock_guard lock(mutex_);
  if (loaded_ != loaded) return;
  loaded_.reset();
  idle_.clear();
}

Status NpuProgram::submit_and_wait(const JobBuffers& buffers, const RunOptions& options, avocet_accel_wait* result,
                                   bool* refused) {
  const DeviceProgram& program = buffers.loaded->program;
  avocet_accel_job job{};
  job.program = program.handle();
  job.priority = driver_priority(options.priority);
  if (buffers.profile) {
    job.profile = buffers.profile.handle();
    job.profile_entries = program.tags();
  }
  if (const auto left = options.deadline.left()) job.deadline_ns = avocet_timeline_now() + left->count();
  const Buffer* regions[] = {&buffers.loaded->constants, &buffers.scratch, &buffers.inputs, &buffers.outputs};
  for (uint32_t r = 0; r < std::size(regions); ++r) {
    if (!program.region_flags(r)) continue;
    job.region[r] = {.handle = regions[r]->handle(), .flags = program.region_flags(r), .offset = 0, .bytes = regions[r]->bytes()};
  }
  const std::shared_ptr<Context>& context = buffers.loaded->context;
  avocet_accel_submit submit{.context = context->handle(), .flags = 0, .job_count = 1, .job_struct_size = sizeof job,
                             .jobs = reinterpret_cast<uintptr_t>(&job)};
  const uint64_t started = avocet_timeline_now();
  if (int error = avocet_ioctl(context->device(), AVOCET_ACCEL_SUBMIT, &submit)) {
    *refused = error == -EBADFD;
    return driver_failure("submitting a job", error);
  }
  *result = {};
  result->context = context->handle();
  result->job_id = job.job_id;
  result->timeout_ns = INT64_MAX;  // the driver bounds every job
  if (int error = avocet_ioctl(context->device(), AVOCET_ACCEL_WAIT, result)) return driver_failure("waiting for a job", error);
  if (avocet_timeline_enabled()) {
    std::vector<const char*> names;
    for (const compiler::Layer& layer : program_.layers) names.push_back(layer.name.c_str());
    avocet_timeline_name_layers(job.job_id, names.data(), names.size());
    avocet_timeline_slice(AVOCET_HOST_RUNTIME, "run program", started, avocet_timeline_now(), job.job_id);
  }
  return result->status == AVOCET_STATUS_OK ? Status{} : job_failure(*result);
}

Status NpuProgram::check_sizes(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs) const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].bytes == program_.inputs[i].bytes) continue;
    return op_failed("avocet-npu: input ", i, " has ", inputs[i].bytes, " bytes, not ", program_.inputs[i].bytes);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].bytes == program_.outputs[i].bytes) continue;
    return op_failed("avocet-npu: output ", i, " has ", outputs[i].bytes, " bytes, not ", program_.outputs[i].bytes);
  }
  return {};
}

Status NpuProgram::run(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs, const RunOptions& options,
                       ExecutionProfile& profile) {
  AVOCET_RETURN_IF_FAILED(check_sizes(inputs, outputs));
  for (bool first_try : {true, false}) {
    JobBuffers job;
    AVOCET_RETURN_IF_FAILED(take(&job));
    for (size_t i = 0; i < inputs.size(); ++i) {
      const compiler::Binding& binding = program_.inputs[i];
      if (binding.bytes && session_->moves_values()) std::memcpy(job.inputs.data() + binding.offset, inputs[i].data, binding.bytes);
    }
    avocet_accel_wait result{};
    bool refused = false;  // the context had been made unusable by another job, ours did not run
    if (Status status = submit_and_wait(job, options, &result, &refused); !status.ok()) {
      forget(job.loaded);  // the next run starts in a fresh context
      if (refused && first_try) continue;
      return status;
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      const compiler::Binding& binding = program_.outputs[i];
      if (!binding.bytes) continue;
      // Zeros rather than whatever was there: the CPU may take them for indices.
      if (session_->moves_values())
        std::memcpy(outputs[i].data, job.outputs.data() + binding.offset, binding.bytes);
      else
        std::memset(outputs[i].data, 0, binding.bytes);
    }
    add_profile(job, result, options.profile_layers, profile);
    give_back(std::move(job));
    break;
  }
  return {};
}

avocet_profile NpuProgram::layer_record(const JobBuffers& job, size_t tag) const {
  const auto* records = reinterpret_cast<const avocet_profile*>(job.profile.data());
  avocet_profile sum = records[tag];
  for (uint32_t core = 1; core < cores_; ++core) {
    const avocet_profile& record = records[core * job.loaded->program.tags() + tag];
    if (record.last_cycle == 0) continue;  // nothing of the layer is this core's
    sum.first_cycle = sum.last_cycle == 0 ? record.first_cycle : std::min(sum.first_cycle, record.first_cycle);
    sum.last_cycle = std::max(sum.last_cycle, record.last_cycle);
    sum.mac_cycles += record.mac_cycles;
    sum.dram_read_bytes += record.dram_read_bytes;
    sum.dram_write_bytes += record.dram_write_bytes;
  }
  return sum;
}

void NpuProgram::add_profile(const JobBuffers& job, const avocet_accel_wait& result, bool layers,
                             ExecutionProfile& profile) const {
  const compiler::DeviceConfig& config = session_->config();
  const double peak = double(config.array_rows) * config.array_cols * cores_;
  const uint64_t cycles = result.end_cycle - result.doorbell_cycle;
  profile.cycles += cycles;
  profile.simulated_seconds += double(cycles) / (config.clock_khz * 1e3);
  const size_t tags = job.profile ? std::min<size_t>(job.loaded->program.tags(), program_.layers.size()) : 0;
  uint64_t frontier = 0;  // when everything up to this layer was done
  for (size_t tag = 0; tag < program_.layers.size(); ++tag) {
    const compiler::Layer& source = program_.layers[tag];
    LayerProfile layer{.operations = source.sources, .name = source.name, .shape = source.shape, .device = "avocet-npu", .macs = source.macs};
    layer.job_id = result.job_id;
    layer.tag = static_cast<uint32_t>(tag);
    layer.cores = cores_;
    if (tag < tags) {
      const avocet_profile record = layer_record(job, tag);
      layer.cycles = std::max(record.last_cycle, frontier) - frontier;
      frontier += layer.cycles;
      layer.mac_cycles = record.mac_cycles;
      layer.dram_read_bytes = record.dram_read_bytes;
      layer.dram_write_bytes = record.dram_write_bytes;
    }
    // Multiplications of the vector unit are not the array's.
    const uint64_t array_macs = layer.mac_cycles ? layer.macs : 0;
    const uint64_t span = std::max(layer.cycles, layer.mac_cycles / cores_);
    if (span) layer.mac_utilisation = double(array_macs) / (double(span) * peak);
    profile.npu_macs += layer.macs;
    profile.array_macs += array_macs;
    profile.mac_cycles += layer.mac_cycles;
    profile.dram_read_bytes += layer.dram_read_bytes;
    profile.dram_write_bytes += layer.dram_write_bytes;
    if (layers) profile.layers.push_back(std::move(layer));
  }
  if (profile.cycles) profile.mac_utilisation = double(profile.array_macs) / (double(profile.cycles) * peak);
}

}  // namespace avocet::runtime::npu
