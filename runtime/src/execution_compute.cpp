// SPDX-License-Identifier: Apache-2.0
// The computation of an execution: on the caller's thread, or on one of its own that waits for dependencies first.
#include <chrono>
#include <system_error>

#include "api.hpp"
#include "device_memory.hpp"
#include "execution.hpp"
#include "operations/failure.hpp"
#include "start_thread.hpp"
#include "thread_pool.hpp"

namespace avocet::runtime {
namespace {

Status missed_deadline() { return failure(ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT, "the execution takes too long"); }

/// Waits for all; the first failure is the result.
Status wait_for(const std::vector<std::shared_ptr<EventState>>& dependencies, const Deadline& deadline) {
  for (const std::shared_ptr<EventState>& dependency : dependencies) {
    const std::optional<int> code = dependency->wait(deadline);
    if (!code) return missed_deadline();
    if (*code != ANEURALNETWORKS_NO_ERROR) return op_failed("a dependency failed");
  }
  return {};
}

}  // namespace

bool Execution::Sink::reserve(size_t bytes, void** data) {
  switch (argument->state) {
    case Argument::State::kPointer:
      *data = argument->data;
      return bytes <= argument->length;
    case Argument::State::kMemory:
      if (DeviceMemory* device = argument->memory->device()) return device->begin_writing(bytes, data);
      *data = argument->memory->data() + argument->offset;
      return bytes <= argument->length;
    default:
      unwanted_ = Buffer(bytes);
      *data = unwanted_.data();
      return true;
  }
}

Status Execution::begin(bool fenced) {
  AVOCET_RETURN_IF_FAILED(check_preparing());
  const Model& model = compilation_->model();
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].state == Argument::State::kUnset) return bad_data("input ", i, " is not set");
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].state == Argument::State::kUnset) return bad_data("output ", i, " is not set");
    if (fenced && outputs_[i].state != Argument::State::kOmitted &&
        !fully_specified(model.operand(model.outputs()[i]).type, outputs_[i].dims)) {
      return bad_data("output ", i, " has unknown dimensions, which a fenced execution does not allow");
    }
  }
  State expected = State::kPreparing;
  if (!state_.compare_exchange_strong(expected, State::kRunning)) return bad_state("the execution has started");
  return {};
}

Status Execution::compute() {
  AVOCET_RETURN_IF_FAILED(begin(false));
  return run(Deadline::after(timeout_));
}

Status Execution::start(std::unique_ptr<Event>* event) {
  AVOCET_RETURN_IF_FAILED(begin(false));
  return launch({}, 0, false, event);
}

Status Execution::start_after(std::vector<std::shared_ptr<EventState>> dependencies, uint64_t duration,
                              std::unique_ptr<Event>* event) {
  AVOCET_RETURN_IF_FAILED(check_preparing());
  if (duration != 0 && !compilation_->for_one_device()) {
    return bad_data("a duration needs a compilation created for exactly one device");
  }
  for (const std::shared_ptr<EventState>& dependency : dependencies) {
    if (dependency->poll().value_or(ANEURALNETWORKS_NO_ERROR) != ANEURALNETWORKS_NO_ERROR) {
      return op_failed("a dependency has failed already");
    }
  }
  AVOCET_RETURN_IF_FAILED(begin(true));
  return launch(std::move(dependencies), duration, true, event);
}

Status Execution::launch(std::vector<std::shared_ptr<EventState>> dependencies, uint64_t duration, bool fenced,
                         std::unique_ptr<Event>* event) {
  const Deadline deadline = Deadline::after(timeout_);
  try {
    auto completion = std::make_shared<Completion>(fenced);
    auto made = std::make_unique<Event>();
    made->state = completion;
    thread_ =
        start_thread("avocet-run", [this, completion, deadline, duration, dependencies = std::move(dependencies)] {
          Status status = wait_for(dependencies, deadline);
          if (status.ok()) {
            status = run(Deadline::earlier(deadline, Deadline::after(duration)));
          } else {
            for (Argument& output : outputs_) {
              if (output.memory && output.memory->device()) output.memory->device()->end_writing(false, {});
            }
            result_ = status.code;
            state_.store(State::kFinished, std::memory_order_release);
          }
          if (!status.ok()) log_failure("ANeuralNetworksExecution_startCompute*", status);
          completion->complete(status.code);
        });
    *event = std::move(made);
    return {};
  } catch (const std::bad_alloc&) {
    result_ = ANEURALNETWORKS_OUT_OF_MEMORY;
  } catch (const std::system_error&) {
    result_ = ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT;
  }
  // The execution is used up without having run.
  state_.store(State::kFinished, std::memory_order_release);
  return failure(result_, "no memory or no thread for the execution");
}

