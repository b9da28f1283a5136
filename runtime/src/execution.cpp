// SPDX-License-Identifier: Apache-2.0
// Preparing an execution and asking about it afterwards. Checks come in the order: null, state, index, type and
// dimensions, memory, provided already, length. The computation itself is in execution_compute.cpp.
#include "execution.hpp"

#include <algorithm>
#include <cmath>

#include "api.hpp"
#include "device_memory.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime {
namespace {

constexpr uint64_t kDefaultLoopTimeout = 2'000'000'000;
constexpr uint64_t kMaximumLoopTimeout = 15'000'000'000;

const char* name_of(MemoryUse use) { return use == MemoryUse::kInput ? "input " : "output "; }

/// The dimensions of an argument: those of the model, with unknown ones filled in by `type`.
Status complete_dims(const Operand& operand, const ANeuralNetworksOperandType* type, Dimensions* dims) {
  *dims = operand.dims;
  if (!type) return {};
  AVOCET_RETURN_IF_FAILED(check_operand_type(*type));
  if (type->type != operand.type || type->scale != operand.scale || type->zeroPoint != operand.zero_point) {
    return bad_data("the type differs from the model's in more than dimensions");
  }
  Dimensions given = dims_of(*type);
  if (!operand.dims.empty()) {
    bool fits = given.size() == operand.dims.size();
    for (size_t i = 0; fits && i < given.size(); ++i) fits = operand.dims[i] == 0 || operand.dims[i] == given[i];
    if (!fits) return bad_data("dimensions ", dims_text(given), " do not complete ", dims_text(operand.dims));
  }
  *dims = std::move(given);
  return {};
}

/// The length must be the operand's size where that is known; outputs of unknown size take any.
Status check_length(const Operand& operand, const Dimensions& dims, size_t length) {
  if (length > UINT32_MAX) return bad_data("length ", length, " exceeds 2^32 - 1");
  if (operand.type == kOemScalar || !fully_specified(operand.type, dims)) return {};
  const std::optional<size_t> bytes = value_bytes(operand.type, dims);
  if (bytes != length) return bad_data("length is ", length, ", the operand has ", bytes.value_or(0), " bytes");
  return {};
}

/// As check_length, for memory used as a whole, whose size need not be exact.
Status check_whole(const Operand& operand, const Dimensions& dims, Memory& memory) {
  if (DeviceMemory* device = memory.device()) return device->check_dims(dims);
  if (!fully_specified(operand.type, dims)) return {};
  const size_t bytes = value_bytes(operand.type, dims).value_or(SIZE_MAX);
  if (bytes > memory.size()) return bad_data("the memory has ", memory.size(), " bytes, the operand ", bytes);
  return {};
}

Status with_argument(Status status, MemoryUse use, int32_t index) {
  if (!status.ok()) status.message = std::string(name_of(use)) + std::to_string(index) + ": " + status.message;
  return status;
}

}  // namespace

Execution::Execution(const Compilation& compilation)
    : compilation_(&compilation),
      inputs_(compilation.model().inputs().size()),
      outputs_(compilation.model().outputs().size()),
      loop_timeout_(kDefaultLoopTimeout) {}

Execution::~Execution() {
  if (thread_.joinable()) thread_.join();
}

Status Execution::check_preparing() const {
  if (state_.load(std::memory_order_acquire) != State::kPreparing) return bad_state("the execution has started");
  return {};
}

Status Execution::find_argument(MemoryUse use, int32_t index, Argument** argument, const Operand** operand) {
  AVOCET_RETURN_IF_FAILED(check_preparing());
  std::vector<Argument>& list = use == MemoryUse::kInput ? inputs_ : outputs_;
  if (index < 0 || static_cast<size_t>(index) >= list.size()) {
    return bad_data("index ", index, " of ", list.size(), " does not exist");
  }
  const Model& model = compilation_->model();
  *argument = &list[index];
  *operand = &model.operand((use == MemoryUse::kInput ? model.inputs() : model.outputs())[index]);
  return {};
}

