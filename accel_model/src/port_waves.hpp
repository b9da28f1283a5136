// SPDX-License-Identifier: Apache-2.0
// Shows the ports of the MAC array or of the requantisation lanes, cycle by cycle, under the names that they have in rtl/. Wide data ports
// are shown in elements: bytes, or words of 32 bits. Data that no valid goes with are not shown: the wave keeps what it
// had. The clock is not either: a cycle of the dump is one of it. In a cycle without a step all valids are low.
#pragma once

#include <memory>

#include "mac_array.hpp"
#include "requant_lanes.hpp"
#include "waves.hpp"

namespace avocet::model {

std::unique_ptr<MacArray> show_ports(std::unique_ptr<MacArray> array, Waves &waves, const std::string &scope, uint64_t rows,
                                     uint64_t columns);
// The lanes' steps are made at the end of their cycles.
std::unique_ptr<RequantLanes> show_ports(std::unique_ptr<RequantLanes> lanes, Waves &waves, const std::string &scope, uint64_t count);

} // namespace avocet::model
