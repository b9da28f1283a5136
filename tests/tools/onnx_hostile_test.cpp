// SPDX-License-Identifier: Apache-2.0
// Damaged and malicious ONNX files: one InputError each, whatever they contain, and never more.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "importer/model_file.hpp"
#include "input_error.hpp"
#include "onnx_writer.hpp"
#include "report/temporary_directory.hpp"

namespace avocet::tools::test {
namespace {

constexpr ElementType kFloat = ElementType::float32;
constexpr ElementType kInt64 = ElementType::int64;

OnnxWriter& relu(OnnxWriter& w) { return w.node("Relu", {"x"}, {"y"}).output("y"); }

OnnxWriter convolution() {
  OnnxWriter w;
  w.input("x", kFloat, {1, 2, 4, 4}).floats("w", {2, 2, 1, 1}, {1, 2, 3, 4}).floats("s", {}, {0.5f});
  w.integers("z", ElementType::uint8, {}, {3}).integers("to", kInt64, {2}, {1, -1});
  w.node("Conv", {"x", "w"}, {"a"}, {{"pads", Shape{0, 0, 0, 0}}, {"auto_pad", std::string("NOTSET")}});
  w.node("Relu", {"a"}, {"b"})
      .node("QuantizeLinear", {"b", "s", "z"}, {"q"})
      .node("DequantizeLinear", {"q", "s", "z"}, {"d"});
  w.node("Reshape", {"d", "to"}, {"r"}).node("Softmax", {"r"}, {"y"});
  return std::move(w.output("y"));
}

TEST(OnnxHostile, EveryTruncationIsRefusedOrImported) {
  const Bytes whole = convolution().bytes();
  ASSERT_EQ(refusal(whole), "accepted");
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string text = refusal(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_TRUE(text == "accepted" || text.starts_with("m.onnx: ")) << size << ": " << text;
  }
}

TEST(OnnxHostile, EveryChangedByteIsRefusedOrImported) {
  const Bytes whole = convolution().bytes();
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const uint8_t change : {0x01, 0x80, 0xff, 0x7f, 0x40}) {
      Bytes bytes = whole;
      bytes[at] ^= change;
      const std::string text = refusal(bytes);
      EXPECT_TRUE(text == "accepted" || text.starts_with("m.onnx: ")) << at << ": " << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << at;
    }
  }
}

TEST(OnnxHostile, RandomBytes) {
  std::mt19937 generator(1);
  for (int round = 0; round < 2000; ++round) {
    Bytes bytes(generator() % 200);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(generator());
    EXPECT_TRUE(refusal(bytes).starts_with("m.onnx: "));
  }
}

TEST(OnnxHostile, Constants) {
  const auto with = [](const std::function<void(OnnxWriter&)>& change) {
    OnnxWriter w;
    w.input("x", kFloat, {2});
    change(w);
    return refusal(relu(w));
  };
  EXPECT_EQ(with([](OnnxWriter& w) { w.raw("c", kFloat, {3}, Bytes(11)); }),
            "m.onnx: initialiser 'c': its data has 11 bytes, its shape needs 12");
  EXPECT_EQ(with([](OnnxWriter& w) { w.raw("c", kFloat, {-1}, {}); }), "m.onnx: initialiser 'c': dimension -1");
  EXPECT_EQ(with([](OnnxWriter& w) { w.raw("c", kFloat, {int64_t{1} << 40}, {}); }),
            "m.onnx: initialiser 'c': dimension 1099511627776");
  EXPECT_EQ(with([](OnnxWriter& w) {
              w.raw("c", kFloat, {1 << 20, 1 << 20, 1 << 20}, {});
            }),
            "m.onnx: initialiser 'c': larger than 1 GiB");
  EXPECT_EQ(with([](OnnxWriter& w) { w.raw("c", kFloat, Shape(9, 1), Bytes(4)); }), "m.onnx: initialiser 'c': rank 9");
  EXPECT_EQ(with([](OnnxWriter& w) { w.raw("c", static_cast<ElementType>(8), {1}, {}); }),
            "m.onnx: initialiser 'c': tensors of type string are not supported");
  EXPECT_EQ(with([](OnnxWriter& w) { w.raw("c", static_cast<ElementType>(77), {1}, {}); }),
            "m.onnx: initialiser 'c': tensors of type an unknown type are not supported");
  EXPECT_EQ(with([](OnnxWriter& w) { w.external("c", {2}, "weights.bin"); }),
            "m.onnx: initialiser 'c': its data is in another file (external data), which is not supported");
  EXPECT_EQ(with([](OnnxWriter& w) { w.floats("c", {1}, {1}).floats("c", {1}, {1}); }),
            "m.onnx: initialiser 'c' is there twice");
}

