// SPDX-License-Identifier: Apache-2.0
// The built `avocet` command as a person types it: bad input ends with status 2 and one line on stderr that says what and
// where; good input does its work on the CPU path.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "onnx_writer.hpp"
#include "report/temporary_directory.hpp"
#include "tflite_writer.hpp"

namespace avocet::tools {
namespace {

struct CommandResult {
  int status;
  std::string out;
  std::string error;
};

std::string slurp(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

constexpr const char* kCases =
    R"({"spec":"V1_0/made","cases":[
{"name":"right","min_feature_level":27,"main":{"operands":[{"type":"TENSOR_FLOAT32","dims":[2],"lifetime":"SUBGRAPH_INPUT","data":[1,2]},{"type":"INT32","lifetime":"CONSTANT_COPY","data":[0]},{"type":"TENSOR_FLOAT32","dims":[2],"lifetime":"SUBGRAPH_OUTPUT","data":[2,4]}],"operations":[{"op":"ADD","inputs":[0,0,1],"outputs":[2]}],"inputs":[0],"outputs":[2]}},
{"name":"wrong","min_feature_level":27,"main":{"operands":[{"type":"TENSOR_FLOAT32","dims":[2],"lifetime":"SUBGRAPH_INPUT","data":[1,2]},{"type":"INT32","lifetime":"CONSTANT_COPY","data":[0]},{"type":"TENSOR_FLOAT32","dims":[2],"lifetime":"SUBGRAPH_OUTPUT","data":[2,5]}],"operations":[{"op":"ADD","inputs":[0,0,1],"outputs":[2]}],"inputs":[0],"outputs":[2]}}
]}
)";

class CommandLine : public ::testing::Test {
 protected:
  CommandResult avocet(const std::string& arguments) {
    const std::string out = folder_.path() + "/stdout";
    const std::string error = folder_.path() + "/stderr";
    const std::string line = "cd " + folder_.path() + " && " AVOCET_COMMAND " " + arguments + " >" + out + " 2>" + error;
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(out), slurp(error)};
  }
  void expect_refused(const std::string& arguments, const std::string& part) {
    const CommandResult result = avocet(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
    EXPECT_EQ(result.error.rfind("avocet: ", 0), 0u) << result.error;
    EXPECT_NE(result.error.find(part), std::string::npos) << result.error;
    EXPECT_EQ(result.out, "") << arguments;
  }
  void write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_.path() + "/" + name, std::ios::binary) << bytes;
  }
  void write_model(const std::string& name) {
    const auto bytes = test::small_convolution_model();
    write(name, std::string(bytes.begin(), bytes.end()));
  }
  TemporaryDirectory folder_{"avocet-command-test"};
};

TEST_F(CommandLine, RefusesBadOptions) {
  write_model("m.tflite");
  expect_refused("", "subcommand is required");
  expect_refused("fly", "fly");
  expect_refused("run", "MODEL");
  expect_refused("run missing.tflite", "missing.tflite");
  expect_refused("run m.tflite --device gpu", "--device");
  expect_refused("run m.tflite --engine warp", "--engine");
  expect_refused("run m.tflite --config missing.json", "missing.json");
  expect_refused("run m.tflite --threads -1", "--threads");
  expect_refused("run m.tflite --frobnicate", "frobnicate");
  expect_refused("verify missing", "missing");
  expect_refused("conformance missing", "missing");
}

TEST_F(CommandLine, RefusesBadFiles) {
  write_model("m.tflite");
  write("foreign.tflite", std::string(1000, 'x'));
  write("cut.tflite", slurp(folder_.path() + "/m.tflite").substr(0, 600));
  write("short.bin", "abc");
  std::filesystem::create_directory(folder_.path() + "/cases");
  write("cases/made.json", kCases);
  std::filesystem::create_directory(folder_.path() + "/empty");
  expect_refused("run foreign.tflite", "foreign.tflite: not a TensorFlow Lite model");
  expect_refused("run cut.tflite", "cut.tflite: damaged");
  expect_refused("run m.tflite --device cpu --input short.bin", "short.bin: 3 bytes, but input 0 (int8 [1, 4, 4, 2]) has 32");
  expect_refused("run m.tflite --device cpu --input short.bin --input short.bin", "2 inputs given, the model has 1");
  expect_refused("verify empty", "manifest.json: cannot be opened");
  expect_refused("conformance empty", "no .json file");
  expect_refused("disasm short.bin", "short.bin: ");
  expect_refused("run m.tflite --device cpu --json missing/a.json", "missing/a.json: cannot be written");
  expect_refused("run m.tflite --device npu --timeline empty", "empty: cannot be written");
  expect_refused("run m.tflite --device cpu --timeline t.json", "--timeline");
  write("bad.json", "{\"array\":{\"rows\":-4}}");
  expect_refused("run m.tflite --device npu --config bad.json", "bad.json: array.rows");
  expect_refused("conformance cases --device npu --config bad.json", "bad.json: array.rows");
  expect_refused("run m.tflite --device cpu --output m.tflite", "m.tflite: not a directory");
}

