// SPDX-License-Identifier: Apache-2.0
// Places in region kScratch for the values that neither stay in the SRAM nor have a home outside; places are reused
// after a value's last reader.
#pragma once

#include "plan.hpp"

namespace avocet::compiler {

/// Sets the offsets of scratch values; returns the region's size.
uint64_t place_scratch(Network& network, const Plan& plan);

}  // namespace avocet::compiler
