// SPDX-License-Identifier: Apache-2.0
// A point on the monotonic clock after which work need not go on. Durations are nanoseconds and saturate.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace avocet::runtime {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;  // never

  /// `duration` nanoseconds from `start`; 0 = never, as everywhere in the API. Too long to represent = never.
  static Deadline after(uint64_t duration, Clock::time_point start = Clock::now()) {
    Deadline d;
    const auto left = (Clock::time_point::max() - start).count();
    if (duration != 0 && duration < static_cast<uint64_t>(left)) {
      d.point_ = start + std::chrono::nanoseconds(static_cast<int64_t>(duration));
    }
    return d;
  }

  static Deadline earlier(const Deadline& a, const Deadline& b) {
    if (!a.point_) return b;
    if (!b.point_) return a;
    return *a.point_ < *b.point_ ? a : b;
  }

  bool set() const { return point_.has_value(); }
  bool passed() const { return point_ && Clock::now() >= *point_; }
  /// The time left, 0 when passed; nothing when there is no deadline.
  std::optional<std::chrono::nanoseconds> left() const {
    if (!point_) return std::nullopt;
    const auto now = Clock::now();
    return now >= *point_ ? std::chrono::nanoseconds(0) : std::chrono::nanoseconds(*point_ - now);
  }

 private:
  std::optional<Clock::time_point> point_;
};

}  // namespace avocet::runtime
