// SPDX-License-Identifier: Apache-2.0
#include "told_execution.hpp"

#include <cstring>
#include <memory>

#include "nnapi/device_choice.hpp"
#include "nnapi/operand_types.hpp"
#include "nnapi/shared_memory.hpp"

namespace avocet::random_models {
namespace {

using tools::Operand;
using tools::SharedMemory;

constexpr size_t kOffset = 64;  // of arguments in memory objects; a multiple of every element's size

/// One buffer, or one memory object, for each argument.
class Arguments {
 public:
  Arguments(const RandomModel& model, Random& random) : model_(model), random_(random) {}

  void set_input(ANeuralNetworksExecution* execution, size_t i) {
    const uint32_t index = model_.test.main.inputs[i];
    const Operand& operand = model_.test.main.operands[index];
    const std::vector<uint8_t>& value = *operand.value;
    const auto at = static_cast<int32_t>(i);
    if (value.empty()) {
      tools::check(ANeuralNetworksExecution_setInput(execution, at, nullptr, nullptr, 0), "Execution_setInput", "omitted");
      return;
    }
    const ANeuralNetworksOperandType type = {.type = operand.type,
                                             .dimensionCount = static_cast<uint32_t>(model_.dims[index].size()),
                                             .dimensions = model_.dims[index].empty() ? nullptr : model_.dims[index].data(),
                                             .scale = operand.scale,
                                             .zeroPoint = operand.zero_point};
    const std::string where = "input " + std::to_string(i);
    if (random_.chance(50)) {
      tools::check(ANeuralNetworksExecution_setInput(execution, at, &type, value.data(), value.size()), "Execution_setInput", where);
      return;
    }
    auto memory = std::make_unique<SharedMemory>(kOffset + value.size());
    std::memcpy(memory->bytes().data() + kOffset, value.data(), value.size());
    tools::check(ANeuralNetworksExecution_setInputFromMemory(execution, at, &type, memory->memory(), kOffset, value.size()),
                 "Execution_setInputFromMemory", where);
    memories_.push_back(std::move(memory));
  }

  void set_output(ANeuralNetworksExecution* execution, size_t i) {
    const size_t bytes = std::max<size_t>(model_.test.main.operands[model_.test.main.outputs[i]].value->size(), 1);
    const auto at = static_cast<int32_t>(i);
    const std::string where = "output " + std::to_string(i);
    Output& output = outputs_.emplace_back();
    if (random_.chance(50)) {
      output.buffer.resize(bytes);
      tools::check(ANeuralNetworksExecution_setOutput(execution, at, nullptr, output.buffer.data(), bytes), "Execution_setOutput", where);
      return;
    }
    output.memory = std::make_unique<SharedMemory>(kOffset + bytes);
    tools::check(ANeuralNetworksExecution_setOutputFromMemory(execution, at, nullptr, output.memory->memory(), kOffset, bytes),
                 "Execution_setOutputFromMemory", where);
  }

  std::vector<uint8_t> output_bytes(size_t i) const {
    const Output& output = outputs_[i];
    if (!output.memory) return output.buffer;
    return {output.memory->bytes().begin() + kOffset, output.memory->bytes().end()};
  }

 private:
  struct Output {
    std::vector<uint8_t> buffer;
    std::unique_ptr<SharedMemory> memory;
  };

  const RandomModel& model_;
  Random& random_;
  std::vector<std::unique_ptr<SharedMemory>> memories_;
  std::vector<Output> outputs_;
};

}  // namespace

RandomModel with_open_inputs(RandomModel model) {
  Random random(model.seed ^ 0x09e717u);
  for (const uint32_t i : model.test.main.inputs) {
    Operand& operand = model.test.main.operands[i];
    if (!is_tensor_type(operand.type) || operand.value->empty() || !operand.channel_scales.empty()) continue;
    if (operand.type == ANEURALNETWORKS_TENSOR_BOOL8 && operand.dims == Dims{1}) continue;  // the condition of an IF is told
    if (random.chance(20)) {
      operand.dims.clear();
      continue;
    }
    for (uint32_t& extent : operand.dims) {
      if (random.chance(40)) extent = 0;
    }
  }
  return model;
}

std::vector<tools::ActualOutput> execute_told(ANeuralNetworksCompilation* compilation, const RandomModel& model) {
  Random random(model.seed ^ 0x70e1du);
  const tools::ExecutionHandle execution = tools::create_execution(compilation);
  Arguments arguments(model, random);
  const auto& graph = model.test.main;
  for (size_t i = 0; i < graph.inputs.size(); ++i) arguments.set_input(execution.get(), i);
  for (size_t i = 0; i < graph.outputs.size(); ++i) arguments.set_output(execution.get(), i);
  tools::check(ANeuralNetworksExecution_compute(execution.get()), "Execution_compute");
  std::vector<tools::ActualOutput> results(graph.outputs.size());
  for (size_t i = 0; i < results.size(); ++i) {
    const auto at = static_cast<int32_t>(i);
    uint32_t rank = 0;
    tools::check(ANeuralNetworksExecution_getOutputOperandRank(execution.get(), at, &rank), "Execution_getOutputOperandRank");
    results[i].dims.resize(rank);
    if (rank > 0) {
      tools::check(ANeuralNetworksExecution_getOutputOperandDimensions(execution.get(), at, results[i].dims.data()),
                   "Execution_getOutputOperandDimensions");
    }
    results[i].bytes = arguments.output_bytes(i);
  }
  return results;
}

}  // namespace avocet::random_models
