// SPDX-License-Identifier: Apache-2.0
// Names of result codes, and the text of a refused call.
#include "nnapi/handles.hpp"

#include <array>

namespace avocet::tools {

std::string result_name(int code) {
  static constexpr std::array kNames = {
      "NO_ERROR",
      "OUT_OF_MEMORY",
      "INCOMPLETE",
      "UNEXPECTED_NULL",
      "BAD_DATA",
      "OP_FAILED",
      "BAD_STATE",
      "UNMAPPABLE",
      "OUTPUT_INSUFFICIENT_SIZE",
      "UNAVAILABLE_DEVICE",
      "MISSED_DEADLINE_TRANSIENT",
      "MISSED_DEADLINE_PERSISTENT",
      "RESOURCE_EXHAUSTED_TRANSIENT",
      "RESOURCE_EXHAUSTED_PERSISTENT",
      "DEAD_OBJECT",
  };
  if (code < 0 || static_cast<size_t>(code) >= kNames.size()) return "result code " + std::to_string(code);
  return kNames[static_cast<size_t>(code)];
}

ApiError::ApiError(std::string call, int code, const std::string& detail)
    : std::runtime_error(call + " returned " + result_name(code) + (detail.empty() ? "" : " for " + detail)),
      call_(std::move(call)),
      code_(code) {}

}  // namespace avocet::tools
