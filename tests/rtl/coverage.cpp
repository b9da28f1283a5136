// SPDX-License-Identifier: Apache-2.0
// `avocet coverage [CYCLES] [--details]`: the lock-step traffic of the joined units on a design with coverage counters, and what it
// reached. Exit status 1 when fewer than 95 % of the lines ran, or the design and its twins differ.
#include <Vcoverage_4.h>
#include <verilated_cov.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

#include "coverage_report.hpp"
#include "joined_lock_step.hpp"

namespace {

constexpr double kLeastLines = 95;

int bad_input(const char *text) {
  std::fprintf(stderr, "avocet: coverage: '%s' is not a number of cycles from 1 to 1000000000\n", text);
  return 2;
}

// Text of Verilator's coverage file; the model has to be alive.
std::string counters(VerilatedContext *context) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("avocet_coverage_" + std::to_string(getpid()));
  context->coveragep()->write(path.c_str());
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

// Returns the exit status.
int run(uint64_t cycles, bool details) {
  using namespace avocet::rtl_test;
  VerilatedContext context;
  context.randReset(0); // all bits start at 0: a random start would count as a change
  JoinedLockStep<Vcoverage_4> units(4, &context);
  for (uint64_t cycle = 0; cycle < cycles; ++cycle)
    if (const char *difference = units.cycle()) {
      std::fprintf(stderr, "avocet: coverage: %s differs in cycle %llu\n", difference, static_cast<unsigned long long>(cycle));
      return 1;
    }
  std::printf("%llu cycles at 4x4, in lock step with the twins\n", static_cast<unsigned long long>(cycles));
  return print_coverage(read_coverage(counters(&context)), kLeastLines, details) ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t cycles = 200000;
  bool details = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--details") {
      details = true;
      continue;
    }
    char *end = nullptr;
    cycles = std::strtoull(argv[i], &end, 10);
    if (*end != '\0' || argv[i][0] < '0' || argv[i][0] > '9' || cycles < 1 || cycles > 1000000000) return bad_input(argv[i]);
  }
  return run(cycles, details);
}
