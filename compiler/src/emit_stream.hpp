// SPDX-License-Identifier: Apache-2.0
// Schedule with addresses -> command stream, with the WAITs that its commands need.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule.hpp"

namespace avocet::compiler {

std::vector<uint32_t> emit_stream(const Schedule& schedule);

}  // namespace avocet::compiler
