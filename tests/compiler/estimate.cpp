// SPDX-License-Identifier: Apache-2.0
// The cycle estimator on streams short enough to count by hand.
#include <gtest/gtest.h>

#include <avocet/isa/assemble.hpp>

#include "estimate_cycles.hpp"
#include "random_graph.hpp"

namespace avocet::compiler::test {
namespace {

uint64_t cycles(const char* text, const DeviceConfig& device = avocet_256()) {
  return estimate_cycles(isa::assemble(text), device).cycles;
}

// A word of the stream that is dispatched while data are under way takes half a cycle of their bandwidth.
constexpr uint64_t of_stream(uint64_t words) { return (words + 1) / 2; }

TEST(Estimate, ALoadTakesDispatchTransferAndLatency) {
  EXPECT_EQ(cycles("DMA_LOAD channel=0 region=0 dram=0 sram=0 row_bytes=800\nEND\n"), 13u + 100 + 100 + of_stream(1));
}

TEST(Estimate, ChannelsShareTheBandwidth) {
  // The second is dispatched 13 cycles later: 13 cycles alone, then half the rate each.
  EXPECT_EQ(cycles("DMA_LOAD channel=0 region=0 dram=0 sram=0 row_bytes=800\n"
                   "DMA_LOAD channel=1 region=0 dram=0 sram=1024 row_bytes=800\nEND\n"),
            13u + 200 + 100 + of_stream(14));
}

TEST(Estimate, ShortRowsWasteTheDataPath) {
  // 100 rows of 1 byte: a cycle each on the channel, but 100 * 100 / 32 cycles for the outstanding bursts.
  EXPECT_EQ(
      cycles("DMA_LOAD channel=0 region=0 dram=0 sram=0 row_bytes=1 count0=100 dram_stride0=64 sram_stride0=64\nEND\n"),
      13u + 313 + 100);
}

TEST(Estimate, ArrayPassesFollowEachOther) {
  const char* matmul =
      "MATMUL weight_zero_point=0 ifm=0 weights=1024 weight_bytes=1024 acc=0 x_count=64 x_stride=16 channels=64\n";
  // Fetch 16 rows of weights, 4 passes of 64 vectors, latency 32.
  EXPECT_EQ(cycles((std::string(matmul) + "END\n").c_str()), 13u + 1 + 16 + 4 * 64 + 32);
  EXPECT_EQ(cycles((std::string(matmul) + matmul + "END\n").c_str()), 13u + 1 + 16 + 8 * 64 + 32);
}

TEST(Estimate, AWaitHoldsItsUnit) {
  const char* text =
      "DMA_LOAD channel=0 region=0 dram=0 sram=0 row_bytes=640\n"
      "WAIT unit=VECTOR producer=DMA0 count=1\n"
      "ADD left_shift=20 a=0 b=0 ofm=1024 row_bytes=640 a_zero_point=0 b_zero_point=0 a_multiplier=0x40000000 "
      "b_multiplier=0x40000000 "
      "out_multiplier=0x40000000 a_shift=0 b_shift=0 out_shift=0 zero_point=0 clamp_min=0 clamp_max=1\nEND\n";
  EXPECT_EQ(cycles(text), 13u + 80 + 100 + 20 + 8 + of_stream(3 + 18 + 1));
}

TEST(Estimate, CoresShareTheBandwidthAndMeetAtABarrier) {
  const std::string load = "DMA_LOAD channel=0 region=0 dram=0 sram=0 row_bytes=", meet = "BARRIER channel=0\n";
  EXPECT_EQ(cycles((load + "800\nEND\n" + load + "800\nEND\n").c_str()), 13u + 200 + 100 + of_stream(2));
  // The first core's 80 bytes take 20 cycles; the second's other 720 take 90 more and 100 of latency; then comes the last load.
  EXPECT_EQ(cycles((load + "80\n" + meet + load + "80\nEND\n" + load + "800\n" + meet + "END\n").c_str()),
            13u + 20 + 90 + 100 + 10 + 100 + of_stream(2 * 3 + 13 + 1));
  EXPECT_EQ(cycles((load + "80\n" + meet + "END\nEND\n").c_str()), 13u + 10 + 100 + of_stream(3 + 1)) << "a core that has ended is not waited for";
}

TEST(Estimate, BusyCyclesAddUp) {
  GraphBuilder b(1);
  const uint32_t in = b.input({1, 32, 32, 16}, ElementType::kInt8);
  GraphBuilder::Window window;
  window.height = window.width = 3;
  b.return_tensor(b.convolution(in, 16, window));
  const Program program = compile(b.graph(), avocet_256());
  const CycleEstimate estimate = estimate_cycles(program.stream, avocet_256());
  EXPECT_EQ(estimate.cycles, program.predicted_cycles);
  EXPECT_GE(estimate.busy[AVOCET_UNIT_MAC], 9u * 1024);
  EXPECT_LE(estimate.busy[AVOCET_UNIT_MAC], 9u * 1024 + 100);
  EXPECT_EQ(estimate.layers.size(), 1u);
  EXPECT_EQ(estimate.layers[0].last, estimate.cycles);
}

}  // namespace
}  // namespace avocet::compiler::test
