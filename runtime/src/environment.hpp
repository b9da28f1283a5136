// SPDX-License-Identifier: Apache-2.0
// The environment variables of the runtime, read once, at first use.
#pragma once

#include "log.hpp"

namespace avocet::runtime {

struct Environment {
  LogLevel log_level = LogLevel::kOff;  // AVOCET_LOG: info or debug
  unsigned cpu_threads = 0;             // AVOCET_THREADS: threads of the CPU path, 0 = one per processor
};

const Environment& environment();

}  // namespace avocet::runtime
