// SPDX-License-Identifier: Apache-2.0
// `avocet fault`: what can be made to fail on command, whether a specification is good, and a command run with it.
#include <CLI/CLI.hpp>
#include <avocet_device.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "commands/command.hpp"

namespace avocet::tools {
namespace {

struct Options {
  std::string specification;
  std::vector<std::string> command;  // and its arguments
};

void check(const std::string& specification) {
  if (avocet_sim_check_faults(specification.c_str()) != 0) throw InputError(avocet_sim_error());
}

int list() {
  std::printf("A specification is a list of faults: kind:parameter=value,parameter=value;kind;...  seed=N chooses what is left open.\n");
  avocet_sim_fault_kind kind{};
  for (size_t i = 0; avocet_sim_describe_fault(i, &kind); i++) {
    std::printf("\n%s\n  %s\n", kind.name, kind.doc);
    if (kind.counts[0]) std::printf("  counts %s\n", kind.counts);
    const std::string parameters = kind.parameters;
    for (size_t at = 0; at < parameters.size();) {
      const size_t end = parameters.find('\n', at);
      std::printf("    %s\n", parameters.substr(at, end - at).c_str());
      at = end + 1;
    }
  }
  return 0;
}

/// Becomes the command, with the faults in its environment; the device tells at its end how often each struck.
int apply(const Options& options) {
  check(options.specification);
  if (options.command.empty()) throw InputError("fault apply: the command to run is missing");
  setenv("AVOCET_FAULTS", options.specification.c_str(), 1);
  std::vector<char*> arguments{const_cast<char*>("avocet")};
  for (const std::string& word : options.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  execv("/proc/self/exe", arguments.data());
  throw InputError(std::string("cannot run the command: ") + std::strerror(errno));
}

}  // namespace

void add_fault_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("fault", "Make the simulated device fail on command");
  command->require_subcommand(1);
  command->add_subcommand("list", "Print the kinds of faults and their parameters")->callback([&action] { action = list; });
  CLI::App* checked = command->add_subcommand("check", "Say whether a specification is good");
  checked->add_option("SPECIFICATION", options->specification)->required();
  checked->callback([options, &action] {
    action = [options] {
      check(options->specification);
      return 0;
    };
  });
  CLI::App* applied = command->add_subcommand("apply", "Run another command of avocet with the faults set: fault apply SPECIFICATION COMMAND [ARGUMENTS]");
  applied->add_option("SPECIFICATION", options->specification)->required();
  applied->prefix_command();  // what follows is the command with its arguments, in order
  applied->callback([options, applied, &action] {
    options->command = applied->remaining();
    action = [options] { return apply(*options); };
  });
  command->footer("Example: avocet fault apply 'irq-lost:nth=2;sram-flip:bits=2' run model.tflite --device npu");
}

}  // namespace avocet::tools
