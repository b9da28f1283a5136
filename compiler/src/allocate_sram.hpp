// SPDX-License-Identifier: Apache-2.0
// Gives the schedule's blocks addresses and then moves loads to earlier slots, as far as the memory that is free there
// allows: that is what fetches weights and inputs while earlier nodes compute.
#pragma once

#include <avocet/compiler/compiler.hpp>

#include "schedule.hpp"

namespace avocet::compiler {

/// False when the blocks do not fit.
bool allocate_sram(Schedule& schedule, const DeviceConfig& device);

}  // namespace avocet::compiler
