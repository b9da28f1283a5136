// SPDX-License-Identifier: Apache-2.0
// The bytes of a weight chunk: weights as int8 in the order of the array's passes, biases with the input's zero point
// folded in.
#pragma once

#include <map>
#include <vector>

#include "network.hpp"
#include "weight_chunks.hpp"

namespace avocet::compiler {

class WeightPacker {
 public:
  WeightPacker(const Network& network, const DeviceConfig& device) : network_(network), device_(device) {}

  /// Writes chunk.bytes bytes, which must be 0 before.
  void pack(const Node& node, const KernelLayout& layout, const WeightChunk& chunk, uint8_t* bytes);

 private:
  void pack_parameters(const Node& node, const WeightChunk& chunk, uint8_t* bytes);
  void pack_tiles(const Node& node, const KernelLayout& layout, const WeightChunk& chunk, uint8_t* tiles) const;
  void pack_depthwise(const Node& node, const WeightChunk& chunk, uint8_t* bytes) const;
  const std::vector<int32_t>& kernel_sums(const Node& node);

  const Network& network_;
  const DeviceConfig& device_;
  std::map<uint32_t, std::vector<int32_t>> sums_;  // weights -> sum of (w - zero point) of each output channel
};

}  // namespace avocet::compiler
