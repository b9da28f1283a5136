// SPDX-License-Identifier: Apache-2.0
// A convolution as a matrix product: one row for each output pixel with the pixels under the filter, and the division of the
// product into blocks that stay in the cache and go to the execution's threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "operation.hpp"
#include "padding.hpp"

namespace avocet::runtime {

/// Where the rows come from. Images are NHWC; a row has filter height * filter width * channels elements.
struct PatchGeometry {
  size_t height, width;          // input
  size_t image_channels;         // channels of a pixel of the input
  size_t first_channel = 0;      // of those that take part (grouped convolution)
  size_t channels;               // that take part
  size_t out_height, out_width;  // output
  Window2d window;

  size_t row_length() const {
    return static_cast<size_t>(window.height.filter) * static_cast<size_t>(window.width.filter) * channels;
  }
  /// Rows are the pixels of the input as they lie in memory.
  bool is_identity() const {
    const auto plain = [](const WindowAxis& axis) { return axis.filter == 1 && axis.stride == 1 && axis.pad_before == 0; };
    return plain(window.height) && plain(window.width) && channels == image_channels && out_height == height && out_width == width;
  }
};

/// Writes the rows of output pixels [begin, end), counted through all batches, to `rows`. copy(from, to, count) converts
/// elements; cells in the padding become To{} (a value of zero after the zero point is taken off).
template <typename From, typename To, typename Copy>
void gather_rows(const PatchGeometry& g, const From* images, size_t begin, size_t end, To* rows, size_t row_stride, const Copy& copy) {
  const size_t pixels = g.out_height * g.out_width;
  const size_t filter_width = static_cast<size_t>(g.window.width.filter);
  for (size_t index = begin; index < end; ++index, rows += row_stride) {
    const From* image = images + index / pixels * g.height * g.width * g.image_channels + g.first_channel;
    const int64_t y0 = static_cast<int64_t>(index % pixels / g.out_width) * g.window.height.stride - g.window.height.pad_before;
    const int64_t x0 = static_cast<int64_t>(index % g.out_width) * g.window.width.stride - g.window.width.pad_before;
    To* to = rows;
    for (int32_t ky = 0; ky < g.window.height.filter; ++ky) {
      const int64_t y = y0 + int64_t{ky} * g.window.height.dilation;
      if (y < 0 || y >= static_cast<int64_t>(g.height)) {
        std::fill_n(to, filter_width * g.channels, To{});
        to += filter_width * g.channels;
        continue;
      }
      const From* line = image + static_cast<size_t>(y) * g.width * g.image_channels;
      const bool whole = g.window.width.dilation == 1 && x0 >= 0 &&
                         x0 + g.window.width.filter <= static_cast<int64_t>(g.width) && g.channels == g.image_channels;
      if (whole) {
        copy(line + static_cast<size_t>(x0) * g.channels, to, filter_width * g.channels);
        to += filter_width * g.channels;
        continue;
      }
      for (int32_t kx = 0; kx < g.window.width.filter; ++kx, to += g.channels) {
        const int64_t x = x0 + int64_t{kx} * g.window.width.dilation;
        if (x < 0 || x >= static_cast<int64_t>(g.width)) {
          std::fill_n(to, g.channels, To{});
        } else {
          copy(line + static_cast<size_t>(x) * g.image_channels, to, g.channels);
        }
      }
    }
  }
}

/// Calls body(first_row, last_row, first_panel, last_panel) so that together the calls cover the product. Rows of a call
/// take at most a quarter of a megabyte, or six rows.
template <typename Body>
void for_product_blocks(const OperationContext& context, size_t rows, size_t row_bytes, size_t panels, const Body& body) {
  constexpr size_t kTile = 6, kBlockBytes = 192 * 1024;
  const size_t most = std::max(kTile, kBlockBytes / std::max<size_t>(1, row_bytes) / kTile * kTile);
  const size_t blocks = (rows + most - 1) / most;
  if (blocks <= 1) {
    constexpr size_t kWorthAThread = 1 << 19;  // bytes of weights times rows
    const size_t grain = std::max<size_t>(1, kWorthAThread / std::max<size_t>(1, row_bytes * rows * 16));
    context.parallel_for(panels, grain, [&](size_t begin, size_t end) { body(size_t{0}, rows, begin, end); });
    return;
  }
  const size_t each = ((rows + blocks - 1) / blocks + kTile - 1) / kTile * kTile;
  context.parallel_for((rows + each - 1) / each, 1, [&](size_t begin, size_t end) {
    for (size_t block = begin; block < end; ++block) body(block * each, std::min(rows, (block + 1) * each), size_t{0}, panels);
  });
}

}  // namespace avocet::runtime
