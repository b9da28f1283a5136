// SPDX-License-Identifier: Apache-2.0
// `avocet kmd-test`: the conformance suite of the driver's user interface, and the fault campaign.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "commands/command.hpp"
#include "kmd_test/campaign.hpp"
#include "kmd_test/suite.hpp"

namespace avocet::tools {
namespace {

struct Options {
  DeviceSettings device;
  std::string firmware, filter;
  bool list = false;
  kmd::CampaignOptions campaign;
};

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
  apply_device_settings(options.device);
  if (!options.firmware.empty()) setenv("AVOCET_FIRMWARE", options.firmware.c_str(), 1);
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
