// SPDX-License-Identifier: Apache-2.0
// Single models that once went wrong between the runtime and the NPU: where they run, and that the bytes are those of the CPU path.
#include <android/NeuralNetworks.h>
#include <gtest/gtest.h>

#include <avocet/runtime/introspection.hpp>
#include <cstdlib>
#include <string>

#include "conformance/case_execution.hpp"
#include "conformance/test_case.hpp"
#include "nnapi/device_choice.hpp"
#include "nnapi/model_builder.hpp"

namespace avocet {
namespace {

using tools::DeviceChoice;

/// The device of each operation, by its first letter after finishing: n for avocet-npu, c for the CPU.
struct Run {
  std::string devices;
  std::vector<std::vector<uint8_t>> outputs;
};

Run run(const tools::TestCase& test, DeviceChoice device) {
  const tools::BuiltModel model = tools::build_model(test.main, test.referenced);
  const tools::CompilationHandle compilation = tools::create_finished_compilation(model.get(), device);
  Run result;
  for (const runtime::Placement& placement : runtime::placements(compilation.get()))
    result.devices += placement.device == tools::kNpuDevice ? 'n' : 'c';
  const auto executions = tools::execute_case(compilation.get(), test, tools::Variation::plain);
  for (const tools::ActualOutput& output : executions.back()) result.outputs.push_back(output.bytes);
  return result;
}

/// `operands` and the rest of a case's main graph.
void check(const std::string& operands, const std::string& rest, const std::string& devices) {
  const tools::TestCase test = tools::parse_test_case(
      R"({"name": "case", "min_feature_level": 30, "relaxed": false, "main": {"operands": [)" + operands + "], " + rest + "}}");
  const Run there = run(test, DeviceChoice::npu), here = run(test, DeviceChoice::cpu);
  EXPECT_EQ(there.devices, devices);
  EXPECT_EQ(there.outputs, here.outputs);
}

std::string scalar(const char* type, int value) {
  return R"({"data": [)" + std::to_string(value) + R"(], "lifetime": "CONSTANT_COPY", "type": ")" + type + R"("})";
}
std::string int32(int value) { return scalar("INT32", value); }
std::string flag(int value) { return scalar("BOOL", value); }

TEST(NpuCases, ConvolutionOfOneRowInNchw) {
  check(R"({"data": [-43, 127, 124], "dims": [1, 1, 3, 1], "lifetime": "SUBGRAPH_INPUT", "scale": 0.01, "type": "TENSOR_QUANT8_ASYMM_SIGNED"},
           {"data": [-120, -46, -44, -128, 35, 83], "dims": [2, 3, 1, 1], "lifetime": "CONSTANT_COPY", "scale": 0.05, "type": "TENSOR_QUANT8_ASYMM_SIGNED"},
           {"data": [-777, 12], "dims": [2], "lifetime": "CONSTANT_COPY", "scale": 0.0005, "type": "TENSOR_INT32"},)" +
            int32(2) + "," + int32(3) + "," + int32(1) + "," + int32(0) + "," + flag(1) +
            R"(, {"data": [0, 0], "dims": [1, 2, 1, 1], "lifetime": "SUBGRAPH_OUTPUT", "scale": 0.1, "type": "TENSOR_QUANT8_ASYMM_SIGNED"})",
        R"("operations": [{"op": "CONV_2D", "inputs": [0, 1, 2, 3, 4, 5, 6, 7], "outputs": [8]}], "inputs": [0], "outputs": [8])", "n");
}

/// Between a row and itself the CPU path adds two products of float32, which rounds for sevenths.
TEST(NpuCases, UnsignedBilinearResizeOfOneRowToSeven) {
  std::string values = "1", zeros = "0";
  for (int i = 1; i < 9 * 8; ++i) values += ", " + std::to_string((i * 37 + i * i * 11) % 256);
  for (int i = 1; i < 7 * 12 * 8; ++i) zeros += ", 0";
  check(R"({"data": [)" + values + R"(], "dims": [1, 1, 9, 8], "lifetime": "SUBGRAPH_INPUT", "scale": 0.01, "type": "TENSOR_QUANT8_ASYMM"},)" +
            int32(12) + "," + int32(7) + "," + flag(0) + "," + flag(0) + R"(, {"data": [)" + zeros +
            R"(], "dims": [1, 7, 12, 8], "lifetime": "SUBGRAPH_OUTPUT", "scale": 0.01, "type": "TENSOR_QUANT8_ASYMM"})",
        R"("operations": [{"op": "RESIZE_BILINEAR", "inputs": [0, 1, 2, 3, 4], "outputs": [5]}], "inputs": [0], "outputs": [5])", "c");
}

const char* const kStored = R"({"data": [0, 1, 127, 128, 200, 255], "dims": [6], "lifetime": "SUBGRAPH_INPUT", "scale": 0.5, "zero_point": 100, "type": "TENSOR_QUANT8_ASYMM"})";
const char* const kFloats = R"({"dims": [6], "lifetime": "TEMPORARY_VARIABLE", "type": "TENSOR_FLOAT32"})";
const char* const kRestored = R"({"data": [0, 0, 0, 0, 0, 0], "dims": [6], "lifetime": "SUBGRAPH_OUTPUT", "scale": 0.7, "zero_point": -3, "type": "TENSOR_QUANT8_ASYMM_SIGNED"})";
const char* const kReturned = R"({"data": [0, 0, 0, 0, 0, 0], "dims": [6], "lifetime": "SUBGRAPH_OUTPUT", "type": "TENSOR_FLOAT32"})";

TEST(NpuCases, DequantizeForQuantizeIsATable) {
  check(std::string(kStored) + "," + kFloats + "," + kRestored,
        R"("operations": [{"op": "DEQUANTIZE", "inputs": [0], "outputs": [1]}, {"op": "QUANTIZE", "inputs": [1], "outputs": [2]}], "inputs": [0], "outputs": [2])",
        "nn");
}

TEST(NpuCases, DequantizeAloneStaysOnTheCpu) {
  check(std::string(kStored) + "," + kReturned, R"("operations": [{"op": "DEQUANTIZE", "inputs": [0], "outputs": [1]}], "inputs": [0], "outputs": [1])", "c");
}

/// Both readers need the floats, of which one wants them outside.
TEST(NpuCases, DequantizeThatIsAlsoReadAsFloatStaysOnTheCpu) {
  check(std::string(kStored) + "," + kFloats + "," + kRestored + "," + kReturned,
        R"("operations": [{"op": "DEQUANTIZE", "inputs": [0], "outputs": [1]}, {"op": "QUANTIZE", "inputs": [1], "outputs": [2]},
           {"op": "FLOOR", "inputs": [1], "outputs": [3]}], "inputs": [0], "outputs": [2, 3])",
        "ccc");
}

