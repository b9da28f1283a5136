// SPDX-License-Identifier: Apache-2.0
// Register writes from host threads on their way to the simulation thread: a queue, and a bell that also rings for requests to
// the thread itself. The sleeper spins briefly first: waking a sleeping thread costs the host some 65 microseconds.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>

namespace avocet::model {

struct PostedWrite {
  uint32_t offset;
  uint32_t value;
};

class PostedWrites {
public:
  // Any thread; never waits for the simulation.
  void post(PostedWrite write) {
    {
      std::lock_guard lock(mutex_);
      queue_.push_back(write);
      rung_.store(true, std::memory_order_release);
    }
    bell_.notify_one();
  }

  // Wakes the sleeper without a write.
  void ring() {
    {
      std::lock_guard lock(mutex_);
      rung_.store(true, std::memory_order_release);
    }
    bell_.notify_one();
  }

  // The oldest write, if there is one.
  bool take(PostedWrite *write) {
    std::lock_guard lock(mutex_);
    if (queue_.empty()) return false;
    *write = queue_.front();
    queue_.pop_front();
    return true;
  }

  bool empty() {
    std::lock_guard lock(mutex_);
    return queue_.empty();
  }

  // The oldest write to this register, taking it out of its order.
  bool take_to(uint32_t offset, PostedWrite *write) {
    std::lock_guard lock(mutex_);
    for (auto it = queue_.begin(); it != queue_.end(); ++it) {
      if (it->offset != offset) continue;
      *write = *it;
      queue_.erase(it);
      return true;
    }
    return false;
  }

  void clear() {
    std::lock_guard lock(mutex_);
    queue_.clear();
  }

  // Sleeps until the bell rang since the last call.
  void wait() {
    auto stop = std::chrono::steady_clock::now() + kSpin;
    while (!rung_.load(std::memory_order_acquire) && std::chrono::steady_clock::now() < stop) relax();
    std::unique_lock lock(mutex_);
    bell_.wait(lock, [this] { return rung_.load(std::memory_order_relaxed); });
    rung_.store(false, std::memory_order_relaxed);
  }

private:
  static constexpr std::chrono::microseconds kSpin{50};

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  std::mutex mutex_;
  std::condition_variable bell_;
  std::deque<PostedWrite> queue_;
  std::atomic<bool> rung_{false};
};

} // namespace avocet::model
