// SPDX-License-Identifier: Apache-2.0
// The array's cycles against the closed form of SCALE-Sim's weight-stationary dataflow, 2R + C + T - 2 for each fold of a
// K x N weight matrix over R x C PEs with T vectors: ResNet-50 and MobileNetV1 at 224, layer by layer. Every difference is
// the sum of four terms, computed here; the tables are accel_model/scale_sim.md (AVOCET_REGENERATE=1 rewrites it).
#include "mac_schedule.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace avocet::model {
namespace {

uint64_t divide_up(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// A product of T x K and K x N, as the compiler gives it to the array: in blocks of as many vectors as there are accumulators, and
// of C columns; each block one command of so many passes.
struct Product {
  uint64_t vectors, passes, columns, width; // T, passes over K, N, and the columns of the array
};

uint64_t cycles(const Product &product, uint64_t rows, uint64_t accumulators) {
  MacSchedule schedule(rows, product.width);
  const uint64_t start = schedule.take_at(0);
  for (uint64_t done = 0; done < product.vectors; done += accumulators)
    for (uint64_t fold = 0; fold < divide_up(product.columns, product.width); ++fold)
      schedule.take(schedule.take_at(0), product.passes, std::min(accumulators, product.vectors - done));
  return schedule.end() - start;
}

// One command: fill, stream, drain.
TEST(ArrayCycles, GridOfProductsFillsStreamsAndDrains) {
  for (const uint64_t rows : {1u, 3u, 8u, 16u, 32u, 128u})
    for (const uint64_t width : {1u, 5u, 8u, 16u, 32u, 128u})
      for (const uint64_t vectors : {1u, 2u, 7u, 16u, 100u, 1000u})
        for (const uint64_t depth : {1u, 3u, 16u, 17u, 147u, 2048u}) {
          const uint64_t passes = divide_up(depth, rows);
          EXPECT_EQ(cycles({vectors, passes, width, width}, rows, 1024),
                    rows + (passes - 1) * std::max(vectors, rows) + vectors + rows + width)
              << vectors << " x " << depth << " on " << rows << " x " << width;
        }
}

// Blocks of one product follow each other without filling or draining between them.
TEST(ArrayCycles, BlocksStreamOnWithoutGaps) {
  for (const uint64_t rows : {8u, 16u, 32u})
    for (const uint64_t folds : {1u, 2u, 9u})
      EXPECT_EQ(cycles({3000, 5, folds * rows, rows}, rows, 1000), rows + 3 * folds * 5 * 1000 + rows + rows);
}

struct Layer {
  const char *name;
  uint64_t size, kernel, inputs, outputs; // output height and width, kernel height and width, channels
  bool depthwise = false;
};

std::vector<Layer> resnet50() {
  std::vector<Layer> layers = {{"conv1", 112, 7, 3, 64}};
  struct Stage {
    uint64_t size, width, blocks;
  };
  uint64_t inputs = 64;
  for (const Stage &stage : {Stage{56, 64, 3}, Stage{28, 128, 4}, Stage{14, 256, 6}, Stage{7, 512, 3}})
    for (uint64_t block = 0; block < stage.blocks; ++block) {
      if (block == 0) layers.push_back({"shortcut", stage.size, 1, inputs, 4 * stage.width});
      layers.push_back({"reduce", stage.size, 1, inputs, stage.width});
      layers.push_back({"spatial", stage.size, 3, stage.width, stage.width});
      layers.push_back({"expand", stage.size, 1, stage.width, 4 * stage.width});
      inputs = 4 * stage.width;
    }
  layers.push_back({"classifier", 1, 1, 2048, 1000});
  return layers;
}

std::vector<Layer> mobilenet_v1() {
  std::vector<Layer> layers = {{"conv1", 112, 3, 3, 32}};
  struct Block {
    uint64_t size, inputs, outputs, times;
  };
  for (const Block &block : {Block{112, 32, 64, 1}, Block{56, 64, 128, 1}, Block{56, 128, 128, 1}, Block{28, 128, 256, 1},
                             Block{28, 256, 256, 1}, Block{14, 256, 512, 1}, Block{14, 512, 512, 5}, Block{7, 512, 1024, 1},
                             Block{7, 1024, 1024, 1}})
    for (uint64_t time = 0; time < block.times; ++time) {
      layers.push_back({"depthwise", block.size, 3, block.inputs, block.inputs, true});
      layers.push_back({"pointwise", block.size, 1, block.inputs, block.outputs});
    }
  layers.push_back({"classifier", 1, 1, 1024, 1001});
  return layers;
}

struct Comparison {
  int64_t scale_sim = 0, ours = 0;
  // ours - scale_sim, by cause.
  int64_t overlap = 0;   // fills and drains behind other folds' vectors
  int64_t folding = 0;   // passes that K needs when it is folded kernel row by kernel row
  int64_t blocks = 0;    // blocks of fewer vectors than the array has rows: the next weights are the slower
  int64_t lanes = 0;     // depthwise: the vector unit instead of one column of the array
};

Comparison compare(const Layer &layer, uint64_t size, uint64_t accumulators, uint64_t lanes) {
  const auto rows = static_cast<int64_t>(size);
  const uint64_t vectors = layer.size * layer.size, window = layer.kernel * layer.kernel;
  const auto t = static_cast<int64_t>(vectors);
  const int64_t fold = 3 * rows + t - 2; // R = C
  Comparison result;
  if (layer.depthwise) {
    // A channel is a product of its own, one column wide.
    result.scale_sim = static_cast<int64_t>(layer.inputs * divide_up(window, size)) * fold;
    result.ours = static_cast<int64_t>(layer.size * divide_up(layer.size * layer.inputs, lanes) * window + divide_up(12 * layer.inputs, lanes));
    result.lanes = result.ours - result.scale_sim;
    return result;
  }
  const uint64_t passes = std::min(window * divide_up(layer.inputs, size), layer.kernel * divide_up(layer.kernel * layer.inputs, size));
  const uint64_t folds_n = divide_up(layer.outputs, size), folds_k = divide_up(window * layer.inputs, size);
  const auto folds = static_cast<int64_t>(folds_n * folds_k), taken = static_cast<int64_t>(folds_n * passes);
  result.scale_sim = folds * fold;
  result.ours = static_cast<int64_t>(cycles({vectors, passes, layer.outputs, size}, size, accumulators));
  result.overlap = 3 * rows - folds * (3 * rows - 2);
  result.folding = (taken - folds) * t;
  // Per block of m < R vectors every pass but the last of all takes R cycles.
  const uint64_t short_block = vectors % accumulators;
  if (short_block != 0 && short_block < size)
    result.blocks = static_cast<int64_t>((size - short_block) * (folds_n * passes - 1));
  return result;
}

double percent(int64_t part, int64_t whole) { return 100.0 * static_cast<double>(part) / static_cast<double>(whole); }

std::string row(const std::string &name, const Comparison &c) {
  char text[256];
  std::snprintf(text, sizeof text, "| %s | %lld | %lld | %+.1f %% | %+.1f | %+.1f | %+.1f | %+.1f |\n", name.c_str(),
                static_cast<long long>(c.scale_sim), static_cast<long long>(c.ours), percent(c.ours - c.scale_sim, c.scale_sim),
                percent(c.overlap, c.scale_sim), percent(c.folding, c.scale_sim), percent(c.blocks, c.scale_sim), percent(c.lanes, c.scale_sim));
  return text;
}

std::string table(const char *network, const std::vector<Layer> &layers, uint64_t size) {
  const uint64_t accumulators = size == 16 ? 1024 : 2048, lanes = size == 16 ? 64 : 128;
  std::string text = "\n## " + std::string(network) + ", " + std::to_string(size) + "x" + std::to_string(size) +
                     "\n\n| layer | SCALE-Sim | Avocet | difference | overlap | folding | short blocks | vector unit |\n"
                     "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  Comparison total;
  for (size_t i = 0; i < layers.size(); ++i) {
    const Comparison c = compare(layers[i], size, accumulators, lanes);
    const std::string name = std::to_string(i) + " " + layers[i].name + " " + std::to_string(layers[i].size) + "x" +
                             std::to_string(layers[i].size) + ", " + std::to_string(layers[i].kernel) + "x" +
                             std::to_string(layers[i].kernel) + ", " + std::to_string(layers[i].inputs) + " to " + std::to_string(layers[i].outputs);
    EXPECT_EQ(c.ours - c.scale_sim, c.overlap + c.folding + c.blocks + c.lanes) << network << " " << name;
    total.scale_sim += c.scale_sim, total.ours += c.ours, total.overlap += c.overlap;
    total.folding += c.folding, total.blocks += c.blocks, total.lanes += c.lanes;
    text += row(name, c);
  }
  return text + row("all", total);
}

TEST(ScaleSim, EveryDifferenceIsExplained) {
  const std::string path = AVOCET_SOURCE_DIR "/accel_model/scale_sim.md";
  std::string fresh =
      "# The array against SCALE-Sim's weight-stationary closed form\n\n"
      "Generated by `tests/accel_model/scale_sim_test.cpp`, which checks that the four causes (in percent of SCALE-Sim's cycles) add up\n"
      "to each layer's difference; [README.md](README.md) explains them.\n";
  for (const uint64_t size : {16u, 32u}) {
    fresh += table("ResNet-50", resnet50(), size);
    fresh += table("MobileNetV1", mobilenet_v1(), size);
  }
  if (std::getenv("AVOCET_REGENERATE") != nullptr) std::ofstream(path) << fresh;
  std::ostringstream stored;
  stored << std::ifstream(path).rdbuf();
  EXPECT_TRUE(stored.str() == fresh) << "run this test with AVOCET_REGENERATE=1";
}

// The shapes are those of the published networks.
TEST(ScaleSim, NetworksHaveTheirPublishedSize) {
  const auto macs = [](const std::vector<Layer> &layers) {
    uint64_t sum = 0;
    for (const Layer &l : layers) sum += l.size * l.size * l.kernel * l.kernel * l.inputs * (l.depthwise ? 1 : l.outputs);
    return static_cast<double>(sum) / 1e9;
  };
  EXPECT_NEAR(macs(resnet50()), 3.86, 0.01);
  EXPECT_NEAR(macs(mobilenet_v1()), 0.569, 0.001);
}

} // namespace
} // namespace avocet::model
