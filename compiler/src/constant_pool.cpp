// SPDX-License-Identifier: Apache-2.0
// Places of chunks and values; their bytes are made in pack_weights.cpp.
#include "constant_pool.hpp"

#include <cstring>

#include "pack_weights.hpp"

namespace avocet::compiler {

uint64_t ConstantPool::take(uint64_t bytes) {
  constexpr uint64_t kAlignment = 64;  // a DMA burst
  const uint64_t offset = bytes_;
  bytes_ = (bytes_ + bytes + kAlignment - 1) / kAlignment * kAlignment;
  return offset;
}

uint64_t ConstantPool::place_chunk(uint32_t node, const KernelLayout& layout, const WeightChunk& chunk) {
  const Node& n = network_.nodes[node];
  // Where whole kernels are folded, the gaps between the input's rows are among the weights.
  const uint64_t pitch = layout.fold == KernelFold::kAll ? network_.input(n).row_pitch() : 0;
  const Key key{has_table(n.kind) ? n.table : n.weights, n.kind,          layout.fold,       pitch,
                chunk.channel_begin,                     chunk.channel_end, chunk.block_begin, chunk.block_end};
  const auto [place, is_new] = places_.try_emplace(key, 0);
  if (is_new) {
    place->second = take(chunk.bytes);
    chunks_.push_back({node, layout, chunk, place->second});
  }
  return place->second;
}

uint64_t ConstantPool::place_value(uint32_t value) {
  const auto [place, is_new] = values_.try_emplace(value, 0);
  if (is_new) place->second = take(network_.values[value].bytes);
  return place->second;
}

std::vector<uint8_t> ConstantPool::pack() const {
  std::vector<uint8_t> constants(bytes_);
  WeightPacker packer(network_, device_);
  for (const Chunk& chunk : chunks_)
    packer.pack(network_.nodes[chunk.node], chunk.layout, chunk.chunk, constants.data() + chunk.offset);
  for (const auto& [value, offset] : values_)
    std::memcpy(constants.data() + offset, network_.values[value].data, network_.values[value].bytes);
  return constants;
}

}  // namespace avocet::compiler
