// SPDX-License-Identifier: Apache-2.0
// Places in region kScratch for the values that neither stay in the SRAM nor have a home outside; places are reused
// after a value's last reader.
#pragma once

#include <span>

#include "plan.hpp"

namespace avocet::compiler {

/// Sets the offsets of scratch values; returns the region's size. `times`: when each group runs, for groups that run side by side;
/// else one after the other.
uint64_t place_scratch(Network& network, const Plan& plan, std::span<const uint32_t> times = {});

}  // namespace avocet::compiler
