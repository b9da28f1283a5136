// SPDX-License-Identifier: Apache-2.0
// Carries several plans through to a command stream and keeps the one whose predicted cycles are fewest.
#pragma once

#include "constant_pool.hpp"
#include "estimate_cycles.hpp"
#include "network.hpp"

namespace avocet::compiler {

struct Draft {
  std::vector<uint32_t> stream;
  ConstantPool constants;
  uint64_t scratch_bytes = 0;
  CycleEstimate estimate;
};

/// Throws CompileError when the network fits the device in no way.
Draft search_plans(Network& network, const DeviceConfig& device);

}  // namespace avocet::compiler
