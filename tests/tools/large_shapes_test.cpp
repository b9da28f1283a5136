// SPDX-License-Identifier: Apache-2.0
// Shapes that stop other simulators or take them hours: they finish, values are the CPU path's, and engine timing counts what timed
// counts. Minutes together, so they run with AVOCET_LONG alone (ctest -L long).
#include <nlohmann/json.hpp>

#include "command_runner.hpp"

namespace avocet::tools::test {
namespace {

using nlohmann::json;

const std::string kOdd = std::string(" --config ") + AVOCET_SOURCE_DIR + "/tests/accel_model/";

class LargeShapes : public CommandTest {
 protected:
  void SetUp() override {
    if (!std::getenv("AVOCET_LONG")) GTEST_SKIP() << "set AVOCET_LONG";
  }
  json run(const std::string& arguments) {
    const CommandResult result = avocet("run " + arguments + " --json -");
    EXPECT_EQ(result.status, 0) << arguments << "\n" << result.error;
    return json::parse(result.out, nullptr, false);
  }
  void network(const std::string& shape, const std::string& layer) {
    write("one.json", R"({"name":"one","inputs":[{"name":"in","shape":)" + shape + R"(}],"layers":[)" + layer + "]}");
  }
  /// On one device: bytes of the CPU path, cycles of both engines.
  void expect_right(const std::string& config) {
    const json cpu = run("one.json --device cpu"), timed = run("one.json --engine timed" + config);
    EXPECT_EQ(timed["npu_operations"], 1) << config;
    EXPECT_EQ(timed["outputs"], cpu["outputs"]) << config;
    EXPECT_EQ(run("one.json --engine timing" + config)["cycles"], timed["cycles"]) << config;
  }
};

constexpr const char* kFullHd = R"({"op":"conv2d","filters":8,"kernel":3,"padding":"same"})";

TEST_F(LargeShapes, ConvolutionOfAFullHdImage) {
  network("[1,1080,1920,32]", kFullHd);
  expect_right("");
  expect_right(kOdd + "odd_3x5.json");
}

TEST_F(LargeShapes, ConvolutionOfAFullHdImageOnOneMultiplier) {
  network("[1,1080,1920,32]", kFullHd);
  const uint64_t macs = uint64_t{1080} * 1920 * 32 * 9 * 8;
  EXPECT_GE(run("one.json --engine timing" + kOdd + "odd_1x1.json")["cycles"].get<uint64_t>(), macs);
}

TEST_F(LargeShapes, DepthwiseOfSevenBySeven) {
  for (const char* layer : {R"({"op":"depthwise_conv2d","kernel":7,"padding":"same"})",
                            R"({"op":"depthwise_conv2d","kernel":7,"stride":2,"padding":[3,2,3,3],"multiplier":2})"}) {
    network("[1,113,111,65]", layer);
    for (const std::string& config : {std::string(), kOdd + "odd_3x5.json", kOdd + "odd_1x1.json"}) expect_right(config);
  }
}

TEST_F(LargeShapes, OneByOneWithStrideTwoAndOddSides) {
  network("[1,113,57,129]", R"({"op":"conv2d","filters":131,"stride":2})");
  for (const std::string& config : {std::string(), kOdd + "odd_3x5.json"}) expect_right(config);
}

TEST_F(LargeShapes, FiltersLargerThanTheirInput) {
  network("[1,7,5,130]", R"({"op":"conv2d","filters":70,"kernel":[15,13],"padding":"same"})");
  for (const std::string& config : {std::string(), kOdd + "odd_3x5.json", kOdd + "odd_1x1.json"}) expect_right(config);
}

// Full use of the array, from a memory that is fast enough for it.
TEST_F(LargeShapes, ProductOfTwoLargeMatrices) {
  write("gemm.json", R"({"name":"gemm","run":"layers","layers":[{"op":"gemm","m":16384,"n":16384,"k":16384}]})");
  const json report = run("gemm.json --engine timing --config " + kConfigs + "avocet_1024.json");
  const double products = 16384.0 * 16384 * 16384;
  EXPECT_EQ(report["macs"].get<double>(), products);
  EXPECT_GE(report["cycles"].get<double>(), products / 1024);
  EXPECT_GE(report["mac_cycles"].get<double>(), products / 1024);
  EXPECT_LE(report["mac_cycles"].get<double>(), products / 1024 * 1.02);
}

}  // namespace
}  // namespace avocet::tools::test
