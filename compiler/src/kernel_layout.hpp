// SPDX-License-Identifier: Apache-2.0
// How a convolution's kernel is cut into passes of the MAC array. A pass takes ARRAY_ROWS contiguous bytes of input, so
// with few channels it pays to run over neighbouring cells: a kernel row is contiguous, and with narrow maps even the
// whole kernel is, with bytes in between that meet weights of value zero.
#pragma once

#include "network.hpp"

namespace avocet::compiler {

enum class KernelFold : uint8_t { kNone, kRow, kAll };

struct KernelLayout {
  KernelFold fold = KernelFold::kNone;
  uint32_t kx_count = 1, ky_count = 1;
  uint32_t channels = 1;  // contiguous bytes for each (ky, kx)
  uint32_t blocks = 1;    // of ARRAY_ROWS channels
  uint64_t passes() const { return uint64_t{kx_count} * ky_count * blocks; }
};

/// The layout with the fewest passes that folds at most `limit`, and for an input that may be read from a block of its
/// whole value.
KernelLayout kernel_layout(const Network& network, const Node& node, const DeviceConfig& device,
                           KernelFold limit = KernelFold::kAll);
/// For an input in a dense window of its own.
KernelLayout window_kernel_layout(const Network& network, const Node& node, const DeviceConfig& device, KernelFold limit);

}  // namespace avocet::compiler
