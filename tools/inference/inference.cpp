// SPDX-License-Identifier: Apache-2.0
// Build, compile, execute; each execution is also a slice of the timeline's application track.
#include "inference/inference.hpp"

#include <chrono>
#include <cstring>

#include "inference/simulated_device.hpp"

namespace avocet::tools {
namespace {

TensorBytes widen_to_int64(const TensorBytes& narrow) {
  TensorBytes wide(narrow.size() * 2);
  for (size_t i = 0; i < narrow.size() / 4; ++i) {
    int32_t value;
    std::memcpy(&value, narrow.data() + i * 4, 4);
    const int64_t widened = value;
    std::memcpy(wide.data() + i * 8, &widened, 8);
  }
  return wide;
}

}  // namespace

Inference::Inference(ImportedModel model, DeviceChoice device) : model_(std::move(model)) {
  const TimelineSlice slice("compile " + model_.path);
  try {
    built_ = build_model(model_.description);
  } catch (const ApiError& error) {
    throw ModelRefused(model_.path + ": the Neural Networks API refused it: " + error.what());
  }
  try {
    compilation_ = create_finished_compilation(built_.get(), device);
  } catch (const ApiError& error) {
    throw InputError(model_.path + ": it cannot be compiled: " + error.what());
  }
}

InferenceResult Inference::run(const std::vector<TensorBytes>& inputs) {
  InferenceResult result;
  const ExecutionHandle execution = create_execution(compilation_.get());
  for (size_t i = 0; i < inputs.size(); ++i) {
    check(ANeuralNetworksExecution_setInput(execution.get(), static_cast<int32_t>(i), nullptr, inputs[i].data(),
                                            inputs[i].size()),
          "Execution_setInput", "input " + std::to_string(i));
  }
  for (size_t i = 0; i < model_.outputs.size(); ++i) {
    TensorBytes& output = result.outputs.emplace_back(model_.outputs[i].operand_bytes());
    check(ANeuralNetworksExecution_setOutput(execution.get(), static_cast<int32_t>(i), nullptr, output.data(),
                                             output.size()),
          "Execution_setOutput", "output " + std::to_string(i));
  }
  {
    const TimelineSlice slice("inference " + std::to_string(runs_++));
    const auto start = std::chrono::steady_clock::now();
    check(ANeuralNetworksExecution_compute(execution.get()), "Execution_compute");
    result.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  result.profile = runtime::execution_profile(execution.get());
  for (size_t i = 0; i < model_.outputs.size(); ++i) {
    if (model_.outputs[i].widened) result.outputs[i] = widen_to_int64(result.outputs[i]);
  }
  return result;
}

}  // namespace avocet::tools
