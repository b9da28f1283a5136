// SPDX-License-Identifier: Apache-2.0
#include "networks.hpp"

namespace avocet::compiler::test {
namespace {

GraphBuilder::Window window(uint32_t side, uint32_t stride = 1) {
  GraphBuilder::Window w;
  w.height = w.width = side;
  w.attributes.stride_x = w.attributes.stride_y = stride;
  return w;
}

/// The last cells of an image, averaged, and `classes` sums of them.
void classify(GraphBuilder& b, uint32_t image, uint32_t classes) {
  const uint32_t side = b.tensor(image).dims[1];
  GraphBuilder::Window all = window(side);
  all.same = false;
  const uint32_t mean = b.pool(image, true, all);
  b.return_tensor(b.fully_connected(mean, b.tensor(mean).dims[3], classes));
}

}  // namespace

void build_resnet50(GraphBuilder& b) {
  b.keep_scales();
  uint32_t x = b.input({1, 224, 224, 3}, ElementType::kInt8);
  x = b.convolution(x, 64, window(7, 2));
  x = b.pool(x, false, window(3, 2));
  const uint32_t blocks[] = {3, 4, 6, 3};
  for (uint32_t stage = 0; stage < 4; ++stage)
    for (uint32_t block = 0; block < blocks[stage]; ++block) {
      const uint32_t width = 64u << stage, stride = stage > 0 && block == 0 ? 2 : 1;
      const uint32_t before = block == 0 ? b.convolution(x, width * 4, window(1, stride)) : x;
      const uint32_t narrow = b.convolution(x, width, window(1));
      const uint32_t spatial = b.convolution(narrow, width, window(3, stride));
      x = b.add(b.convolution(spatial, width * 4, window(1)), before);
    }
  classify(b, x, 1000);
}

void build_mobilenet_v2(GraphBuilder& b) {
  struct Stage {
    uint32_t expansion, channels, blocks, stride;
  };
  constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  b.keep_scales();
  uint32_t x = b.input({1, 224, 224, 3}, ElementType::kUint8);
  x = b.convolution(x, 32, window(3, 2));
  for (const Stage& stage : kStages)
    for (uint32_t block = 0; block < stage.blocks; ++block) {
      const uint32_t channels = b.tensor(x).dims[3], stride = block == 0 ? stage.stride : 1;
      const uint32_t wide = stage.expansion > 1 ? b.convolution(x, channels * stage.expansion, window(1)) : x;
      const uint32_t narrow = b.convolution(b.depthwise(wide, 1, window(3, stride)), stage.channels, window(1));
      x = stride == 1 && channels == stage.channels ? b.add(narrow, x) : narrow;
    }
  classify(b, b.convolution(x, 1280, window(1)), 1001);
}

DeviceConfig u65(uint32_t sram_kib, uint32_t dram_millibytes_per_cycle) {
  DeviceConfig device = avocet_256();
  device.array_cols = 32;
  device.sram_bytes = sram_kib * 1024;
  device.dram_millibytes_per_cycle = dram_millibytes_per_cycle;
  return device;
}

}  // namespace avocet::compiler::test
