// SPDX-License-Identifier: Apache-2.0
// What the compiler has to know of a device: its capability registers, which the driver's query returns.
#pragma once

#include <cstdint>

namespace avocet::compiler {

struct DeviceConfig {
  uint32_t array_rows = 0, array_cols = 0;
  uint32_t acc_rows = 0;      // accumulator rows of array_cols int32
  uint32_t vector_lanes = 0;
  uint32_t sram_bytes = 0, sram_banks = 0;
  uint32_t dma_channels = 0, dma_bytes_per_cycle = 0;
  uint32_t dram_millibytes_per_cycle = 0, dram_latency = 0;
  uint32_t clock_khz = 0, cores = 1;
  bool operator==(const DeviceConfig&) const = default;
};

}  // namespace avocet::compiler
