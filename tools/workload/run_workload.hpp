// SPDX-License-Identifier: Apache-2.0
// A workload from file to figures: every part compiled and run once, or as often as it is repeated.
#pragma once

#include <avocet/runtime/introspection.hpp>
#include <cstdint>
#include <string>

#include "importer/importer.hpp"
#include "nnapi/device_choice.hpp"

namespace avocet::tools {

struct WorkloadRun {
  runtime::ExecutionProfile profile;  // sums over all parts; layers bear the workload's names
  double host_seconds = 0;            // of the executions
};

/// The device has been prepared with `settings`. Throws InputError, ApiError.
WorkloadRun run_workload(const std::string& path, const DeviceSettings& settings, uint64_t seed);

/// Calls the layers of a profile as the workload does: "conv1 CONV_2D".
void name_layers(const ImportedModel& model, runtime::ExecutionProfile& profile);

}  // namespace avocet::tools
