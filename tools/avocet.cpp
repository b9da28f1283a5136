// SPDX-License-Identifier: Apache-2.0
// The `avocet` command: picks the subcommand and turns every failure into one line on stderr and an exit status.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "commands/command.hpp"

namespace {

int fail(const std::string& what, int status) {
  std::fflush(stdout);
  std::fprintf(stderr, "avocet: %s\n", what.c_str());
  return status;
}

/// CLI11's sentence without line breaks, and the subcommand it is about.
std::string describe(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  if (const size_t end = text.find('\n'); end != std::string::npos) text.resize(end);
  for (const CLI::App* command : app.get_subcommands()) return command->get_name() + ": " + text;
  return text + " (see avocet --help)";
}

}  // namespace

int main(int argc, char** argv) {
  using namespace avocet::tools;
  CLI::App app{"Avocet: runs neural networks on a simulated NPU through the Android Neural Networks API.", "avocet"};
  app.require_subcommand(1);
  app.footer("Example: avocet run model.tflite --device npu --engine timed\nHelp on a command: avocet run --help");
  Action action;
  add_run_command(app, action);
  add_compile_command(app, action);
  add_verify_command(app, action);
  add_conformance_command(app, action);
  add_devices_command(app, action);
  add_disasm_command(app, action);
  add_demo_command(app, action);
  add_docs_command(app, action);
  add_fault_command(app, action);
  add_kmd_test_command(app, action);
  add_status_command(app, action);
  add_sweep_command(app, action);
  add_record_command(app, action);
  add_replay_command(app, action);
  add_synth_command(app, action);
  const auto named = [&](const CLI::App* command) { return argc > 1 && command->get_name() == argv[1]; };
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (argc > 1 && argv[1][0] != '-' && std::none_of(commands.begin(), commands.end(), named)) {
    return fail(std::string("no command '") + argv[1] + "' (see avocet --help)", 2);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail(describe(app, error), 2);
  }
  try {
    return action();
  } catch (const InputError& error) {
    return fail(error.what(), 2);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}
