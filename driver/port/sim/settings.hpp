// SPDX-License-Identifier: Apache-2.0
// What the simulated device is made of: avocet_sim_configure first, then the environment.
#pragma once

#include <optional>
#include <string>

namespace avocet::sim {

struct Settings {
  std::optional<std::string> config;    // AVOCET_CONFIG: file
  std::optional<std::string> engine;    // AVOCET_ENGINE
  std::optional<std::string> firmware;  // AVOCET_FIRMWARE: native, riscv
  std::optional<std::string> firmware_image;  // AVOCET_FIRMWARE_IMAGE: file to load instead of the built-in image
  std::optional<std::string> timeline;  // AVOCET_TIMELINE: file
  std::optional<std::string> faults;    // AVOCET_FAULTS: specification
  std::optional<std::string> counters;  // AVOCET_COUNTERS: file
  std::optional<std::string> memory_trace;  // AVOCET_MEMORY_TRACE: file
  std::optional<std::string> vcd;       // AVOCET_VCD: file
  std::optional<std::string> record;    // AVOCET_RECORD: file
  int log_level = 0;                    // AVOCET_DRIVER_LOG: error, warning, info, debug (enum avocet_log_level)
  bool check_pointers = false;          // AVOCET_CHECK_POINTERS: not 0; bad pointers give EFAULT, as in a kernel
  unsigned hang_timeout_ms = 0;         // AVOCET_HANG_TIMEOUT_MS; 0 = the driver's default
  unsigned autosuspend_ms = 0;          // AVOCET_AUTOSUSPEND_MS; 0 = never: waking up costs cycles, when depends on the host
  unsigned admin_timeout_ms = 0;        // AVOCET_ADMIN_TIMEOUT_MS; 0 = the driver's default
};

/// Keeps what avocet_sim_configure was given; NULL leaves a setting to the environment.
void configure(const char* config, const char* engine, const char* timeline);
/// The settings in force now. On a value that makes no sense: false, and *error is one line.
bool read_settings(Settings* settings, std::string* error);

}  // namespace avocet::sim
