// SPDX-License-Identifier: Apache-2.0
// `avocet run`: one model, one set of inputs, and what the execution cost.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "commands/command.hpp"
#include "importer/model_file.hpp"
#include "inference/device_files.hpp"
#include "inference/inference.hpp"
#include "inference/job_accounts.hpp"
#include "inference/simulated_device.hpp"
#include "inputs/tensor_input.hpp"
#include "nnapi/operand_types.hpp"
#include "report/account_table.hpp"
#include "report/area.hpp"
#include "report/crc32.hpp"
#include "report/layer_table.hpp"
#include "report/output_file.hpp"
#include "workload/run_workload.hpp"
#include "workload/workload.hpp"

namespace avocet::tools {
namespace {

struct Options {
  std::string model;
  std::vector<std::string> inputs;
  DeviceSettings device;
  DeviceFiles files;
  ImportOptions import_options;
  std::string json;
  std::string output;
  unsigned threads = 0;
  unsigned repeat = 1;
  uint64_t seed = 1;
  bool explain = false;
  bool stalls = false;
  bool energy = false;
};

void check_destinations(const std::string& json, const std::string& output) {
  require_writable(json);
  std::error_code ignored;
  if (!output.empty() && std::filesystem::exists(output, ignored) && !std::filesystem::is_directory(output, ignored)) {
    throw InputError(output + ": not a directory");
  }
}

void write_outputs(const std::string& directory, const InferenceResult& result) {
  make_directory(directory);
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    const std::string path = directory + "/output_" + std::to_string(i) + ".bin";
    write_file(path, result.outputs[i].data(), result.outputs[i].size());
  }
}

nlohmann::ordered_json to_json(const Options& options, const Inference& inference, const InferenceResult& result,
                               const JobAccounts& accounts) {
  auto outputs = nlohmann::ordered_json::array();
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    const ImportedTensor& tensor = inference.model().outputs[i];
    outputs.push_back({{"name", tensor.name},
                       {"type", tensor.type},
                       {"dims", tensor.dims},
                       {"crc32", crc32_text(result.outputs[i])}});
  }
  const auto& profile = result.profile;
  nlohmann::ordered_json report = {
      {"model", options.model},
      {"device", device_choice_name(options.device.device)},
      {"engine", engine_name(options.device)},
      {"config", configuration_name(options.device)},
      {"outputs", std::move(outputs)},
  };
  report.update(totals_to_json(profile, result.host_seconds));
  report["layers"] = layers_to_json(profile);
  if (engine_is_timed(options.device)) {
    report.update(account_to_json(profile, accounts));
    report.update(area_to_json(configuration_text()));
    add_layer_accounts(profile, accounts, report["layers"]);
  }
  if (options.explain) {
    auto placements = nlohmann::ordered_json::array();
    for (const auto& placement : inference.placements()) {
      placements.push_back({{"operation", placement.operation},
                            {"name", placement.name},
                            {"device", placement.device},
                            {"reason", placement.reason}});
    }
    report["placements"] = std::move(placements);
  }
  return report;
}

void print_times(const Options& options, const runtime::ExecutionProfile& profile, bool timed, double host_seconds) {
  if (timed) {
    std::printf("simulated time %.3f ms (%llu cycles)\n", profile.simulated_seconds * 1e3,
                static_cast<unsigned long long>(profile.cycles));
  }
  std::printf("host time %.3f ms%s\n", host_seconds * 1e3, options.repeat > 1 ? " (best run)" : "");
  if (!options.device.timeline.empty()) std::printf("timeline %s\n", options.device.timeline.c_str());
  if (!options.files.vcd.empty()) std::printf("waves %s\n", options.files.vcd.c_str());
}

void print_report(const Options& options, const Inference& inference, const InferenceResult& result, const JobAccounts& accounts) {
  const auto& profile = result.profile;
  const bool timed = profile.cycles > 0 && engine_is_timed(options.device);
  if (options.explain) std::printf("%s\n", format_placements(inference.placements()).c_str());
  std::printf("%s\n", format_layer_table(profile, timed).c_str());
  if (timed) {
    if (options.stalls) std::printf("%s\n", format_stall_table(profile, accounts).c_str());
    if (options.energy) std::printf("%s\n", format_energy_table(profile, accounts).c_str());
    std::printf("%s%s\n", format_unit_table(profile, accounts).c_str(), format_area(configuration_text()).c_str());
  }
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    const ImportedTensor& tensor = inference.model().outputs[i];
    std::printf("output %zu  %s  %s %s  crc32 %s\n", i, tensor.name.c_str(), tensor.type.c_str(),
                format_dimensions(tensor.dims).c_str(), crc32_text(result.outputs[i]).c_str());
  }
  print_times(options, profile, timed, result.host_seconds);
}

void forget_other_runs(const InferenceResult& kept, JobAccounts& accounts) {
  std::set<uint64_t> jobs;
  for (const auto& layer : kept.profile.layers) jobs.insert(layer.job_id);
  accounts.keep_only(jobs);
}

