// SPDX-License-Identifier: Apache-2.0
// `avocet kmd-test`: the conformance suite of the driver's user interface, and the fault campaign.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/command.hpp"
#include "inputs/tensor_input.hpp"
#include "kmd_test/campaign.hpp"
#include "kmd_test/suite.hpp"
#include "report/output_file.hpp"
#include "report/temporary_directory.hpp"

namespace avocet::tools {
namespace {

struct Options {
  DeviceSettings device;
  std::string firmware, filter;
  bool list = false;
  kmd::CampaignOptions campaign;
};

/// The configuration with this firmware, as a file in `directory`.
std::string with_firmware(const Options& options, const TemporaryDirectory& directory) {
  auto config = nlohmann::ordered_json::object();
  if (!options.device.config.empty()) {
    const std::vector<uint8_t> bytes = read_file(options.device.config);
    config = nlohmann::ordered_json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (!config.is_object()) throw InputError(options.device.config + ": not a JSON object");
  }
  if (config.contains("firmware") && !config["firmware"].is_object()) config.erase("firmware");  // its short form
  config["firmware"]["kind"] = options.firmware;
  const std::string text = config.dump(2), path = directory.path() + "/config.json";
  write_file(path, text.data(), text.size());
  return path;
}

void list(const std::vector<const kmd::Case*>& cases) {
  for (const kmd::Case* one : cases) std::printf("%-48s %s\n", one->name, one->doc);
  std::printf("%zu cases\n", cases.size());
}

int run(const Options& options) {
  const std::vector<const kmd::Case*> cases = kmd::find_cases(options.filter);
  if (options.list) {
    list(cases);
    return 0;
  }
  const TemporaryDirectory directory("avocet-kmd-test");
  DeviceSettings device = options.device;
  if (!options.firmware.empty()) device.config = with_firmware(options, directory);
  apply_device_settings(device);
  if (options.campaign.runs > 0) return kmd::run_campaign(options.campaign) ? 0 : 1;
  return kmd::run_cases(cases).failed > 0 ? 1 : 0;
}

}  // namespace

void add_kmd_test_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("kmd-test", "Test the driver: cases of its user interface, faults and recovery");
  command->add_option("--firmware", options->firmware, "Processor that the firmware runs on")
      ->check(CLI::IsMember({"native", "riscv"}))
      ->type_name("native|riscv");
  command->add_option("--engine", options->device.engine, "Engine of the simulated device")
      ->check(CLI::IsMember({"functional", "timed", "rtl"}))
      ->type_name("functional|timed|rtl");
  command->add_option("--config", options->device.config, "Configuration of the device, see accel_model/configs")
      ->check(CLI::ExistingFile)
      ->type_name("FILE.json");
  command->add_option("--filter", options->filter, "Only cases whose name matches")->type_name("REGEX");
  command->add_flag("--list", options->list, "Print the cases instead of running them");
  command->add_option("--campaign", options->campaign.runs, "Run so many faults beside healthy jobs instead of the cases")
      ->check(CLI::Range(uint64_t{1}, uint64_t{100000000}))
      ->type_name("RUNS");
  command->add_option("--seed", options->campaign.seed, "Of the campaign")->type_name("N");
  command->footer("Example: avocet kmd-test --filter '^recovery'\nThe last line is N passed, M failed, K skipped.");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace avocet::tools
