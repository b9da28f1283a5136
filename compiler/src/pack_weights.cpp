// SPDX-License-Identifier: Apache-2.0
#include "pack_weights.hpp"

#include <algorithm>
#include <cstring>

namespace avocet::compiler {
namespace {

/// Where byte `k` of a kernel position's contiguous run comes from; false: it is no part of the kernel.
bool find_element(const Node& node, const KernelLayout& layout, const Map& input, uint32_t k, uint32_t* ky,
                  uint32_t* kx, uint32_t* ci) {
  const Geometry& g = node.geometry;
  uint64_t rest = k;
  if (layout.fold == KernelFold::kAll) {
    const uint64_t pitch = g.dilation_y * input.row_pitch();
    *ky = static_cast<uint32_t>(rest / pitch);
    rest %= pitch;
  }
  if (layout.fold != KernelFold::kNone) {
    *kx = static_cast<uint32_t>(rest / input.channels);
    rest %= input.channels;
  }
  *ci = static_cast<uint32_t>(rest);
  return *kx < g.kernel_width;
}

void put32(uint8_t* bytes, uint32_t word) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<uint8_t>(word >> (8 * i));
}

}  // namespace

void WeightPacker::pack(const Node& node, const KernelLayout& layout, const WeightChunk& chunk, uint8_t* bytes) {
  if (has_table(node.kind)) {
    const std::vector<uint8_t>& table = network_.tables[node.table];
    std::copy(table.begin(), table.end(), bytes);
    return;
  }
  if (chunk.has_parameters) pack_parameters(node, chunk, bytes);
  if (node.kind == NodeKind::kDepthwise)
    pack_depthwise(node, chunk, bytes + chunk.tiles_offset);
  else
    pack_tiles(node, layout, chunk, bytes + chunk.tiles_offset);
}

const std::vector<int32_t>& WeightPacker::kernel_sums(const Node& node) {
  const auto [entry, is_new] = sums_.try_emplace(node.weights);
  if (!is_new) return entry->second;
  const Weights& w = network_.weights[node.weights];
  const uint8_t flip = w.is_unsigned ? 0x80 : 0;
  const uint32_t channels = network_.input(node).channels;
  entry->second.resize(w.scales.size());
  if (w.are_zero) return entry->second;
  for (size_t co = 0; co < w.scales.size(); ++co) {
    uint32_t sum = 0;
    for (uint32_t ky = 0; ky < node.geometry.kernel_height; ++ky)
      for (uint32_t kx = 0; kx < node.geometry.kernel_width; ++kx) {
        for (uint32_t ci = 0; ci < channels; ++ci)
          sum += static_cast<uint32_t>(static_cast<int8_t>(*w.at(static_cast<int64_t>(co), ky, kx, ci) ^ flip) - w.zero_point);
      }
    entry->second[co] = static_cast<int32_t>(sum);
  }
  return entry->second;
}

void WeightPacker::pack_parameters(const Node& node, const WeightChunk& chunk, uint8_t* bytes) {
  const Weights& w = network_.weights[node.weights];
  // The array does not subtract the input's zero point; the vector unit does.
  const bool folds = node.kind == NodeKind::kConvolution;
  const Map& input = network_.input(node);
  const auto zero_point = static_cast<uint32_t>(input.zero_point - (input.is_unsigned ? 128 : 0));
  for (uint32_t c = chunk.channel_begin; c < chunk.channel_end; ++c, bytes += 12) {
    uint32_t bias = 0;
    std::memcpy(&bias, w.bias + uint64_t{c} * 4, 4);
    if (folds) bias -= zero_point * static_cast<uint32_t>(kernel_sums(node)[c]);  // modulo 2^32, as the accumulators
    put32(bytes, bias);
    put32(bytes + 4, static_cast<uint32_t>(w.scales[c].multiplier));
    put32(bytes + 8, static_cast<uint32_t>(w.scales[c].shift));
  }
}

void WeightPacker::pack_tiles(const Node& node, const KernelLayout& layout, const WeightChunk& chunk,
                              uint8_t* tile) const {
  const Weights& w = network_.weights[node.weights];
  const uint8_t flip = w.is_unsigned ? 0x80 : 0;
  const Map& input = network_.input(node);
  for (uint32_t column = chunk.channel_begin; column < chunk.channel_end; column += device_.array_cols) {
    const uint32_t columns = std::min(device_.array_cols, chunk.channel_end - column);
    for (uint32_t pass_y = 0; pass_y < layout.ky_count; ++pass_y)
      for (uint32_t pass_x = 0; pass_x < layout.kx_count; ++pass_x)
        for (uint32_t block = chunk.block_begin; block < chunk.block_end; ++block)
          for (uint32_t r = 0; r < device_.array_rows; ++r, tile += device_.array_cols) {
            const uint32_t k = block * device_.array_rows + r;
            if (k >= layout.channels) continue;  // the device feeds zeros there
            uint32_t ky = pass_y, kx = pass_x, ci = 0;
            if (w.are_zero || !find_element(node, layout, input, k, &ky, &kx, &ci)) {
              std::memset(tile, w.zero_point, columns);
              continue;
            }
            const uint8_t* from = w.at(column, ky, kx, ci);
            for (uint32_t c = 0; c < columns; ++c) tile[c] = from[c * w.stride_co] ^ flip;
          }
  }
}

void WeightPacker::pack_depthwise(const Node& node, const WeightChunk& chunk, uint8_t* bytes) const {
  const Weights& w = network_.weights[node.weights];
  const uint8_t flip = w.is_unsigned ? 0x80 : 0;
  for (uint32_t ky = 0; ky < node.geometry.kernel_height; ++ky)
    for (uint32_t kx = 0; kx < node.geometry.kernel_width; ++kx) {
      const uint8_t* from = w.at(chunk.channel_begin, ky, kx, 0);
      for (uint32_t c = 0; c < chunk.channels(); ++c) *bytes++ = from[c * w.stride_co] ^ flip;
    }
}

}  // namespace avocet::compiler
