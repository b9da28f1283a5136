// SPDX-License-Identifier: Apache-2.0
// ONNX operators that move elements, resize, or are computed at import; and what a file may leave open.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "inference/inference.hpp"
#include "onnx_writer.hpp"

namespace avocet::tools::test {
namespace {

using Floats = std::vector<float>;
using Extents = std::vector<uint32_t>;
constexpr ElementType kFloat = ElementType::float32;
constexpr ElementType kInt64 = ElementType::int64;

Floats counted(size_t count) {
  Floats values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

/// x of `shape` through one operator with int64 constants as further inputs.
OnnxWriter moved(const char* op, const Shape& shape, const std::vector<Shape>& constants,
                 const Attributes& attributes = {}, int64_t opset = 13) {
  OnnxWriter w(opset);
  Names inputs = {"x"};
  w.input("x", kFloat, shape);
  for (size_t i = 0; i < constants.size(); ++i) {
    inputs.push_back("c" + std::to_string(i));
    w.integers(inputs.back(), kInt64, {static_cast<int64_t>(constants[i].size())}, constants[i]);
  }
  w.node(op, inputs, {"y"}, attributes);
  return std::move(w.output("y"));
}

void expect_moved(const OnnxWriter& w, size_t count, const Floats& want, const Extents& dims) {
  EXPECT_EQ(import_writer(w).outputs[0].dims, dims);
  EXPECT_EQ(run_floats(w, {counted(count)}), want);
}

TEST(OnnxLayout, Shapes) {
  expect_moved(moved("Reshape", {2, 3}, {{0, -1, 1}}), 6, counted(6), {2, 3, 1});
  expect_moved(moved("Flatten", {1, 2, 3}, {}, {{"axis", int64_t{2}}}), 6, counted(6), {2, 3});
  expect_moved(moved("Squeeze", {1, 2, 1}, {{-1}}), 2, counted(2), {1, 2});
  expect_moved(moved("Squeeze", {1, 2, 1}, {}, {{"axes", Shape{0}}}, 11), 2, counted(2), {2, 1});
  expect_moved(moved("Unsqueeze", {2}, {{0, 2}}), 2, counted(2), {1, 2, 1});
  expect_moved(moved("Transpose", {2, 3}, {}), 6, {0, 3, 1, 4, 2, 5}, {3, 2});
  expect_moved(moved("Expand", {2, 1}, {{1, 3}}), 2, {0, 0, 0, 1, 1, 1}, {2, 3});
}

TEST(OnnxLayout, PiecesAndRepetitions) {
  expect_moved(moved("Slice", {2, 3}, {{1}, {3}, {1}}), 6, {1, 2, 4, 5}, {2, 2});
  expect_moved(moved("Slice", {5}, {{-1}, {-100}, {0}, {-2}}), 5, {4, 2, 0}, {3});
  expect_moved(moved("Slice", {5}, {{0}, {1000000}, {0}, {2}}), 5, {0, 2, 4}, {3});
  expect_moved(moved("Slice", {5}, {}, {{"starts", Shape{1}}, {"ends", Shape{-1}}}, 9), 5, {1, 2, 3}, {3});
  expect_moved(moved("Tile", {1, 2}, {{2, 2}}), 2, {0, 1, 0, 1, 0, 1, 0, 1}, {2, 4});
  expect_moved(moved("Gather", {3, 2}, {{-1, 0}}), 6, {4, 5, 0, 1}, {2, 2});
  expect_moved(moved("Pad", {2}, {{1, 2}}), 2, {0, 0, 1, 0, 0}, {5});
}

TEST(OnnxLayout, PaddingWithAnotherValue) {
  OnnxWriter w;
  w.input("x", kFloat, {1, 2}).integers("p", kInt64, {4}, {0, 1, 0, 0}).floats("v", {}, {7});
  w.node("Pad", {"x", "p", "v"}, {"y"}).output("y");
  expect_moved(w, 2, {7, 0, 1}, {1, 3});
}

TEST(OnnxLayout, AnIndexTakesItsDimensionAway) {
  OnnxWriter w;
  w.input("x", kFloat, {2, 3})
      .integers("i", kInt64, {}, {1})
      .node("Gather", {"x", "i"}, {"y"}, {{"axis", int64_t{1}}})
      .output("y");
  expect_moved(w, 6, {1, 4}, {2});
}

TEST(OnnxLayout, JoinsAndSplits) {
  OnnxWriter w;
  w.input("x", kFloat, {1, 6}).integers("s", kInt64, {2}, {2, 4});
  w.node("Split", {"x", "s"}, {"a", "b"}, {{"axis", int64_t{1}}})
      .node("Split", {"b"}, {"c", "d"}, {{"axis", int64_t{-1}}});
  w.node("Concat", {"d", "a", "c"}, {"y"}, {{"axis", int64_t{1}}}).output("y");
  EXPECT_EQ(operation_names(import_writer(w)), (Names{"SLICE", "SLICE", "SPLIT", "CONCATENATION"}));
  expect_moved(w, 6, {4, 5, 0, 1, 2, 3}, {1, 6});
}

TEST(OnnxLayout, DepthAndSpace) {
  const Attributes two = {{"blocksize", int64_t{2}}};
  expect_moved(moved("DepthToSpace", {1, 8, 1, 1}, {}, two), 8, {0, 2, 4, 6, 1, 3, 5, 7}, {1, 2, 2, 2});
  Attributes crd = two;
  crd["mode"] = std::string("CRD");
  expect_moved(moved("DepthToSpace", {1, 8, 1, 1}, {}, crd), 8, {0, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 2, 2});
  expect_moved(moved("SpaceToDepth", {1, 1, 2, 2}, {}, two), 4, {0, 1, 2, 3}, {1, 4, 1, 1});
}

TEST(OnnxLayout, ChannelShuffleGoesThroughFiveDimensions) {
  OnnxWriter w;
  w.input("x", kFloat, {1, 6, 1, 2})
      .integers("five", kInt64, {5}, {1, 2, 3, 1, 2})
      .integers("four", kInt64, {4}, {1, 6, 1, 2});
  w.node("Reshape", {"x", "five"}, {"a"}).node("Transpose", {"a"}, {"b"}, {{"perm", Shape{0, 2, 1, 3, 4}}});
  w.node("Reshape", {"b", "four"}, {"y"}).output("y");
  expect_moved(w, 12, {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11}, {1, 6, 1, 2});
}

OnnxWriter resized(const Shape& shape, const Floats& scales, const Attributes& attributes) {
  OnnxWriter w;
  w.input("x", kFloat, shape).floats("s", {4}, scales).node("Resize", {"x", "", "s"}, {"y"}, attributes);
  return std::move(w.output("y"));
}

TEST(OnnxResize, Nearest) {
  const OnnxWriter twice = resized({1, 1, 1, 2}, {1, 1, 2, 2}, {});
  EXPECT_EQ(operation_names(import_writer(twice)), Names{"RESIZE_NEAREST_NEIGHBOR"});
  expect_moved(twice, 2, {0, 0, 1, 1, 0, 0, 1, 1}, {1, 1, 2, 4});
  // No rule of the API leads to these pixels: only gathering does.
  const Attributes corners = {{"coordinate_transformation_mode", std::string("align_corners")},
                              {"nearest_mode", std::string("floor")}};
  const OnnxWriter gathered = resized({1, 1, 1, 4}, {1, 1, 1, 0.75f}, corners);
  EXPECT_EQ(operation_names(import_writer(gathered)), Names{"GATHER"});
  expect_moved(gathered, 4, {0, 1, 3}, {1, 1, 1, 3});
  OnnxWriter old(9);
  old.input("x", kFloat, {1, 1, 1, 2}).floats("s", {4}, {1, 1, 1, 2}).node("Upsample", {"x", "s"}, {"y"}).output("y");
  expect_moved(old, 2, {0, 0, 1, 1}, {1, 1, 1, 4});
}

TEST(OnnxResize, Linear) {
  const std::string linear = "linear";
  expect_moved(resized({1, 1, 1, 2}, {1, 1, 1, 2}, {{"mode", linear}}), 2, {0, 0.25f, 0.75f, 1}, {1, 1, 1, 4});
  expect_moved(resized({1, 1, 1, 2}, {1, 1, 1, 2},
                       {{"mode", linear}, {"coordinate_transformation_mode", std::string("asymmetric")}}),
               2, {0, 0.5f, 1, 1}, {1, 1, 1, 4});
  expect_moved(resized({1, 1, 1, 2}, {1, 1, 1, 1.5f},
                       {{"mode", linear}, {"coordinate_transformation_mode", std::string("align_corners")}}),
               2, {0, 0.5f, 1}, {1, 1, 1, 3});
  // Channels last: two dimensions in the middle.
  expect_moved(resized({1, 1, 2, 1}, {1, 1, 2, 1}, {{"mode", linear}}), 2, {0, 0.25f, 0.75f, 1}, {1, 1, 4, 1});
}

TEST(OnnxFolding, ShapesOfAFlattenedNetwork) {
  // The way exporters write x.reshape(x.shape[0], -1).
  OnnxWriter w;
  w.input("x", kFloat, {2, 3, 1, 2})
      .integers("zero", kInt64, {}, {0})
      .integers("first", kInt64, {1}, {0})
      .integers("rest", kInt64, {1}, {-1});
  w.node("Shape", {"x"}, {"s"}).node("Gather", {"s", "zero"}, {"n"}).node("Unsqueeze", {"n", "first"}, {"n1"});
  w.node("Concat", {"n1", "rest"}, {"to"}, {{"axis", int64_t{0}}}).node("Reshape", {"x", "to"}, {"y"}).output("y");
  EXPECT_EQ(operation_names(import_writer(w)), Names{"RESHAPE"});
  expect_moved(w, 12, counted(12), {2, 6});
}

TEST(OnnxFolding, Arithmetic) {
  OnnxWriter w;
  w.input("x", kFloat, {2})
      .integers("shape", kInt64, {1}, {2})
      .floats("a", {}, {9})
      .integers("seven", kInt64, {}, {-7})
      .integers("two", kInt64, {}, {2});
  w.node("ConstantOfShape", {"shape"}, {"zeros"})
      .node("Sqrt", {"a"}, {"three"})
      .node("Add", {"zeros", "three"}, {"threes"});
  w.node("Div", {"seven", "two"}, {"q"}).node("Mod", {"seven", "two"}, {"m"}).node("Add", {"q", "m"}, {"s"});  // -3 + 1
  w.node("Cast", {"s"}, {"f"}, {{"to", int64_t{1}}})
      .node("Mul", {"threes", "f"}, {"c"})
      .node("Add", {"x", "c"}, {"y"})
      .output("y");
  EXPECT_EQ(operation_names(import_writer(w)), Names{"ADD"});
  EXPECT_EQ(run_floats(w, {{10, 20}}), (Floats{4, 14}));
}

TEST(OnnxFolding, NodesInAnyOrder) {
  OnnxWriter w;
  w.input("x", kFloat, {2});
  w.node("Add", {"a", "c"}, {"y"})
      .node("Relu", {"x"}, {"a"})
      .node("Constant", {}, {"c"}, {{"value_float", 1.0f}})
      .output("y");
  EXPECT_EQ(run_floats(w, {{-1, 2}}), (Floats{1, 3}));
}

TEST(OnnxInputs, OpenExtents) {
  OnnxWriter w;
  w.symbolic_input("x", kFloat, {"N", "width"}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(refusal(w), "m.onnx: input 'x': dimension 1 is open: say what it is with --dim width=N");
  EXPECT_EQ(import_bytes(w.bytes(), {{{"width", 3}}}).inputs[0].dims, (Extents{1, 3}));
  EXPECT_EQ(import_bytes(w.bytes(), {{{"width", 3}, {"N", 4}}}).inputs[0].dims, (Extents{4, 3}));
  EXPECT_EQ(import_bytes(w.bytes(), {{{"x.1", 5}}}).inputs[0].dims, (Extents{1, 5}));
}

TEST(OnnxInputs, Int64InputsAreTakenAsInt32) {
  OnnxWriter w;
  w.input("i", kInt64, {2}).floats("table", {3, 1}, {5, 6, 7}).node("Gather", {"table", "i"}, {"y"}).output("y");
  EXPECT_EQ(import_writer(w).inputs[0].type, "int32");
  EXPECT_EQ(floats_of(run(w, {{2, 0, 0, 0, 0, 0, 0, 0}})[0]), (Floats{7, 5}));
}

TEST(OnnxOutputs, AnOutputThatIsAnInputOrAnotherOutputIsCopied) {
  OnnxWriter w;
  w.input("x", kFloat, {2}).node("Identity", {"x"}, {"y"}).node("Relu", {"x"}, {"r"}).node("Identity", {"r"}, {"s"});
  w.output("y").output("r").output("s");
  const auto outputs = run(w, {bytes_of({-1, 2})});
  EXPECT_EQ(floats_of(outputs[0]), (Floats{-1, 2}));
  EXPECT_EQ(floats_of(outputs[1]), (Floats{0, 2}));
  EXPECT_EQ(outputs[2], outputs[1]);
}

}  // namespace
}  // namespace avocet::tools::test
