// SPDX-License-Identifier: Apache-2.0
// Runs a recorded trace on the device, through the driver alone.
#pragma once

#include <string>
#include <vector>

#include "replay/trace_reader.hpp"

namespace avocet::tools {

struct ReplayedJob {
  size_t submit = 0, job = 0;
  uint32_t status = 0;
  uint64_t cycles = 0, recorded_cycles = 0;
  uint64_t macs = 0, mac_cycles = 0, dram_bytes = 0;  // when the job had a profile
  size_t compared = 0;                                // results with a recorded hash
  std::vector<std::string> differences;               // a sentence each
};

/// The device has been prepared. `compare`: it moves values, so results can be compared. Throws InputError when the trace does not
/// fit the device (naming the limit) or is damaged.
std::vector<ReplayedJob> replay(const TraceReader& trace, bool compare);

}  // namespace avocet::tools
