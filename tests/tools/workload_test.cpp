// SPDX-License-Identifier: Apache-2.0
// Workloads as files: the shapes that they become, the shipped library, and one clear line for each mistake.
#include <gtest/gtest.h>

#include <android/NeuralNetworks.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "importer/model_file.hpp"
#include "nnapi/operand_types.hpp"
#include "report/temporary_directory.hpp"
#include "workload/hardware_file.hpp"
#include "workload/workload.hpp"

namespace avocet::tools {
namespace {

class Workloads : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() + "/" + name, std::ios::binary) << text;
    return folder_.path() + "/" + name;
  }
  /// The sentence, without the folder.
  std::string refusal(const std::string& name, const std::string& text) {
    const std::string path = write(name, text);
    try {
      if (is_hardware_file(path))
        read_hardware_file(path);
      else
        read_workload(path, {});
    } catch (const InputError& error) {
      const std::string sentence = error.what();
      EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
      return sentence.rfind(folder_.path() + "/", 0) == 0 ? sentence.substr(folder_.path().size() + 1) : sentence;
    }
    return "accepted";
  }
  std::string layer_refusal(const std::string& layer) {
    return refusal("w.json", R"({"name":"w","inputs":[{"name":"in","shape":[1,8,8,4]}],"layers":[)" + layer + "]}");
  }
  ImportedModel network(const std::string& layers, const std::string& shape = "[1,8,8,4]") {
    return import_workload(
        write("w.json", R"({"name":"w","inputs":[{"name":"in","shape":)" + shape + R"(}],"layers":[)" + layers + "]}"), true);
  }
  std::vector<uint32_t> shape_of(const std::string& layer, const std::string& shape = "[1,8,8,4]") {
    return network(layer, shape).outputs.at(0).dims;
  }

  TemporaryDirectory folder_{"avocet-workload"};
};

bool is_shape(const Operand& operand) { return operand.lifetime == Lifetime::constant_copy && !operand.value; }

using Dims = std::vector<uint32_t>;

TEST_F(Workloads, ShapesFollowFromKeys) {
  EXPECT_EQ(shape_of(R"({"op":"conv2d","filters":16,"kernel":3,"stride":2,"padding":"same"})"), (Dims{1, 4, 4, 16}));
  EXPECT_EQ(shape_of(R"({"op":"conv2d","filters":16,"kernel":[3,1]})"), (Dims{1, 6, 8, 16}));
  EXPECT_EQ(shape_of(R"({"op":"conv2d","filters":16,"kernel":3,"dilation":2,"padding":[2,2,1,0]})"), (Dims{1, 8, 5, 16}));
  EXPECT_EQ(shape_of(R"({"op":"depthwise_conv2d","kernel":7,"multiplier":2,"padding":"same"})"), (Dims{1, 8, 8, 8}));
  EXPECT_EQ(shape_of(R"({"op":"conv2d","filters":3,"kernel":11,"padding":"same"})"), (Dims{1, 8, 8, 3}));  // beyond the input
  EXPECT_EQ(shape_of(R"({"op":"conv2d","filters":3,"stride":2})", "[1,7,5,4]"), (Dims{1, 4, 3, 3}));
  EXPECT_EQ(shape_of(R"({"op":"transpose_conv2d","filters":3,"kernel":2,"stride":2})"), (Dims{1, 16, 16, 3}));
  EXPECT_EQ(shape_of(R"({"op":"max_pool","kernel":3,"stride":2,"padding":"same"})"), (Dims{1, 4, 4, 4}));
  EXPECT_EQ(shape_of(R"({"op":"global_average_pool"},{"op":"fully_connected","units":10})"), (Dims{1, 10}));
  EXPECT_EQ(shape_of(R"({"op":"mean","axes":[1,2]})"), (Dims{1, 1, 1, 4}));
  EXPECT_EQ(shape_of(R"({"op":"slice","begin":[0,1,0,0],"size":[1,2,8,4]},{"op":"reshape","shape":[16,4]},{"op":"transpose","order":[1,0]})"),
            (Dims{4, 16}));
  EXPECT_EQ(shape_of(R"({"op":"concatenate","inputs":["in","in","in"]},{"op":"pad","paddings":[0,0,1,2,0,0,0,0]})"),
            (Dims{1, 11, 8, 12}));
  EXPECT_EQ(shape_of(R"({"op":"resize_bilinear","size":[3,5]})"), (Dims{1, 3, 5, 4}));
  EXPECT_EQ(shape_of(R"({"op":"fully_connected","units":5})", "[6,7]"), (Dims{6, 5}));
}

