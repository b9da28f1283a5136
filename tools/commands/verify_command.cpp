// SPDX-License-Identifier: Apache-2.0
// `avocet verify`: every sample of a manifest, bit for bit, in worker processes.
#include <CLI/CLI.hpp>
#include <avocet/runtime/introspection.hpp>
#include <memory>

#include "commands/command.hpp"
#include "inference/device_files.hpp"
#include "inference/simulated_device.hpp"
#include "report/outcome.hpp"
#include "report/worker_pool.hpp"
#include "verify/manifest.hpp"
#include "verify/sample_verifier.hpp"

namespace avocet::tools {
namespace {

struct Options {
  std::string directory;
  std::vector<std::string> models;
  DeviceSettings device;
  DeviceFiles files;
  unsigned samples = 0;
  unsigned jobs = processor_count();
  unsigned timeout = 600;
};

struct Job {
  const ManifestModel* model;
  const ManifestSample* sample;
  std::string name() const { return model->name + " sample " + std::to_string(sample->number); }
};

bool chosen(const Options& options, const ManifestModel& model) {
  return options.models.empty() ||
         std::find(options.models.begin(), options.models.end(), model.name) != options.models.end();
}

std::vector<Job> choose_jobs(const Options& options, const std::vector<ManifestModel>& models) {
  for (const std::string& name : options.models) {
    const auto same = [&](const ManifestModel& model) { return model.name == name; };
    if (std::none_of(models.begin(), models.end(), same)) {
      throw InputError(options.directory + ": no model " + name + " in the manifest");
    }
  }
  std::vector<Job> jobs;
  for (const ManifestModel& model : models) {
    if (!chosen(options, model)) continue;
    unsigned taken = 0;
    for (const ManifestSample& sample : model.samples) {
      if (options.samples && taken++ == options.samples) break;
      jobs.push_back({&model, &sample});
    }
  }
  return jobs;
}

int run(const Options& options) {
  const std::vector<ManifestModel> models = read_manifest(options.directory);
  const std::vector<Job> jobs = choose_jobs(options, models);
  if (!options.files.vcd.empty() && jobs.size() != 1)
    throw InputError("verify: --vcd is for one sample, not " + std::to_string(jobs.size()) + ": choose it with --model and --samples 1");
  prepare_device_for_workers(options.device);
  request_device_files(options.device, options.files);  // of the worker's device, not of the trial's
  Tally tally(true);
  std::unique_ptr<SampleVerifier> verifier;  // one in each process, made there
  run_in_worker_processes(
      jobs.size(), {.workers = options.jobs, .seconds_per_job = options.timeout},
      [&](size_t i) {
        if (!verifier) {
          verifier = std::make_unique<SampleVerifier>(options.device.device);
          if (options.jobs > 1) runtime::set_cpu_threads(1);
        }
        const Outcome outcome = verifier->verify(*jobs[i].model, *jobs[i].sample);
        try {
          finish_device_files(options.device, options.files);
        } catch (const InputError& error) {
          return encode_outcome(Outcome::failed(error.what()));
        }
        return encode_outcome(outcome);
      },
      [&](size_t i, const std::string& result) { tally.add(jobs[i].name(), decode_outcome(result)); },
      [&](size_t i, const std::string& reason) { tally.add(jobs[i].name(), Outcome::failed(reason)); });
  return tally.finish(false);
}

}  // namespace

void add_verify_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("verify", "Compare models with reference outputs, bit for bit");
  command->add_option("DIR", options->directory, "Folder with manifest.json")->required()->check(CLI::ExistingPath);
  command->add_option("--model", options->models, "Only this model (repeatable)")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_device_options(*command, options->device);
  add_vcd_option(*command, options->files);
  command->add_option("--samples", options->samples, "Only the first samples of each model; 0: all")->type_name("N");
  command->add_option("--jobs", options->jobs, "Processes that run samples")->check(CLI::Range(1u, 64u))->type_name("N");
  command->add_option("--timeout", options->timeout, "Seconds after which a sample has failed")
      ->check(CLI::Range(1u, 86400u))
      ->type_name("S");
  command->footer("Example: avocet verify ../shared/models --model person_detect --device npu --engine timed");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace avocet::tools
