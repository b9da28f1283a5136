// SPDX-License-Identifier: Apache-2.0
// The compiler's public face: what it supports, and graph -> program. Deterministic; any thread, no shared state.
#pragma once

#include <avocet/compiler/graph.hpp>
#include <avocet/compiler/program.hpp>

#include <stdexcept>
#include <string>

namespace avocet::compiler {

/// The device's capability registers, which the driver's query returns.
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

struct Support {
  bool supported = false;
  std::string reason;  // a sentence when not
};

/// Whether operation `index` of the graph can run on this device. Never throws for a well-formed graph.
Support supports(const Graph& graph, uint32_t index, const DeviceConfig& device);

/// A broken graph or a fault of the compiler; what() is one sentence.
struct CompileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Compiles a graph of supported operations. Throws CompileError. Results equal the reference kernels to the bit.
Program compile(const Graph& graph, const DeviceConfig& device);

}  // namespace avocet::compiler
