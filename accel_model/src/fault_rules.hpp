// SPDX-License-Identifier: Apache-2.0
// The language in which faults are ordered: "kind:parameter=value,...;kind:...". Two tables, of kinds and of their parameters, serve
// the reader, its complaints and the list that users see.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace avocet::model {

enum class FaultKind : uint8_t {
  kInterruptLost,
  kInterruptDuplicate,
  kDoorbellLost,
  kCompletionDelay,
  kCompletionCorrupt,
  kSramFlip,
  kDramFlip,
  kBusError,
  kIommuFault,
  kUnitStuck,
  kFirmwareCrash,
  kHeartbeatStale,
  kFirmwareVersion,
  kUnplug,
  kNullHardware,
  kNullSubmission,
};

enum class FaultParameter : uint8_t {
  kNth,
  kCount,
  kContext,
  kTag,
  kIova,
  kAddress,
  kUnit,
  kCycles,
  kBit,
  kBits,
  kEcc,
  kAbort,
  kReset,
  kHalt,
  kVersion,
  kSize,
};

struct FaultRule {
  FaultKind kind{};
  std::array<std::optional<uint64_t>, static_cast<size_t>(FaultParameter::kSize)> values{};
  std::string text; // as it was written

  const std::optional<uint64_t> &operator[](FaultParameter parameter) const {
    return values[static_cast<size_t>(parameter)];
  }
  // The parameter's value, or the default that the table gives for this kind.
  uint64_t value(FaultParameter parameter) const;
};

struct FaultRules {
  std::vector<FaultRule> rules;
  uint64_t seed = 1;
};

struct FaultKindRow {
  FaultKind kind;
  const char *name;
  const char *counts;     // what nth counts
  const char *parameters; // names separated by a space, defaults that differ from the parameter's as name=value
  const char *doc;
};

std::span<const FaultKindRow> fault_kinds();

// Reads a specification; true, or false and *complaint is one line.
bool parse_faults(const std::string &text, FaultRules *rules, std::string *complaint);

// "nth=N (1 to ...; default 1): ..." for each parameter that the kind takes; a line each.
std::string fault_parameter_help(const FaultKindRow &row);

} // namespace avocet::model
