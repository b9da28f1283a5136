// SPDX-License-Identifier: Apache-2.0
// The options --device, --engine and --config, the same in every subcommand that runs models.
#include <CLI/CLI.hpp>
#include <map>
#include <thread>

#include "commands/command.hpp"

namespace avocet::tools {

void add_device_options(CLI::App& command, DeviceSettings& settings) {
  static const std::map<std::string, DeviceChoice> kDevices = {
      {"auto", DeviceChoice::automatic}, {"npu", DeviceChoice::npu}, {"cpu", DeviceChoice::cpu}};
  command
      .add_option_function<std::string>(
          "--device", [&settings](const std::string& name) { settings.device = kDevices.at(name); },
          "auto: as the runtime decides; npu: what it supports there, the rest on the CPU; cpu: the CPU path alone")
      ->check(CLI::IsMember({"auto", "npu", "cpu"}))
      ->type_name("auto|npu|cpu");
  command
      .add_option("--engine", settings.engine,
                  "functional: values only; timed: values and cycles; rtl: the MAC array is the Verilated RTL; "
                  "timing: cycles only, outputs are zero")
      ->check(CLI::IsMember({"functional", "timed", "rtl", "timing"}))
      ->type_name("functional|timed|rtl|timing");
  command.add_option("--config", settings.config, "Configuration of the device, see accel_model/configs, or a hardware file of SCALE-Sim (.cfg)")
      ->check(CLI::ExistingFile)
      ->type_name("FILE.json|FILE.cfg");
  command.add_option("--cores", settings.cores, "Cores that a network may be shared between; all unless given")
      ->check(CLI::Range(1, 16))
      ->type_name("1..16");
}

unsigned processor_count() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace avocet::tools
