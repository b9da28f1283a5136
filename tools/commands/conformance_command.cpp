// SPDX-License-Identifier: Apache-2.0
// `avocet conformance`: runs a folder of operation test vectors. Each case is parsed in the process that runs it, so
// nothing that a case contains can take the command down.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <avocet/runtime/introspection.hpp>
#include <cstdio>
#include <memory>
#include <regex>

#include "commands/command.hpp"
#include "conformance/case_files.hpp"
#include "conformance/case_runner.hpp"
#include "inference/simulated_device.hpp"
#include "report/outcome.hpp"
#include "report/temporary_directory.hpp"
#include "report/worker_pool.hpp"

namespace avocet::tools {
namespace {

struct Options {
  std::string directory;
  DeviceSettings device{.device = DeviceChoice::cpu};
  std::string filter;
  std::vector<std::string> variations;
  bool list = false;
  unsigned jobs = processor_count();
  unsigned timeout = 60;
};

struct Job {
  const CaseLine* line;
  Variation variation;
};

std::string job_name(const Job& job) {
  std::string name = job.line->full_name();
  if (job.variation != Variation::plain) name += std::string(" [") + variation_name(job.variation) + "]";
  return name;
}

std::vector<Job> choose_jobs(const Options& options, const CaseFiles& files) {
  std::vector<Variation> variations;
  for (const std::string& name : options.variations) {
    if (name == "all") {
      variations = all_variations();
    } else {
      variations.push_back(*parse_variation(name));
    }
  }
  if (variations.empty()) variations.push_back(Variation::plain);
  std::regex filter;
  try {
    filter.assign(options.filter);
  } catch (const std::regex_error&) {
    throw InputError("--filter: not a regular expression: " + options.filter);
  }
  std::vector<Job> jobs;
  for (const Variation variation : variations) {
    for (const CaseLine& line : files.cases()) {
      if (options.filter.empty() || std::regex_search(line.full_name(), filter)) jobs.push_back({&line, variation});
    }
  }
  return jobs;
}

Outcome run_job(const Job& job, DeviceChoice device, const std::string& scratch) {
  try {
    return run_test_case(parse_test_case(job.line->json), job.variation, device, scratch);
  } catch (const std::exception& error) {
    return Outcome::failed(error.what());
  }
}

int run(const Options& options) {
  const CaseFiles files(options.directory);
  const std::vector<Job> jobs = choose_jobs(options, files);
  if (jobs.empty()) throw InputError(options.directory + ": no case of that name");
  if (options.list) {
    for (const Job& job : jobs) std::printf("%s\n", job_name(job).c_str());
    return 0;
  }
  prepare_device_for_workers(options.device);
  const TemporaryDirectory scratch("avocet-conformance");
  Tally tally(false);
  run_in_worker_processes(
      jobs.size(), {.workers = options.jobs, .seconds_per_job = options.timeout},
      [&](size_t i) {
        if (options.jobs > 1) runtime::set_cpu_threads(1);  // the processes already use the processors
        return encode_outcome(run_job(jobs[i], options.device.device, scratch.path()));
      },
      [&](size_t i, const std::string& result) { tally.add(job_name(jobs[i]), decode_outcome(result)); },
      [&](size_t i, const std::string& reason) {
        tally.add(job_name(jobs[i]), Outcome::failed(reason));
      });
  return tally.finish(options.device.device != DeviceChoice::cpu);
}

}  // namespace

void add_conformance_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("conformance", "Run operation test vectors through the C API");
  command->add_option("DIR", options->directory, "Folder with the JSON files, or one file")->required()->check(CLI::ExistingPath);
  add_device_options(*command, options->device);
  command->add_option("--filter", options->filter, "Only cases whose folder/file/name matches this regular expression")
      ->type_name("RE");
  command
      ->add_option("--variation", options->variations,
                   "Run the cases in this form (repeatable): plain, dynamic, signed, cached, domains, fenced, burst, "
                   "async, reuse, all")
      ->check(CLI::IsMember(
          {"plain", "dynamic", "signed", "cached", "domains", "fenced", "burst", "async", "reuse", "all"}))
      ->type_name("V")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--list", options->list, "Only list the names of the cases");
  command->add_option("--jobs", options->jobs, "Processes that run cases")->check(CLI::Range(1u, 64u))->type_name("N");
  command->add_option("--timeout", options->timeout, "Seconds after which a case has failed")
      ->check(CLI::Range(1u, 86400u))
      ->type_name("S");
  command->footer("Example: avocet conformance ../shared/conformance --device cpu --filter 'V1_2/conv2d'");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace avocet::tools
