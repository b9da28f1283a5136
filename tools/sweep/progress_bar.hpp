// SPDX-License-Identifier: Apache-2.0
// How far a long command is, on stderr: a bar that is drawn over on a terminal, a line at each tenth elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace avocet::tools {

class ProgressBar {
 public:
  /// `total` > 0 steps are to do.
  explicit ProgressBar(size_t total);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void step(bool failed);
  /// A line of its own, above the bar.
  void say(const std::string& line);

 private:
  std::string text() const;
  void draw();

  const size_t total_;
  const bool terminal_;
  size_t done_ = 0, failed_ = 0, tenths_ = 0;
  bool drawn_ = false;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace avocet::tools