Status Execution::set_argument(MemoryUse use, int32_t index, const ANeuralNetworksOperandType* type, void* buffer,
                               size_t length) {
  Argument* argument = nullptr;
  const Operand* operand = nullptr;
  AVOCET_RETURN_IF_FAILED(find_argument(use, index, &argument, &operand));
  Dimensions dims;
  AVOCET_RETURN_IF_FAILED(with_argument(complete_dims(*operand, type, &dims), use, index));
  if (use == MemoryUse::kInput && buffer && !fully_specified(operand->type, dims)) {
    return bad_data("input ", index, " has unknown dimensions ", dims_text(dims));
  }
  if (argument->state != Argument::State::kUnset) return bad_state(name_of(use), index, " is provided already");
  if (!buffer != !length) return bad_data(name_of(use), index, ": buffer and length contradict each other");
  if (buffer) AVOCET_RETURN_IF_FAILED(with_argument(check_length(*operand, dims, length), use, index));
  argument->state = buffer ? Argument::State::kPointer : Argument::State::kOmitted;
  argument->dims = std::move(dims);
  argument->data = buffer;
  argument->length = length;
  return {};
}

Status Execution::set_argument(MemoryUse use, int32_t index, const ANeuralNetworksOperandType* type, Memory& memory,
                               size_t offset, size_t length) {
  Argument* argument = nullptr;
  const Operand* operand = nullptr;
  AVOCET_RETURN_IF_FAILED(find_argument(use, index, &argument, &operand));
  Dimensions dims;
  AVOCET_RETURN_IF_FAILED(with_argument(complete_dims(*operand, type, &dims), use, index));
  // The shape of a device memory's value is known when the execution runs.
  if (use == MemoryUse::kInput && !memory.device() && !fully_specified(operand->type, dims)) {
    return bad_data("input ", index, " has unknown dimensions ", dims_text(dims));
  }
  AVOCET_RETURN_IF_FAILED(with_argument(
      memory.check_use(use, compilation_.get(), static_cast<uint32_t>(index), offset, length), use, index));
  if (argument->state != Argument::State::kUnset) return bad_state(name_of(use), index, " is provided already");
  if (memory.used_whole()) {
    AVOCET_RETURN_IF_FAILED(with_argument(check_whole(*operand, dims, memory), use, index));
    length = memory.size();
  } else {
    AVOCET_RETURN_IF_FAILED(with_argument(check_length(*operand, dims, length), use, index));
    if (const size_t element = element_bytes(operand->type); element > 1 && offset % element != 0) {
      return bad_data(name_of(use), index, ": offset ", offset, " is not a multiple of ", element);
    }
  }
  argument->state = Argument::State::kMemory;
  argument->dims = std::move(dims);
  argument->offset = offset;
  argument->length = length;
  argument->memory = Reference<Memory>(&memory);
  return {};
}

Status Execution::set_timeout(uint64_t duration) {
  if (!compilation_->for_one_device()) return bad_data("the compilation was not created for exactly one device");
  AVOCET_RETURN_IF_FAILED(check_preparing());
  timeout_ = duration;
  return {};
}

Status Execution::set_loop_timeout(uint64_t duration) {
  AVOCET_RETURN_IF_FAILED(check_preparing());
  if (duration > kMaximumLoopTimeout) log_info("the loop timeout is capped at 15 seconds");
  loop_timeout_ = std::min(duration, kMaximumLoopTimeout);
  return {};
}

Status Execution::set_measure_timing(bool measure) {
  if (!compilation_->for_one_device()) return bad_data("the compilation was not created for exactly one device");
  AVOCET_RETURN_IF_FAILED(check_preparing());
  measure_ = measure;
  return {};
}

Status Execution::check_finished_output(int32_t index) const {
  if (state_.load(std::memory_order_acquire) != State::kFinished) return bad_state("the execution has not finished");
  if (result_ != ANEURALNETWORKS_NO_ERROR && result_ != ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE) {
    return bad_state("the execution failed");
  }
  if (index < 0 || static_cast<size_t>(index) >= sinks_.size()) {
    return bad_data("index ", index, " of ", sinks_.size(), " does not exist");
  }
  return {};
}

