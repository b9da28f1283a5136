// SPDX-License-Identifier: Apache-2.0
// Recorder of the timeline. Recording is an append under a lock; everything else happens when the file is written.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

#include "recording.hpp"

namespace avocet::sim {

class Timeline {
 public:
  /// Before anything is recorded. False when the file cannot be made: one line on stderr, nothing will be recorded.
  bool start(const std::string& path);
  bool enabled() const { return enabled_.load(std::memory_order_acquire); }
  void set_clock(uint32_t khz);

  void host_slice(avocet_host_track track, const char* name, uint64_t start_ns, uint64_t end_ns, uint64_t flow);
  void device_slice(const avocet_model_slice& slice);
  void name_layers(uint64_t job_id, const char* const* names, size_t count);

  /// Replaces the file with everything recorded so far. 0 or -errno.
  int flush();
  /// Flushes, unless a caller of flush() was told already that it fails; an error goes to stderr in one line.
  void flush_at_exit();

 private:
  std::atomic<bool> enabled_{false};
  std::string path_;
  std::mutex mutex_;
  Recording recording_;
  bool caller_knows_ = false;  // the last flush() failed
  LayerNames last_names_;
  std::unordered_map<std::thread::id, uint32_t> threads_;
};

}  // namespace avocet::sim
