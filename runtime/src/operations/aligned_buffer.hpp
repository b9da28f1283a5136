// SPDX-License-Identifier: Apache-2.0
// Memory for kernels: aligned to cache lines, not initialised, and per-thread scratch that keeps its size between layers.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace avocet::runtime {

/// `count` elements of a trivial type on a 64 byte boundary.
template <typename T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(size_t count)
      : data_(static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{64}))), size_(count) {}
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  size_t size() const { return size_; }

 private:
  struct Release {
    void operator()(T* p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  std::unique_ptr<T, Release> data_;
  size_t size_ = 0;
};

/// Scratch of the calling thread, at least `count` elements; valid until the next call with the same T on this thread.
/// Kernels ask for bounded blocks (below a megabyte), so that what a thread keeps stays small.
template <typename T>
T* thread_scratch(size_t count) {
  thread_local AlignedBuffer<T> buffer;
  if (buffer.size() < count) buffer = AlignedBuffer<T>(count);
  return buffer.data();
}

}  // namespace avocet::runtime
