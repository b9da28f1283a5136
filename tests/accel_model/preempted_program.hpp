// SPDX-License-Identifier: Apache-2.0
// A random program that is preempted by jobs which overwrite all that it has on the device. They are submitted in the device's own
// time, whenever so many commands of the program ended, so a run repeats exactly.
#pragma once

#include "random_program.hpp"

namespace avocet::test {

struct PreemptedRun {
  avocet_completion job{};
  std::vector<avocet_profile> profile;
  std::vector<avocet_completion> high; // the jobs that interrupted
  std::vector<JobCycles> pieces;
  uint64_t longest_command = 0, save_area_bytes = 0;
  uint32_t sram_checksum = 0;
  bool right = false; // SRAM and scratch region are the reference's
};

// Fills the SRAM with `value`, and the accumulators.
std::vector<uint32_t> scribble(const Hardware &hardware, uint32_t value);

// On a device of its own; `steps` of random_stream; a job of high priority whenever `every` commands ended, `count` in all; `chain`
// more of them, each when the last has just left the hardware and the program is about to come back.
PreemptedRun run_preempted(const char *config, const std::string &engine, uint32_t seed, uint32_t steps, uint32_t every,
                           uint32_t count, uint32_t chain = 0);

} // namespace avocet::test
