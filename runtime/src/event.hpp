// SPDX-License-Identifier: Apache-2.0
// ANeuralNetworksEvent: a handle on something that will be over: an execution, or a fence of somebody else. The state
// is shared with whoever completes it and whoever depends on it, so handles may be freed at any time.
#pragma once

#include <android/NeuralNetworks.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "deadline.hpp"
#include "operations/operation.hpp"

namespace avocet::runtime {

class EventState {
 public:
  virtual ~EventState() = default;
  /// The result code, or nothing when the deadline comes first.
  virtual std::optional<int> wait(const Deadline& deadline) = 0;
  /// The result code of what is over already.
  virtual std::optional<int> poll() = 0;
  /// A new descriptor, which the caller closes. BAD_DATA when the event has no fence.
  virtual Status fence_fd(int* fd) = 0;
};

/// The end of an execution.
class Completion : public EventState {
 public:
  explicit Completion(bool fenced) : fenced_(fenced) {}
  ~Completion() override;

  void complete(int code);

  std::optional<int> wait(const Deadline& deadline) override;
  std::optional<int> poll() override;
  Status fence_fd(int* fd) override;

 private:
  const bool fenced_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::optional<int> code_;
  std::vector<int> signal_ends_;  // of fences given out before the end
};

struct Event {
  static Event* of(ANeuralNetworksEvent* handle) { return reinterpret_cast<Event*>(handle); }
  static const Event* of(const ANeuralNetworksEvent* handle) { return reinterpret_cast<const Event*>(handle); }
  ANeuralNetworksEvent* handle() { return reinterpret_cast<ANeuralNetworksEvent*>(this); }

  std::shared_ptr<EventState> state;
};

}  // namespace avocet::runtime
