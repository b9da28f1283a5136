// SPDX-License-Identifier: Apache-2.0
// Log lines on stderr. Silent unless AVOCET_LOG is `info` or `debug`: a library has no business on a program's stderr.
#pragma once

#include <string>

#include "operations/operation.hpp"

namespace avocet::runtime {

enum class LogLevel { kOff, kInfo, kDebug };

/// What AVOCET_LOG said when it was first asked for.
LogLevel log_level();

/// One line each; never throw.
void log_failure(const char* function, const Status& status) noexcept;
void log_failure(const char* function, int code, const char* message) noexcept;
void log_info(const std::string& message) noexcept;
void log_debug(const std::string& message) noexcept;

}  // namespace avocet::runtime
