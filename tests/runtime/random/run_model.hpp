// SPDX-License-Identifier: Apache-2.0
// Builds, compiles and executes a random model through the C API, and judges the results: each operation against the naive
// evaluator on the inputs it really had, and the model as it is against the same model with all results made outputs.
#pragma once

#include <map>

#include "conformance/variations.hpp"
#include "generate_model.hpp"
#include "naive_value.hpp"
#include "nnapi/device_choice.hpp"

namespace avocet::random_models {

/// What was run, over many models.
struct Tally {
  std::map<int32_t, size_t> operations;   // compared with the evaluator
  std::map<int32_t, size_t> open;         // evaluated, but more than one result is right
  std::map<int32_t, size_t> wild_inputs;  // not compared: numbers too large or not finite went in
  size_t accelerated = 0;                 // operations that ran on the accelerator
  size_t empty = 0;                       // results without elements
};

/// How a model is executed.
struct Way {
  tools::Variation variation = tools::Variation::plain;
  bool told = false;  // the inputs' shapes are left open in the model and told at execution, some lie in memory objects
};

/// Nothing when all is well, else what is wrong, with the operation's name in front.
std::optional<std::string> check_on_cpu(const RandomModel& model, Way way, Tally& tally);

/// Nothing when the accelerator's results are those of the CPU path, to the bit.
std::optional<std::string> check_on_npu(const RandomModel& model, Way way, Tally& tally);

/// The way in which the model number `turn` is executed: each in turn, among those that it allows.
Way way_of(const RandomModel& model, uint64_t turn);
const char* way_name(Way way);

/// The model with the results that the evaluator expects, as a file of the conformance runner.
std::string to_case_file(const RandomModel& model);
/// With these values of outputs; a mutated model may not be readable again.
std::string to_case_file(const tools::TestCase& test, const std::map<uint32_t, Value>& outputs);

}  // namespace avocet::random_models