InferenceResult run_repeatedly(const Options& options, Inference& inference, JobAccounts& accounts) {
  const auto inputs = make_inputs(inference.model(), options.inputs, options.seed);
  InferenceResult best = inference.run(inputs);
  for (unsigned i = 1; i < options.repeat; ++i) {
    InferenceResult next = inference.run(inputs);
    if (next.outputs != best.outputs) throw std::runtime_error(options.model + ": two runs gave different outputs");
    if (next.host_seconds < best.host_seconds) best = std::move(next);
    forget_other_runs(best, accounts);
  }
  return best;
}

/// A workload whose layers run one by one: a row for each, and the sums.
int run_alone(const Options& options) {
  if (!options.inputs.empty() || !options.output.empty() || options.explain)
    throw InputError(options.model + ": its layers run alone: --input, --output and --explain are for networks");
  prepare_device(options.device);
  runtime::enable_profiling(true);
  runtime::set_cpu_threads(options.threads);
  WorkloadRun run = run_workload(options.model, options.device, options.seed);
  for (unsigned i = 1; i < options.repeat; ++i) {
    WorkloadRun next = run_workload(options.model, options.device, options.seed);
    if (next.host_seconds < run.host_seconds) run = std::move(next);
  }
  finish_device_files(options.device, options.files);
  const bool timed = run.profile.cycles > 0 && engine_is_timed(options.device);
  if (options.json != "-") {
    std::printf("%s\n", format_layer_table(run.profile, timed).c_str());
    print_times(options, run.profile, timed, run.host_seconds);
  }
  if (!options.json.empty()) {
    nlohmann::ordered_json report = {{"model", options.model},
                                     {"device", device_choice_name(options.device.device)},
                                     {"engine", engine_name(options.device)},
                                     {"config", configuration_name(options.device)}};
    report.update(totals_to_json(run.profile, run.host_seconds));
    report["layers"] = layers_to_json(run.profile);
    write_text(options.json, report.dump(1) + "\n");
  }
  return 0;
}

int run(const Options& options) {
  request_device_files(options.device, options.files);
  check_destinations(options.json, options.output);
  if (is_workload_path(options.model) && read_workload(options.model, {.values = false}).layers_alone)
    return run_alone(options);
  // A first look: bad models and inputs are refused before any work is done.
  ImportedModel model = import_model(options.model, options.import_options, false);
  make_inputs(model, options.inputs, options.seed);
  JobAccounts& accounts = JobAccounts::collect();
  prepare_device(options.device);
  if (is_workload_path(options.model) && engine_moves_values(options.device))
    model = import_model(options.model, options.import_options);
  runtime::enable_profiling(true);
  runtime::set_cpu_threads(options.threads);
  Inference inference(std::move(model), options.device.device);
  InferenceResult result = run_repeatedly(options, inference, accounts);
  if (is_workload_path(options.model)) name_layers(inference.model(), result.profile);
  finish_device_files(options.device, options.files);
  if (!options.output.empty()) write_outputs(options.output, result);
  if (options.json != "-") print_report(options, inference, result, accounts);
  if (!options.json.empty()) {
    write_text(options.json, to_json(options, inference, result, accounts).dump(1) + "\n");
  }
  return 0;
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Run a model or a workload and show what each layer cost");
  command->add_option("MODEL", options->model, "A .tflite or .onnx file, a workload (.json, see traces/README.md) or a topology (.csv)")->required()->check(CLI::ExistingFile);
  command
      ->add_option("--input", options->inputs,
                   "Input tensor: raw little-endian, or a BMP, PNG, JPEG or PGM picture; repeat for further inputs. "
                   "Inputs not given are random")
      ->check(CLI::ExistingFile)
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_device_options(*command, options->device);
  add_import_options(*command, options->import_options);
  command->add_option("--json", options->json, "Write the report as JSON; - for standard output")->type_name("FILE|-");
  add_device_file_options(*command, options->device, options->files);
  command->add_option("--output", options->output, "Write the output tensors, raw, as output_<n>.bin")->type_name("DIR");
  command->add_option("--threads", options->threads, "Threads of the CPU path; 0: one per processor")
      ->check(CLI::Range(0u, 1024u))
      ->type_name("N");
  command->add_flag("--explain", options->explain, "Say for each operation where it runs, and why not on the NPU");
  command->add_flag("--stalls", options->stalls, "Say for each layer what every unit waited for");
  command->add_flag("--energy", options->energy, "Say for each layer what its events cost");
  command->add_option("--repeat", options->repeat, "Run this often and report the fastest run")
      ->check(CLI::Range(1u, 1000000u))
      ->type_name("N");
  command->add_option("--seed", options->seed, "Seed of random inputs")->type_name("N");
  command->footer("Example: avocet run mobilenet.tflite --input cat.bmp --device npu --engine timed --json -");
  command->callback([options, command, &action] {
    // A workload is there to be measured: the whole of it on the NPU, unless told otherwise.
    if (is_workload_path(options->model) && command->count("--device") == 0) options->device.device = DeviceChoice::npu;
    action = [options] { return run(*options); };
  });
}

}  // namespace avocet::tools
