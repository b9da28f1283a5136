// SPDX-License-Identifier: Apache-2.0
// `avocet synth`: cells and gates of the units in rtl/, module by module, as Debian's yosys maps them to the cells of rtl/nand2.lib.
#include <CLI/CLI.hpp>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "commands/command.hpp"
#include "report/output_file.hpp"
#include "report/temporary_directory.hpp"
#include "report/text_table.hpp"

namespace avocet::tools {
namespace {

using nlohmann::ordered_json;

struct Settings {
  std::vector<uint32_t> sizes{8, 16, 32};
  std::string json;
};

const std::string kRtl = AVOCET_SOURCE_DIR "/rtl";

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void require_yosys() {
  std::istringstream path(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(path, folder, ':');)
    if (access((folder + "/yosys").c_str(), X_OK) == 0) return;
  throw InputError("synth: there is no yosys in PATH (Debian's package: apt-get install yosys)");
}

/// The statistics go to file descriptor 3: yosys' tee takes a file's name as it stands, quotes and all.
void write_script(const std::string& path, uint32_t size) {
  std::ofstream script(path);
  script << "read_verilog -sv ../accel_model/isa/generated/avocet_pkg.sv avocet_mac_array.sv avocet_mac_grid.sv"
            " avocet_requant.sv avocet_requant_lanes.sv avocet_mac_requant.sv\n"
         << "hierarchy -check -top avocet_mac_requant -chparam Rows " << size << " -chparam Cols " << size << "\n"
         << "script synth.ys\n"
         << "tee -q -o /dev/fd/3 stat -liberty nand2.lib\n";
}

/// avocet_x of "avocet_x", "$paramod\avocet_x\Size=..." and "$paramod$hash\avocet_x".
std::string module_name(const std::string& id) {
  const size_t begin = id.find('\\') + 1;  // 0 where there is none
  return id.substr(begin, id.find('\\', begin) - begin);
}

struct Count {
  uint64_t cells = 0, flip_flops = 0;
  double nand2 = 0;
  ordered_json json() const { return {{"cells", cells}, {"flip_flops", flip_flops}, {"nand2", nand2}}; }
};

/// A line of a module's statistics: a cell and how often, or the area, both without the modules inside. (Yosys 0.23 has JSON too,
/// but not valid JSON for a hierarchy with areas.)
void read_line(const std::string& line, Count& count) {
  static const std::string kArea = "Chip area for module";
  if (const size_t area = line.find(kArea); area != std::string::npos) {
    count.nand2 = std::strtod(line.c_str() + line.rfind(':') + 1, nullptr);
    return;
  }
  std::istringstream words(line);
  std::string cell, more;
  uint64_t number = 0;
  if (!(words >> cell >> number) || words >> more || cell.find("avocet_") != std::string::npos) return;
  count.cells += number;
  if (cell.rfind("DFF", 0) == 0) count.flip_flops += number;
}

/// {"module": {"cells": n, "flip_flops": n, "nand2": x}, ...} and the sum as "all".
ordered_json counts(const std::string& statistics) {
  ordered_json modules = ordered_json::object();
  Count count, all;
  std::string name;
  const auto end_module = [&] {
    if (count.cells > 0) modules[name] = count.json();
    all.cells += count.cells;
    all.flip_flops += count.flip_flops;
    all.nand2 += count.nand2;
    count = {};
  };
  std::istringstream lines(statistics);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("=== ", 0) != 0) {
      read_line(line, count);
      continue;
    }
    end_module();
    const std::string id = line.substr(4, line.rfind(" ===") - 4);
    if (id == "design hierarchy") break;  // sums
    name = module_name(id);
  }
  modules["all"] = all.json();
  return modules;
}

ordered_json synthesise(uint32_t size) {
  const TemporaryDirectory directory("avocet-synth");
  const std::string script = directory.path() + "/run.ys", log = directory.path() + "/yosys.log";
  const std::string cells = directory.path() + "/cells.txt";
  write_script(script, size);
  std::fprintf(stderr, "avocet: synth: %ux%u ...\n", size, size);
  const std::string command =
      "cd '" + kRtl + "' && yosys -q -s '" + script + "' 3>'" + cells + "' >'" + log + "' 2>&1";
  if (std::system(command.c_str()) != 0) {
    std::string last, text;
    for (std::istringstream lines(text_of(log)); std::getline(lines, text);)
      if (text.find("ERROR") != std::string::npos || last.empty()) last = text;
    throw std::runtime_error("synth: yosys failed for " + std::to_string(size) + "x" + std::to_string(size) + ": " + last);
  }
  return {{"rows", size},
          {"cols", size},
          {"modules", counts(text_of(cells))}};
}

void print(const ordered_json& sizes) {
  std::vector<std::vector<std::string>> rows{{"size", "module", "cells", "flip-flops", "NAND2 equivalents"}};
  for (const auto& size : sizes) {
    const std::string text = std::to_string(size.at("rows").get<uint32_t>());
    for (const auto& [name, module] : size.at("modules").items())
      rows.push_back({text + "x" + text, name, with_separators(module.at("cells").get<uint64_t>()),
                      with_separators(module.at("flip_flops").get<uint64_t>()),
                      with_separators(static_cast<uint64_t>(module.at("nand2").get<double>() + 0.5))});
  }
  std::fputs(format_table(rows, 2).c_str(), stdout);
}

int run(const Settings& settings) {
  require_writable(settings.json);
  require_yosys();
  if (access((kRtl + "/synth.ys").c_str(), R_OK) != 0) throw InputError("synth: the sources are not there: " + kRtl);
  ordered_json report{{"unit", "area of a NAND2 gate, cells of rtl/nand2.lib"}, {"sizes", ordered_json::array()}};
  for (uint32_t size : settings.sizes) report["sizes"].push_back(synthesise(size));
  if (settings.json != "-") print(report["sizes"]);
  if (!settings.json.empty()) write_text(settings.json, report.dump(2) + "\n");
  return 0;
}

}  // namespace

void add_synth_command(CLI::App& app, Action& action) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("synth", "Count the gates of the RTL units with yosys");
  command->add_option("SIZE", settings->sizes, "Rows and columns of the array: 8 16 32 when none is given; 32 takes a quarter of an hour")
      ->check(CLI::Range(2, 64));
  command->add_option("--json", settings->json, "Write the counts to this file too (- for standard output, without the table)");
  command->footer("Example: avocet synth 8 --json gates.json");
  command->callback([settings, &action] { action = [settings] { return run(*settings); }; });
}

}  // namespace avocet::tools
