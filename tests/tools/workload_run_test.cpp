// SPDX-License-Identifier: Apache-2.0
// Workloads on the device: engine timing counts the cycles of engine timed, the NPU's outputs are the CPU path's, and shapes that
// break other simulators finish.
#include <nlohmann/json.hpp>

#include "command_runner.hpp"

namespace avocet::tools::test {
namespace {

using nlohmann::json;

class WorkloadRuns : public CommandTest {
 protected:
  json run(const std::string& arguments) {
    const CommandResult result = avocet("run " + arguments + " --json -");
    EXPECT_EQ(result.status, 0) << arguments << "\n" << result.error;
    return json::parse(result.out, nullptr, false);
  }
  /// What must not depend on the engine: everything but outputs and host times.
  static json cycles_of(json report) {
    report.erase("engine");
    report.erase("outputs");
    report.erase("host_seconds");
    for (json& layer : report["layers"]) layer.erase("host_seconds");
    return report;
  }
  void expect_equal_cycles(const std::string& arguments) {
    const json timing = run(arguments + " --engine timing"), timed = run(arguments + " --engine timed");
    EXPECT_GT(timed.value("cycles", 0), 0) << arguments;
    EXPECT_EQ(cycles_of(timing), cycles_of(timed)) << arguments;
  }
  /// A workload of one layer that runs alone.
  std::string layer(const std::string& text) {
    write("layer.json", R"({"name":"layer","run":"layers","layers":[)" + text + "]}");
    return "layer.json";
  }
  void expect_equal_outputs(const std::string& workload) {
    const json npu = run(workload + " --engine functional"), cpu = run(workload + " --device cpu");
    EXPECT_EQ(npu["outputs"], cpu["outputs"]) << workload;
    EXPECT_GT(npu.value("npu_operations", 0), 0) << workload;
  }
};

TEST_F(WorkloadRuns, TimingCountsWhatTimedCounts) {
  for (const char* name : {"digits", "keyword_spotter", "ssd_head"}) expect_equal_cycles(kTraces + name + ".json");
  expect_equal_cycles(kTraces + "keyword_spotter.json --config " + AVOCET_SOURCE_DIR + "/tests/accel_model/odd_3x5.json");
  expect_equal_cycles(kTraces + "digits/digits.tflite --device npu");
}

TEST_F(WorkloadRuns, OutputsAreTheCpuPaths) {
  for (const char* name : {"digits", "keyword_spotter"}) expect_equal_outputs(kTraces + name + ".json");
}

TEST_F(WorkloadRuns, OddShapesFinishAndAreRight) {
  const struct {
    const char* shape;
    const char* layer;
  } rows[] = {
      {"[1,7,5,19]", R"({"op":"conv2d","filters":21,"stride":2})"},                       // 1x1, stride 2, odd sides
      {"[1,3,4,6]", R"({"op":"conv2d","filters":5,"kernel":9,"padding":"same"})"},        // filter beyond the input
      {"[1,3,4,6]", R"({"op":"conv2d","filters":5,"kernel":[5,7],"padding":[1,1,2,1]})"},
      {"[1,27,48,32]", R"({"op":"conv2d","filters":8,"kernel":3,"padding":"same"})"},     // a small full HD image
      {"[1,20,13,33]", R"({"op":"depthwise_conv2d","kernel":7,"padding":"same"})"},
      {"[5,2]", R"({"op":"fully_connected","units":1})"},                                 // a product 5x1x2
  };
  for (const auto& row : rows)
    for (const char* config : {"odd_1x1", "odd_3x5", "../../accel_model/configs/avocet_256"}) {
      write("odd.json", std::string(R"({"name":"odd","inputs":[{"name":"in","shape":)") + row.shape + R"(}],"layers":[)" +
                            row.layer + "]}");
      const std::string on = std::string(" --config ") + AVOCET_SOURCE_DIR + "/tests/accel_model/" + config + ".json";
      const json npu = run("odd.json --engine timed" + on), cpu = run("odd.json --device cpu");
      EXPECT_EQ(npu["outputs"], cpu["outputs"]) << row.layer << on;
      EXPECT_EQ(npu["npu_operations"], 1) << row.layer << on;
      const json timing = run("odd.json --engine timing" + on);
      EXPECT_EQ(timing["cycles"], npu["cycles"]) << row.layer << on;
    }
}

TEST_F(WorkloadRuns, AreaIsWhatTheConfigurationHasTimesItsPrices) {
  write("hw.json", R"({"cores":2,"array":{"rows":3,"columns":5,"accumulator_rows":512},"vector":{"lanes":7},"sram":{"kib":100},
                       "area":{"nand2_um2":0.5,"pe_gates":1000,"requant_lane_gates":20000,"vector_lane_gates":4000,
                               "sram_um2_per_kib":9000,"accumulator_um2_per_kib":20000}})");
  const json area = run(kTraces + "digits.json --engine timing --config hw.json")["area_um2"];
  EXPECT_EQ(area, (json{{"array", 2 * 15 * 500}, {"requant", 2 * 5 * 10000}, {"vector", 2 * 7 * 2000}, {"sram", 2 * 100 * 9000},
                        {"accumulators", 2 * 10 * 20000}, {"total", 15000 + 100000 + 28000 + 1800000 + 400000}}));
  const CommandResult text = avocet("run " + kTraces + "digits.json --engine timing --config hw.json");
  EXPECT_NE(text.out.find("area 2.343 mm2, unplaced and without control: synthesised array 0.015, requant 0.100; estimated vector 0.028, "
                          "SRAM 1.800, accumulators 0.400\n"),
            std::string::npos)
      << text.out;
}

TEST_F(WorkloadRuns, LayersAloneAddUp) {
  write("g.csv", "Layer, M, N, K,\nsmall, 5, 1, 2,\nlarger, 300, 70, 90,\n");
  const json report = run("g.csv --engine timing");
  ASSERT_EQ(report["layers"].size(), 2u);
  EXPECT_EQ(report["layers"][0]["operation"], "small FULLY_CONNECTED");
  EXPECT_EQ(report["macs"], 5 * 1 * 2 + 300 * 70 * 90);
  EXPECT_GT(report["cycles"].get<int>(), 300 * 70 * 90 / 256);
  EXPECT_EQ(report["cpu_operations"], 0);
}

TEST_F(WorkloadRuns, MistakesAreOneLine) {
  write("w.json", R"({"name":"w","inputs":[{"name":"in","shape":[4]}],"layers":[{"op":"relux"}]})");
  expect_refused("run w.json", "w.json: layers[0]: op: \"relux\" is not allowed (one of ");
  write("g.csv", "Layer, M, N, K,\na, 0, 1, 1,\n");
  expect_refused("run g.csv", "g.csv: line 2: M: \"0\" is not allowed (1 to 65535)");
  expect_refused("compile " + layer(R"({"op":"gemm","m":4,"n":4,"k":4})"), "its layers run alone");
  write("h.cfg", "[architecture_presets]\nArrayHeight : 0\n");
  expect_refused("run " + kTraces + "digits.json --config h.cfg", "h.cfg: line 2: ArrayHeight: \"0\" is not allowed (1 to 256)");
}

}  // namespace
}  // namespace avocet::tools::test
