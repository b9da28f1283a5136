// SPDX-License-Identifier: Apache-2.0
#include "weight_chunks.hpp"

#include <algorithm>

#include "command_cost.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kParameterBytes = 12;
constexpr uint64_t kAlignment = 16;
constexpr uint64_t kTableBytes = 256, kExponentialBytes = 1024;
constexpr uint32_t kDepthwiseChannelsMax = 65536;

uint64_t aligned(uint64_t bytes) { return divide_up(bytes, kAlignment) * kAlignment; }

void add(WeightChunks& result, const WeightChunk& chunk) {
  result.chunks.push_back(chunk);
  result.total_bytes += chunk.bytes;
  result.largest = std::max(result.largest, chunk.bytes);
}

void cut_depthwise(const Network& network, const Node& node, const DeviceConfig& device, const ChunkLimits& limits,
                   WeightChunks& result) {
  const uint32_t channels = network.output(node).channels;
  const uint64_t per_channel = kParameterBytes + uint64_t{node.geometry.kernel_height} * node.geometry.kernel_width;
  const uint64_t fitting = std::clamp<uint64_t>(limits.chunk_bytes / per_channel, 1, kDepthwiseChannelsMax);
  const uint64_t parts = divide_up(channels, fitting);
  const uint64_t inputs =
      std::max<uint64_t>(1, divide_up(channels, parts) / node.depth_multiplier);  // whole input channels
  const uint64_t step = inputs * node.depth_multiplier;
  for (uint64_t begin = 0; begin < channels; begin += step)
    add(result, weight_chunk(node, result.layout, device, static_cast<uint32_t>(begin),
                             static_cast<uint32_t>(std::min<uint64_t>(channels, begin + step)), 0, 0));
}

void cut_convolution(const Network& network, const Node& node, const DeviceConfig& device, const ChunkLimits& limits,
                     WeightChunks& result) {
  const uint32_t channels = network.output(node).channels;
  const uint64_t tile_bytes = uint64_t{device.array_rows} * device.array_cols;
  const uint64_t pass_group = uint64_t{result.layout.kx_count} * result.layout.ky_count * tile_bytes;  // of one block
  const uint64_t column_bytes = pass_group * result.layout.blocks + uint64_t{device.array_cols} * kParameterBytes;
  const uint64_t column_blocks = divide_up(channels, device.array_cols);
  uint64_t blocks = result.layout.blocks;
  uint64_t columns = 1;
  if (column_bytes <= limits.chunk_bytes_max) {
    const uint64_t parts = divide_up(column_blocks, std::max<uint64_t>(1, limits.chunk_bytes / column_bytes));
    columns = divide_up(column_blocks, parts);
  } else {
    const uint64_t fitting = std::max<uint64_t>(1, limits.chunk_bytes / pass_group);
    blocks = divide_up(blocks, divide_up(blocks, fitting));
    result.splits_kernel = blocks < result.layout.blocks;
  }
  const uint64_t step = columns * device.array_cols;
  for (uint64_t begin = 0; begin < channels; begin += step)
    for (uint64_t block = 0; block < result.layout.blocks; block += blocks)
      add(result,
          weight_chunk(node, result.layout, device, static_cast<uint32_t>(begin),
                       static_cast<uint32_t>(std::min<uint64_t>(channels, begin + step)), static_cast<uint32_t>(block),
                       static_cast<uint32_t>(std::min<uint64_t>(result.layout.blocks, block + blocks))));
}

}  // namespace

WeightChunk weight_chunk(const Node& node, const KernelLayout& layout, const DeviceConfig& device,
                         uint32_t channel_begin, uint32_t channel_end, uint32_t block_begin, uint32_t block_end) {
  WeightChunk chunk{channel_begin, channel_end, block_begin, block_end, true, 0, 0};
  if (has_table(node.kind)) {
    chunk.bytes = node.kind == NodeKind::kTable ? kTableBytes : kExponentialBytes;
    return chunk;
  }
  if (node.kind == NodeKind::kDepthwise) {
    chunk.tiles_offset = aligned(chunk.channels() * kParameterBytes);
    const uint64_t taps = uint64_t{node.geometry.kernel_height} * node.geometry.kernel_width;
    chunk.bytes = aligned(chunk.tiles_offset + taps * chunk.channels());
    return chunk;
  }
  chunk.has_parameters = block_end == layout.blocks;
  chunk.tiles_offset = chunk.has_parameters ? aligned(chunk.channels() * kParameterBytes) : 0;
  const uint64_t passes = uint64_t{layout.kx_count} * layout.ky_count * (block_end - block_begin);
  const uint64_t column_blocks = divide_up(chunk.channels(), device.array_cols);
  chunk.bytes = aligned(chunk.tiles_offset + column_blocks * passes * device.array_rows * device.array_cols);
  return chunk;
}

WeightChunks weight_chunks(const Network& network, const Node& node, const DeviceConfig& device,
                           const ChunkLimits& limits) {
  WeightChunks result;
  if (node.kind == NodeKind::kConvolution) {
    result.layout = kernel_layout(network, node, device, limits.fold);
    cut_convolution(network, node, device, limits, result);
  } else if (node.kind == NodeKind::kDepthwise) {
    cut_depthwise(network, node, device, limits, result);
  } else if (has_table(node.kind)) {
    add(result, weight_chunk(node, result.layout, device, 0, 0, 0, 0));
  }
  return result;
}

}  // namespace avocet::compiler
