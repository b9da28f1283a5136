// SPDX-License-Identifier: Apache-2.0
// What ANeuralNetworksMemory stands for: a mapped file, an AHardwareBuffer, or device memory made from a descriptor.
// Users ask check_use() before, and data() when they run.
#pragma once

#include <android/NeuralNetworks.h>

#include <cstddef>
#include <cstdint>

#include "operations/operation.hpp"
#include "reference_counted.hpp"

namespace avocet::runtime {

class Compilation;
class DeviceMemory;

enum class MemoryUse : uint8_t { kConstant, kInput, kOutput };

class Memory : public ReferenceCounted {
 public:
  static Memory* of(ANeuralNetworksMemory* handle) { return reinterpret_cast<Memory*>(handle); }
  static const Memory* of(const ANeuralNetworksMemory* handle) { return reinterpret_cast<const Memory*>(handle); }
  ANeuralNetworksMemory* handle() { return reinterpret_cast<ANeuralNetworksMemory*>(this); }

  /// Whether `offset` and `length` of this memory may play a role: BAD_DATA with a sentence if not. `compilation` and
  /// `index` say which input or output; they do not matter for constants.
  virtual Status check_use(MemoryUse use, const Compilation* compilation, uint32_t index, size_t offset,
                           size_t length) const = 0;

  /// True when a use takes the entire memory and passes offset and length 0.
  virtual bool used_whole() const { return false; }
  virtual DeviceMemory* device() { return nullptr; }

  /// First byte, size and what the mapping allows. Device memory changes its own.
  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  bool readable() const { return readable_; }
  bool writable() const { return writable_; }

 protected:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  bool readable_ = false;
  bool writable_ = false;
};

}  // namespace avocet::runtime