TEST_F(Workloads, WeightsComeFromSeeds) {
  const auto weights = [&](const std::string& keys) {
    const ImportedModel model = network(R"({"op":"conv2d","filters":4,"kernel":3)" + keys + "}");
    for (const Operand& operand : model.description.operands)
      if (operand.type == ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL) return *operand.value;
    return std::vector<uint8_t>{};
  };
  ASSERT_EQ(weights("").size(), 4u * 9 * 4);
  EXPECT_EQ(weights(""), weights(""));
  EXPECT_NE(weights(R"(,"seed":7)"), weights(""));
}

TEST_F(Workloads, WithoutValuesConstantsAreShapes) {
  const std::string path = std::string(AVOCET_SOURCE_DIR) + "/traces/resnet50.json";
  const ImportedModel shapes = import_workload(path, false);
  uint64_t bytes = 0, operations = 0;
  for (const Operand& operand : shapes.description.operands) {
    if (is_shape(operand)) bytes += element_count(operand.dims).value();
  }
  operations = shapes.description.operations.size();
  EXPECT_GT(bytes, 25'000'000u);  // 25.5 million weights
  EXPECT_EQ(operations, 73u);
}

TEST_F(Workloads, MistakesInLayersAreOneLine) {
  const struct {
    const char* layer;
    const char* sentence;
  } rows[] = {
      {R"({"op":"conv3d"})", "w.json: layers[0]: op: \"conv3d\" is not allowed (one of conv2d,"},
      {R"({"name":"c","op":"conv2d","filters":0})", "w.json: layers[0] (c): filters: 0 is not allowed (a whole number, 1 to 65535)"},
      {R"({"op":"conv2d"})", "w.json: layers[0]: filters is missing (1 to 65535)"},
      {R"({"op":"conv2d","filters":1,"kernal":3})", "w.json: layers[0]: \"kernal\" is no key of conv2d (name, op,"},
      {R"({"op":"conv2d","filters":1,"kernel":[3]})", "kernel: [3] is not allowed (a whole number or 2 of them, 1 to 65535 each)"},
      {R"({"op":"conv2d","filters":1,"kernel":9})", "its kernel covers 9 rows, its padded input has 8"},
      {R"({"op":"conv2d","filters":1,"padding":"full"})", "padding: \"full\" is not allowed (same, valid,"},
      {R"({"op":"conv2d","filters":6,"groups":4})", "groups: 4 is not allowed (a divisor of 4 channels and of 6 filters)"},
      {R"({"op":"relu","input":"nobody"})", "input: \"nobody\" is not allowed (the name of an input or of an earlier layer)"},
      {R"({"op":"add","inputs":["in"]})", "inputs: 1 are not allowed (2 for add)"},
      {R"({"op":"reshape","shape":[3,3]})", "shape: [3,3] is not allowed (as many elements as its input [1, 8, 8, 4])"},
      {R"({"op":"softmax","axis":4})", "axis: 4 is not allowed (a whole number, 0 to 3)"},
      {R"({"op":"transpose","order":[0,1,2,2]})", "order: [0,1,2,2] is not allowed (every axis once)"},
      {R"({"op":"conv2d","filters":1,"zero_point":200})", "zero_point: 200 is not allowed (a whole number, -128 to 127)"},
      {R"({"op":"conv2d","filters":1,"activation":"swish"})", "activation: \"swish\" is not allowed (one of none, relu,"},
      {R"({"op":"gemm","m":1,"n":1,"k":1})", "op: \"gemm\" is not allowed"},
      {R"(7)", "w.json: layers[0]: 7 is not allowed (an object)"},
      {R"({"name":"a","op":"relu"},{"name":"a","op":"relu"})", "layers[1] (a): name: \"a\" is not allowed (it is there already)"},
  };
  for (const auto& row : rows) {
    const std::string sentence = layer_refusal(row.layer);
    EXPECT_NE(sentence.find(row.sentence), std::string::npos) << row.layer << "\n" << sentence;
  }
}

