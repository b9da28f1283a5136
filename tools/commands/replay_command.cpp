// SPDX-License-Identifier: Apache-2.0
// `avocet record` and `avocet replay`: what an application submits, kept in a file and run again without it.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <avocet_stream.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "commands/command.hpp"
#include "inference/device_files.hpp"
#include "inference/simulated_device.hpp"
#include "replay/replay.hpp"
#include "report/output_file.hpp"
#include "report/temporary_directory.hpp"
#include "report/text_table.hpp"

namespace avocet::tools {
namespace {

struct RecordOptions {
  std::string trace = "avocet_trace.zip";
  std::vector<std::string> command;
  DeviceSettings device;
};

struct ReplayOptions {
  std::string trace;
  std::string json;
  DeviceSettings device{.device = DeviceChoice::npu};
  DeviceFiles files;
};

/// Becomes the command, which then records.
int record(const RecordOptions& options) {
  require_writable(options.trace);
  std::error_code ignored;
  std::filesystem::remove(options.trace, ignored);
  apply_device_settings(options.device);
  setenv("AVOCET_RECORD", std::filesystem::absolute(options.trace).c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : options.command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw InputError(options.command[0] + ": " + std::strerror(errno));
}

std::string result_text(const ReplayedJob& job, bool compared) {
  if (!job.differences.empty()) return job.differences.front();
  if (!compared) return "not compared";
  return job.compared == 0 ? "none recorded" : std::to_string(job.compared) + " equal";
}

void print_jobs(const std::vector<ReplayedJob>& jobs, bool compared) {
  constexpr size_t kRowsMax = 50;
  std::vector<std::vector<std::string>> rows = {{"job", "status", "results", "cycles", "recorded", "MACs", "DRAM bytes"}};
  for (const ReplayedJob& job : jobs) {
    if (rows.size() > kRowsMax) break;
    rows.push_back({std::to_string(job.submit) + "." + std::to_string(job.job), avocet_status_text(job.status),
                    result_text(job, compared), with_separators(job.cycles), with_separators(job.recorded_cycles),
                    with_separators(job.macs), with_separators(job.dram_bytes)});
  }
  std::printf("%s", format_table(rows, 3).c_str());
  if (jobs.size() > kRowsMax) std::printf("... and %zu more\n", jobs.size() - kRowsMax);
}

nlohmann::ordered_json to_json(const ReplayOptions& options, const std::vector<ReplayedJob>& jobs, bool compared) {
  auto list = nlohmann::ordered_json::array();
  for (const ReplayedJob& job : jobs)
    list.push_back({{"submit", job.submit},
                    {"job", job.job},
                    {"status", avocet_status_text(job.status)},
                    {"cycles", job.cycles},
                    {"recorded_cycles", job.recorded_cycles},
                    {"macs", job.macs},
                    {"mac_cycles", job.mac_cycles},
                    {"dram_bytes", job.dram_bytes},
                    {"results_compared", job.compared},
                    {"differences", job.differences}});
  return {{"trace", options.trace},     {"engine", engine_name(options.device)}, {"config", configuration_name(options.device)},
          {"compared", compared}, {"jobs", std::move(list)}};
}

int replay_trace(const ReplayOptions& options) {
  require_writable(options.json);
  request_device_files(options.device, options.files);
  const TraceReader trace(options.trace);
  const TemporaryDirectory folder("avocet-replay");
  DeviceSettings settings = options.device;
  if (settings.config.empty()) {
    settings.config = folder.path() + "/recorded.json";
    write_file(settings.config, trace.configuration().dump(1) + "\n");
  }
  prepare_device(settings);
  const bool recorded_values = trace.configuration().value("engine", std::string()) != "timing";
  const bool compared = recorded_values && engine_moves_values(settings);
  const std::vector<ReplayedJob> jobs = replay(trace, compared);
  finish_device_files(settings, options.files);
  uint64_t cycles = 0, recorded = 0;
  size_t results = 0, different = 0;
  for (const ReplayedJob& job : jobs) {
    cycles += job.cycles;
    recorded += job.recorded_cycles;
    results += job.compared;
    different += !job.differences.empty();
  }
  if (options.json != "-") {
    print_jobs(jobs, compared);
    std::printf("%zu jobs on %s, engine %s: %s cycles (recorded %s); ", jobs.size(), configuration_name(settings).c_str(),
                engine_name(settings).c_str(), with_separators(cycles).c_str(), with_separators(recorded).c_str());
    if (!compared)
      std::printf("results are not compared: engine timing has none\n");
    else if (different > 0)
      std::printf("%zu jobs differ from the recorded ones\n", different);
    else
      std::printf("%zu results, all equal to the recorded ones\n", results);
  }
  if (!options.json.empty()) write_text(options.json, to_json(options, jobs, compared).dump(1) + "\n");
  return different > 0 ? 1 : 0;
}

}  // namespace

void add_record_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App* command = app.add_subcommand("record", "Run a program and record what it submits to the NPU");
  command->add_option("-o,--output", options->trace, "The trace; default: avocet_trace.zip")->type_name("FILE");
  command->add_option("--engine", options->device.engine, "Engine of the device")
      ->check(CLI::IsMember({"functional", "timed", "rtl", "timing"}))
      ->type_name("functional|timed|rtl|timing");
  command->add_option("--config", options->device.config, "Configuration of the device")
      ->check(CLI::ExistingFile)
      ->type_name("FILE.json");
  command->add_option("COMMAND", options->command, "The program and its arguments, behind --")->required();
  command->footer("Example: avocet record -o app.zip -- ./application --its-option\n"
                  "The same without this command: AVOCET_RECORD=app.zip ./application --its-option");
  command->callback([options, &action] { action = [options] { return record(*options); }; });
}

void add_replay_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand("replay", "Run a recorded trace, without the application that made it");
  command->add_option("TRACE", options->trace, "What avocet record wrote")->required()->check(CLI::ExistingFile);
  add_device_options(*command, options->device);
  add_device_file_options(*command, options->device, options->files);
  command->add_option("--json", options->json, "Write the report as JSON; - for standard output")->type_name("FILE|-");
  command->footer("Without --config and --engine the recorded ones are used.\nExample: avocet replay app.zip --engine rtl");
  command->callback([options, &action] { action = [options] { return replay_trace(*options); }; });
}

}  // namespace avocet::tools
