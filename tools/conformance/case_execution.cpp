// SPDX-License-Identifier: Apache-2.0
// Buffers, device memory and ways of starting. Output buffers have the size of the expected data, at least one byte.
#include "conformance/case_execution.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "nnapi/device_choice.hpp"
#include "nnapi/operand_types.hpp"
#include "nnapi/shared_memory.hpp"

namespace avocet::tools {
namespace {

const Operand& input_of(const TestCase& test, size_t i) { return test.main.operands[test.main.inputs[i]]; }
const Operand& output_of(const TestCase& test, size_t i) { return test.main.operands[test.main.outputs[i]]; }
std::string nth(const char* what, size_t i) { return what + std::string(" ") + std::to_string(i); }

/// The inputs and outputs of one execution. Inputs without data are omitted ones.
class Bindings {
 public:
  virtual ~Bindings() = default;
  virtual void bind(ANeuralNetworksExecution* execution) = 0;
  virtual std::vector<uint8_t> output_bytes(size_t i) = 0;
};

void omit_input(ANeuralNetworksExecution* execution, size_t i) {
  check(ANeuralNetworksExecution_setInput(execution, static_cast<int32_t>(i), nullptr, nullptr, 0),
        "Execution_setInput", nth("omitted input", i));
}

class BufferBindings : public Bindings {
 public:
  explicit BufferBindings(const TestCase& test) : test_(test) {
    for (size_t i = 0; i < test.main.outputs.size(); ++i) {
      outputs_.emplace_back(std::max<size_t>(output_of(test, i).value->size(), 1));
    }
  }
  void bind(ANeuralNetworksExecution* execution) override {
    for (size_t i = 0; i < test_.main.inputs.size(); ++i) {
      const auto& value = *input_of(test_, i).value;
      if (value.empty()) {
        omit_input(execution, i);
        continue;
      }
      check(ANeuralNetworksExecution_setInput(execution, static_cast<int32_t>(i), nullptr, value.data(), value.size()),
            "Execution_setInput", nth("input", i));
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      check(ANeuralNetworksExecution_setOutput(execution, static_cast<int32_t>(i), nullptr, outputs_[i].data(),
                                               outputs_[i].size()),
            "Execution_setOutput", nth("output", i));
    }
  }
  std::vector<uint8_t> output_bytes(size_t i) override { return outputs_[i]; }

 private:
  const TestCase& test_;
  std::vector<std::vector<uint8_t>> outputs_;
};

class DeviceMemoryBindings : public Bindings {
 public:
  DeviceMemoryBindings(ANeuralNetworksCompilation* compilation, const TestCase& test) : test_(test) {
    for (size_t i = 0; i < test.main.inputs.size(); ++i) {
      const auto& value = *input_of(test, i).value;
      inputs_.push_back(value.empty() ? nullptr : create(compilation, i, true));
      if (value.empty()) continue;
      SharedMemory staging(value.size());
      std::memcpy(staging.bytes().data(), value.data(), value.size());
      check(ANeuralNetworksMemory_copy(staging.memory(), inputs_.back().get()), "Memory_copy", nth("input", i));
    }
    for (size_t i = 0; i < test.main.outputs.size(); ++i) outputs_.push_back(create(compilation, i, false));
  }
  void bind(ANeuralNetworksExecution* execution) override {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i]) {
        omit_input(execution, i);
        continue;
      }
      check(ANeuralNetworksExecution_setInputFromMemory(execution, static_cast<int32_t>(i), nullptr, inputs_[i].get(), 0,
                                                        0),
            "Execution_setInputFromMemory", nth("input", i));
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      check(ANeuralNetworksExecution_setOutputFromMemory(execution, static_cast<int32_t>(i), nullptr,
                                                         outputs_[i].get(), 0, 0),
            "Execution_setOutputFromMemory", nth("output", i));
    }
  }
  std::vector<uint8_t> output_bytes(size_t i) override {
    SharedMemory staging(output_of(test_, i).value->size());
    check(ANeuralNetworksMemory_copy(outputs_[i].get(), staging.memory()), "Memory_copy", nth("output", i));
    return {staging.bytes().begin(), staging.bytes().end()};
  }

 private:
  static MemoryHandle create(ANeuralNetworksCompilation* compilation, size_t i, bool input) {
    const std::string where = nth(input ? "input" : "output", i);
    ANeuralNetworksMemoryDesc* raw = nullptr;
    check(ANeuralNetworksMemoryDesc_create(&raw), "MemoryDesc_create");
    const MemoryDescHandle desc(raw);
    const auto add_role = input ? ANeuralNetworksMemoryDesc_addInputRole : ANeuralNetworksMemoryDesc_addOutputRole;
    check(add_role(raw, compilation, static_cast<uint32_t>(i), 1.0f), "MemoryDesc_addRole", where);
    check(ANeuralNetworksMemoryDesc_finish(raw), "MemoryDesc_finish", where);
    ANeuralNetworksMemory* memory = nullptr;
    check(ANeuralNetworksMemory_createFromDesc(raw, &memory), "Memory_createFromDesc", where);
    return MemoryHandle(memory);
  }

  const TestCase& test_;
  std::vector<MemoryHandle> inputs_;
  std::vector<MemoryHandle> outputs_;
};