const char* const kScores = R"({"data": [5, 9, 9, 7, 1, 7], "dims": [2, 3], "lifetime": "SUBGRAPH_INPUT", "scale": 0.5, "zero_point": 100, "type": "TENSOR_QUANT8_ASYMM"})";

/// Int32 leaves the accelerator, which else has bytes alone.
TEST(NpuCases, IndicesGoToTheClientAndToTheCpu) {
  check(std::string(kScores) + "," + int32(-1) + R"(,
           {"data": [0, 0], "dims": [2], "lifetime": "SUBGRAPH_OUTPUT", "type": "TENSOR_INT32"},
           {"data": [0, 0], "dims": [2], "lifetime": "SUBGRAPH_OUTPUT", "type": "TENSOR_FLOAT32"})",
        R"("operations": [{"op": "ARGMAX", "inputs": [0, 1], "outputs": [2]}, {"op": "CAST", "inputs": [2], "outputs": [3]}], "inputs": [0], "outputs": [2, 3])",
        "nc");
}

TEST(NpuCases, IndicesOfChannelsInNchw) {
  check(R"({"data": [-43, 127, 124, 5, -6, 70], "dims": [1, 2, 1, 3], "lifetime": "SUBGRAPH_INPUT", "scale": 0.01, "type": "TENSOR_QUANT8_ASYMM_SIGNED"},
           {"data": [-120, -46, -44, -128, 35, 83, 90, 12], "dims": [4, 1, 1, 2], "lifetime": "CONSTANT_COPY", "scale": 0.05, "type": "TENSOR_QUANT8_ASYMM_SIGNED"},
           {"data": [-777, 12, 500, -30], "dims": [4], "lifetime": "CONSTANT_COPY", "scale": 0.0005, "type": "TENSOR_INT32"},)" +
            int32(2) + "," + int32(1) + "," + int32(1) + "," + int32(0) + "," + flag(1) +
            R"(, {"dims": [1, 4, 1, 3], "lifetime": "TEMPORARY_VARIABLE", "scale": 0.1, "type": "TENSOR_QUANT8_ASYMM_SIGNED"},)" + int32(1) +
            R"(, {"data": [0, 0, 0], "dims": [1, 1, 3], "lifetime": "SUBGRAPH_OUTPUT", "type": "TENSOR_INT32"})",
        R"("operations": [{"op": "CONV_2D", "inputs": [0, 1, 2, 3, 4, 5, 6, 7], "outputs": [8]}, {"op": "ARGMAX", "inputs": [8, 9], "outputs": [10]}], "inputs": [0], "outputs": [10])", "nn");
}

