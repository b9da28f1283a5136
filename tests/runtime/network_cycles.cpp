// SPDX-License-Identifier: Apache-2.0
// Whole networks on the timed engine with the default configuration: cycles from the first doorbell to the last completion against
// their bars, and the compiler's prediction within a tenth of them.
#include <gtest/gtest.h>

#include <avocet/compiler/program.hpp>
#include <avocet/runtime/introspection.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "importer/model_file.hpp"
#include "inference/inference.hpp"
#include "inputs/tensor_input.hpp"

namespace avocet {
namespace {

struct Network {
  const char* name;
  uint64_t cycles_max;
};

std::string path_of(const Network& network) {
  const char* shared = std::getenv("AVOCET_SHARED");
  return std::string(shared ? shared : AVOCET_SOURCE_DIR "/../shared") + "/models/" + network.name + ".tflite";
}

class NetworkCycles : public testing::TestWithParam<Network> {};

TEST_P(NetworkCycles, AreFewAndPredicted) {
  const std::string path = path_of(GetParam());
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there; set AVOCET_SHARED";
  tools::Inference inference(tools::import_model(path), tools::DeviceChoice::npu);
  std::set<uint32_t> steps;
  for (const runtime::Placement& placement : inference.placements()) {
    EXPECT_EQ(placement.device, tools::kNpuDevice) << placement.name << ": " << placement.reason;
    steps.insert(placement.step);
  }
  uint64_t predicted = 0;
  for (uint32_t step : steps) predicted += compiler::Program::parse(runtime::step_program(inference.compilation(), step)).predicted_cycles;
  const runtime::ExecutionProfile profile = inference.run(tools::make_inputs(inference.model(), {}, 1)).profile;
  std::printf("%s: %llu cycles, %llu predicted, %.1f %% of the array\n", GetParam().name, static_cast<unsigned long long>(profile.cycles),
              static_cast<unsigned long long>(predicted), 100 * profile.mac_utilisation);
  EXPECT_LE(profile.cycles, GetParam().cycles_max);
  EXPECT_GE(predicted * 10, profile.cycles * 9);
  EXPECT_LE(predicted * 10, profile.cycles * 11);
}

INSTANTIATE_TEST_SUITE_P(Networks, NetworkCycles,
                         testing::Values(Network{"mobilenet_v2_1.0_224_quant", 2'200'000}, Network{"mobilenet_v1_0.75_192_quant", 1'400'000},
                                         Network{"mobilenet_v1_0.5_160_quant", 550'000}, Network{"pretrainedResnet_quant", 75'000},
                                         Network{"kws_ref_model", 22'000}, Network{"vww_96_int8", 75'000}));

}  // namespace
}  // namespace avocet