std::vector<ActualOutput> collect(ANeuralNetworksExecution* execution, const TestCase& test, Bindings& bindings) {
  std::vector<ActualOutput> outputs(test.main.outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (output_of(test, i).ignored) continue;
    const auto index = static_cast<int32_t>(i);
    uint32_t rank = 0;
    check(ANeuralNetworksExecution_getOutputOperandRank(execution, index, &rank), "Execution_getOutputOperandRank",
          nth("output", i));
    outputs[i].dims.resize(rank);
    if (rank > 0) {
      check(ANeuralNetworksExecution_getOutputOperandDimensions(execution, index, outputs[i].dims.data()),
            "Execution_getOutputOperandDimensions", nth("output", i));
    }
    outputs[i].bytes = bindings.output_bytes(i);
  }
  return outputs;
}

void wait_for(ANeuralNetworksEvent* event) { check(ANeuralNetworksEvent_wait(event), "Event_wait"); }

std::vector<ActualOutput> execute_async(ANeuralNetworksExecution* execution, const TestCase& test, Bindings& bindings) {
  ANeuralNetworksEvent* event = nullptr;
  check(ANeuralNetworksExecution_startCompute(execution, &event), "Execution_startCompute");
  const EventHandle owned(event);
  wait_for(event);
  return collect(execution, test, bindings);
}

std::vector<ActualOutput> execute_burst(ANeuralNetworksCompilation* compilation, ANeuralNetworksExecution* execution,
                                        const TestCase& test, Bindings& bindings) {
  ANeuralNetworksBurst* burst = nullptr;
  check(ANeuralNetworksBurst_create(compilation, &burst), "Burst_create");
  const BurstHandle owned(burst);
  check(ANeuralNetworksExecution_burstCompute(execution, burst), "Execution_burstCompute");
  return collect(execution, test, bindings);
}

EventHandle start_fenced(ANeuralNetworksExecution* execution, std::initializer_list<const ANeuralNetworksEvent*> after) {
  ANeuralNetworksEvent* event = nullptr;
  check(ANeuralNetworksExecution_startComputeWithDependencies(execution, after.size() ? std::data(after) : nullptr,
                                                              static_cast<uint32_t>(after.size()), 0, &event),
        "Execution_startComputeWithDependencies");
  return EventHandle(event);
}

/// The second execution waits for the first: through an event made from its fence where it has one, else through the event.
std::vector<std::vector<ActualOutput>> execute_fenced(ANeuralNetworksCompilation* compilation, const TestCase& test) {
  BufferBindings first_bindings(test);
  BufferBindings second_bindings(test);
  const ExecutionHandle first = create_execution(compilation);
  const ExecutionHandle second = create_execution(compilation);
  first_bindings.bind(first.get());
  second_bindings.bind(second.get());
  const EventHandle first_event = start_fenced(first.get(), {});
  EventHandle imported;
  int fd = -1;
  const int code = ANeuralNetworksEvent_getSyncFenceFd(first_event.get(), &fd);
  if (code == ANEURALNETWORKS_NO_ERROR && fd >= 0) {
    ANeuralNetworksEvent* event = nullptr;
    const int created = ANeuralNetworksEvent_createFromSyncFenceFd(fd, &event);
    close(fd);
    check(created, "Event_createFromSyncFenceFd");
    imported.reset(event);
  } else if (code != ANEURALNETWORKS_BAD_DATA) {
    check(code, "Event_getSyncFenceFd");
  }
  const EventHandle second_event = start_fenced(second.get(), {imported ? imported.get() : first_event.get()});
  wait_for(second_event.get());
  wait_for(first_event.get());
  return {collect(first.get(), test, first_bindings), collect(second.get(), test, second_bindings)};
}

}  // namespace

std::vector<std::vector<ActualOutput>> execute_case(ANeuralNetworksCompilation* compilation, const TestCase& test,
                                                    Variation variation) {
  if (variation == Variation::fenced) return execute_fenced(compilation, test);
  std::vector<std::vector<ActualOutput>> results;
  const int rounds = variation == Variation::reuse ? 3 : 1;
  for (int round = 0; round < rounds; ++round) {
    std::unique_ptr<Bindings> bindings;
    if (variation == Variation::domains) {
      bindings = std::make_unique<DeviceMemoryBindings>(compilation, test);
    } else {
      bindings = std::make_unique<BufferBindings>(test);
    }
    const ExecutionHandle execution = create_execution(compilation);
    bindings->bind(execution.get());
    if (variation == Variation::async) {
      results.push_back(execute_async(execution.get(), test, *bindings));
    } else if (variation == Variation::burst) {
      results.push_back(execute_burst(compilation, execution.get(), test, *bindings));
    } else {
      check(ANeuralNetworksExecution_compute(execution.get()), "Execution_compute");
      results.push_back(collect(execution.get(), test, *bindings));
    }
  }
  return results;
}

}  // namespace avocet::tools