/// Their values become a program's, which is made when they are known.
TEST(NpuCases, IndicesOfTheNpuGatherThere) {
  check(std::string(kScores) + "," + int32(0) + R"(, {"dims": [3], "lifetime": "TEMPORARY_VARIABLE", "type": "TENSOR_INT32"},
           {"data": [0, 0, 0, 0, 0, 0, 0, 0, 0], "dims": [3, 3], "lifetime": "SUBGRAPH_OUTPUT", "scale": 0.5, "zero_point": 100, "type": "TENSOR_QUANT8_ASYMM"})",
        R"("operations": [{"op": "ARGMIN", "inputs": [0, 1], "outputs": [2]}, {"op": "GATHER", "inputs": [0, 1, 2], "outputs": [3]}], "inputs": [0], "outputs": [3])",
        "nn");
}

/// Engine timing moves no values; what a client, or the CPU, then reads as indices are zeros, not what the memory held before.
TEST(NpuCases, WithoutValuesIndicesAreZero) {
  const tools::TestCase test = tools::parse_test_case(
      R"({"name": "case", "min_feature_level": 30, "relaxed": false, "main": {"operands": [)" + std::string(kScores) + "," + int32(1) +
      R"(, {"data": [1, 0], "dims": [2], "lifetime": "SUBGRAPH_OUTPUT", "type": "TENSOR_INT32"}],
         "operations": [{"op": "ARGMAX", "inputs": [0, 1], "outputs": [2]}], "inputs": [0], "outputs": [2]}})");
  const tools::BuiltModel model = tools::build_model(test.main, test.referenced);
  const tools::CompilationHandle compilation = tools::create_finished_compilation(model.get(), DeviceChoice::npu);
  ASSERT_EQ(runtime::placements(compilation.get())[0].device, tools::kNpuDevice);
  const tools::ExecutionHandle execution = tools::create_execution(compilation.get());
  const std::vector<uint8_t>& scores = *test.main.operands[0].value;
  int32_t indices[2] = {0x7f7f7f7f, 0x7f7f7f7f};
  tools::check(ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr, scores.data(), scores.size()), "setInput");
  tools::check(ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, indices, sizeof indices), "setOutput");
  tools::check(ANeuralNetworksExecution_compute(execution.get()), "compute");
  const char* engine = std::getenv("AVOCET_ENGINE");
  const bool has_values = !engine || std::string(engine) != "timing";
  EXPECT_EQ(indices[0], has_values ? 1 : 0);
  EXPECT_EQ(indices[1], 0);
}

/// A right padding that comes with the execution: a program is made then.
TEST(NpuCases, TransposedConvolutionReachesNotEveryColumn) {
  check(R"({"data": [1, 2, 3, 4], "dims": [1, 1, 2, 2], "lifetime": "SUBGRAPH_INPUT", "scale": 0.5, "zero_point": 100, "type": "TENSOR_QUANT8_ASYMM"},
           {"data": [1, 2, 3, 4, 5, 6, 7, 8], "dims": [1, 2, 2, 2], "lifetime": "CONSTANT_COPY", "scale": 0.5, "zero_point": 100, "type": "TENSOR_QUANT8_ASYMM"},
           {"data": [300], "dims": [1], "lifetime": "CONSTANT_COPY", "scale": 0.25, "type": "TENSOR_INT32"},)" +
            int32(1) + R"(, {"data": [2], "lifetime": "SUBGRAPH_INPUT", "type": "INT32"},)" + int32(0) + "," + int32(0) + "," + int32(3) + "," +
            int32(1) + "," + int32(0) + "," + flag(0) +
            R"(, {"data": [0, 0, 0, 0], "dims": [1, 2, 2, 1], "lifetime": "SUBGRAPH_OUTPUT", "scale": 40, "zero_point": 10, "type": "TENSOR_QUANT8_ASYMM"})",
        R"("operations": [{"op": "TRANSPOSE_CONV_2D", "inputs": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "outputs": [11]}], "inputs": [0, 4], "outputs": [11])", "n");
}

}  // namespace
}  // namespace avocet
