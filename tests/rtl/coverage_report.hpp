// SPDX-License-Identifier: Apache-2.0
// Verilator's coverage counters by source file.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace avocet::rtl_test {

struct FileCoverage {
  std::map<int, bool> lines; // of code; true: everything that begins on this line has run
  uint64_t toggles = 0, toggled = 0; // bits, and those that changed
  std::map<std::string, uint64_t> still; // signals with bits that never changed, and how many of them
};

// `data`: the text of a coverage file that Verilator wrote. Files by their names without folders.
std::map<std::string, FileCoverage> read_coverage(const std::string &data);

// A table with a row for each file and a total; false when fewer than `least` per cent of the lines were hit. `details`: also
// the lines missed and the signals that stood still.
bool print_coverage(const std::map<std::string, FileCoverage> &files, double least, bool details);

} // namespace avocet::rtl_test
