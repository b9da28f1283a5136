// SPDX-License-Identifier: Apache-2.0
// File descriptors that the driver gives: fences and exported buffers.
#pragma once

#include <utility>

#include "kmd_test/client.hpp"

namespace avocet::kmd {

/// Owns a descriptor; -1 = none.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  /// Whether it becomes readable within so many milliseconds.
  bool readable(int64_t ms) const;

 private:
  int fd_;
};

/// Status of a fence: 0 not signalled, 1 signalled, or the error with which it signalled.
int fence_status(const Client& client, int fence);
/// A descriptor of the buffer.
int export_buffer(const Client& client, uint32_t handle);
/// Descriptors that this process has open.
int64_t open_descriptors();
/// The same once the driver has noticed which of its own were closed.
int64_t settled_descriptors(const Client& client);

}  // namespace avocet::kmd
