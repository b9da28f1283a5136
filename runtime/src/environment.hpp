// SPDX-License-Identifier: Apache-2.0
// The environment variables of the runtime, read once, at first use.
#pragma once

#include "log.hpp"

namespace avocet::runtime {

struct Environment {
  LogLevel log_level = LogLevel::kOff;  // AVOCET_LOG: info or debug
  unsigned cpu_threads = 0;             // AVOCET_THREADS: threads of the CPU path, 0 = one per processor
  bool partition_all = false;           // AVOCET_PARTITION=all: accelerators get all they support, whatever it costs
};

const Environment& environment();

}  // namespace avocet::runtime
