// SPDX-License-Identifier: Apache-2.0
// The closed form of mac_unit.hpp as state: what the array's next command has to wait for.
#pragma once

#include <algorithm>
#include <cstdint>

namespace avocet::model {

class MacSchedule {
public:
  MacSchedule(uint64_t rows, uint64_t columns) : rows_(rows), columns_(columns) {}

  void restart() { last_pass_ = vectors_done_ = 0; }
  // T of a command that is issued at `now`.
  uint64_t take_at(uint64_t now) const { return std::max(now + 1, last_pass_); }
  // Its weights enter at `take`: P passes over M outputs.
  void take(uint64_t take, uint64_t passes, uint64_t outputs) {
    const uint64_t first = std::max(take + rows_, vectors_done_);
    last_pass_ = first + (passes - 1) * std::max(outputs, rows_);
    vectors_done_ = last_pass_ + outputs;
  }
  uint64_t vectors_done() const { return vectors_done_; }
  uint64_t end() const { return vectors_done_ + rows_ + columns_; }

private:
  const uint64_t rows_, columns_;
  uint64_t last_pass_ = 0;    // S': the last command's last pass began
  uint64_t vectors_done_ = 0; // A': its last vector has entered
};

} // namespace avocet::model
