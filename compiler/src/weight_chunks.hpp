// SPDX-License-Identifier: Apache-2.0
// A node's constants are cut into chunks, each contiguous in DRAM and loaded by one command: of a convolution the
// parameters of its output channels, then the weight tiles in the order of the array's passes; else a table.
#pragma once

#include <vector>

#include "kernel_layout.hpp"
#include "network.hpp"

namespace avocet::compiler {

struct WeightChunk {
  uint32_t channel_begin = 0, channel_end = 0;  // output channels
  uint32_t block_begin = 0,
           block_end = 0;      // array: blocks of the kernel layout; chunks of one output range follow each other
  bool has_parameters = true;  // the last chunk of its output channels
  uint64_t tiles_offset = 0;   // of the weights behind the parameters
  uint64_t bytes = 0;

  uint32_t channels() const { return channel_end - channel_begin; }
};

struct WeightChunks {
  KernelLayout layout;  // array
  std::vector<WeightChunk> chunks;
  uint64_t total_bytes = 0, largest = 0;
  bool splits_kernel = false;  // some output channels need several chunks
};

inline bool has_table(NodeKind kind) { return kind == NodeKind::kTable || kind == NodeKind::kSoftmax; }

/// How to cut: as many output channels in a chunk as `chunk_bytes` allows, but at least ARRAY_COLS.
struct ChunkLimits {
  uint64_t chunk_bytes = 0;
  uint64_t chunk_bytes_max = 0;  // beyond this the kernel is split
  KernelFold fold = KernelFold::kAll;
};

WeightChunks weight_chunks(const Network& network, const Node& node, const DeviceConfig& device,
                           const ChunkLimits& limits);

/// The chunk with these output channels and blocks.
WeightChunk weight_chunk(const Node& node, const KernelLayout& layout, const DeviceConfig& device,
                         uint32_t channel_begin, uint32_t channel_end, uint32_t block_begin, uint32_t block_end);

}  // namespace avocet::compiler
