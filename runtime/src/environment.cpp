// SPDX-License-Identifier: Apache-2.0
#include "environment.hpp"

#include <cstdlib>
#include <cstring>

namespace avocet::runtime {
namespace {

Environment read() {
  Environment e;
  if (const char* level = std::getenv("AVOCET_LOG")) {
    if (!std::strcmp(level, "info")) e.log_level = LogLevel::kInfo;
    if (!std::strcmp(level, "debug")) e.log_level = LogLevel::kDebug;
  }
  if (const char* threads = std::getenv("AVOCET_THREADS")) {
    char* end = nullptr;
    const unsigned long n = std::strtoul(threads, &end, 10);
    if (*threads && !*end && n <= 1024) e.cpu_threads = static_cast<unsigned>(n);
  }
  if (const char* partition = std::getenv("AVOCET_PARTITION")) e.partition_all = !std::strcmp(partition, "all");
  return e;
}

}  // namespace

const Environment& environment() {
  static const Environment value = read();
  return value;
}

}  // namespace avocet::runtime
