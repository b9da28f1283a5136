// SPDX-License-Identifier: Apache-2.0
// Execution of models that may be wrong, by a client that makes mistakes of its own. Each buffer has guard bytes behind it.
#include <algorithm>

#include "mutate_model.hpp"
#include "nnapi/device_choice.hpp"
#include "nnapi/model_builder.hpp"

namespace avocet::random_models {
namespace {

constexpr size_t kGuard = 32;
constexpr uint8_t kGuardByte = 0xa5;
constexpr uint64_t kLoopTimeout = 20'000'000;  // nanoseconds: mutated loops may be endless

class HostileClient {
 public:
  HostileClient(Random& random, const tools::TestCase& test) : random_(random), test_(test) {}

  /// The result of the last call that matters.
  int execute(ANeuralNetworksCompilation* compilation, HostileOutcome& outcome) {
    ANeuralNetworksExecution* raw = nullptr;
    outcome.stage = HostileOutcome::kPreparing;
    if (const int code = ANeuralNetworksExecution_create(compilation, &raw)) return code;
    const tools::ExecutionHandle execution(raw);
    ANeuralNetworksExecution_setLoopTimeout(raw, kLoopTimeout);
    if (const int code = set_inputs(raw)) return code;
    if (const int code = set_outputs(raw)) return code;
    outcome.stage = HostileOutcome::kComputing;
    const int code = compute(compilation, raw);
    if (code == ANEURALNETWORKS_NO_ERROR) outcome.stage = HostileOutcome::kComputed;
    ask(raw);
    return code;
  }

  bool guards_hold() const {
    return std::all_of(outputs_.begin(), outputs_.end(), [](const std::vector<uint8_t>& buffer) {
      return std::all_of(buffer.end() - kGuard, buffer.end(), [](uint8_t byte) { return byte == kGuardByte; });
    });
  }

 private:
  int set_inputs(ANeuralNetworksExecution* execution) {
    const auto& graph = test_.main;
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      const auto& value = graph.operands[graph.inputs[i]].value;
      const size_t bytes = value ? value->size() : 0;
      const size_t told = random_.chance(2) ? random_.below(bytes + 1) : bytes;
      const int code = ANeuralNetworksExecution_setInput(execution, static_cast<int32_t>(i), nullptr, told ? value->data() : nullptr, told);
      if (code != ANEURALNETWORKS_NO_ERROR && random_.chance(80)) return code;
      if (random_.chance(1)) ANeuralNetworksExecution_setInput(execution, static_cast<int32_t>(random_.next()), nullptr, nullptr, 0);
    }
    return ANEURALNETWORKS_NO_ERROR;
  }

  int set_outputs(ANeuralNetworksExecution* execution) {
    const auto& graph = test_.main;
    for (size_t i = 0; i < graph.outputs.size(); ++i) {
      const auto& value = graph.operands[graph.outputs[i]].value;
      size_t bytes = value ? value->size() : random_.below(64);
      if (random_.chance(4)) bytes = random_.below(bytes + 8);
      outputs_.emplace_back(bytes + kGuard, kGuardByte);
      const int code = ANeuralNetworksExecution_setOutput(execution, static_cast<int32_t>(i), nullptr,
                                                          bytes ? outputs_.back().data() : nullptr, bytes);
      if (code != ANEURALNETWORKS_NO_ERROR && random_.chance(80)) return code;
    }
    return ANEURALNETWORKS_NO_ERROR;
  }

  int compute(ANeuralNetworksCompilation* compilation, ANeuralNetworksExecution* execution) {
    switch (random_.below(4)) {
      case 0: return ANeuralNetworksExecution_compute(execution);
      case 1: {
        ANeuralNetworksBurst* raw = nullptr;
        if (const int code = ANeuralNetworksBurst_create(compilation, &raw)) return code;
        const tools::BurstHandle burst(raw);
        return ANeuralNetworksExecution_burstCompute(execution, raw);
      }
      default: {
        ANeuralNetworksEvent* raw = nullptr;
        const int code = random_.chance(50)
                             ? ANeuralNetworksExecution_startCompute(execution, &raw)
                             : ANeuralNetworksExecution_startComputeWithDependencies(execution, nullptr, 0, 0, &raw);
        const tools::EventHandle event(raw);
        return code != ANEURALNETWORKS_NO_ERROR ? code : ANeuralNetworksEvent_wait(raw);
      }
    }
  }

  /// Questions that are answered or refused, whatever came of the computation.
  void ask(ANeuralNetworksExecution* execution) {
    for (int32_t i = -1; i <= static_cast<int32_t>(test_.main.outputs.size()); ++i) {
      uint32_t rank = 0;
      const int code = ANeuralNetworksExecution_getOutputOperandRank(execution, i, &rank);
      if (code != ANEURALNETWORKS_NO_ERROR && code != ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE) continue;
      std::vector<uint32_t> dims(rank + 1);
      ANeuralNetworksExecution_getOutputOperandDimensions(execution, i, dims.data());
    }
    if (random_.chance(5)) ANeuralNetworksExecution_compute(execution);  // a second time
  }

  Random& random_;
  const tools::TestCase& test_;
  std::vector<std::vector<uint8_t>> outputs_;
};

}  // namespace

HostileOutcome run_hostile(Random& random, const tools::TestCase& test, bool on_npu) {
  HostileOutcome outcome;
  HostileClient client(random, test);
  try {
    const tools::BuiltModel built = tools::build_model(test.main, test.referenced);
    outcome.stage = HostileOutcome::kCompiling;
    const auto device = on_npu ? tools::DeviceChoice::npu : random.chance(50) ? tools::DeviceChoice::cpu : tools::DeviceChoice::automatic;
    const tools::CompilationHandle compilation = tools::create_finished_compilation(built.get(), device);
    outcome.code = client.execute(compilation.get(), outcome);
  } catch (const tools::ApiError& error) {
    outcome.code = error.code();
  } catch (const std::invalid_argument&) {
    outcome.code = ANEURALNETWORKS_BAD_DATA;  // build_model(): a graph that refers to itself cannot even be put into calls
  }
  if (outcome.code < ANEURALNETWORKS_NO_ERROR || outcome.code > ANEURALNETWORKS_DEAD_OBJECT) {
    outcome.broken_rule = "the result " + std::to_string(outcome.code) + " is no code of the API";
  }
  if (!client.guards_hold()) outcome.broken_rule = "it wrote past the end of an output";
  return outcome;
}

}  // namespace avocet::random_models
