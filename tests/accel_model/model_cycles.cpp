// SPDX-License-Identifier: Apache-2.0
// Runs random programs on one engine and prints every number that must not depend on the run, for engines_agree_test.
// Usage: model_cycles ENGINE FIRST_SEED SEEDS [CONFIG]
#include <cstdio>
#include <cstdlib>

#include "random_program.hpp"

namespace {

using namespace avocet::test;

// MATMULs with and without gaps between them, WAITs here and there, everything else beside.
StreamBuilder random_stream(ProgramRunner &runner) {
  RandomCommands &random = runner.random();
  StreamBuilder stream;
  runner.begin(&stream);
  for (uint32_t i = 0; i < 30; ++i) {
    stream.set_tag(1 + i % 4);
    if (random.number(0, 2) == 0) stream.wait_for_all(random.number(AVOCET_UNIT_MAC, AVOCET_UNIT_VECTOR));
    switch (random.number(0, 9)) {
    case 0: {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(random.pool());
      break;
    }
    case 1: {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(random.depthwise());
      break;
    }
    case 2: {
      avocet_cmd_dma_load load = random.dma_load(ProgramRunner::kScratch, ProgramRunner::kScratchBytes);
      stream.wait_for_all(AVOCET_UNIT_DMA0 + load.channel);
      stream.add(load);
      break;
    }
    case 3: {
      avocet_cmd_matmul m = random.matmul();
      stream.wait(AVOCET_UNIT_MAC, AVOCET_UNIT_REQUANT);
      stream.add(m);
      stream.wait_for_all(AVOCET_UNIT_REQUANT);
      stream.add(random.requant(m));
      break;
    }
    case 4: {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(random.add());
      stream.add(random.binary());
      stream.add(random.table());
      break;
    }
    case 5: {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(random.reduce());
      stream.add(random.softmax());
      stream.add(random.resize());
      stream.add(random.l2_normalise());
      break;
    }
    default:
      stream.wait(AVOCET_UNIT_MAC, AVOCET_UNIT_REQUANT);
      stream.add(random.matmul());
      break;
    }
  }
  return stream;
}

void run_seed(FakeHost &host, uint32_t seed) {
  ProgramRunner runner(host, seed);
  StreamBuilder stream = random_stream(runner);
  JobResult result = runner.run(&stream, 5);
  const avocet_completion &c = result.completion;
  std::printf("bytes %u: %u %08x %s\n", seed, c.status, runner.sram_checksum(), runner.sram_matches() ? "right" : "WRONG");
  std::printf("job %u: %llu %llu %llu\n", seed, static_cast<unsigned long long>(c.doorbell_cycle),
              static_cast<unsigned long long>(c.start_cycle), static_cast<unsigned long long>(c.end_cycle));
  for (uint32_t unit = 0; unit < AVOCET_UNIT_COUNT; ++unit) {
    std::printf("unit %u.%u:", seed, unit);
    for (uint64_t value : result.cycles.units[unit].cycles) std::printf(" %llu", static_cast<unsigned long long>(value));
    std::printf("\n");
  }
  for (size_t tag = 0; tag < result.profile.size(); ++tag) {
    const avocet_profile &p = result.profile[tag];
    const uint64_t values[] = {p.first_cycle,    p.last_cycle,    p.macs,           p.mac_cycles,
                               p.requant_cycles, p.vector_cycles, p.dram_read_bytes, p.dram_write_bytes};
    std::printf("tag %u.%zu:", seed, tag);
    for (uint64_t value : values) std::printf(" %llu", static_cast<unsigned long long>(value));
    std::printf("\n");
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const uint32_t first = static_cast<uint32_t>(std::atoi(argv[2])), seeds = static_cast<uint32_t>(std::atoi(argv[3]));
  for (uint32_t seed = first; seed < first + seeds; ++seed) {
    FakeHost host;
    std::string error = host.open(argc > 4 ? argv[4] : nullptr, argv[1]);
    if (!error.empty()) {
      std::fprintf(stderr, "%s\n", error.c_str());
      return 1;
    }
    host.boot();
    run_seed(host, seed);
  }
  return 0;
}
