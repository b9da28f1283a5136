// SPDX-License-Identifier: Apache-2.0
// `avocet status`: the driver's status tree, of a process that has a device open, else of a device of our own.
#include <CLI/CLI.hpp>
#include <avocet_device.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>
#include <vector>

#include "commands/command.hpp"
#include "inference/simulated_device.hpp"

namespace avocet::tools {
namespace {

struct StatusSettings {
  DeviceSettings device;
  std::string path;
  int process = 0;
};

/// Where the tree is.
class Tree {
 public:
  explicit Tree(int process) : process_(process) {}

  std::string read(const std::string& path) const {
    std::vector<char> text(1 << 16);
    const int length = process_ ? avocet_sim_status_of(process_, path.c_str(), text.data(), text.size())
                                : avocet_sim_status(path.c_str(), text.data(), text.size());
    if (length == -ENOENT) throw InputError("status: there is no " + path);
    if (length == -ENODEV) throw InputError("process " + std::to_string(process_) + " serves no device");
    if (length < 0) throw InputError("status of process " + std::to_string(process_) + ": " + std::strerror(-length));
    return {text.data(), static_cast<size_t>(length)};
  }

  /// Every file below a directory, one a line; texts of several lines are indented below their name.
  void print_all(const std::string& directory) const {
    std::istringstream entries(read(directory));
    for (std::string entry; std::getline(entries, entry);) {
      const std::string path = directory.empty() ? entry : directory + "/" + entry;
      if (entry.back() == '/')
        print_all(path.substr(0, path.size() - 1));
      else
        print_file(path);
    }
  }

 private:
  void print_file(const std::string& path) const {
    const std::string text = read(path);
    if (const size_t end = text.find('\n'); end + 1 >= text.size()) {
      std::printf("%-32s %s\n", path.c_str(), text.substr(0, end).c_str());
      return;
    }
    std::printf("%s\n", path.c_str());
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) std::printf("    %s\n", line.c_str());
  }

  int process_;  // 0: our own
};

/// The process to ask; 0 when there is none and we open the device ourselves.
int choose(const StatusSettings& settings) {
  if (settings.process != 0) return settings.process;
  std::vector<int> processes(avocet_sim_status_processes(nullptr, 0));
  const size_t count = std::min(processes.size(), avocet_sim_status_processes(processes.data(), processes.size()));
  processes.resize(count);
  if (count == 0 && settings.device.device == DeviceChoice::cpu) throw InputError("status: the CPU path has no device");
  if (count == 0) {
    prepare_device(settings.device);
    return 0;
  }
  if (count == 1) return processes[0];
  std::string sentence = "several processes have a device open, choose one with --pid:";
  for (int process : processes) sentence += " " + std::to_string(process);
  throw InputError(sentence);
}

int run(const StatusSettings& settings) {
  const Tree tree(choose(settings));
  std::string path = settings.path;
  while (!path.empty() && path.back() == '/') path.pop_back();
  if (path.empty())
    tree.print_all("");
  else
    std::fputs(tree.read(path).c_str(), stdout);
  return 0;
}

}  // namespace

void add_status_command(CLI::App& app, Action& action) {
  auto settings = std::make_shared<StatusSettings>();
  CLI::App* command =
      app.add_subcommand("status", "Show the driver's status: utilisation, clock, memory, counters, resets, firmware, queues");
  command->add_option("path", settings->path, "A file or directory of the tree; all of it when left out")->type_name("PATH");
  command->add_option("--pid", settings->process, "The process whose device to show")->check(CLI::PositiveNumber)->type_name("PID");
  add_device_options(*command, settings->device);
  command->footer(
      "A process that has a device open serves its tree in $AVOCET_STATUS, else $XDG_RUNTIME_DIR/avocet. Without one a device\n"
      "is opened to look at.\nExample: avocet status firmware/log");
  command->callback([settings, &action] { action = [settings] { return run(*settings); }; });
}

}  // namespace avocet::tools
