// SPDX-License-Identifier: Apache-2.0
// One operation test vector: a model, its input values and its expected outputs (in Operand::value).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nnapi/model_description.hpp"

namespace avocet::tools {

struct TestCase {
  std::string name;
  int min_feature_level = 0;
  bool expect_failure = false;
  double multinomial_tolerance = 0;  // above 0: the output is compared as a distribution
  ModelDescription main;
  std::vector<ModelDescription> referenced;
};

/// Parses one case (a JSON object). Throws std::runtime_error with what is wrong.
TestCase parse_test_case(std::string_view json);
/// Only the name of the case; the rest is not looked at.
std::string parse_test_case_name(std::string_view json);

}  // namespace avocet::tools
