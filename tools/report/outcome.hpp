// SPDX-License-Identifier: Apache-2.0
// The result of one case or sample, and the count of many: failures at once, skips with their reasons at the end, and the
// line "N passed, M failed, K skipped".
#pragma once

#include <map>
#include <string>
#include <vector>

namespace avocet::tools {

struct Outcome {
  enum class Kind { passed, failed, skipped } kind = Kind::passed;
  std::string detail{};         // why it failed or was skipped; on a pass, something to show
  unsigned npu_operations = 0;  // operations that ran on the NPU

  static Outcome failed(std::string why) { return {.kind = Kind::failed, .detail = std::move(why)}; }
  static Outcome skipped(std::string why) { return {.kind = Kind::skipped, .detail = std::move(why)}; }
};

/// For the way between processes.
std::string encode_outcome(const Outcome& outcome);
Outcome decode_outcome(const std::string& text);

class Tally {
 public:
  /// `show_passes` prints a line for each pass too.
  explicit Tally(bool show_passes) : show_passes_(show_passes) {}
  void add(const std::string& name, const Outcome& outcome);
  /// Prints skips and counts; returns the exit status, 1 when anything failed.
  int finish(bool show_npu_operations) const;

 private:
  bool show_passes_;
  size_t passed_ = 0;
  size_t failed_ = 0;
  std::map<std::string, std::vector<std::string>> skipped_;  // names by reason
  size_t npu_operations_ = 0;
  size_t npu_cases_ = 0;
};

}  // namespace avocet::tools