TEST_F(Workloads, MistakesInFilesAreOneLine) {
  EXPECT_EQ(refusal("w.json", "{\n \"name\": \"w\",\n \"layers\": [\n"), "w.json: line 4: not valid JSON");
  EXPECT_EQ(refusal("w.json", "[]"), "w.json: [] is not allowed (an object)");
  EXPECT_EQ(refusal("w.json", R"({"name":"w","layers":[]})"), "w.json: layers: [] is not allowed (an array of 1 to 65535 layers)");
  EXPECT_EQ(refusal("w.json", R"({"name":"w","type":"int4","layers":[{}]})"),
            "w.json: type: \"int4\" is not allowed (one of int8, uint8)");
  EXPECT_NE(refusal("w.json", R"({"name":"w","inputs":[{"name":"in","shape":[1,70000,70000,4]}],"layers":[{"op":"relu"}]})")
                .find("inputs[0]: a tensor of [1, 70000, 70000, 4] is not allowed (at most 2147483647 elements)"),
            std::string::npos);
  EXPECT_EQ(refusal("w.json", R"({"name":"w","inputs":[{"name":"in","shape":[4]}],"layers":[{"op":"relu"}],"outputs":["in"]})"),
            "w.json: outputs: \"in\" is not allowed (an array of names of layers, each once)");
  EXPECT_EQ(refusal("w.json", R"({"name":"w","run":"layers","layers":[{"op":"gemm","m":5,"n":0,"k":2}]})"),
            "w.json: layers[0]: n: 0 is not allowed (a whole number, 1 to 65535)");
}

constexpr const char* kHead = "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n";

TEST_F(Workloads, TopologiesHaveScaleSimsShapes) {
  const Workload convolutions = read_workload(
      write("t.csv", std::string(kHead) + "Conv1, 230, 230, 7, 7, 3, 64, 2,\n\nConv2, 56, 56, 1, 1, 64, 32, 1,\nOdd,8,8,3,3,1,1,2\n"), {});
  ASSERT_EQ(convolutions.parts.size(), 3u);
  EXPECT_EQ(convolutions.parts[0].name, "Conv1");
  EXPECT_EQ(convolutions.parts[0].model.outputs[0].dims, (Dims{1, 113, 113, 64}));  // ceil((230 - 7 + 2) / 2)
  EXPECT_EQ(convolutions.parts[1].model.outputs[0].dims, (Dims{1, 56, 56, 32}));
  EXPECT_EQ(convolutions.parts[2].model.outputs[0].dims, (Dims{1, 4, 4, 1}));
  const Workload products = read_workload(write("g.csv", "Layer, M, N, K,\nfc, 5, 1, 2,\n"), {});
  EXPECT_EQ(products.parts.at(0).model.inputs[0].dims, (Dims{5, 2}));
  EXPECT_EQ(products.parts.at(0).model.outputs[0].dims, (Dims{5, 1}));
}

// A command stream holds 2^19 weight tiles or so.
TEST_F(Workloads, ProductsAreCutToWhatAStreamHolds) {
  const std::string path = write("g.csv", "Layer, M, N, K,\nfc, 300, 70, 16384,\n");
  const Workload whole = read_workload(path, {.array_rows = 16, .array_columns = 16});
  ASSERT_EQ(whole.parts.size(), 1u);
  std::vector<std::pair<Dims, uint32_t>> slices;
  for (const WorkloadPart& part : read_workload(path, {.array_rows = 1, .array_columns = 1}).parts)
    slices.emplace_back(part.model.outputs[0].dims, part.repeat);
  EXPECT_EQ(slices, (std::vector<std::pair<Dims, uint32_t>>{{{128, 32}, 4}, {{44, 32}, 2}, {{128, 6}, 2}, {{44, 6}, 1}}));
}

TEST_F(Workloads, MistakesInTopologiesNameTheLine) {
  EXPECT_EQ(refusal("t.csv", std::string(kHead) + "a, 8, 8, 3, 3, 1, 1, 1,\nb, 8, x, 3, 3, 1, 1, 1,\n"),
            "t.csv: line 3: IFMAP Width: \"x\" is not allowed (1 to 65535)");
  EXPECT_EQ(refusal("t.csv", std::string(kHead) + "a, 8, 8, 9, 3, 1, 1, 1,\n"),
            "t.csv: line 2: Filter Height: 9 is not allowed (at most the IFMAP's 8)");
  EXPECT_EQ(refusal("t.csv", std::string(kHead) + "a, 8, 8,\n"),
            "t.csv: line 2: 3 columns are not allowed (a name and 7 numbers)");
  EXPECT_EQ(refusal("t.csv", std::string(kHead)), "t.csv: holds no layer");
  EXPECT_NE(refusal("t.csv", "name,size\n").find("t.csv: line 1: \"name,size\" is not allowed (Layer, IFMAP Height"),
            std::string::npos);
}

