// SPDX-License-Identifier: Apache-2.0
// Small graphs of all operations: chains, branches, reshapes between batches, tensors returned in the middle.
#include <gtest/gtest.h>

#include <memory>

#include "random_graph.hpp"

namespace avocet::compiler::test {
namespace {

/// Whether every operation is supported; otherwise only memory may be the reason.
bool all_supported(const Graph& graph, const DeviceConfig& device, std::string* reason) {
  for (uint32_t i = 0; i < graph.operations.size(); ++i) {
    const Support support = supports(graph, i, device);
    if (support.supported) continue;
    *reason = support.reason;
    return false;
  }
  return true;
}

void check_graph(uint64_t seed, uint32_t operations, uint32_t sram_min, uint32_t sram_max) {
  GraphBuilder builder(seed);
  const ElementType type = builder.chance(50) ? ElementType::kInt8 : ElementType::kUint8;
  builder.input({builder.chance(80) ? 1u : builder.between(2, 3), builder.between(1, 20), builder.between(1, 20),
                 builder.between(1, 20)},
                type);
  for (uint32_t i = 0; i < operations; ++i) builder.random_operation(type);
  builder.return_loose_ends();
  if (builder.graph().outputs.empty()) return;
  DeviceConfig device = random_device(seed, sram_min, sram_max);
  for (std::string reason; !all_supported(builder.graph(), device, &reason); device.sram_bytes *= 2)
    ASSERT_NE(reason.find("SRAM"), std::string::npos) << "seed " << seed << ": " << reason;
  ASSERT_EQ(check_compiled(builder.graph(), builder.random_inputs(), device, seed), "")
      << "seed " << seed << ", " << builder.graph().operations.size() << " operations, array " << device.array_rows
      << "x" << device.array_cols << ", SRAM " << device.sram_bytes;
  if (seed % 3 != 0) return;
  device.cores = seed % 2 == 0 ? 2 : 4;
  uint32_t shared_by = 1;
  ASSERT_EQ(check_compiled(builder.graph(), builder.random_inputs(), device, seed, &shared_by), "")
      << "seed " << seed << " on " << device.cores << " cores, array " << device.array_rows << "x" << device.array_cols << ", SRAM "
      << device.sram_bytes;
}

TEST(RandomGraphs, InAmpleMemory) {
  for (uint64_t seed = 1; seed <= 100 * random_rounds(); ++seed) {
    check_graph(seed, 3 + seed % 12, 60000, 200000);
    if (HasFatalFailure()) return;
  }
}

TEST(RandomGraphs, InScarceMemory) {
  for (uint64_t seed = 1000001; seed <= 1000000 + 150 * random_rounds(); ++seed) {
    check_graph(seed, 3 + seed % 12, 1000, 12000);
    if (HasFatalFailure()) return;
  }
}

/// [1, 1, 3, 1] becomes [1, 3, 1, 1] by moving nothing, as it does for a convolution in NCHW: that is no padding, also when the zero
/// point is what padding is filled with.
TEST(RandomGraphs, AnImageOfOneRowTransposed) {
  uint64_t seed = 3000000;
  for (int i = 0; i < 5; ++i) {
    uint32_t in = 0;
    std::unique_ptr<GraphBuilder> b;
    do {
      b = std::make_unique<GraphBuilder>(++seed);
      in = b->input({1, 1, 3, 1}, ElementType::kInt8);
    } while (b->tensor(in).zero_point != 0);
    const uint32_t to_nhwc[] = {0, 2, 3, 1};
    const uint32_t image = b->move({in}, movements::transpose("TRANSPOSE", {1, 1, 3, 1}, to_nhwc), {{1, 3, 1, 1}})[0];
    GraphBuilder::Window window;
    window.height = 3;
    window.same = false;
    window.attributes.stride_x = 3;
    b->return_tensor(b->convolution(image, 7, window));
    ASSERT_EQ(check_compiled(b->graph(), b->random_inputs(), avocet_256(), seed), "") << "seed " << seed;
  }
}

/// Separable convolutions with additions around them, the shape of most mobile networks: groups of many nodes.
TEST(RandomGraphs, SeparableBlocks) {
  for (uint64_t seed = 2000001; seed <= 2000000 + 30 * random_rounds(); ++seed) {
    GraphBuilder b(seed);
    const ElementType type = b.chance(50) ? ElementType::kInt8 : ElementType::kUint8;
    uint32_t x = b.input({1, b.between(8, 30), b.between(4, 20), b.between(1, 12)}, type);
    for (uint32_t block = b.between(1, 4); block > 0; --block) {
      const uint32_t channels = b.tensor(x).dims[3];
      const uint32_t wide = b.convolution(x, channels * b.between(1, 4), {});
      GraphBuilder::Window window;
      window.height = window.width = 3;
      window.attributes.stride_x = window.attributes.stride_y = b.chance(30) ? 2 : 1;
      const uint32_t spatial = b.depthwise(wide, 1, window);
      const bool residual = window.attributes.stride_x == 1 && b.chance(70);
      const uint32_t narrow = b.convolution(spatial, residual ? channels : b.between(1, 20), {});
      x = residual ? b.add(b.chance(50) ? narrow : x, b.chance(50) ? x : narrow) : narrow;
    }
    b.return_tensor(x);
    b.return_loose_ends();
    DeviceConfig device = random_device(seed, 4000, 30000);
    for (std::string reason; !all_supported(b.graph(), device, &reason);) device.sram_bytes *= 2;
    ASSERT_EQ(check_compiled(b.graph(), b.random_inputs(), device, seed), "")
        << "seed " << seed << ", array " << device.array_rows << "x" << device.array_cols << ", SRAM "
        << device.sram_bytes;
  }
}

}  // namespace
}  // namespace avocet::compiler::test
