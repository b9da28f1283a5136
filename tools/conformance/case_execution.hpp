// SPDX-License-Identifier: Apache-2.0
// The executions of one compiled test case, in each of the forms that differ in how they execute.
#pragma once

#include <vector>

#include "conformance/comparison.hpp"
#include "conformance/variations.hpp"
#include "nnapi/handles.hpp"

namespace avocet::tools {

/// One or more executions (several in the forms fenced and reuse), each with all outputs of the main graph; outputs
/// that are ignored have no dimensions. Throws ApiError at the first call that fails.
std::vector<std::vector<ActualOutput>> execute_case(ANeuralNetworksCompilation* compilation, const TestCase& test,
                                                    Variation variation);

}  // namespace avocet::tools
