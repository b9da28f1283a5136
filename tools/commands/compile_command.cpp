// SPDX-License-Identifier: Apache-2.0
// `avocet compile`: what the compiler makes of a model for a configuration, without running it: a report for each NPU program,
// the containers, and a picture of the memories.
#include <CLI/CLI.hpp>
#include <avocet/compiler/compiler.hpp>
#include <avocet/compiler/report.hpp>
#include <avocet/runtime/introspection.hpp>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>

#include "commands/command.hpp"
#include "importer/model_file.hpp"
#include "inference/inference.hpp"
#include "inference/simulated_device.hpp"
#include "report/layer_table.hpp"
#include "report/occupancy_svg.hpp"
#include "report/output_file.hpp"
#include "report/program_report.hpp"
#include "report/text_table.hpp"

namespace avocet::tools {
namespace {

struct Options {
  std::string model;
  std::string output;
  std::string svg;
  std::string json;
  DeviceSettings device{.device = DeviceChoice::npu};
  ImportOptions import_options;
  bool explain = false;
};

/// One step of the compilation that runs on the NPU.
struct CompiledStep {
  uint32_t step = 0;
  std::vector<uint8_t> container;
  compiler::Program program;
  compiler::ProgramReport report;
};

/// `path` for the only program; with the number of the step before the suffix for several.
std::string path_of_step(const std::string& path, uint32_t step, size_t programs) {
  if (programs == 1) return path;
  const size_t dot = path.rfind('.'), slash = path.rfind('/');
  const size_t at = dot == std::string::npos || (slash != std::string::npos && dot < slash) ? path.size() : dot;
  return path.substr(0, at) + "_step_" + std::to_string(step) + path.substr(at);
}

std::vector<CompiledStep> compiled_steps(const Options& options, const Inference& inference) {
  std::map<uint32_t, std::string> devices;
  for (const auto& placement : inference.placements()) devices[placement.step] = placement.device;
  std::vector<CompiledStep> steps;
  for (const auto& [step, device] : devices) {
    std::vector<uint8_t> container = runtime::step_program(inference.compilation(), step);
    if (container.empty()) continue;
    CompiledStep compiled{step, std::move(container), {}, {}};
    try {
      compiled.program = compiler::Program::parse(compiled.container, compiler::ConstantBytes::kOmitted);
      compiled.report = compiler::report(compiled.program);
    } catch (const std::runtime_error& error) {
      throw InputError(options.model + ": step " + std::to_string(step) + ": " + error.what());
    }
    steps.push_back(std::move(compiled));
  }
  return steps;
}

void print_reports(const Options& options, const Inference& inference, const std::vector<CompiledStep>& steps, double seconds) {
  if (options.explain) std::printf("%s\n", format_placements(inference.placements()).c_str());
  size_t on_npu = 0;
  const auto placements = inference.placements();
  for (const auto& placement : placements) on_npu += placement.device == kNpuDevice;
  for (const CompiledStep& step : steps) {
    if (steps.size() > 1) std::printf("step %u\n", step.step);
    std::printf("%s\n", format_program_report(step.program, step.report).c_str());
  }
  std::printf("%zu of %zu operations on the NPU in %zu program%s; compiled in %.3f s\n", on_npu, placements.size(), steps.size(),
              steps.size() == 1 ? "" : "s", seconds);
}

nlohmann::ordered_json to_json(const Options& options, const std::vector<CompiledStep>& steps, double seconds) {
  auto programs = nlohmann::ordered_json::array();
  for (const CompiledStep& step : steps) {
    auto program = program_report_to_json(step.program, step.report);
    program["step"] = step.step;
    programs.push_back(std::move(program));
  }
  return {{"model", options.model},
          {"config", configuration_name(options.device)},
          {"compile_seconds", seconds},
          {"programs", std::move(programs)}};
}

void write_files(const Options& options, const std::vector<CompiledStep>& steps) {
  const bool quiet = options.json == "-";
  for (const CompiledStep& step : steps) {
    if (!options.output.empty()) {
      const std::string path = path_of_step(options.output, step.step, steps.size());
      write_file(path, step.container.data(), step.container.size());
      if (!quiet) std::printf("program %s\n", path.c_str());
    }
    if (!options.svg.empty()) {
      const std::string path = path_of_step(options.svg, step.step, steps.size());
      write_file(path, occupancy_svg(options.model + " on " + configuration_name(options.device), step.program, step.report));
      if (!quiet) std::printf("picture %s\n", path.c_str());
    }
  }
}

int run(const Options& options) {
  for (const std::string& path : {options.output, options.svg, options.json}) require_writable(path);
  ImportedModel model = import_model(options.model, options.import_options);
  prepare_device(options.device);
  const auto start = std::chrono::steady_clock::now();
  const Inference inference(std::move(model), options.device.device);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::vector<CompiledStep> steps = compiled_steps(options, inference);
  if (options.json != "-") print_reports(options, inference, steps, seconds);
  if (steps.empty() && !(options.output + options.svg).empty()) {
    throw InputError(options.model + ": no operation runs on the NPU, so there is no program to write");
  }
  write_files(options, steps);
  if (!options.json.empty()) write_text(options.json, to_json(options, steps, seconds).dump(1) + "\n");
  return 0;
}

}  // namespace

void add_compile_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compile", "Compile a model for the NPU and report on each layer, without running it");
  command->add_option("MODEL", options->model, "A .tflite or .onnx file, or a workload (.json)")->required()->check(CLI::ExistingFile);
  command->add_option("--config", options->device.config, "Configuration of the device to compile for")
      ->check(CLI::ExistingFile)
      ->type_name("FILE.json");
  add_import_options(*command, options->import_options);
  command->add_option("-o,--output", options->output, "Write the program container; _step_<n> is added when there are several")
      ->type_name("FILE");
  command->add_option("--svg", options->svg, "Draw who holds which bytes of SRAM and scratch DRAM over time")->type_name("FILE.svg");
  command->add_option("--json", options->json, "Write the report as JSON; - for standard output")->type_name("FILE|-");
  command->add_flag("--explain", options->explain, "Say for each operation where it runs, and why not on the NPU");
  command->footer("Example: avocet compile mobilenet.tflite --config accel_model/configs/avocet_256.json -o mobilenet.avocet --svg m.svg");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace avocet::tools
