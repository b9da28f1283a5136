// SPDX-License-Identifier: Apache-2.0
// Runs random programs on one engine and prints every number that must not depend on the run, for engines_agree_test.
// Usage: model_cycles ENGINE FIRST_SEED SEEDS [CONFIG [preempted]]
#include <cstdio>
#include <cstdlib>

#include "preempted_program.hpp"

namespace {

using namespace avocet::test;

void print(const char *what, uint32_t seed, const avocet_completion &c) {
  std::printf("%s %u: %llu %llu %llu\n", what, seed, static_cast<unsigned long long>(c.doorbell_cycle),
              static_cast<unsigned long long>(c.start_cycle), static_cast<unsigned long long>(c.end_cycle));
}

void print(uint32_t seed, const std::vector<avocet_model_counters> &units) {
  for (uint32_t unit = 0; unit < units.size(); ++unit) {
    std::printf("unit %u.%u:", seed, unit);
    for (uint64_t value : units[unit].cycles) std::printf(" %llu", static_cast<unsigned long long>(value));
    std::printf("\n");
  }
}

void print(uint32_t seed, const std::vector<avocet_profile> &profile) {
  for (size_t tag = 0; tag < profile.size(); ++tag) {
    const avocet_profile &p = profile[tag];
    const uint64_t values[] = {p.first_cycle,    p.last_cycle,    p.macs,           p.mac_cycles,
                               p.requant_cycles, p.vector_cycles, p.dram_read_bytes, p.dram_write_bytes};
    std::printf("tag %u.%zu:", seed, tag);
    for (uint64_t value : values) std::printf(" %llu", static_cast<unsigned long long>(value));
    std::printf("\n");
  }
}

void print_bytes(uint32_t seed, uint32_t status, uint32_t checksum, bool right) {
  std::printf("bytes %u: %u %08x %s\n", seed, status, checksum, right ? "right" : "WRONG");
}

void run_seed(FakeHost &host, uint32_t seed) {
  ProgramRunner runner(host, seed);
  StreamBuilder stream = runner.random_stream(30);
  JobResult result = runner.run(&stream, 5);
  print_bytes(seed, result.completion.status, runner.sram_checksum(), runner.sram_matches());
  print("job", seed, result.completion);
  print(seed, result.cycles.units);
  print(seed, result.profile);
}

void run_seed_preempted(const char *config, const char *engine, uint32_t seed) {
  PreemptedRun run = run_preempted(config, engine, seed, 60, 25, 3);
  print_bytes(seed, run.job.status, run.sram_checksum, run.right);
  print("job", seed, run.job);
  std::printf("preempted %u: %u\n", seed, run.job.request);
  for (const avocet_completion &high : run.high) print("high", seed, high);
  for (const JobCycles &piece : run.pieces) print(seed, piece.units);
  print(seed, run.profile);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const uint32_t first = static_cast<uint32_t>(std::atoi(argv[2])), seeds = static_cast<uint32_t>(std::atoi(argv[3]));
  const char *config = argc > 4 && *argv[4] ? argv[4] : nullptr;
  for (uint32_t seed = first; seed < first + seeds; ++seed) {
    if (argc > 5) {
      run_seed_preempted(config, argv[1], seed);
      continue;
    }
    FakeHost host;
    std::string error = host.open(config, argv[1]);
    if (!error.empty()) {
      std::fprintf(stderr, "%s\n", error.c_str());
      return 1;
    }
    host.boot();
    run_seed(host, seed);
  }
  return 0;
}
