// SPDX-License-Identifier: Apache-2.0
// Anonymous file memory, mapped here and known to the API as an ANeuralNetworksMemory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nnapi/handles.hpp"

namespace avocet::tools {

class SharedMemory {
 public:
  /// At least one byte. Throws std::system_error or ApiError.
  explicit SharedMemory(size_t bytes);
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  std::span<uint8_t> bytes() { return {data_, size_}; }
  const ANeuralNetworksMemory* memory() const { return memory_.get(); }

 private:
  uint8_t* data_ = nullptr;
  size_t size_;
  MemoryHandle memory_;
};

}  // namespace avocet::tools
