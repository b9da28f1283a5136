// SPDX-License-Identifier: Apache-2.0
// The built `avocet` command in a folder of its own, as a person types it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "report/temporary_directory.hpp"

namespace avocet::tools::test {

struct CommandResult {
  int status;
  std::string out;
  std::string error;
};

inline std::string slurp(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class CommandTest : public ::testing::Test {
 protected:
  CommandResult avocet(const std::string& arguments) {
    const std::string out = folder_.path() + "/stdout", error = folder_.path() + "/stderr";
    const std::string line = "cd " + folder_.path() + " && " AVOCET_COMMAND " " + arguments + " >" + out + " 2>" + error;
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(out), slurp(error)};
  }
  /// Status 2 and one line on stderr that holds `part`.
  void expect_refused(const std::string& arguments, const std::string& part) {
    const CommandResult result = avocet(arguments);
    EXPECT_EQ(result.status, 2) << arguments << "\n" << result.error;
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
    EXPECT_EQ(result.error.rfind("avocet: ", 0), 0u) << result.error;
    EXPECT_NE(result.error.find(part), std::string::npos) << result.error;
  }
  void write(const std::string& name, const std::string& bytes) { std::ofstream(path(name), std::ios::binary) << bytes; }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string read(const std::string& name) const { return slurp(path(name)); }

  TemporaryDirectory folder_{"avocet-command"};
};

inline const std::string kTraces = std::string(AVOCET_SOURCE_DIR) + "/traces/";
inline const std::string kConfigs = std::string(AVOCET_SOURCE_DIR) + "/accel_model/configs/";

}  // namespace avocet::tools::test
