// SPDX-License-Identifier: Apache-2.0
// Gives the schedule's blocks addresses and then moves loads to earlier slots, as far as the memory that is free there
// allows: that is what fetches weights and inputs while earlier nodes compute.
#pragma once

#include <avocet/compiler/compiler.hpp>

#include "schedule.hpp"

namespace avocet::compiler {

/// Loads move by at most `cycles_ahead` estimated cycles: earlier ones fill the SRAM and take the DRAM's bandwidth from
/// loads that are needed now. False when the blocks do not fit.
bool allocate_sram(Schedule& schedule, const DeviceConfig& device, uint64_t cycles_ahead);

}  // namespace avocet::compiler
