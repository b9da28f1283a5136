// SPDX-License-Identifier: Apache-2.0
// Counted ownership of the objects behind the API's handles. A handle holds one reference, and so does every object
// that uses another: a client that frees a model before its compilation makes a mistake, but not a crash.
#pragma once

#include <atomic>
#include <utility>

namespace avocet::runtime {

class ReferenceCounted {
 public:
  ReferenceCounted(const ReferenceCounted&) = delete;
  ReferenceCounted& operator=(const ReferenceCounted&) = delete;

  void acquire() const { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  ReferenceCounted() = default;
  virtual ~ReferenceCounted() = default;

 private:
  mutable std::atomic<long> references_{1};  // the creator's
};

template <typename T>
class Reference {
 public:
  Reference() = default;
  explicit Reference(T* object) : object_(object) {
    if (object_) object_->acquire();
  }
  Reference(const Reference& other) : Reference(other.object_) {}
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference() {
    if (object_) object_->release();
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace avocet::runtime
