// SPDX-License-Identifier: Apache-2.0
// The conformance suite: which cases there are, and running them in processes.
#pragma once

#include <string>
#include <vector>

#include "kmd_test/test_case.hpp"

namespace avocet::kmd {

/// Cases whose name matches the regular expression, in the order of subjects; empty = all. Throws tools::InputError on a bad
/// expression, or one that matches nothing.
std::vector<const Case*> find_cases(const std::string& expression);

struct Tally {
  size_t passed = 0, failed = 0, skipped = 0;
};

/// Runs them, prints a line for each as it ends, and the tally as the last line.
Tally run_cases(const std::vector<const Case*>& cases);

}  // namespace avocet::kmd
