// SPDX-License-Identifier: Apache-2.0
// `avocet sweep`: every workload on every configuration, each point in a process of its own; results are written as they come.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <set>

#include "commands/command.hpp"
#include "inference/simulated_device.hpp"
#include "nnapi/handles.hpp"
#include "report/output_file.hpp"
#include "report/layer_table.hpp"
#include "report/temporary_directory.hpp"
#include "report/text_table.hpp"
#include "report/worker_pool.hpp"
#include "sweep/progress_bar.hpp"
#include "sweep/result_files.hpp"
#include "sweep/sweep_spec.hpp"
#include "workload/run_workload.hpp"
#include "workload/workload.hpp"

namespace avocet::tools {
namespace {

struct Options {
  std::string specification;
  std::string output = "sweep";
  unsigned jobs = 1;
  unsigned seconds = 3600;
  bool resume = false;
};

volatile std::sig_atomic_t interrupted = 0;

/// The first interruption lets the points that run finish; the next ends the command.
void interrupt(int signal) {
  interrupted = signal;
  std::signal(signal, SIG_DFL);
}

/// Every key of a configuration, from the device itself: the base in force. In a process of its own, because one that has
/// powered the device on cannot be forked.
Json known_keys(const std::string& base_file) {
  std::string text, refusal;
  run_in_worker_processes(
      1, {.workers = 1, .seconds_per_job = 60},
      [&](size_t) -> std::string {
        try {
          prepare_device({.device = DeviceChoice::npu, .engine = "timing", .config = base_file});
          return "+" + configuration_text();
        } catch (const InputError& error) {
          return error.what();
        }
      },
      [&](size_t, const std::string& result) { (result.front() == '+' ? text : refusal) = result; },
      [&](size_t, const std::string& reason) { refusal = "the device does not start: " + reason; });
  if (!refusal.empty()) throw InputError(refusal);
  return Json::parse(text.substr(1));
}

Json identity_of(const SweepPoint& point) {
  Json result = {{"identity", point.identity}, {"workload", point.workload}};
  result["settings"] = Json::object();
  for (const auto& [key, value] : point.settings) result["settings"][key] = value;
  return result;
}

std::string run_point(const SweepPoint& point, const std::string& file) {
  Json result = identity_of(point);
  try {
    write_file(file, point.configuration.dump() + "\n");
    const DeviceSettings settings{.device = DeviceChoice::npu, .engine = point.configuration["engine"], .config = file};
    prepare_device(settings);
    runtime::enable_profiling(true);
    const WorkloadRun run = run_workload(point.workload, settings, 1);
    result.update(totals_to_json(run.profile, run.host_seconds));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    result["memory_kib"] = usage.ru_maxrss;
  } catch (const std::exception& error) {
    std::string sentence = error.what();
    // The file is ours: the reader knows the point by its values.
    if (const size_t at = sentence.find(file + ": "); at != std::string::npos) sentence.erase(at, file.size() + 2);
    result["error"] = sentence;
  }
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string settings_text(const Json& result) {
  std::string text;
  for (const auto& [key, value] : result["settings"].items())
    text += (text.empty() ? "" : " ") + key + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

/// For each workload, the point with the fewest cycles.
void print_best(const std::vector<Json>& results) {
  std::vector<const Json*> best;
  for (const Json& result : results) {
    const auto same = std::find_if(best.begin(), best.end(),
                                   [&](const Json* other) { return (*other)["workload"] == result["workload"]; });
    if (same == best.end())
      best.push_back(&result);
    else if (result["simulated_seconds"] < (**same)["simulated_seconds"])
      *same = &result;
  }
  std::vector<std::vector<std::string>> rows = {{"workload", "fastest point", "cycles", "ms", "MAC use"}};
  for (const Json* result : best) {
    char milliseconds[32];
    std::snprintf(milliseconds, sizeof milliseconds, "%.3f", (*result)["simulated_seconds"].get<double>() * 1e3);
    rows.push_back({(*result)["workload"], settings_text(*result), with_separators((*result)["cycles"]), milliseconds,
                    percent((*result)["mac_utilisation"])});
  }
  if (rows.size() > 1) std::printf("%s", format_table(rows, 2).c_str());
}

/// Bad workloads are told before anything runs.
void check_workloads(const SweepSpec& spec) {
  std::set<std::string> seen;
  for (const SweepPoint& point : spec.points)
    if (seen.insert(point.workload).second) read_workload(point.workload, {.values = false});
}

int run(const Options& options) {
  const TemporaryDirectory folder("avocet-sweep");
  read_sweep(options.specification, nullptr);  // its form, before the device is started for its keys
  const Json known = known_keys(sweep_base(options.specification));
  const SweepSpec spec = read_sweep(options.specification, &known);
  check_workloads(spec);
  ResultFiles files(options.output, spec.keys, options.resume);
  std::vector<const SweepPoint*> todo;
  for (const SweepPoint& point : spec.points)
    if (!files.done().contains(point.identity)) todo.push_back(&point);

  size_t failed = 0, finished = 0;
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  if (!todo.empty()) {
    ProgressBar bar(todo.size());
    const auto add = [&](const Json& result) {
      files.append(result);
      const bool bad = result.contains("error");
      ++finished;
      failed += bad;
      if (bad) bar.say("avocet: " + result["workload"].get<std::string>() + " " + settings_text(result) + ": " +
                       result["error"].get<std::string>());
      bar.step(bad);
    };
    run_in_worker_processes(
        todo.size(),
        {.workers = options.jobs, .seconds_per_job = options.seconds, .process_per_job = true, .stop = &interrupted},
        [&](size_t i) { return run_point(*todo[i], folder.path() + "/" + std::to_string(i) + ".json"); },
        [&](size_t, const std::string& line) { add(Json::parse(line)); },
        [&](size_t i, const std::string& reason) {
          Json result = identity_of(*todo[i]);
          result["error"] = reason;
          add(result);
        });
  }
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  print_best(files.results());
  std::printf("%zu points: %zu done before, %zu now, %zu failed; %s, %s\n", spec.points.size(),
              spec.points.size() - todo.size(), finished - failed, failed, files.json_path().c_str(), files.csv_path().c_str());
  if (finished < todo.size()) {
    std::fflush(stdout);
    std::fprintf(stderr, "avocet: interrupted: %zu points are left (--resume goes on)\n", todo.size() - finished);
    return 128 + interrupted;
  }
  return failed > 0 ? 1 : 0;
}

}  // namespace

void add_sweep_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("sweep", "Run workloads on many configurations");
  command->add_option("SPEC", options->specification, "What to run: see traces/README.md")->required()->check(CLI::ExistingFile);
  command->add_option("-o,--output", options->output, "Results go to STEM.jsonl and STEM.csv; default: sweep")->type_name("STEM");
  command->add_option("-j,--jobs", options->jobs, "Processes at a time")->check(CLI::Range(1u, 64u))->type_name("N");
  command->add_option("--timeout", options->seconds, "A point that takes longer has failed")
      ->check(CLI::Range(1u, 604800u))
      ->type_name("SECONDS");
  command->add_flag("--resume", options->resume, "Go on with the results that are there; points that failed are tried again");
  command->footer("Example: avocet sweep traces/sweep.json -j 2 -o resnet50");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace avocet::tools
