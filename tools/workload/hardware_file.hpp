// SPDX-License-Identifier: Apache-2.0
// Hardware files in SCALE-Sim's form (.cfg) as configurations of this device.
#pragma once

#include <string>

#include "workload/strict_json.hpp"

namespace avocet::tools {

bool is_hardware_file(const std::string& path);

/// The configuration. What the file says and this device cannot do is told on stderr. Throws InputError: one line with file,
/// line, key, value and what is allowed.
Json read_hardware_file(const std::string& path);

/// The path of a configuration for the device: `path` itself, or for a .cfg a file that lives as long as this process.
std::string configuration_file(const std::string& path);

}  // namespace avocet::tools
