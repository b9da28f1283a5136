// SPDX-License-Identifier: Apache-2.0
// What a run of the random tests is told by its environment or its command line:
//   AVOCET_RANDOM_MODELS=n   --models=n     how many models, and how many mutated ones
//   AVOCET_RANDOM_SEED=n     --seed=n       the first seed; the others follow
//   AVOCET_RANDOM_DEVICE=d   --device=d     cpu, or npu: quantised models, compared with the CPU path to the bit
//   AVOCET_RANDOM_OPERATION=NAME            models that start with this operation
//   AVOCET_RANDOM_VERBOSE=1                 each mutated model is named before it is run, to find one that crashes
//   AVOCET_RANDOM_WRITE=DIR                 failing models as case files for `avocet conformance`, and the last mutated one
#pragma once

#include <cstdint>
#include <string>

namespace avocet::random_models {

struct Settings {
  uint64_t models = 2000;
  uint64_t seed = 1;
  std::string device = "cpu";
  std::string operation;
  std::string write;
  bool verbose = false;

  bool on_npu() const { return device == "npu"; }
};

/// Read once; main() completes it.
Settings& settings();

}  // namespace avocet::random_models
