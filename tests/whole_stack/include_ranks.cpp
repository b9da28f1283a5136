// SPDX-License-Identifier: Apache-2.0
// Includes go down the ranks only: every #include of a project header must lead to a folder that the including folder may use.
// SystemC and Verilator are seen in accel_model alone.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = AVOCET_SOURCE_DIR;

/// Folder -> what its files may include, as path prefixes; its own files always. The longest folder that fits a file counts.
const std::map<std::string, std::vector<std::string>> kMayUse = {
    {"accel_model/isa", {}},
    {"rtl", {"accel_model/isa"}},
    {"firmware", {"accel_model/isa"}},
    {"driver/include", {"accel_model/isa"}},
    {"driver/core", {"accel_model/isa", "driver/include"}},
    {"compiler", {"accel_model/isa"}},
    {"accel_model", {"accel_model/isa", "rtl", "firmware/include"}},
    {"driver/port/sim", {"accel_model/isa", "accel_model/include", "firmware/include", "driver/include", "driver/core"}},
    {"driver/port/linux", {"accel_model/isa", "driver/include", "driver/core"}},
    {"runtime", {"accel_model/isa", "compiler/include", "driver/include"}},
    {"tools", {"accel_model/isa", "accel_model/include", "compiler/include", "driver/include", "runtime/include"}},
};

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.rfind(prefix + "/", 0) == 0;
}

std::string folder_of(const std::string& file) {
  std::string best;
  for (const auto& [folder, uses] : kMayUse) {
    if (starts_with(file, folder) && folder.size() > best.size()) best = folder;
  }
  return best;
}

bool is_source(const fs::path& path) {
  static const std::set<std::string> kEndings = {".c", ".h", ".cpp", ".hpp"};
  return kEndings.count(path.extension().string()) != 0;
}

/// What the kernel's build alone sees: headers of the C library's names, and what os.h includes there.
bool stands_in(const std::string& file) {
  return starts_with(file, "driver/port/linux/include") || file == "driver/port/linux/avocet_os_linux.h";
}

/// All sources of the ranked folders, relative to the root.
std::vector<std::string> sources() {
  std::vector<std::string> files;
  for (const char* top : {"accel_model", "rtl", "firmware", "driver", "compiler", "runtime", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      const std::string file = fs::relative(entry.path(), kRoot).string();
      if (!stands_in(file)) files.push_back(file);
    }
  }
  return files;
}

std::vector<std::string> includes_of(const std::string& file) {
  static const std::regex kInclude(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::ifstream in(kRoot / file);
  std::vector<std::string> names;
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (std::regex_search(line, match, kInclude)) names.push_back(match[1]);
  }
  return names;
}

bool may_use(const std::string& folder, const std::string& file) {
  if (folder_of(file) == folder) return true;
  for (const std::string& prefix : kMayUse.at(folder)) {
    if (starts_with(file, prefix)) return true;
  }
  return false;
}

TEST(IncludeRanks, GoDownOnly) {
  const std::vector<std::string> files = sources();
  ASSERT_GT(files.size(), 100u) << "the tree was not found under " << kRoot;
  size_t checked = 0;
  for (const std::string& file : files) {
    const std::string folder = folder_of(file);
    ASSERT_FALSE(folder.empty()) << file << " belongs to no ranked folder";
    for (const std::string& name : includes_of(file)) {
      bool ours = false, allowed = false;
      for (const std::string& header : files) {
        if (header != name && !(header.size() > name.size() && header.compare(header.size() - name.size() - 1, std::string::npos, "/" + name) == 0)) continue;
        ours = true;
        allowed |= may_use(folder, header);
      }
      if (!ours) continue;
      ++checked;
      EXPECT_TRUE(allowed) << file << " includes " << name << ", which no folder that " << folder << " may use has";
    }
  }
  EXPECT_GT(checked, 500u);
}

TEST(IncludeRanks, SimulatorsStayInTheModel) {
  static const std::regex kSimulator("^(systemc|tlm|sysc/|verilated|V.*_mac_array)");
  for (const std::string& file : sources()) {
    if (starts_with(file, "accel_model/src")) continue;
    for (const std::string& name : includes_of(file)) {
      EXPECT_FALSE(std::regex_search(name, kSimulator)) << file << " includes " << name;
    }
  }
}

}  // namespace
