// SPDX-License-Identifier: Apache-2.0
// How long the device's units are busy with their commands: the closed forms that planning and the cycle estimator
// share.
#pragma once

#include <algorithm>
#include <avocet/compiler/compiler.hpp>
#include <cstdint>

namespace avocet::compiler {

inline uint64_t divide_up(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

class CommandCost {
 public:
  explicit CommandCost(const DeviceConfig& device) : device_(device) {}

  // Cycles until the unit can begin the next command.
  uint64_t matmul(uint64_t passes, uint64_t vectors) const {
    return passes * std::max<uint64_t>(vectors, device_.array_rows);
  }
  uint64_t requant(uint64_t channels, uint64_t rows) const { return channels + rows; }
  uint64_t depthwise(uint64_t channels, uint64_t columns, uint64_t rows, uint64_t taps) const {
    return vector_groups(columns * channels) * taps * rows + vector_groups(channels * 12);
  }
  uint64_t pool(uint64_t channels, uint64_t columns, uint64_t rows, uint64_t taps) const {
    return vector_groups(columns * channels) * taps * rows;
  }
  uint64_t add(uint64_t row_bytes, uint64_t rows) const { return 2 * vector_groups(row_bytes) * rows; }
  uint64_t copy(uint64_t bytes) const { return vector_groups(bytes); }  // a pool of one cell
  uint64_t fill(uint64_t row_bytes, uint64_t rows) const {
    return divide_up(row_bytes, device_.dma_bytes_per_cycle) * rows;
  }
  /// At the DRAM's full rate.
  uint64_t dram(uint64_t bytes) const { return divide_up(bytes * 1000, device_.dram_millibytes_per_cycle); }

  // Cycles from the end of that until the results are in memory.
  uint64_t matmul_latency() const { return uint64_t{device_.array_rows} + device_.array_cols; }
  uint64_t requant_latency() const { return 8; }
  uint64_t vector_latency() const { return 8; }
  uint64_t dma_latency() const { return device_.dram_latency; }

 private:
  uint64_t vector_groups(uint64_t elements) const { return divide_up(elements, device_.vector_lanes); }

  const DeviceConfig& device_;
};

}  // namespace avocet::compiler
