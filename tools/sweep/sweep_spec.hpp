// SPDX-License-Identifier: Apache-2.0
// What a sweep runs: every workload on every configuration, which are a base with some values replaced.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "workload/strict_json.hpp"

namespace avocet::tools {

struct SweepPoint {
  std::string workload;                                // path
  std::vector<std::pair<std::string, Json>> settings;  // "array.rows": 32, in the order of the specification
  Json configuration;                                  // the base with the settings
  std::string identity;                                // equal points of two sweeps have equal identities
};

struct SweepSpec {
  std::vector<std::string> keys;  // every configuration key that any point sets
  std::vector<SweepPoint> points;
};

/// Throws InputError: one line with file, place, value and what is allowed. `known`: a configuration with every key there is;
/// null when the keys are not to be checked.
SweepSpec read_sweep(const std::string& path, const Json* known);

/// Path of the base configuration that the specification names; empty when none.
std::string sweep_base(const std::string& path);

}  // namespace avocet::tools
