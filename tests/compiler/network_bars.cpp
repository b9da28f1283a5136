// SPDX-License-Identifier: Apache-2.0
// Whole networks on the configurations of accel_model/configs, by the compiler's own prediction (how near that is to the timed
// engine, runtime/network_cycles tells): cycles, use of the array, SRAM against its lower bound, and that more of the memory or its rate
// never makes a program slower.
#include <gtest/gtest.h>

#include <avocet/compiler/report.hpp>
#include <cstdio>

#include "networks.hpp"

namespace avocet::compiler::test {
namespace {

struct Measured {
  uint64_t cycles = 0, macs = 0, array_macs = 0;
  double utilisation = 0;  // of the array, over the whole time
};

Measured measure(const GraphBuilder& builder, const DeviceConfig& device, const char* what) {
  const Program program = compile(builder.graph(), device);
  const ProgramReport made = report(program);
  Measured result;
  result.cycles = program.predicted_cycles;
  for (size_t i = 0; i < program.layers.size(); ++i) {
    result.macs += program.layers[i].macs;
    if (made.layers[i].array_cycles > 0) result.array_macs += program.layers[i].macs;
  }
  const double peak = 1.0 * device.array_rows * device.array_cols;
  result.utilisation = static_cast<double>(result.array_macs) / (static_cast<double>(result.cycles) * peak);
  std::printf("%s: %llu cycles, %.1f %% of the array, %llu bytes of SRAM at least, %llu used\n", what,
              static_cast<unsigned long long>(result.cycles), 100 * result.utilisation,
              static_cast<unsigned long long>(made.sram.live_bytes), static_cast<unsigned long long>(made.sram.bytes));
  EXPECT_LE(made.sram.bytes, device.sram_bytes);
  return result;
}

TEST(NetworkBars, ResNet50) {
  GraphBuilder b(1);
  build_resnet50(b);
  const Measured avocet = measure(b, avocet_256(), "ResNet-50, avocet_256");
  EXPECT_EQ(avocet.macs, 4089184256u);
  EXPECT_LE(avocet.cycles, 19'000'000u);
  EXPECT_GE(avocet.utilisation, 0.8);
  EXPECT_LE(measure(b, u65(384, 3750), "ResNet-50, u65_384k").cycles, 16'000'000u);
  EXPECT_LE(measure(b, u65(512, 12000), "ResNet-50, u65_512k").cycles, 9'800'000u);
}

TEST(NetworkBars, MobileNetV2) {
  GraphBuilder b(1);
  build_mobilenet_v2(b);
  EXPECT_LE(measure(b, avocet_256(), "MobileNetV2, avocet_256").cycles, 2'200'000u);
  EXPECT_LE(measure(b, u65(384, 3750), "MobileNetV2, u65_384k").cycles, 2'300'000u);
  EXPECT_LE(measure(b, u65(512, 12000), "MobileNetV2, u65_512k").cycles, 1'250'000u);
}

/// Busy cycles of the vector unit against the products of each depthwise layer.
TEST(NetworkBars, DepthwiseLayersKeepTheVectorUnitBusy) {
  GraphBuilder b(1);
  build_mobilenet_v2(b);
  const Program program = compile(b.graph(), avocet_256());
  const ProgramReport made = report(program);
  int layers = 0;
  for (size_t i = 0; i < program.layers.size(); ++i) {
    if (program.layers[i].name != "DEPTHWISE_CONV_2D") continue;
    ++layers;
    const double lanes = static_cast<double>(made.layers[i].vector_cycles) * avocet_256().vector_lanes;
    EXPECT_GE(static_cast<double>(program.layers[i].macs) / lanes, 0.4) << "layer " << i;
  }
  EXPECT_EQ(layers, 17);
}

void expect_monotonic(const GraphBuilder& b, bool wide, const std::vector<uint32_t>& kib, const std::vector<uint32_t>& rates) {
  std::vector<std::vector<uint64_t>> cycles(kib.size(), std::vector<uint64_t>(rates.size()));
  for (size_t i = 0; i < kib.size(); ++i)
    for (size_t j = 0; j < rates.size(); ++j) {
      DeviceConfig device = wide ? u65(kib[i], rates[j]) : avocet_256();
      device.sram_bytes = kib[i] * 1024;
      device.dram_millibytes_per_cycle = rates[j];
      cycles[i][j] = compile(b.graph(), device).predicted_cycles;
      const std::string where = std::to_string(kib[i]) + " KiB, " + std::to_string(rates[j]) + " millibytes a cycle";
      if (i > 0) {
        EXPECT_LE(cycles[i][j], cycles[i - 1][j]) << where << ", against " << kib[i - 1] << " KiB";
      }
      if (j > 0) {
        EXPECT_LE(cycles[i][j], cycles[i][j - 1]) << where << ", against " << rates[j - 1];
      }
    }
}

TEST(NetworkBars, MoreMemoryIsNeverSlower) {
  GraphBuilder b(1);
  build_mobilenet_v2(b);
  expect_monotonic(b, true, {256, 384, 512}, {3750, 8000, 12000});
}

TEST(NetworkBars, LongMoreMemoryIsNeverSlower) {
  if (random_rounds() < 2) GTEST_SKIP() << "set AVOCET_RANDOM_ROUNDS";
  GraphBuilder b(1), r(1);
  build_mobilenet_v2(b);
  build_resnet50(r);
  const std::vector<uint32_t> kib{192, 256, 320, 384, 512, 768, 1024}, rates{2000, 3750, 6000, 8000, 12000, 16000, 24000};
  for (bool wide : {false, true}) {
    expect_monotonic(b, wide, kib, rates);
    expect_monotonic(r, wide, kib, rates);
  }
}

}  // namespace
}  // namespace avocet::compiler::test