TEST_F(CommandLine, RunsAnOnnxModelWithOpenExtents) {
  test::OnnxWriter w;
  w.symbolic_input("x", onnx::ElementType::float32, {"N", "width"}).node("Relu", {"x"}, {"y"}).output("y");
  const test::Bytes bytes = w.bytes();
  write("m.onnx", std::string(bytes.begin(), bytes.end()));
  expect_refused("run m.onnx --device cpu", "m.onnx: input 'x': dimension 1 is open: say what it is with --dim width=N");
  expect_refused("run m.onnx --device cpu --dim width", "expected NAME=N with a positive number");
  expect_refused("run m.onnx --device cpu --dim width=0", "expected NAME=N with a positive number");
  const CommandResult result = avocet("run m.onnx --device cpu --dim width=3 --dim x.0=2");
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("output 0  y  float32 [2, 3]"), std::string::npos) << result.out;
}

TEST_F(CommandLine, EverySubcommandHasHelpWithAnExample) {
  EXPECT_NE(avocet("--help").out.find("Example: avocet"), std::string::npos);
  for (const std::string command : {"run", "verify", "conformance", "devices", "disasm", "demo"}) {
    const CommandResult result = avocet(command + " --help");
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.out.find("Example: avocet " + command), std::string::npos) << result.out;
  }
}

