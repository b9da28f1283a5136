// SPDX-License-Identifier: Apache-2.0
// Single operations of every kind on many devices, with SRAMs from ample to hardly enough for one tile.
#include <gtest/gtest.h>

#include "random_graph.hpp"

namespace avocet::compiler::test {
namespace {

ElementType random_type(GraphBuilder& b) { return b.chance(50) ? ElementType::kInt8 : ElementType::kUint8; }

std::vector<uint32_t> random_image(GraphBuilder& b, uint32_t channels_max) {
  return {b.chance(80) ? 1u : b.between(2, 3), b.between(1, 17), b.between(1, 17),
          b.chance(20) ? 1 : b.between(1, channels_max)};
}

/// Checks `count` graphs made by `make` on random devices; a device too small for one is exchanged for a larger one. One of three
/// is checked on 2 or 4 cores as well: *shared receives how many of these programs several cores share.
template <typename Make>
void check_many(uint64_t base, int count, uint32_t sram_min, uint32_t sram_max, Make make, int* shared = nullptr) {
  int tight = 0;
  const auto cases = static_cast<int>(random_rounds()) * count;
  for (int i = 0; i < cases; ++i) {
    const uint64_t seed = base * 100000 + static_cast<uint64_t>(i);
    GraphBuilder builder(seed);
    make(builder);
    DeviceConfig device = random_device(seed, sram_min, sram_max);
    for (uint32_t operation = 0; operation < builder.graph().operations.size(); ++operation) {
      Support support = supports(builder.graph(), operation, device);
      while (!support.supported && support.reason.find("SRAM") != std::string::npos) {
        ++tight;
        device.sram_bytes *= 2;
        support = supports(builder.graph(), operation, device);
      }
      ASSERT_TRUE(support.supported) << "seed " << seed << ": " << support.reason;
    }
    const std::string fault = check_compiled(builder.graph(), builder.random_inputs(), device, seed);
    ASSERT_EQ(fault, "") << "seed " << seed << ", array " << device.array_rows << "x" << device.array_cols << ", SRAM "
                         << device.sram_bytes;
    if (i % 3 != 0) continue;
    device.cores = i % 2 == 0 ? 2 : 4;
    uint32_t shared_by = 1;
    const std::string fault_of_cores = check_compiled(builder.graph(), builder.random_inputs(), device, seed, &shared_by);
    ASSERT_EQ(fault_of_cores, "") << "seed " << seed << ", " << device.cores << " cores, array " << device.array_rows << "x"
                                  << device.array_cols << ", SRAM " << device.sram_bytes;
    if (shared && shared_by > 1) ++*shared;
  }
  EXPECT_LT(tight, cases) << "hardly any case ran on the device that was meant";
}

TEST(RandomLayers, Convolution) {
  int shared = 0;
  check_many(1, 150, 600, 24000, [](GraphBuilder& b) {
    const uint32_t in = b.input(random_image(b, 70), random_type(b));
    b.return_tensor(b.convolution(in, b.between(1, 70), b.random_window(in, 4, true)));
  }, &shared);
  EXPECT_GT(shared, 10) << "hardly any was shared between cores";
}

TEST(RandomLayers, ConvolutionOfFewChannels) {
  check_many(2, 100, 600, 16000, [](GraphBuilder& b) {
    const uint32_t in = b.input({1, b.between(1, 30), b.between(1, 12), b.between(1, 4)}, random_type(b));
    b.return_tensor(b.convolution(in, b.between(1, 40), b.random_window(in, 7, true)));
  });
}

/// So few outputs that which of them no tap reaches depends on the padding.
TEST(RandomLayers, TransposedConvolutionOfFewCells) {
  check_many(33, 150, 2000, 24000, [](GraphBuilder& b) {
    const uint32_t in = b.input({1, b.between(1, 2), b.between(1, 2), b.between(1, 9)}, random_type(b));
    b.return_tensor(b.transposed(in, b.between(1, 7), 4, 5));
  });
}

TEST(RandomLayers, DepthwiseConvolution) {
  int shared = 0;
  check_many(3, 150, 300, 12000, [](GraphBuilder& b) {
    const uint32_t in = b.input(random_image(b, 60), random_type(b));
    b.return_tensor(b.depthwise(in, b.chance(70) ? 1 : b.between(2, 9), b.random_window(in, 4, true)));
  }, &shared);
  EXPECT_GT(shared, 10) << "hardly any was shared between cores";
}

TEST(RandomLayers, GroupedConvolution) {
  check_many(9, 100, 1200, 20000, [](GraphBuilder& b) {
    const uint32_t groups = b.between(1, 5), depth = b.chance(30) ? 1 : b.between(1, 20);
    const uint32_t in = b.input({b.chance(80) ? 1u : 2u, b.between(1, 12), b.between(1, 12), groups * depth}, random_type(b));
    b.return_tensor(b.grouped(in, groups, b.between(1, 20), b.random_window(in, 4, true)));
  });
}

TEST(RandomLayers, TransposedConvolution) {
  check_many(10, 100, 1500, 24000, [](GraphBuilder& b) {
    const uint32_t in = b.input({b.chance(80) ? 1u : 2u, b.between(1, 9), b.between(1, 9), b.between(1, 40)}, random_type(b));
    b.return_tensor(b.transposed(in, b.between(1, 40), 5, 4));
  });
}

TEST(RandomLayers, Movement) {
  check_many(11, 300, 64, 3000, [](GraphBuilder& b) {
    std::vector<uint32_t> dims = random_image(b, 20);
    if (b.chance(30)) dims.resize(b.between(1, 3));
    const uint32_t in = b.input(dims, random_type(b));
    b.return_tensor(b.random_movement(in));
    for (uint32_t tensor : b.graph().operations[0].outputs)
      if (b.chance(50)) b.return_tensor(tensor);
  });
}

TEST(RandomLayers, Concatenation) {
  check_many(12, 100, 64, 3000, [](GraphBuilder& b) {
    const ElementType type = random_type(b);
    const std::vector<uint32_t> dims = random_image(b, 20);
    const uint32_t axis = b.between(0, 3);
    std::vector<uint32_t> parts;
    for (uint32_t left = b.between(1, 4); left > 0; --left) {
      std::vector<uint32_t> part = dims;
      part[axis] = b.between(1, 9);
      parts.push_back(b.chance(20) ? b.constant(part, type) : b.input(part, type));
    }
    if (b.chance(30)) parts.push_back(parts[0]);
    b.return_tensor(b.concatenate(parts, axis));
  });
}

TEST(RandomLayers, ElementwiseWithBroadcasting) {
  check_many(13, 200, 200, 6000, [](GraphBuilder& b) {
    std::vector<uint32_t> dims = random_image(b, 40);
    if (b.chance(30)) dims.resize(b.between(1, 3));
    b.return_tensor(b.random_binary(b.input(dims, random_type(b))));
  });
}

TEST(RandomLayers, Table) {
  check_many(14, 80, 400, 6000, [](GraphBuilder& b) {
    const uint32_t in = b.input(random_image(b, 40), random_type(b));
    std::vector<uint8_t> table;
    for (int i = 0; i < 256; ++i) table.push_back(static_cast<uint8_t>(b.between(0, 255)));
    b.return_tensor(b.look_up(in, table, random_type(b)));
  });
}

TEST(RandomLayers, AlongAxis) {
  check_many(15, 200, 1400, 6000, [](GraphBuilder& b) {
    std::vector<uint32_t> dims{b.between(1, 20), b.between(1, 40), b.chance(40) ? 1 : b.between(1, 30)};
    b.return_tensor(b.random_along_axis(b.input(dims, random_type(b))));
  });
}

TEST(RandomLayers, ArgAlongAxis) {
  check_many(17, 120, 200, 4000, [](GraphBuilder& b) {
    std::vector<uint32_t> dims = random_image(b, 60);
    if (b.chance(50)) dims.resize(b.between(1, 3));
    if (b.chance(10)) dims.back() = b.between(250, 600);
    b.return_tensor(b.random_arg(b.input(dims, random_type(b))));
  });
}

/// Bands of the image are made and searched at once.
TEST(RandomLayers, ArgOverChannelsOfAResizedImage) {
  check_many(18, 40, 1000, 9000, [](GraphBuilder& b) {
    const uint32_t image = b.resize(b.input(random_image(b, 20), random_type(b)), b.between(1, 30), b.between(1, 30));
    b.return_tensor(b.random_arg(image));
    if (b.chance(20)) b.return_tensor(image);
  });
}

TEST(RandomLayers, ResizeBilinear) {
  check_many(16, 100, 200, 6000, [](GraphBuilder& b) {
    const uint32_t in = b.input(random_image(b, 20), random_type(b));
    b.return_tensor(b.resize(in, b.between(1, 30), b.between(1, 30)));
  });
}

TEST(RandomLayers, FullyConnected) {
  check_many(4, 80, 400, 12000, [](GraphBuilder& b) {
    const uint32_t inputs = b.between(1, 700);
    const uint32_t in = b.input({b.chance(50) ? 1u : b.between(2, 40), inputs}, random_type(b));
    b.return_tensor(b.fully_connected(in, inputs, b.between(1, 70)));
  });
}

TEST(RandomLayers, Pools) {
  int shared = 0;
  check_many(5, 120, 100, 8000, [](GraphBuilder& b) {
    const uint32_t in = b.input(random_image(b, 70), random_type(b));
    GraphBuilder::Window window = b.random_window(in, 5, false);
    if (b.chance(20)) {  // over everything
      window = {};
      window.height = b.tensor(in).dims[1];
      window.width = b.tensor(in).dims[2];
      window.same = false;
    }
    b.return_tensor(b.pool(in, b.chance(50), window));
  }, &shared);
  EXPECT_GT(shared, 10) << "hardly any was shared between cores";
}

TEST(RandomLayers, Add) {
  check_many(6, 100, 64, 6000, [](GraphBuilder& b) {
    const ElementType type = random_type(b);
    std::vector<uint32_t> dims = random_image(b, 40);
    if (b.chance(30)) dims.resize(b.between(1, 3));
    if (b.chance(10)) dims.insert(dims.begin(), 2);
    const uint32_t in = b.input(dims, type);
    b.return_tensor(b.add(in, b.chance(20) ? in : b.chance(30) ? b.constant(dims, type) : b.input(dims, type)));
  });
}

TEST(RandomLayers, ReshapeAndIdentity) {
  check_many(7, 60, 64, 6000, [](GraphBuilder& b) {
    const uint32_t h = b.between(1, 40), w = b.between(1, 40), c = b.between(1, 9);
    const uint32_t in = b.input({b.between(1, 3), h, w, c}, random_type(b));
    const uint32_t batch = b.tensor(in).dims[0];
    b.return_tensor(b.reshape(in, {batch * h, w * c}));
    if (b.chance(50)) b.return_tensor(in);
    if (b.chance(50)) b.return_tensor(b.tensor(in).dims.empty() ? in : static_cast<uint32_t>(b.graph().outputs[0]));
  });
}

TEST(RandomLayers, TensorsManyTimesTheSram) {
  check_many(8, 30, 2048, 6000, [](GraphBuilder& b) {
    const uint32_t kind = b.between(0, 3);
    if (kind == 0) {  // wide
      const uint32_t in = b.input({1, b.between(2, 6), b.between(100, 900), b.between(3, 40)}, random_type(b));
      b.return_tensor(b.convolution(in, b.between(4, 50), b.random_window(in, 3, true)));
    } else if (kind == 1) {  // deep: the kernel is split
      const uint32_t in = b.input({1, b.between(1, 5), b.between(1, 5), b.between(500, 2000)}, random_type(b));
      b.return_tensor(b.convolution(in, b.between(4, 40), b.random_window(in, 2, false)));
    } else if (kind == 2) {
      const uint32_t in = b.input({1, b.between(1, 9), b.between(1, 9), b.between(500, 2000)}, random_type(b));
      b.return_tensor(b.depthwise(in, 1, b.random_window(in, 3, true)));
    } else {
      const uint32_t inputs = b.between(2000, 6000);
      const uint32_t in = b.input({b.between(1, 3), inputs}, random_type(b));
      b.return_tensor(b.fully_connected(in, inputs, b.between(1, 60)));
    }
  });
}

}  // namespace
}  // namespace avocet::compiler::test