Status Execution::output_rank(int32_t index, uint32_t* rank) const {
  AVOCET_RETURN_IF_FAILED(check_finished_output(index));
  *rank = static_cast<uint32_t>(sinks_[index].dims.size());
  if (sinks_[index].refused) return failure(ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE, "output ", index, " did not fit");
  return {};
}

Status Execution::output_dimensions(int32_t index, uint32_t* dimensions) const {
  AVOCET_RETURN_IF_FAILED(check_finished_output(index));
  const Model& model = compilation_->model();
  if (!is_tensor(model.operand(model.outputs()[index]).type)) return bad_data("output ", index, " is a scalar");
  std::copy(sinks_[index].dims.begin(), sinks_[index].dims.end(), dimensions);
  if (sinks_[index].refused) return failure(ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE, "output ", index, " did not fit");
  return {};
}

Status Execution::duration(int32_t code, uint64_t* duration) const {
  *duration = UINT64_MAX;
  if (state_.load(std::memory_order_acquire) != State::kFinished) return bad_state("the execution has not finished");
  if (code < ANEURALNETWORKS_DURATION_ON_HARDWARE || code > ANEURALNETWORKS_FENCED_DURATION_IN_DRIVER) {
    return bad_data("duration code ", code, " is unknown");
  }
  if (result_ != ANEURALNETWORKS_NO_ERROR) return bad_state("the execution failed");
  if (!measure_) return bad_state("no measurement was asked for");
  // The clock runs from the moment dependencies have signalled, so the FENCED durations are the same. On an accelerator
  // hardware time is simulated time, which the host may be faster than: the driver's time includes it by definition.
  const bool hardware =
      code == ANEURALNETWORKS_DURATION_ON_HARDWARE || code == ANEURALNETWORKS_FENCED_DURATION_ON_HARDWARE;
  const bool simulated = profile_.npu_operations > 0;
  const double seconds =
      hardware && simulated ? profile_.simulated_seconds : std::max(profile_.host_seconds, profile_.simulated_seconds);
  *duration = static_cast<uint64_t>(std::llround(seconds * 1e9));
  return {};
}

ExecutionProfile Execution::profile() const {
  if (state_.load(std::memory_order_acquire) != State::kFinished || result_ != ANEURALNETWORKS_NO_ERROR) return {};
  return profile_;
}

}  // namespace avocet::runtime

using namespace avocet::runtime;

namespace {

int set_pointer(const char* function, ANeuralNetworksExecution* execution, MemoryUse use, int32_t index,
                const ANeuralNetworksOperandType* type, void* buffer, size_t length) {
  return api_call(function, [&]() -> Status {
    if (!execution) return null_argument("execution");
    if (!buffer && length != 0) return null_argument("buffer");
    return Execution::of(execution)->set_argument(use, index, type, buffer, length);
  });
}

int set_memory(const char* function, ANeuralNetworksExecution* execution, MemoryUse use, int32_t index,
               const ANeuralNetworksOperandType* type, const ANeuralNetworksMemory* memory, size_t offset,
               size_t length) {
  return api_call(function, [&]() -> Status {
    if (!execution) return null_argument("execution");
    if (!memory) return null_argument("memory");
    Memory& m = *Memory::of(const_cast<ANeuralNetworksMemory*>(memory));
    return Execution::of(execution)->set_argument(use, index, type, m, offset, length);
  });
}

}  // namespace

AVOCET_API int ANeuralNetworksExecution_create(ANeuralNetworksCompilation* compilation,
                                               ANeuralNetworksExecution** execution) {
  return api_call(__func__, [&]() -> Status {
    if (execution) *execution = nullptr;
    if (!compilation) return null_argument("compilation");
    if (!execution) return null_argument("execution");
    const Compilation& c = *Compilation::of(compilation);
    if (!c.usable()) return bad_state("the compilation is not finished, or its finish failed");
    *execution = (new Execution(c))->handle();
    return {};
  });
}

