// SPDX-License-Identifier: Apache-2.0
// The program's constants: places are given out while the schedule is built, bytes written once at the end. Chunks
// asked for twice (a batch, a second band) are there once.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "network.hpp"
#include "weight_chunks.hpp"

namespace avocet::compiler {

class ConstantPool {
 public:
  ConstantPool(const Network& network, const DeviceConfig& device) : network_(network), device_(device) {}

  /// Byte offset in region kConstants.
  uint64_t place_chunk(uint32_t node, const KernelLayout& layout, const WeightChunk& chunk);
  uint64_t place_value(uint32_t value);

  uint64_t bytes() const { return bytes_; }
  std::vector<uint8_t> pack() const;

 private:
  struct Chunk {
    uint32_t node;
    KernelLayout layout;
    WeightChunk chunk;
    uint64_t offset;
  };
  using Key = std::tuple<uint32_t, NodeKind, KernelFold, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t>;

  uint64_t take(uint64_t bytes);

  const Network& network_;
  const DeviceConfig& device_;
  uint64_t bytes_ = 0;
  std::vector<Chunk> chunks_;
  std::map<Key, uint64_t> places_;
  std::map<uint32_t, uint64_t> values_;
};

}  // namespace avocet::compiler
