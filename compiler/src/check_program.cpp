// SPDX-License-Identifier: Apache-2.0
#include "check_program.hpp"

#include <algorithm>

#include "operation_rules.hpp"

namespace avocet::compiler {

void check_device(const DeviceConfig& device) {
  const struct {
    const char* what;
    uint64_t value, min, max;
  } ranges[] = {
      {"array_rows", device.array_rows, 1, 65536},
      {"array_cols", device.array_cols, 1, 65536},
      {"acc_rows", device.acc_rows, 1, 65536},
      {"vector_lanes", device.vector_lanes, 1, 1u << 20},
      {"sram_bytes", device.sram_bytes, 1, UINT32_MAX},
      {"dma_channels", device.dma_channels, 1, AVOCET_UNIT_COUNT - AVOCET_UNIT_DMA0},
      {"dma_bytes_per_cycle", device.dma_bytes_per_cycle, 1, 1u << 20},
      {"dram_millibytes_per_cycle", device.dram_millibytes_per_cycle, 1, UINT32_MAX},
  };
  for (const auto& range : ranges)
    if (range.value < range.min || range.value > range.max)
      throw CompileError(std::string("the device's ") + range.what + " is " + std::to_string(range.value) +
                         "; it must be " + std::to_string(range.min) + " to " + std::to_string(range.max));
}

void check_graph(const Graph& graph) {
  if (auto fault = graph_fault(graph)) throw CompileError(*fault);
}

RegionSizes::RegionSizes(const Program& program) {
  bytes[kConstants] = program.constant_bytes;
  bytes[kScratch] = program.scratch_bytes;
  bytes[kInputs] = program.input_bytes;
  bytes[kOutputs] = program.output_bytes;
}

void check_program(const Program& program, const DeviceConfig& device) {
  const RegionSizes regions(program);
  for (uint64_t bytes : regions.bytes)
    if (bytes > uint64_t{1} << 32) throw CompileError("a memory region of the program needs more than 4 GiB");
  if (program.layers.size() > AVOCET_TAGS_MAX) throw CompileError("the graph has more than 65535 layers");
  avocet_limits limits{};
  limits.array_rows = device.array_rows;
  limits.array_cols = device.array_cols;
  limits.acc_rows = device.acc_rows;
  limits.sram_bytes = device.sram_bytes;
  limits.dma_channels = device.dma_channels;
  limits.region_bytes = regions.bytes;
  avocet_stream_report report;
  avocet_parts parts;
  const uint32_t cores = std::max(1u, device.cores);
  if (avocet_parts_check(program.stream.data(), program.stream.size(), cores, &limits, &parts, &report) == AVOCET_STATUS_OK) return;
  throw CompileError(std::string("internal fault: the stream is refused at word ") + std::to_string(report.position) +
                     ": " + avocet_status_text(report.status) + ", " + (report.reason ? report.reason : ""));
}

}  // namespace avocet::compiler
