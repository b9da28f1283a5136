// SPDX-License-Identifier: Apache-2.0
// Random models made invalid: the library refuses them with a code, or executes what is still valid.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "mutate_model.hpp"
#include "run_model.hpp"
#include "settings.hpp"

namespace avocet::random_models {
namespace {

TEST(MutatedModels, AreRefusedOrExecuted) {
  const Settings& s = settings();
  const Profile profile{.quantised_only = s.on_npu(), .most_operations = 6};
  size_t stages[HostileOutcome::kComputed + 1] = {};
  for (uint64_t i = 0; i < s.models; ++i) {
    const uint64_t seed = s.seed + i;
    RandomModel model = generate_model(seed, profile);
    Random random(seed ^ 0x5eed0fa11u);
    const std::string changes = mutate(random, model.test);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", changed: " + changes);
    if (!s.write.empty()) {  // before it may crash
      std::filesystem::create_directories(s.write);
      std::ofstream(s.write + "/mutated.json") << to_case_file(model.test, {});
    }
    if (s.verbose) std::fprintf(stderr, "seed %llu, changed: %s\n", static_cast<unsigned long long>(seed), changes.c_str());
    const HostileOutcome outcome = run_hostile(random, model.test, s.on_npu());
    ++stages[outcome.stage];
    EXPECT_EQ(outcome.broken_rule, "");
    EXPECT_EQ(outcome.code == ANEURALNETWORKS_NO_ERROR, outcome.stage == HostileOutcome::kComputed);
  }
  std::printf("refused while building %zu, compiling %zu, preparing %zu, computing %zu; computed %zu\n", stages[0], stages[1],
              stages[2], stages[3], stages[4]);
  if (s.models >= 1000) {
    EXPECT_GT(stages[HostileOutcome::kBuilding], s.models / 10) << "hardly anything was wrong";
    EXPECT_GT(stages[HostileOutcome::kComputing], s.models / 50) << "hardly anything came as far as the kernels";
  }
}

}  // namespace
}  // namespace avocet::random_models
