// SPDX-License-Identifier: Apache-2.0
// Files that the simulated device writes while it works, as options of the commands that run something on it.
#pragma once

#include <string>

#include "nnapi/device_choice.hpp"

namespace CLI {
class App;
}

namespace avocet::tools {

/// Empty: not written. The timeline is one of the device's settings.
struct DeviceFiles {
  std::string counters{};
  std::string memory_trace{};
  std::string vcd{};
};

/// --timeline, --counters, --memory-trace and --vcd; the last one alone.
void add_device_file_options(CLI::App& command, DeviceSettings& settings, DeviceFiles& files);
void add_vcd_option(CLI::App& command, DeviceFiles& files);

/// Asks the device for the files, before it starts. Throws InputError when one cannot be written, or there will be no device.
void request_device_files(const DeviceSettings& settings, const DeviceFiles& files);
/// Completes the timeline and the waves; the device writes the others when the process ends. Throws InputError when not all of a file could be
/// written.
void finish_device_files(const DeviceSettings& settings, const DeviceFiles& files);

}  // namespace avocet::tools
