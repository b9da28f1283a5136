// SPDX-License-Identifier: Apache-2.0
// Runs one test case in one form through the C API and judges it.
#pragma once

#include <string>

#include "conformance/test_case.hpp"
#include "conformance/variations.hpp"
#include "nnapi/device_choice.hpp"
#include "report/outcome.hpp"

namespace avocet::tools {

/// `scratch` is an existing directory for the cached form. Never throws for what the API does; std::bad_alloc and
/// the like pass through.
Outcome run_test_case(const TestCase& test, Variation variation, DeviceChoice device, const std::string& scratch);

}  // namespace avocet::tools
