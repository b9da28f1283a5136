// SPDX-License-Identifier: Apache-2.0
// Which devices a compilation is made for, and the settings of the simulated device. The device reads its settings from
// the environment once, so apply_device_settings() comes before the first call of the API.
#pragma once

#include <optional>
#include <string>

#include "nnapi/handles.hpp"

namespace avocet::tools {

enum class DeviceChoice {
  automatic,  // no device list: the runtime decides, and may fall back to the CPU
  npu,        // avocet-npu for every operation it supports, the others on the CPU path; no fallback after failures
  cpu,        // nnapi-reference alone
};

struct DeviceSettings {
  DeviceChoice device = DeviceChoice::automatic;
  std::string engine{};    // functional, timed, rtl; empty: the default
  std::string config{};    // a configuration file; empty: the default
  unsigned cores = 0;      // that a program may be shared between; 0: all
  std::string timeline{};  // where the device writes its timeline; empty: none
};

const char* device_choice_name(DeviceChoice choice);
void apply_device_settings(const DeviceSettings& settings);

/// A compilation for the chosen devices, not yet finished. Throws ApiError; UNAVAILABLE_DEVICE when one is missing.
CompilationHandle create_compilation(ANeuralNetworksModel* model, DeviceChoice choice);
CompilationHandle create_finished_compilation(ANeuralNetworksModel* model, DeviceChoice choice);
ExecutionHandle create_execution(ANeuralNetworksCompilation* compilation);

/// The device of that name, or null.
ANeuralNetworksDevice* find_device(const std::string& name);

inline constexpr const char* kNpuDevice = "avocet-npu";
inline constexpr const char* kCpuDevice = "nnapi-reference";

}  // namespace avocet::tools