TEST(OnnxHostile, Graphs) {
  OnnxWriter cycle;
  cycle.input("x", kFloat, {2}).node("Add", {"x", "b"}, {"a"}).node("Relu", {"a"}, {"b"}).output("b");
  EXPECT_EQ(refusal(cycle), "m.onnx: node 0 (Add): depends on itself (a cycle)");
  OnnxWriter missing;
  missing.input("x", kFloat, {2}).node("Add", {"x", "w"}, {"y"}, {}, "", "sum").output("y");
  EXPECT_EQ(refusal(missing), "m.onnx: node 0 (Add 'sum'): 'w' is never written");
  OnnxWriter twice;
  twice.input("x", kFloat, {2}).node("Relu", {"x"}, {"y"}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(refusal(twice), "m.onnx: node 1 (Relu): 'y' is written twice");
  OnnxWriter output;
  output.input("x", kFloat, {2}).node("Relu", {"x"}, {"y"}).output("z");
  EXPECT_EQ(refusal(output), "m.onnx: output 'z' is never written");
  OnnxWriter none;
  EXPECT_EQ(refusal(none), "m.onnx: no inputs or no outputs");
  OnnxWriter constant;
  constant.input("x", kFloat, {2}).floats("c", {1}, {1}).output("c");
  EXPECT_EQ(refusal(constant), "m.onnx: output 'c' is a constant");
  OnnxWriter unknown(99);
  unknown.input("x", kFloat, {2});
  EXPECT_EQ(refusal(relu(unknown)), "m.onnx: operator set 99, expected 1 to 23");
}

TEST(OnnxHostile, NamesKeepToOneLine) {
  OnnxWriter w;
  w.input("x", kFloat, {2}).node("Ein\nsum", {"x"}, {"y"}, {}, "", "a\tb").output("y");
  EXPECT_EQ(refusal(w), "m.onnx: node 0 (Ein?sum 'a?b'): the Neural Networks API has no such operation");
}

TEST(OnnxHostile, HugeInputs) {
  OnnxWriter w;
  w.input("x", kFloat, {1 << 20, 1 << 20});
  EXPECT_EQ(refusal(relu(w)), "m.onnx: input 'x': a tensor of shape [1048576, 1048576] is too large");
  OnnxWriter negative;
  negative.input("x", kFloat, {-5});
  EXPECT_EQ(refusal(relu(negative)), "m.onnx: input 'x': dimension -5");
}

/// One operator with int64 constants behind x.
std::string refused(const char* op, const Shape& shape, const std::vector<Shape>& constants,
                    const Attributes& attributes = {}) {
  OnnxWriter w;
  Names inputs = {"x"};
  w.input("x", kFloat, shape);
  for (size_t i = 0; i < constants.size(); ++i) {
    inputs.push_back("c" + std::to_string(i));
    w.integers(inputs.back(), kInt64, {static_cast<int64_t>(constants[i].size())}, constants[i]);
  }
  w.node(op, inputs, {"y"}, attributes).output("y");
  const std::string text = refusal(w);
  const std::string start = "m.onnx: node 0 (" + std::string(op) + "): ";
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

TEST(OnnxHostile, Operators) {
  constexpr int64_t kHuge = INT64_MAX;
  constexpr int64_t kLow = INT64_MIN;
  EXPECT_EQ(refused("Einsum", {2}, {}), "the Neural Networks API has no such operation");
  EXPECT_EQ(refused("Relu", {2}, {{1}}), "2 inputs");
  EXPECT_EQ(refused("Relu", {2}, {}, {{"magic", int64_t{1}}}), "attribute 'magic' has no form in the API");
  EXPECT_EQ(refused("LeakyRelu", {2}, {}, {{"alpha", int64_t{1}}}), "attribute 'alpha' is not a float");
  EXPECT_EQ(refused("Reshape", {4}, {{3, -1}}), "shape [3, 1] for 4 elements");
  EXPECT_EQ(refused("Reshape", {4}, {{-1, -1}}), "a shape with two open dimensions");
  EXPECT_EQ(refused("Reshape", {4}, {{kLow}}), "dimension -9223372036854775808");
  EXPECT_EQ(refused("Reshape", {4}, {Shape(64, 1)}), "a shape of rank 64");
  EXPECT_EQ(refused("Squeeze", {4}, {{7}}), "axis 7 of rank 1");
  EXPECT_EQ(refused("Unsqueeze", {4}, {{0, 0}}), "axis 0 is named twice");
  EXPECT_EQ(refused("Transpose", {1, 2}, {}, {{"perm", Shape{0, 0}}}), "axis 0 is named twice");
  EXPECT_EQ(refused("Slice", {4}, {{0}, {2}, {0}, {0}}), "a step of 0");
  EXPECT_EQ(refused("Slice", {4}, {{3}, {1}}), "a tensor of shape [0] is empty");
  EXPECT_EQ(refused("Slice", {4}, {{kLow}, {kHuge}, {0}, {kLow}}), "a tensor of shape [0] is empty");
  EXPECT_EQ(refused("Slice", {4}, {{kHuge}, {kLow}, {0}, {kLow}}), "accepted");
  EXPECT_EQ(refused("Tile", {4}, {{kHuge}}), "9223372036854775807 repeats");
  EXPECT_EQ(refused("Pad", {4}, {{kHuge, 0}}), "a padding of 9223372036854775807");
  EXPECT_EQ(refused("Pad", {4}, {{INT32_MAX, INT32_MAX}}), "dimension 4294967298");
  EXPECT_EQ(refused("Expand", {1}, {{1 << 20, 1 << 20}}), "a tensor of shape [1048576, 1048576] is too large");
  EXPECT_EQ(refused("Gather", {4}, {{4}}), "index 4 of 4");
  EXPECT_EQ(refused("Split", {4}, {{5, -1}}), "a part of 5 elements");
  EXPECT_EQ(refused("Split", {4}, {{2}}), "the parts do not make up the whole");
  EXPECT_EQ(refused("TopK", {4}, {{kHuge}}), "the 9223372036854775807 largest of 4");
  EXPECT_EQ(refused("DepthToSpace", {1, 4, 1, 1}, {}, {{"blocksize", kHuge}}),
            "blocks of 9223372036854775807 for shape [1, 4, 1, 1]");
  EXPECT_EQ(refused("MaxPool", {1, 1, 4, 4}, {}, {{"kernel_shape", Shape{5, 5}}}),
            "a window of 5 does not fit 4 padded elements");
  EXPECT_EQ(refused("MaxPool", {1, 1, 4, 4}, {}, {{"kernel_shape", Shape{2, 2}}, {"strides", Shape{0, 1}}}),
            "'strides' has the number 0");
  EXPECT_EQ(refused("MaxPool", {1, 1, 4, 4}, {},
                    {{"kernel_shape", Shape{1, 1}}, {"pads", Shape{INT32_MAX, 0, INT32_MAX, 0}}}),
            "a padding beyond 31 bits");
  EXPECT_EQ(refused("Softmax", {4}, {}, {{"axis", kHuge}}), "axis 9223372036854775807 of rank 1");
  EXPECT_EQ(refused("LRN", {1, 4, 1, 1}, {}, {{"size", int64_t{4}}}), "a neighbourhood of 4 channels: it must be odd");
}

TEST(OnnxHostile, WhatIsComputedAtImportIsBounded) {
  const auto folded = [](const std::function<void(OnnxWriter&)>& make) {
    OnnxWriter w;
    w.input("x", kFloat, {1});
    make(w);
    w.node("Add", {"x", "c"}, {"y"}).output("y");
    return refusal(w);
  };
  EXPECT_EQ(
      folded([](OnnxWriter& w) {
        w.integers("s", kInt64, {2}, {1 << 15, 1 << 14}).node("ConstantOfShape", {"s"}, {"c"});
      }),
      "m.onnx: node 0 (ConstantOfShape): a constant of shape [32768, 16384] is too large to be computed at import");
  EXPECT_EQ(folded([](OnnxWriter& w) {
              w.integers("a", kInt64, {}, {0}).integers("b", kInt64, {}, {INT64_MAX}).integers("d", kInt64, {}, {1});
              w.node("Range", {"a", "b", "d"}, {"c"});
            }),
            "m.onnx: node 0 (Range): a range that is too long");
  EXPECT_EQ(folded([](OnnxWriter& w) {
              w.integers("a", kInt64, {}, {INT64_MAX}).node("Mul", {"a", "a"}, {"c"});
            }),
            "m.onnx: node 0 (Mul): an integer constant overflows");
  EXPECT_EQ(folded([](OnnxWriter& w) {
              w.integers("a", kInt64, {}, {1}).integers("b", kInt64, {}, {0}).node("Div", {"a", "b"}, {"c"});
            }),
            "m.onnx: node 0 (Div): a constant division by zero");
}

TEST(OnnxHostile, QlinearNodesThatLackInputs) {
  OnnxWriter w;
  w.input("x", ElementType::uint8, {2}).node("QLinearSigmoid", {"x"}, {"y"}, {}, "com.microsoft").output("y");
  EXPECT_EQ(refusal(w), "m.onnx: node 0 (QLinearSigmoid): input 0 or its scale is missing");
  OnnxWriter other;
  other.input("x", kFloat, {2}).node("Gelu", {"x"}, {"y"}, {}, "com.microsoft").output("y");
  EXPECT_EQ(refusal(other), "m.onnx: node 0 (Gelu): the operators of com.microsoft have no form in the API");
}

TEST(ModelFile, GoesByIdentifierSuffixAndFirstBytes) {
  const TemporaryDirectory folder("avocet-model-file");
  const auto write = [&](const std::string& name, const Bytes& bytes) {
    const std::string path = folder.path() + "/" + name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
  };
  const Bytes bytes = convolution().bytes();
  EXPECT_EQ(import_model(write("a.onnx", bytes)).inputs.size(), 1u);
  EXPECT_EQ(import_model(write("without_suffix", bytes)).inputs.size(), 1u);
  const auto error = [](const std::string& path) -> std::string {
    try {
      import_model(path);
    } catch (const InputError& refused) {
      return refused.what();
    }
    return "accepted";
  };
  const std::string empty = write("empty.onnx", {});
  EXPECT_EQ(error(empty), empty + ": damaged, or not an ONNX model: its protobuf message does not parse");
  const std::string foreign = write("foreign", Bytes(100, 'x'));
  EXPECT_EQ(error(foreign), foreign + ": not a TensorFlow Lite model (no TFL3 identifier)");
}

}  // namespace
}  // namespace avocet::tools::test
