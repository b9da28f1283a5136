// SPDX-License-Identifier: Apache-2.0
// Every access of the DMA channels to memory, a line each: cycle, initiator, address, bytes, direction. Written as it happens.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

#include "avocet_model.h"

namespace avocet::sim {

/// "core0.dma1"; `unit`: unit id of a channel.
std::string initiator_name(uint32_t core, uint32_t unit);

class MemoryTrace {
 public:
  /// Before anything is recorded. False when the file cannot be made: one line on stderr.
  bool start(const std::string& path);
  bool enabled() const { return enabled_.load(std::memory_order_acquire); }
  /// On the simulation thread.
  void access(const avocet_model_access& access);
  /// Completes the file; an error goes to stderr in one line.
  void finish();

 private:
  void complain(int error) const;

  std::atomic<bool> enabled_{false};
  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace avocet::sim
