// SPDX-License-Identifier: Apache-2.0
// The changed forms in which a test case is repeated, and to which cases each applies.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/test_case.hpp"

namespace avocet::tools {

enum class Variation {
  plain,
  dynamic,    // all output dimensions unknown
  as_signed,  // "signed": TENSOR_QUANT8_ASYMM turned into TENSOR_QUANT8_ASYMM_SIGNED
  cached,     // compiled twice with one token, the second from the cache
  domains,    // inputs and outputs in memory of the device
  fenced,     // startComputeWithDependencies, twice, the second waiting for the first
  burst,      // burstCompute
  async,      // startCompute
  reuse,      // one compilation, several executions
};

std::optional<Variation> parse_variation(std::string_view name);
const char* variation_name(Variation variation);
std::vector<Variation> all_variations();

/// Why the case is not run in this form, or nothing.
std::optional<std::string> skip_reason(const TestCase& test, Variation variation);

/// The case as it is to be run; the forms that differ only in how they execute leave it alone.
TestCase apply_variation(TestCase test, Variation variation);

}  // namespace avocet::tools
