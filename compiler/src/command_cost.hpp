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
  uint64_t binary(uint64_t row_bytes, uint64_t rows, uint64_t scalars) const {
    return ((2 - scalars) * vector_groups(row_bytes) + scalars) * rows;
  }
  uint64_t table(uint64_t row_bytes, uint64_t rows) const { return vector_groups(256) + vector_groups(row_bytes) * rows; }
  /// Of one group whose cells lie side by side.
  uint64_t reduce_group(uint64_t channels, uint64_t cells) const {
    return vector_groups(channels * cells) + vector_groups(channels);
  }
  /// Likewise; indices of four bytes are written while the next group is read.
  uint64_t arg_reduce_group(uint64_t channels, uint64_t cells) const {
    return std::max(vector_groups(channels * cells), vector_groups(4 * channels));
  }
  /// Rows of neighbouring elements, each passed over several times, with some cycles between.
  uint64_t rows_of_elements(uint64_t elements, uint64_t rows, uint64_t passes, uint64_t rest) const {
    return (passes * vector_groups(elements) + rest) * rows;
  }
  /// Rows that lie side by side.
  uint64_t columns_of_elements(uint64_t elements, uint64_t rows, uint64_t passes, uint64_t rest) const {
    return (passes * elements + rest) * vector_groups(rows);
  }
  uint64_t resize(uint64_t channels, uint64_t columns, uint64_t rows) const {
    return 4 * vector_groups(columns * channels) * rows;
  }
  uint64_t copy(uint64_t bytes) const { return vector_groups(bytes); }  // a pool of one cell
  uint64_t fill(uint64_t row_bytes, uint64_t rows) const {
    return divide_up(row_bytes, device_.dma_bytes_per_cycle) * rows;
  }
  /// Of a DMA channel alone. Rows are requested in bursts, a bounded number of them over the latency.
  uint64_t transfer(uint64_t rows, uint64_t row_bytes) const {
    const uint64_t bursts = rows * divide_up(row_bytes, kBurstBytes);
    return std::max({uint64_t{1}, rows * divide_up(row_bytes, device_.dma_bytes_per_cycle),
                     bursts * device_.dram_latency / kBurstsOutstanding, dram(rows * row_bytes)});
  }
  static constexpr uint64_t kBurstBytes = 64, kBurstsOutstanding = 32;
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