AVOCET_API void ANeuralNetworksExecution_free(ANeuralNetworksExecution* execution) { delete Execution::of(execution); }

AVOCET_API int ANeuralNetworksExecution_setInput(ANeuralNetworksExecution* execution, int32_t index,
                                                 const ANeuralNetworksOperandType* type, const void* buffer,
                                                 size_t length) {
  return set_pointer(__func__, execution, MemoryUse::kInput, index, type, const_cast<void*>(buffer), length);
}

AVOCET_API int ANeuralNetworksExecution_setOutput(ANeuralNetworksExecution* execution, int32_t index,
                                                  const ANeuralNetworksOperandType* type, void* buffer, size_t length) {
  return set_pointer(__func__, execution, MemoryUse::kOutput, index, type, buffer, length);
}

AVOCET_API int ANeuralNetworksExecution_setInputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                           const ANeuralNetworksOperandType* type,
                                                           const ANeuralNetworksMemory* memory, size_t offset,
                                                           size_t length) {
  return set_memory(__func__, execution, MemoryUse::kInput, index, type, memory, offset, length);
}

AVOCET_API int ANeuralNetworksExecution_setOutputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                            const ANeuralNetworksOperandType* type,
                                                            const ANeuralNetworksMemory* memory, size_t offset,
                                                            size_t length) {
  return set_memory(__func__, execution, MemoryUse::kOutput, index, type, memory, offset, length);
}

AVOCET_API int ANeuralNetworksExecution_setTimeout(ANeuralNetworksExecution* execution, uint64_t duration) {
  return api_call(__func__, [&]() -> Status {
    if (!execution) return null_argument("execution");
    return Execution::of(execution)->set_timeout(duration);
  });
}

AVOCET_API int ANeuralNetworksExecution_setLoopTimeout(ANeuralNetworksExecution* execution, uint64_t duration) {
  return api_call(__func__, [&]() -> Status {
    if (!execution) return null_argument("execution");
    return Execution::of(execution)->set_loop_timeout(duration);
  });
}

AVOCET_API uint64_t ANeuralNetworks_getDefaultLoopTimeout() { return kDefaultLoopTimeout; }
AVOCET_API uint64_t ANeuralNetworks_getMaximumLoopTimeout() { return kMaximumLoopTimeout; }

AVOCET_API int ANeuralNetworksExecution_setMeasureTiming(ANeuralNetworksExecution* execution, bool measure) {
  return api_call(__func__, [&]() -> Status {
    if (!execution) return null_argument("execution");
    return Execution::of(execution)->set_measure_timing(measure);
  });
}

AVOCET_API int ANeuralNetworksExecution_getDuration(const ANeuralNetworksExecution* execution, int32_t durationCode,
                                                    uint64_t* duration) {
  return api_call(__func__, [&]() -> Status {
    if (duration) *duration = UINT64_MAX;
    if (!execution) return null_argument("execution");
    if (!duration) return null_argument("duration");
    return Execution::of(execution)->duration(durationCode, duration);
  });
}

AVOCET_API int ANeuralNetworksExecution_getOutputOperandRank(ANeuralNetworksExecution* execution, int32_t index,
                                                             uint32_t* rank) {
  return api_call(__func__, [&]() -> Status {
    if (!execution) return null_argument("execution");
    if (!rank) return null_argument("rank");
    return Execution::of(execution)->output_rank(index, rank);
  });
}

AVOCET_API int ANeuralNetworksExecution_getOutputOperandDimensions(ANeuralNetworksExecution* execution, int32_t index,
                                                                   uint32_t* dimensions) {
  return api_call(__func__, [&]() -> Status {
    if (!execution) return null_argument("execution");
    if (!dimensions) return null_argument("dimensions");
    return Execution::of(execution)->output_dimensions(index, dimensions);
  });
}
