// SPDX-License-Identifier: Apache-2.0
// How an actual output is judged against the expected one: tolerances by type, dimensions, distributions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/test_case.hpp"

namespace avocet::tools {

struct ActualOutput {
  std::vector<uint32_t> dims;
  std::vector<uint8_t> bytes;
};

struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

/// Nothing for a type that the rules do not know (which fails the case).
std::optional<Tolerance> tolerance_for(int32_t type, bool relaxed_float, bool mobilenet);

/// Whether float32 results of this case are compared with float16's precision.
bool uses_relaxed_tolerance(const TestCase& test);

/// Compares all outputs of the main graph; `test` holds the expected types, dimensions and values.
/// Nothing when all agree, else one sentence about the first element (or dimension) that does not.
std::optional<std::string> first_difference(const TestCase& test, std::span<const ActualOutput> actual);

}  // namespace avocet::tools