Status Execution::run(const Deadline& deadline) noexcept {
  Status status;
  try {
    status = run_plan(deadline);
  } catch (const std::bad_alloc&) {
    status.code = ANEURALNETWORKS_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    status.code = ANEURALNETWORKS_OP_FAILED;
  } catch (...) {
    status.code = ANEURALNETWORKS_OP_FAILED;
  }
  for (const Sink& sink : sinks_) {
    if (status.ok() && sink.refused) status.code = ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE;
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i].memory) continue;
    DeviceMemory* device = outputs_[i].memory->device();
    if (device) device->end_writing(status.ok(), status.ok() ? sinks_[i].dims : Dimensions());
  }
  result_ = status.code;
  state_.store(State::kFinished, std::memory_order_release);
  return status;
}

Status Execution::run_plan(const Deadline& deadline) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::vector<Value> values;
  std::vector<OutputSink*> sinks;
  AVOCET_RETURN_IF_FAILED(bind_inputs(&values));
  AVOCET_RETURN_IF_FAILED(bind_outputs(&sinks));
  RunContext context;
  context.deadline = deadline;
  context.loop_timeout = loop_timeout_;
  context.priority = compilation_->priority();
  context.parallel = pool_threads() > 1 ? &pool_parallel_for() : nullptr;
  context.relaxed_float = compilation_->model().relaxed();
  context.may_fall_back = compilation_->may_fall_back();
  context.profile_layers = compilation_->profile_layers();
  context.profile = &profile_;
  const Status status = compilation_->plan().run(values, sinks, context);
  profile_.host_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return status;
}

Status Execution::bind_inputs(std::vector<Value>* values) {
  values->resize(inputs_.size());
  for (size_t i = 0; i < inputs_.size(); ++i) {
    Argument& input = inputs_[i];
    Value& value = (*values)[i];
    value.dims = &input.dims;
    switch (input.state) {
      case Argument::State::kPointer:
        value.data = input.data;
        value.bytes = input.length;
        break;
      case Argument::State::kMemory:
        if (DeviceMemory* device = input.memory->device()) {
          AVOCET_RETURN_IF_FAILED(device->begin_reading(&input.dims));
          value.data = device->data();
          value.bytes = device->size();
          break;
        }
        if (!input.memory->readable())
          return failure(ANEURALNETWORKS_UNMAPPABLE, "input ", i, " is not mapped for reading");
        value.data = input.memory->data() + input.offset;
        value.bytes =
            input.memory->used_whole()
                ? value_bytes(compilation_->model().operand(compilation_->model().inputs()[i]).type, input.dims)
                      .value_or(0)
                : input.length;
        break;
      default:
        value.omitted = true;
    }
  }
  return {};
}

Status Execution::bind_outputs(std::vector<OutputSink*>* sinks) {
  sinks_.resize(outputs_.size());
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Argument& output = outputs_[i];
    if (output.state == Argument::State::kMemory && !output.memory->writable()) {
      return failure(ANEURALNETWORKS_UNMAPPABLE, "output ", i, " is not mapped for writing");
    }
    sinks_[i].argument = &outputs_[i];
    sinks_[i].dims = output.dims;
    if (output.memory && output.memory->device()) {
      sinks_[i].dims = combine(output.dims, output.memory->device()->operand().dims);
    }
    sinks->push_back(&sinks_[i]);
  }
  return {};
}

}  // namespace avocet::runtime

using namespace avocet::runtime;

AVOCET_API int ANeuralNetworksExecution_compute(ANeuralNetworksExecution* execution) {
  return api_call(__func__, [&]() -> Status {
    if (!execution) return null_argument("execution");
    return Execution::of(execution)->compute();
  });
}

AVOCET_API int ANeuralNetworksExecution_startCompute(ANeuralNetworksExecution* execution,
                                                     ANeuralNetworksEvent** event) {
  return api_call(__func__, [&]() -> Status {
    if (event) *event = nullptr;
    if (!execution) return null_argument("execution");
    if (!event) return null_argument("event");
    std::unique_ptr<Event> made;
    AVOCET_RETURN_IF_FAILED(Execution::of(execution)->start(&made));
    *event = made.release()->handle();
    return {};
  });
}

AVOCET_API int ANeuralNetworksExecution_startComputeWithDependencies(ANeuralNetworksExecution* execution,
                                                                     const ANeuralNetworksEvent* const* dependencies,
                                                                     uint32_t num_dependencies, uint64_t duration,
                                                                     ANeuralNetworksEvent** event) {
  return api_call(__func__, [&]() -> Status {
    if (event) *event = nullptr;
    if (!execution) return null_argument("execution");
    if (!event) return null_argument("event");
    if (!dependencies && num_dependencies != 0) return null_argument("dependencies");
    std::vector<std::shared_ptr<EventState>> states;
    for (uint32_t i = 0; i < num_dependencies; ++i) {
      if (!dependencies[i]) return failure(ANEURALNETWORKS_UNEXPECTED_NULL, "dependency ", i, " is null");
      states.push_back(Event::of(dependencies[i])->state);
    }
    std::unique_ptr<Event> made;
    AVOCET_RETURN_IF_FAILED(Execution::of(execution)->start_after(std::move(states), duration, &made));
    *event = made.release()->handle();
    return {};
  });
}
