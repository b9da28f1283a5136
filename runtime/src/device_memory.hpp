// SPDX-License-Identifier: Apache-2.0
// Memory made from a descriptor: a typed value with roles, which is initialised or not. It lives in host memory: the
// steps of a plan read and write it in place.
#pragma once

#include <mutex>
#include <vector>

#include "frame.hpp"
#include "memory.hpp"
#include "operand.hpp"

namespace avocet::runtime {

/// An input or output of a compilation. Compilations are known by number: addresses come back after a free.
struct MemoryRole {
  uint64_t compilation = 0;
  MemoryUse use = MemoryUse::kInput;
  uint32_t index = 0;
  bool operator==(const MemoryRole&) const = default;
};

class DeviceMemory : public Memory {
 public:
  /// `operand` gives type and dimensions; 0 and no rank are unknown. May throw bad_alloc.
  DeviceMemory(Operand operand, std::vector<MemoryRole> roles);

  Status check_use(MemoryUse use, const Compilation* compilation, uint32_t index, size_t offset,
                   size_t length) const override;
  bool used_whole() const override { return true; }
  DeviceMemory* device() override { return this; }

  /// Whether an input or output of these dimensions (0 and no rank are unknown) may be this memory.
  Status check_dims(const Dimensions& dims) const;

  /// The value as an input of dimensions `dims` (or unknown ones): OP_FAILED when it is uninitialised or has others.
  /// `*dims` becomes the value's.
  Status begin_reading(Dimensions* dims) const;

  /// Room for a value of these dimensions; false when it is more than a fixed memory has.
  bool begin_writing(size_t bytes, void** data);
  /// Every begin_writing, and every failed execution with this output, ends so.
  void end_writing(bool success, const Dimensions& dims);

  bool initialised() const;
  Dimensions dims() const;  // of the value, or what is known when it has none
  const Operand& operand() const { return operand_; }

 private:
  const Operand operand_;
  const std::vector<MemoryRole> roles_;
  mutable std::mutex mutex_;
  Buffer buffer_;
  bool initialised_ = false;
  Dimensions value_dims_;
};

/// ANeuralNetworksMemory_copy when at least one is device memory. The destination is initialised by success and
/// uninitialised by failure.
Status copy_device_memory(Memory& source, Memory& destination);

}  // namespace avocet::runtime