constexpr const char* kHardware =
    "[general]\nrun_name = big_one\n\n[architecture_presets]\nArrayHeight:    24\nArrayWidth :    40\n"
    "IfmapSramSzkB:    64\nFilterSramSzkB:   128\nOfmapSramSzkB:    64\nIfmapOffset:    0\nFilterOffset:   10000000\n"
    "OfmapOffset:    20000000\nBandwidth : 10\nDataflow : ws\nMemoryBanks:   1\n\n[run_presets]\nInterfaceBandwidth: USER\n";

TEST_F(Workloads, HardwareFilesBecomeConfigurations) {
  const Json config = read_hardware_file(write("h.cfg", kHardware));
  EXPECT_EQ(config["name"], "big_one");
  EXPECT_EQ(config["array"]["rows"], 24);
  EXPECT_EQ(config["array"]["columns"], 40);
  EXPECT_EQ(config["sram"]["kib"], 256);
  EXPECT_EQ(config["dram"]["bytes_per_cycle"], 10);
  std::string calc = kHardware;
  calc.replace(calc.find("USER"), 4, "CALC");
  EXPECT_EQ(read_hardware_file(write("h.cfg", calc))["dram"]["latency_cycles"], 0);
}

TEST_F(Workloads, MistakesInHardwareFilesNameTheLine) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kHardware;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(refusal("h.cfg", with("40", "400")), "h.cfg: line 6: ArrayWidth: \"400\" is not allowed (1 to 256)");
  EXPECT_EQ(refusal("h.cfg", with(": ws", ": xs")), "h.cfg: line 14: Dataflow: \"xs\" is not allowed (ws, os or is)");
  EXPECT_EQ(refusal("h.cfg", with("MemoryBanks", "MemoryBunks")), "h.cfg: line 15: \"MemoryBunks\" is no key that is known here");
  EXPECT_EQ(refusal("h.cfg", with("ArrayHeight:    24\n", "")), "h.cfg: arrayheight is missing (1 to 256)");
  EXPECT_EQ(refusal("h.cfg", "ArrayHeight 4\n"),
            "h.cfg: line 1: \"ArrayHeight 4\" is not allowed ([section], KEY : VALUE or KEY = VALUE)");
}

// The shipped files are what the script writes.
TEST_F(Workloads, LibraryIsAsItsCommandMakesIt) {
  if (std::system("python3 -c pass >/dev/null 2>&1") != 0) GTEST_SKIP() << "no python3 here";
  const std::string root = AVOCET_SOURCE_DIR;
  const std::string script = root + "/tools/workload/make_library.py";
  ASSERT_EQ(std::system((script + " > " + folder_.path() + "/names").c_str()), 0);
  std::ifstream names(folder_.path() + "/names");
  size_t count = 0;
  for (std::string name; std::getline(names, name); ++count)
    EXPECT_EQ(std::system((script + " " + name + " | cmp - " + root + "/traces/" + name + ".json").c_str()), 0) << name;
  EXPECT_EQ(count, 7u);
}

TEST_F(Workloads, LibraryHasTheNetworksSizes) {
  const struct {
    const char* name;
    uint64_t weights_low, weights_high;
  } rows[] = {{"digits", 20'000, 21'000},           {"resnet50", 25'400'000, 25'700'000},
              {"mobilenet_v1_224", 4'200'000, 4'300'000}, {"mobilenet_v2_224", 3'400'000, 3'600'000},
              {"bert_base_encoder", 7'000'000, 7'500'000}, {"keyword_spotter", 21'000, 24'000},
              {"ssd_head", 1'000'000, 20'000'000}};
  for (const auto& row : rows) {
    const ImportedModel model = import_workload(std::string(AVOCET_SOURCE_DIR) + "/traces/" + row.name + ".json", false);
    uint64_t weights = 0;
    for (const Operand& operand : model.description.operands)
      if (is_shape(operand) && operand.type != ANEURALNETWORKS_TENSOR_INT32)
        weights += element_count(operand.dims).value();
    EXPECT_GE(weights, row.weights_low) << row.name;
    EXPECT_LE(weights, row.weights_high) << row.name;
  }
}

}  // namespace
}  // namespace avocet::tools
