// SPDX-License-Identifier: Apache-2.0
// Valid models made wrong, as a careless or hostile client would.
#pragma once

#include <string>

#include "model_draft.hpp"

namespace avocet::random_models {

/// Changes one to three things; the names of the changes. The result may by chance still be valid.
std::string mutate(Random& random, tools::TestCase& test);

/// How a mutated model fared.
struct HostileOutcome {
  enum Stage { kBuilding, kCompiling, kPreparing, kComputing, kComputed } stage = kBuilding;  // where the error was, if there was one
  int code = 0;
  std::string broken_rule;  // not empty: the library did what it never may (wrote outside of a buffer, an unknown code)
};

/// Builds, compiles and executes on the CPU or the accelerator, with wrong buffers and calls out of order now and then.
HostileOutcome run_hostile(Random& random, const tools::TestCase& test, bool on_npu);

}  // namespace avocet::random_models
