// SPDX-License-Identifier: Apache-2.0
// What the API itself costs: an execution with next to no work (a one-element ADD) in each of the four ways, and building
// and compiling models, the large one being float32 MobileNetV2 for the CPU path.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include "description_builder.hpp"
#include "mobilenet_v2.hpp"
#include "nnapi/device_choice.hpp"
#include "nnapi/model_builder.hpp"

namespace {

namespace tools = avocet::tools;
using tools::check;

tools::ModelDescription one_element_add() {
  avocet::bench::DescriptionBuilder builder;
  const uint32_t a = builder.input({1}), b = builder.input({1}), sum = builder.tensor({1});
  builder.emit(ANEURALNETWORKS_ADD, {a, b, builder.scalar(ANEURALNETWORKS_FUSED_NONE)}, sum);
  return builder.finish(sum);
}

enum class Way { synchronous, burst, asynchronous, fenced };

void run(ANeuralNetworksExecution* execution, Way way, ANeuralNetworksBurst* burst) {
  ANeuralNetworksEvent* event = nullptr;
  switch (way) {
    case Way::synchronous: return check(ANeuralNetworksExecution_compute(execution), "compute");
    case Way::burst: return check(ANeuralNetworksExecution_burstCompute(execution, burst), "burstCompute");
    case Way::asynchronous: check(ANeuralNetworksExecution_startCompute(execution, &event), "startCompute"); break;
    case Way::fenced:
      check(ANeuralNetworksExecution_startComputeWithDependencies(execution, nullptr, 0, 0, &event), "startComputeWithDependencies");
      break;
  }
  check(ANeuralNetworksEvent_wait(event), "Event_wait");
  ANeuralNetworksEvent_free(event);
}

void empty_execution(benchmark::State& state, Way way) {
  const tools::ModelDescription description = one_element_add();
  const tools::BuiltModel model = tools::build_model(description);
  const tools::CompilationHandle compilation = tools::create_finished_compilation(model.get(), tools::DeviceChoice::cpu);
  ANeuralNetworksBurst* burst = nullptr;
  check(ANeuralNetworksBurst_create(compilation.get(), &burst), "Burst_create");
  float a = 1, b = 2, sum = 0;
  for (auto _ : state) {
    const tools::ExecutionHandle execution = tools::create_execution(compilation.get());
    check(ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr, &a, sizeof a), "setInput");
    check(ANeuralNetworksExecution_setInput(execution.get(), 1, nullptr, &b, sizeof b), "setInput");
    check(ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, &sum, sizeof sum), "setOutput");
    run(execution.get(), way, burst);
  }
  ANeuralNetworksBurst_free(burst);
  if (sum != 3) state.SkipWithError("1 + 2 is not 3");
}
BENCHMARK_CAPTURE(empty_execution, synchronous, Way::synchronous)->UseRealTime();
BENCHMARK_CAPTURE(empty_execution, burst, Way::burst)->UseRealTime();
BENCHMARK_CAPTURE(empty_execution, asynchronous, Way::asynchronous)->UseRealTime();
BENCHMARK_CAPTURE(empty_execution, fenced, Way::fenced)->UseRealTime();

void build(benchmark::State& state, tools::ModelDescription (*describe)()) {
  const tools::ModelDescription description = describe();
  for (auto _ : state) benchmark::DoNotOptimize(tools::build_model(description));
}
BENCHMARK_CAPTURE(build, one_element_add, one_element_add);
BENCHMARK_CAPTURE(build, float_mobilenet_v2, avocet::bench::float_mobilenet_v2)->Unit(benchmark::kMillisecond);

void compile(benchmark::State& state, tools::ModelDescription (*describe)()) {
  const tools::ModelDescription description = describe();
  const tools::BuiltModel model = tools::build_model(description);
  for (auto _ : state) {
    benchmark::DoNotOptimize(tools::create_finished_compilation(model.get(), tools::DeviceChoice::cpu));
  }
}
BENCHMARK_CAPTURE(compile, one_element_add, one_element_add);
BENCHMARK_CAPTURE(compile, float_mobilenet_v2, avocet::bench::float_mobilenet_v2)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
