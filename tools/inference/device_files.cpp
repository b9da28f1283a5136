// SPDX-License-Identifier: Apache-2.0
#include "inference/device_files.hpp"

#include <avocet_device.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <cstring>

#include "inference/simulated_device.hpp"
#include "input_error.hpp"
#include "report/output_file.hpp"

namespace avocet::tools {

void add_device_file_options(CLI::App& command, DeviceSettings& settings, DeviceFiles& files) {
  command.add_option("--timeline", settings.timeline, "Write a timeline for Perfetto (Chrome JSON trace)")->type_name("FILE.json");
  command.add_option("--counters", files.counters, "Write every counter of the device, in total, by job and by layer")
      ->type_name("FILE.json");
  command.add_option("--memory-trace", files.memory_trace, "Write every access to memory: cycle, initiator, address, bytes, direction")
      ->type_name("FILE.csv");
  add_vcd_option(command, files);
}

void add_vcd_option(CLI::App& command, DeviceFiles& files) {
  command.add_option("--vcd", files.vcd, "Write waves of every unit for GTKWave, with engine rtl also of the RTL's ports")
      ->type_name("FILE.vcd");
}

void request_device_files(const DeviceSettings& settings, const DeviceFiles& files) {
  const struct {
    const char* option;
    const std::string& path;
    const char* variable;  // the timeline's is set with the other settings
  } rows[] = {{"--timeline", settings.timeline, nullptr},
              {"--counters", files.counters, "AVOCET_COUNTERS"},
              {"--memory-trace", files.memory_trace, "AVOCET_MEMORY_TRACE"},
              {"--vcd", files.vcd, "AVOCET_VCD"}};
  for (const auto& row : rows) {
    if (row.path.empty()) continue;
    if (settings.device == DeviceChoice::cpu) throw InputError(std::string(row.option) + ": is about the NPU, so not with --device cpu");
    require_writable(row.path);
    if (row.variable) setenv(row.variable, row.path.c_str(), 1);
  }
}

void finish_device_files(const DeviceSettings& settings, const DeviceFiles& files) {
  const int vcd = files.vcd.empty() ? 0 : avocet_sim_finish_vcd();
  write_timeline(settings);
  if (vcd < 0) throw InputError(files.vcd + ": " + std::strerror(-vcd));
}

}  // namespace avocet::tools
