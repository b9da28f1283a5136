// SPDX-License-Identifier: Apache-2.0
// Whole networks on the CPU path, one inference an iteration, on one thread and on two: float32 MobileNetV2 with seeded
// weights, and the networks of the shared models folder where it is there.
#include <avocet/runtime/introspection.hpp>
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "inference/inference.hpp"
#include "mobilenet_v2.hpp"
#include "nnapi/device_choice.hpp"

namespace {

namespace tools = avocet::tools;

constexpr const char* kNetworks[] = {"mobilenet_v2_1.0_224_quant", "mobilenet_v1_0.75_192_quant", "mobilenet_v1_0.5_160_quant",
                                     "pretrainedResnet_quant",     "vww_96_int8",                 "kws_ref_model"};

/// Threads of the CPU path while one benchmark runs.
class Threads {
 public:
  explicit Threads(const benchmark::State& state) { avocet::runtime::set_cpu_threads(static_cast<unsigned>(state.range(0))); }
  ~Threads() { avocet::runtime::set_cpu_threads(0); }
};

void shared_network(benchmark::State& state, const std::string& path) {
  try {
    const Threads threads(state);
    tools::Inference inference(tools::import_tflite(path), tools::DeviceChoice::cpu);
    std::vector<tools::TensorBytes> inputs;
    for (const tools::ImportedTensor& input : inference.model().inputs) inputs.emplace_back(input.operand_bytes(), 0x55);
    for (auto _ : state) benchmark::DoNotOptimize(inference.run(inputs));
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

void float_mobilenet_v2(benchmark::State& state) {
  const Threads threads(state);
  const tools::ModelDescription description = avocet::bench::float_mobilenet_v2();
  const tools::BuiltModel model = tools::build_model(description);
  const tools::CompilationHandle compilation = tools::create_finished_compilation(model.get(), tools::DeviceChoice::cpu);
  const std::vector<float> image(224 * 224 * 3, 0.25f);
  std::vector<float> logits(1001);
  for (auto _ : state) {
    const tools::ExecutionHandle execution = tools::create_execution(compilation.get());
    tools::check(ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr, image.data(), image.size() * 4), "setInput");
    tools::check(ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, logits.data(), logits.size() * 4), "setOutput");
    tools::check(ANeuralNetworksExecution_compute(execution.get()), "compute");
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RegisterBenchmark("float32/mobilenet_v2_1.0_224", float_mobilenet_v2)->ArgName("threads")->Arg(1)->Arg(2)
      ->Unit(benchmark::kMillisecond)->UseRealTime();
  const char* shared = std::getenv("AVOCET_SHARED");
  const std::filesystem::path models = std::filesystem::path(shared ? shared : AVOCET_SOURCE_DIR "/../shared") / "models";
  for (const char* network : kNetworks) {
    const std::string path = (models / (std::string(network) + ".tflite")).string();
    if (!std::filesystem::exists(path)) {
      std::fprintf(stderr, "%s is not there: left out\n", path.c_str());
      continue;
    }
    benchmark::RegisterBenchmark(network, shared_network, path)->ArgName("threads")->Arg(1)->Arg(2)
        ->Unit(benchmark::kMillisecond)->UseRealTime();
  }
  benchmark::RunSpecifiedBenchmarks();
}
