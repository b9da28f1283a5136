// SPDX-License-Identifier: Apache-2.0
// `avocet disasm`: the command stream of a program container as text, or of each program that a model compiles to.
#include <CLI/CLI.hpp>
#include <avocet/compiler/program.hpp>
#include <avocet/runtime/introspection.hpp>
#include <cstdio>
#include <memory>
#include <set>

#include "commands/command.hpp"
#include "importer/model_file.hpp"
#include "inference/inference.hpp"
#include "inference/simulated_device.hpp"
#include "inputs/tensor_input.hpp"
#include "report/output_file.hpp"

namespace avocet::tools {
namespace {

struct Options {
  std::string file;
  std::string save;
  ImportOptions import_options;
  DeviceSettings device{.device = DeviceChoice::npu};
};

void print_program(const std::string& path, const std::vector<uint8_t>& container) {
  try {
    std::printf("%s", compiler::disassemble(compiler::Program::parse(container)).c_str());
  } catch (const compiler::ProgramError& error) {
    throw InputError(path + ": " + error.what());
  }
}

void save_program(const std::string& directory, uint32_t step, const std::vector<uint8_t>& container) {
  make_directory(directory);
  const std::string path = directory + "/step_" + std::to_string(step) + ".avocet";
  write_file(path, container.data(), container.size());
  std::printf("saved as %s\n", path.c_str());
}

int disassemble_model(const Options& options) {
  ImportedModel model = import_model(options.file, options.import_options);
  prepare_device(options.device);
  const Inference inference(std::move(model), options.device.device);
  std::set<uint32_t> steps;
  for (const auto& placement : inference.placements()) steps.insert(placement.step);
  for (const uint32_t step : steps) {
    const std::vector<uint8_t> container = runtime::step_program(inference.compilation(), step);
    if (container.empty()) {
      std::printf("; step %u runs on the CPU\n", step);
      continue;
    }
    std::printf("; step %u\n", step);
    print_program(options.file + ": step " + std::to_string(step), container);
    if (!options.save.empty()) save_program(options.save, step, container);
  }
  return 0;
}

int run(const Options& options) {
  const std::vector<uint8_t> bytes = read_file(options.file);
  if (is_model_file(bytes, options.file)) return disassemble_model(options);
  print_program(options.file, bytes);
  return 0;
}

}  // namespace

void add_disasm_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("disasm", "Print NPU programs as text");
  command->add_option("FILE", options->file, "A program container, or a .tflite or .onnx model to compile")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--config", options->device.config, "Configuration of the device to compile a model for")
      ->check(CLI::ExistingFile)
      ->type_name("FILE.json");
  add_import_options(*command, options->import_options);
  command->add_option("--save", options->save, "Also write the containers of a model, as step_<n>.avocet")->type_name("DIR");
  command->footer("Example: avocet disasm model.tflite --save programs");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace avocet::tools
