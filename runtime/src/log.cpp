// SPDX-License-Identifier: Apache-2.0
#include "log.hpp"

#include <cstdio>

#include "environment.hpp"
#include "result_code.hpp"

namespace avocet::runtime {

LogLevel log_level() { return environment().log_level; }

void log_failure(const char* function, int code, const char* message) noexcept {
  if (log_level() == LogLevel::kOff) return;
  std::fprintf(stderr, "avocet: %s: %s%s%s\n", function, result_name(code), *message ? ": " : "", message);
}

void log_failure(const char* function, const Status& status) noexcept {
  log_failure(function, status.code, status.message.c_str());
}

void log_info(const std::string& message) noexcept {
  if (log_level() != LogLevel::kOff) std::fprintf(stderr, "avocet: %s\n", message.c_str());
}

void log_debug(const std::string& message) noexcept {
  if (log_level() == LogLevel::kDebug) std::fprintf(stderr, "avocet: %s\n", message.c_str());
}

}  // namespace avocet::runtime
