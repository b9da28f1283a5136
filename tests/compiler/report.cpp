// SPDX-License-Identifier: Apache-2.0
// What the report says of a program: who holds which bytes when, and sums that can be counted in another way.
#include <avocet/compiler/report.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "avocet_stream.h"
#include "memory_occupancy.hpp"
#include "random_graph.hpp"

namespace avocet::compiler::test {
namespace {

TEST(Occupancy, BytesAreHeldFromTheWriteToTheLastUse) {
  OccupancyTracker memory;
  memory.write(0, 100, 10, 20, 1, true);
  memory.read(40, 10, 35);
  memory.write(0, 100, 50, 60, 2, true);  // taken over after it was read
  const MemoryOccupancy occupancy = memory.finish();
  ASSERT_EQ(occupancy.blocks.size(), 2u);
  EXPECT_EQ(occupancy.blocks[0].first_cycle, 10u);
  EXPECT_EQ(occupancy.blocks[0].last_cycle, 35u);
  EXPECT_EQ(occupancy.blocks[1].first_cycle, 50u);
  EXPECT_EQ(occupancy.blocks[1].last_cycle, 60u);
  EXPECT_EQ(occupancy.bytes, 100u);
  EXPECT_EQ(occupancy.live_bytes, 100u);
}

TEST(Occupancy, StripsOfOneTileAreOneBlock) {
  OccupancyTracker memory;
  for (uint64_t strip = 0; strip < 4; ++strip) memory.write(strip * 16, 100, strip, strip + 1, 7, false);
  const MemoryOccupancy occupancy = memory.finish();
  ASSERT_EQ(occupancy.blocks.size(), 1u);
  EXPECT_EQ(occupancy.blocks[0].bytes, 148u);
  EXPECT_EQ(occupancy.blocks[0].last_cycle, 4u);
}

TEST(Occupancy, WhatIsNotOverwrittenStays) {
  OccupancyTracker memory;
  memory.write(0, 90, 0, 5, 1, false);
  memory.read(0, 90, 8);
  memory.write(30, 30, 10, 12, 2, false);  // a hole in the middle
  memory.read(0, 90, 40);
  const MemoryOccupancy occupancy = memory.finish();
  ASSERT_EQ(occupancy.blocks.size(), 4u);
  EXPECT_EQ(occupancy.live_bytes, 90u);
  uint64_t until_the_end = 0;
  for (const MemoryBlock& block : occupancy.blocks) until_the_end += block.last_cycle == 40 ? block.bytes : 0;
  EXPECT_EQ(until_the_end, 90u);
}

/// Two convolutions, a depthwise layer and an addition; the input is too large for a small SRAM at once.
Program network(uint32_t sram_bytes) {
  GraphBuilder b(11);
  const uint32_t in = b.input({1, 40, 40, 16}, ElementType::kInt8);
  GraphBuilder::Window window;
  window.height = window.width = 3;
  const uint32_t first = b.convolution(in, 16, window);
  const uint32_t second = b.depthwise(first, 1, window);
  b.return_tensor(b.add(b.convolution(second, 16, window), first));
  DeviceConfig device = avocet_256();
  device.sram_bytes = sram_bytes;
  return compile(b.graph(), device);
}

TEST(Report, AddsUp) {
  for (uint32_t sram_bytes : {24u << 10, 384u << 10}) {
    const Program program = network(sram_bytes);
    const ProgramReport result = report(program);
    EXPECT_EQ(result.cycles, program.predicted_cycles);
    ASSERT_EQ(result.layers.size(), program.layers.size());
    uint64_t cycles = 0, last = 0, read = 0, written = 0, commands = 0;
    for (const LayerReport& layer : result.layers) {
      cycles += layer.cycles;
      last = std::max(last, layer.last_cycle);
      read += layer.dram_read_bytes;
      written += layer.dram_write_bytes;
      commands += layer.commands;
      EXPECT_LE(layer.sram_bytes, result.sram.live_bytes);
    }
    EXPECT_EQ(cycles, last);
    EXPECT_LE(last, result.cycles);
    EXPECT_GE(read, program.input_bytes + program.constants.size() / 2);
    EXPECT_GE(written, program.output_bytes);
    avocet_limits limits{.array_rows = 16, .array_cols = 16, .acc_rows = program.device.acc_rows, .sram_bytes = sram_bytes,
                         .dma_channels = program.device.dma_channels, .region_bytes = nullptr};
    avocet_stream_report stream;
    ASSERT_EQ(avocet_stream_check(program.stream.data(), program.stream.size(), &limits, &stream), AVOCET_STATUS_OK);
    EXPECT_EQ(commands, std::accumulate(std::begin(stream.unit_commands), std::end(stream.unit_commands), uint64_t{0}));
  }
}

TEST(Report, MemoryStaysWithinTheDevice) {
  const Program program = network(24 << 10);
  const ProgramReport result = report(program);
  EXPECT_LE(result.sram.bytes, 24u << 10);
  EXPECT_LE(result.sram.live_bytes, result.sram.bytes);
  EXPECT_GT(result.sram.live_bytes, 0u);
  EXPECT_LE(result.scratch.bytes, program.scratch_bytes);
  for (const MemoryBlock& block : result.sram.blocks) {
    EXPECT_LE(block.address + block.bytes, result.sram.bytes);
    EXPECT_LE(block.first_cycle, block.last_cycle);
    EXPECT_LE(block.last_cycle, result.cycles);
  }
}

TEST(Report, TilesLieWithinTheOutput) {
  const Program program = network(24 << 10);
  const ProgramReport result = report(program);
  for (size_t i = 0; i < program.layers.size(); ++i) {
    SCOPED_TRACE(program.layers[i].name);
    ASSERT_EQ(result.layers[i].tile.size(), 3u);
    uint64_t elements = 1, tile = 1;
    for (uint32_t extent : program.layers[i].shape) elements *= extent;
    for (uint32_t extent : result.layers[i].tile) tile *= extent;
    EXPECT_LE(tile, elements);
    EXPECT_LT(tile * 2, elements) << "the small SRAM holds no half of a layer";
  }
}

TEST(Report, RefusesAStreamTheDeviceWouldRefuse) {
  Program program = network(384 << 10);
  program.device.sram_bytes = 1024;
  EXPECT_THROW((void)report(program), CompileError);
  program = network(384 << 10);
  program.device.array_rows = 0;
  EXPECT_THROW((void)report(program), CompileError);
}

}  // namespace
}  // namespace avocet::compiler::test