TEST_F(CommandLine, RunsAModelOnTheCpu) {
  write_model("m.tflite");
  const CommandResult result = avocet("run m.tflite --device cpu --json - --output tensors --explain");
  ASSERT_EQ(result.status, 0) << result.error;
  const auto report = nlohmann::json::parse(result.out);
  for (const char* key : {"model", "device", "engine", "config", "outputs", "npu_operations", "cpu_operations", "cycles",
                          "simulated_seconds", "host_seconds", "mac_utilisation", "dram_bytes", "layers"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  EXPECT_EQ(report["device"], "cpu");
  EXPECT_EQ(report["cpu_operations"], 4);
  EXPECT_EQ(report["npu_operations"], 0);
  EXPECT_EQ(report["outputs"][0]["dims"], (std::vector<int>{1, 12}));
  EXPECT_EQ(report["outputs"][0]["type"], "int8");
  EXPECT_EQ(report["placements"].size(), 4u);
  EXPECT_EQ(std::filesystem::file_size(folder_.path() + "/tensors/output_0.bin"), 12u);
  const CommandResult again = avocet("run m.tflite --device cpu --json again.json --repeat 3");
  ASSERT_EQ(again.status, 0) << again.error;
  EXPECT_NE(again.out.find("CONV_2D"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(slurp(folder_.path() + "/again.json"))["outputs"], report["outputs"]);
}

TEST_F(CommandLine, ConformanceReportsTheFirstDifference) {
  write("made.json", kCases);
  const CommandResult result = avocet("conformance . --device cpu");
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_NE(result.out.find("FAIL V1_0/made/wrong: output 0, element [1]: got 4, expected 5, tolerance"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("\n1 passed, 1 failed, 0 skipped\n"), std::string::npos) << result.out;
  const CommandResult filtered = avocet("conformance . --device cpu --filter right$ --variation all");
  EXPECT_EQ(filtered.status, 0) << filtered.out << filtered.error;
  EXPECT_NE(filtered.out.find("8 passed, 0 failed, 1 skipped\n"), std::string::npos) << filtered.out;
  EXPECT_NE(filtered.out.find("SKIP V1_0/made/right [signed]: no TENSOR_QUANT8_ASYMM operand"), std::string::npos);
  const CommandResult list = avocet("conformance . --list");
  EXPECT_EQ(list.out, "V1_0/made/right\nV1_0/made/wrong\n");
  expect_refused("conformance . --filter '('", "--filter: not a regular expression");
  expect_refused("conformance . --filter nothing", "no case of that name");
  expect_refused("conformance . --variation sideways", "--variation");
  write("made.json", "{\"spec\":\"a\",\"cases\":[\nrubbish\n]}\n");
  expect_refused("conformance .", "made.json: line 2");
}

TEST_F(CommandLine, TheNpuGivesTheCpusBytesOnEveryEngine) {
  write_model("m.tflite");
  const CommandResult cpu = avocet("run m.tflite --device cpu --json -");
  ASSERT_EQ(cpu.status, 0) << cpu.error;
  const auto expected = nlohmann::json::parse(cpu.out)["outputs"];
  uint64_t timed_cycles = 0;
  for (const std::string engine : {"functional", "timed", "rtl"}) {
    const CommandResult npu = avocet("run m.tflite --device npu --json - --timeline t.json --engine " + engine);
    ASSERT_EQ(npu.status, 0) << npu.error;
    const auto report = nlohmann::json::parse(npu.out);
    EXPECT_EQ(report["outputs"], expected) << engine;
    EXPECT_EQ(report["engine"], engine);
    EXPECT_GE(report["npu_operations"], 3) << engine;
    if (engine == "timed") timed_cycles = report["cycles"];
    EXPECT_TRUE(engine != "rtl" || report["cycles"] == timed_cycles) << report["cycles"];
    const auto timeline = nlohmann::json::parse(slurp(folder_.path() + "/t.json"));
    EXPECT_TRUE(timeline.contains("traceEvents"));
  }
  EXPECT_GT(timed_cycles, 0u);
}

namespace {

uint64_t sum_of(const nlohmann::json& parts) {
  uint64_t sum = 0;
  for (const auto& part : parts) sum += part.get<uint64_t>();
  return sum;
}

}  // namespace

// Every cycle of every unit has one kind; what layers have is what the whole has, but for idle cycles; energy likewise.
TEST_F(CommandLine, RunAccountsForEveryCycle) {
  const std::string model = AVOCET_SOURCE_DIR "/traces/digits/digits.tflite";
  const CommandResult result = avocet("run " + model + " --device npu --engine timed --json -");
  ASSERT_EQ(result.status, 0) << result.error;
  const auto report = nlohmann::json::parse(result.out);
  ASSERT_GE(report["units"].size(), 4u);
  for (const auto& [unit, kinds] : report["units"].items()) {
    EXPECT_EQ(sum_of(kinds), report["job_cycles"].get<uint64_t>()) << unit;
    uint64_t layers = 0;
    for (const auto& layer : report["layers"])
      if (layer["units"].contains(unit)) layers += sum_of(layer["units"][unit]);
    EXPECT_EQ(layers, sum_of(kinds) - kinds["idle"].get<uint64_t>()) << unit;
  }
  for (const auto& [event, picojoules] : report["energy_pj"].items()) {
    double layers = 0;
    for (const auto& layer : report["layers"]) layers += layer["energy_pj"][event].get<double>();
    if (event == "leakage" || event == "total")
      EXPECT_LE(layers, picojoules.get<double>());
    else
      EXPECT_NEAR(layers, picojoules.get<double>(), 1e-6 * layers) << event;
  }
  const CommandResult text = avocet("run " + model + " --device npu --engine timed --stalls --energy");
  ASSERT_EQ(text.status, 0) << text.error;
  for (const char* part : {"waits: token", "dma0", "outside of layers", "mW on average"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part;
}

TEST_F(CommandLine, DisassemblesWhatAModelCompilesTo) {
  write_model("m.tflite");
  const CommandResult result = avocet("disasm m.tflite --save programs");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("MATMUL"), std::string::npos);
  const CommandResult again = avocet("disasm programs/step_0.avocet");
  EXPECT_EQ(again.status, 0) << again.error;
  EXPECT_NE(result.out.find(again.out), std::string::npos);
}

TEST_F(CommandLine, CompilesWithAReportAPictureAndAContainer) {
  write_model("m.tflite");
  const CommandResult text = avocet("compile m.tflite -o m.avocet --svg m.svg");
  ASSERT_EQ(text.status, 0) << text.error;
  for (const char* part : {"CONV_2D", "bound", "predicted ", "program m.avocet", "picture m.svg"}) {
    EXPECT_NE(text.out.find(part), std::string::npos) << part;
  }
  const std::string picture = slurp(folder_.path() + "/m.svg");
  EXPECT_EQ(picture.rfind("<svg ", 0), 0u);
  EXPECT_NE(picture.find("CONV_2D"), std::string::npos);
  EXPECT_EQ(picture.substr(picture.size() - 7), "</svg>\n");
  EXPECT_EQ(avocet("disasm m.avocet").status, 0);
  const CommandResult json = avocet("compile m.tflite --json -");
  const auto report = nlohmann::json::parse(json.out);
  EXPECT_GT(report["programs"][0]["predicted_cycles"], 0);
  EXPECT_GE(report["programs"][0]["sram"]["bytes"], report["programs"][0]["sram"]["lower_bound_bytes"]);
  expect_refused("compile m.tflite -o missing/m.avocet", "missing/m.avocet: cannot be written");
  write("rubbish.tflite", "rubbish");
  expect_refused("compile rubbish.tflite", "rubbish.tflite");
}

TEST_F(CommandLine, PrintsWhatTheRowsSayOfAnOperation) {
  const CommandResult one = avocet("docs relu6");
  EXPECT_EQ(one.status, 0) << one.error;
  EXPECT_NE(one.out.find("## RELU6"), std::string::npos);
  EXPECT_EQ(one.out.find("## RELU\n"), std::string::npos);
  expect_refused("docs NO_SUCH", "no operation 'NO_SUCH'");
}

TEST_F(CommandLine, SynthRefusesBeforeItStartsWorking) {
  expect_refused("synth 1", "not in range 2 to 64");
  expect_refused("synth 8 --json missing/gates.json", "missing/gates.json: cannot be written");
}

TEST_F(CommandLine, TheDemoAgreesWithItself) {
  const CommandResult result = avocet("demo --images 40 --engine timed");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("agree (40 of 40 outputs bit for bit)"), std::string::npos) << result.out;
  EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/avocet_demo_timeline.json"));
}

TEST_F(CommandLine, ListsTheDevices) {
  const CommandResult result = avocet("devices --device cpu");
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("nnapi-reference"), std::string::npos);
}

}  // namespace
}  // namespace avocet::tools
