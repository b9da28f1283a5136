// SPDX-License-Identifier: Apache-2.0
// Each kind of ONNX operator in floats, on the CPU path: numbers by hand, or from the plain loops at the top.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "inference/inference.hpp"
#include "onnx_writer.hpp"

namespace avocet::tools::test {
namespace {

using Floats = std::vector<float>;
constexpr ElementType kFloat = ElementType::float32;

void expect_near(const Floats& got, const Floats& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], want[i], 1e-4f + 1e-5f * std::fabs(want[i])) << "element " << i;
}

/// Numbers that are neither symmetric nor integers.
Floats made(size_t count, float step = 0.37f) {
  Floats values(count);
  for (size_t i = 0; i < count; ++i) values[i] = std::fmod(static_cast<float>(i) * step + 0.1f, 2.0f) - 0.9f;
  return values;
}

struct ConvShape {
  int64_t n, c, h, w, m, kh, kw, groups, stride, dilation;
  int64_t top, left, bottom, right;
  int64_t out_h() const { return (h + top + bottom - (kh - 1) * dilation - 1) / stride + 1; }
  int64_t out_w() const { return (w + left + right - (kw - 1) * dilation - 1) / stride + 1; }
};

/// Conv, [m, c / groups, kh, kw], by its definition.
Floats plain_conv(const ConvShape& s, const Floats& x, const Floats& weights, const Floats& bias) {
  Floats y;
  const int64_t depth = s.c / s.groups;
  for (int64_t n = 0; n < s.n; ++n)
    for (int64_t m = 0; m < s.m; ++m)
      for (int64_t oy = 0; oy < s.out_h(); ++oy)
        for (int64_t ox = 0; ox < s.out_w(); ++ox) {
          double sum = bias[static_cast<size_t>(m)];
          for (int64_t d = 0; d < depth; ++d)
            for (int64_t ky = 0; ky < s.kh; ++ky)
              for (int64_t kx = 0; kx < s.kw; ++kx) {
                const int64_t iy = oy * s.stride + ky * s.dilation - s.top;
                const int64_t ix = ox * s.stride + kx * s.dilation - s.left;
                if (iy < 0 || ix < 0 || iy >= s.h || ix >= s.w) continue;
                const int64_t channel = m / (s.m / s.groups) * depth + d;
                sum += double{x[static_cast<size_t>(((n * s.c + channel) * s.h + iy) * s.w + ix)]} *
                       weights[static_cast<size_t>(((m * depth + d) * s.kh + ky) * s.kw + kx)];
              }
          y.push_back(static_cast<float>(sum));
        }
  return y;
}

OnnxWriter conv_model(const ConvShape& s, const Floats& weights, const Floats& bias) {
  OnnxWriter w;
  w.input("x", kFloat, {s.n, s.c, s.h, s.w})
      .floats("w", {s.m, s.c / s.groups, s.kh, s.kw}, weights)
      .floats("b", {s.m}, bias);
  w.node("Conv", {"x", "w", "b"}, {"y"},
         {{"strides", Shape{s.stride, s.stride}},
          {"dilations", Shape{s.dilation, s.dilation}},
          {"pads", Shape{s.top, s.left, s.bottom, s.right}},
          {"group", s.groups}});
  return std::move(w.output("y"));
}

void expect_conv(const ConvShape& s, const std::string& operation) {
  const Floats weights = made(static_cast<size_t>(s.m * s.c / s.groups * s.kh * s.kw), 0.23f);
  const Floats bias = made(static_cast<size_t>(s.m), 0.71f);
  const Floats x = made(static_cast<size_t>(s.n * s.c * s.h * s.w));
  const OnnxWriter w = conv_model(s, weights, bias);
  EXPECT_EQ(operation_names(import_writer(w)), Names{operation});
  expect_near(run_floats(w, {x}), plain_conv(s, x, weights, bias));
}

TEST(OnnxConv, WholeGroupedDepthwiseAndDilated) {
  expect_conv({1, 3, 5, 6, 4, 3, 2, 1, 2, 1, 1, 0, 2, 1}, "CONV_2D");
  expect_conv({2, 4, 5, 5, 4, 3, 3, 1, 1, 2, 2, 2, 2, 2}, "CONV_2D");
  expect_conv({1, 4, 5, 5, 8, 3, 3, 4, 1, 1, 1, 1, 1, 1}, "DEPTHWISE_CONV_2D");
  expect_conv({1, 3, 7, 7, 3, 3, 3, 3, 1, 2, 0, 0, 0, 0}, "DEPTHWISE_CONV_2D");
  expect_conv({1, 4, 5, 5, 6, 3, 3, 2, 1, 1, 1, 1, 1, 1}, "GROUPED_CONV_2D");
  expect_conv({1, 4, 7, 7, 6, 3, 3, 2, 1, 2, 0, 0, 0, 0}, "CONV_2D");  // dilated groups: zeros between them
}

TEST(OnnxConv, OneDimensionAndAutoPad) {
  OnnxWriter w;
  w.input("x", kFloat, {1, 1, 5}).floats("w", {1, 1, 2}, {1, 10});
  w.node("Conv", {"x", "w"}, {"y"}, {{"auto_pad", std::string("SAME_UPPER")}}).output("y");
  expect_near(run_floats(w, {{1, 2, 3, 4, 5}}), {21, 32, 43, 54, 5});
  OnnxWriter lower;
  lower.input("x", kFloat, {1, 1, 5}).floats("w", {1, 1, 2}, {1, 10});
  lower.node("Conv", {"x", "w"}, {"y"}, {{"auto_pad", std::string("SAME_LOWER")}}).output("y");
  expect_near(run_floats(lower, {{1, 2, 3, 4, 5}}), {10, 21, 32, 43, 54});
}

TEST(OnnxConv, TakesNormalisationArithmeticAndActivationIn) {
  OnnxWriter w;
  w.input("x", kFloat, {1, 1, 1, 2}).floats("w", {2, 1, 1, 1}, {1, 2});
  w.floats("scale", {2}, {3, 1}).floats("bias", {2}, {1, -5}).floats("mean", {2}, {0.5f, 0}).floats("var", {2}, {4, 1});
  w.floats("factor", {2, 1, 1}, {2, 4}).floats("zero", {}, {0}).floats("six", {}, {6});
  w.node("Conv", {"x", "w"}, {"a"});
  w.node("BatchNormalization", {"a", "scale", "bias", "mean", "var"}, {"b"}, {{"epsilon", 0.0f}});
  w.node("Mul", {"factor", "b"}, {"c"}).node("Clip", {"c", "zero", "six"}, {"y"}).output("y");
  EXPECT_EQ(operation_names(import_writer(w)), Names{"CONV_2D"});
  // channel 0: 2 * ((x - 0.5) * 3 / 2 + 1); channel 1: 4 * (2 x - 5); both clipped to 0..6
  expect_near(run_floats(w, {{1, 3}}), {3.5f, 6, 0, 4});
}

TEST(OnnxConv, AValueWithTwoReadersIsNotFused) {
  OnnxWriter w;
  w.input("x", kFloat, {1, 1, 1, 2}).floats("w", {1, 1, 1, 1}, {-1});
  w.node("Conv", {"x", "w"}, {"a"}).node("Relu", {"a"}, {"b"}).node("Add", {"a", "b"}, {"y"}).output("y");
  expect_near(run_floats(w, {{2, -3}}), {-2, 6});
}

TEST(OnnxConvTranspose, StridesPaddingOutputPaddingDilationGroups) {
  const auto model = [](const Shape& weights, const Floats& values, const Attributes& attributes) {
    OnnxWriter w;
    w.input("x", kFloat, {1, weights[0], 1, 3})
        .floats("w", weights, values)
        .node("ConvTranspose", {"x", "w"}, {"y"}, attributes);
    return std::move(w.output("y"));
  };
  const Shape strides = {1, 2};
  expect_near(run_floats(model({1, 1, 1, 3}, {1, 10, 100}, {{"strides", strides}}), {{1, 2, 3}}),
              {1, 10, 102, 20, 203, 30, 300});
  expect_near(
      run_floats(model({1, 1, 1, 3}, {1, 10, 100}, {{"strides", strides}, {"pads", Shape{0, 1, 0, 1}}}), {{1, 2, 3}}),
      {10, 102, 20, 203, 30});
  expect_near(run_floats(model({1, 1, 1, 3}, {1, 10, 100}, {{"strides", strides}, {"output_padding", Shape{0, 1}}}),
                         {{1, 2, 3}}),
              {1, 10, 102, 20, 203, 30, 300, 0});
  expect_near(run_floats(model({1, 1, 1, 2}, {1, 10}, {{"dilations", Shape{1, 2}}}), {{1, 2, 3}}), {1, 2, 13, 20, 30});
  expect_near(
      run_floats(model({1, 1, 1, 3}, {1, 10, 100}, {{"strides", strides}, {"output_shape", Shape{1, 6}}}), {{1, 2, 3}}),
      {10, 102, 20, 203, 30, 300});
  expect_near(run_floats(model({2, 1, 1, 1}, {2, 5}, {{"group", int64_t{2}}}), {{1, 2, 3, 4, 5, 6}}),
              {2, 4, 6, 20, 25, 30});
}

TEST(OnnxDense, GemmWithAttributes) {
  OnnxWriter w;
  w.input("x", kFloat, {2, 1}).floats("w", {3, 2}, {1, 2, 3, 4, 5, 6}).floats("c", {1, 3}, {10, 20, 30});
  w.node("Gemm", {"x", "w", "c"}, {"y"},
         {{"alpha", 2.0f}, {"beta", 0.5f}, {"transA", int64_t{1}}, {"transB", int64_t{1}}})
      .output("y");
  EXPECT_EQ(operation_names(import_writer(w)), (Names{"TRANSPOSE", "FULLY_CONNECTED"}));
  expect_near(run_floats(w, {{1, 2}}), {15, 32, 49});
  OnnxWriter sum;
  sum.input("x", kFloat, {1, 2}).input("w", kFloat, {2, 2}).input("c", kFloat, {1, 1});
  sum.node("Gemm", {"x", "w", "c"}, {"y"}, {{"alpha", 3.0f}, {"beta", 2.0f}}).output("y");
  expect_near(run_floats(sum, {{1, 2}, {1, 2, 3, 4}, {10}}), {41, 50});
}

TEST(OnnxDense, MatMulWithBiasVectorsAndBatches) {
  OnnxWriter w;
  w.input("x", kFloat, {1, 2, 2}).floats("w", {2, 2}, {1, 2, 3, 4}).floats("b", {2}, {100, 200});
  w.node("MatMul", {"x", "w"}, {"a"}).node("Add", {"b", "a"}, {"y"}).output("y");
  EXPECT_EQ(operation_names(import_writer(w)), (Names{"RESHAPE", "FULLY_CONNECTED", "RESHAPE"}));
  expect_near(run_floats(w, {{1, 2, 3, 4}}), {107, 210, 115, 222});
  OnnxWriter vector;
  vector.input("x", kFloat, {2}).floats("w", {2, 3}, {1, 2, 3, 4, 5, 6}).node("MatMul", {"x", "w"}, {"y"}).output("y");
  expect_near(run_floats(vector, {{10, 1}}), {14, 25, 36});
  EXPECT_EQ(import_writer(vector).outputs[0].dims, (std::vector<uint32_t>{3}));
  OnnxWriter batch;
  batch.input("x", kFloat, {2, 1, 2}).input("w", kFloat, {2, 2, 1}).node("MatMul", {"x", "w"}, {"y"}).output("y");
  expect_near(run_floats(batch, {{1, 2, 3, 4}, {1, 10, 100, 1000}}), {21, 4300});
}

struct ElementwiseCase {
  const char* op;
  Attributes attributes;
  Floats inputs, expected;
};

TEST(OnnxElementwise, OneInput) {
  const float e = std::exp(1.0f);
  const std::vector<ElementwiseCase> cases = {
      {"Abs", {}, {-2, 3}, {2, 3}},
      {"Neg", {}, {-2, 3}, {2, -3}},
      {"Exp", {}, {0, 1}, {1, e}},
      {"Log", {}, {1, e}, {0, 1}},
      {"Sqrt", {}, {4, 9}, {2, 3}},
      {"Sin", {}, {0, 1}, {0, std::sin(1.0f)}},
      {"Floor", {}, {-1.5f, 1.5f}, {-2, 1}},
      {"Ceil", {}, {-1.5f, 1.5f}, {-1, 2}},
      {"Reciprocal", {}, {4, -2}, {0.25f, -0.5f}},
      {"Relu", {}, {-2, 3}, {0, 3}},
      {"LeakyRelu", {{"alpha", 0.25f}}, {-2, 3}, {-0.5f, 3}},
      {"Elu", {{"alpha", 2.0f}}, {-1, 3}, {2 * (1 / e - 1), 3}},
      {"Sigmoid", {}, {0, 1}, {0.5f, 1 / (1 + 1 / e)}},
      {"Tanh", {}, {0, 1}, {0, std::tanh(1.0f)}},
      {"HardSwish", {}, {-4, 1}, {0, 4.0f / 6}},
      {"HardSigmoid", {}, {-4, 1}, {0, 0.7f}},
      {"Softmax", {}, {0, std::log(3.0f)}, {0.25f, 0.75f}},
      {"LogSoftmax", {}, {0, std::log(3.0f)}, {std::log(0.25f), std::log(0.75f)}},
      {"LpNormalization", {}, {3, 4}, {0.6f, 0.8f}},
      {"Identity", {}, {3, 4}, {3, 4}},
      {"Dropout", {}, {3, 4}, {3, 4}},
  };
  for (const ElementwiseCase& c : cases) {
    SCOPED_TRACE(c.op);
    OnnxWriter w;
    w.input("x", kFloat, {1, 2}).node(c.op, {"x"}, {"y"}, c.attributes).output("y");
    expect_near(run_floats(w, {c.inputs}), c.expected);
  }
}

TEST(OnnxElementwise, TwoInputsThatBroadcast) {
  const std::vector<ElementwiseCase> cases = {
      {"Add", {}, {10, 4}, {11, 12, 13, 5, 6, 7}},  {"Sub", {}, {10, 4}, {-9, -8, -7, -3, -2, -1}},
      {"Mul", {}, {10, 4}, {10, 20, 30, 4, 8, 12}}, {"Div", {}, {10, 4}, {0.1f, 0.2f, 0.3f, 0.25f, 0.5f, 0.75f}},
      {"Pow", {}, {2, 3}, {1, 4, 9, 1, 8, 27}},     {"Max", {}, {2, 10}, {2, 2, 3, 10, 10, 10}},
      {"Min", {}, {2, 10}, {1, 2, 2, 1, 2, 3}},     {"Sum", {}, {10, 4}, {11, 12, 13, 5, 6, 7}},
      {"PRelu", {}, {2, 3}, {1, 2, 3, 1, 2, 3}},
  };
  for (const ElementwiseCase& c : cases) {
    SCOPED_TRACE(c.op);
    OnnxWriter w;
    const bool prelu = std::string(c.op) == "PRelu";
    w.input("x", kFloat, prelu ? Shape{2, 3} : Shape{3})
        .input("z", kFloat, {2, 1})
        .node(c.op, {"x", "z"}, {"y"})
        .output("y");
    const Floats x = prelu ? Floats{1, 2, 3, 1, 2, 3} : Floats{1, 2, 3};
    expect_near(run_floats(w, {x, c.inputs}), c.expected);
  }
}

TEST(OnnxElementwise, ComparisonsLogicAndChoice) {
  OnnxWriter w;
  w.input("x", kFloat, {4}).floats("two", {}, {2}).floats("three", {}, {3}).floats("a", {}, {10});
  w.node("Greater", {"x", "two"}, {"g"}).node("Less", {"x", "three"}, {"l"}).node("Equal", {"x", "three"}, {"e"});
  w.node("And", {"g", "l"}, {"gl"})
      .node("Not", {"gl"}, {"n"})
      .node("Or", {"n", "e"}, {"c"})
      .node("Where", {"c", "x", "a"}, {"y"});
  w.output("y");
  expect_near(run_floats(w, {{1, 2.5f, 3, 4}}), {1, 10, 3, 4});
}

TEST(OnnxElementwise, CastsBetweenFloatsIntegersAndBool) {
  OnnxWriter w;
  w.input("x", kFloat, {4});
  w.node("Cast", {"x"}, {"i"}, {{"to", int64_t{7}}}).node("Cast", {"i"}, {"b"}, {{"to", int64_t{9}}});
  w.node("Cast", {"b"}, {"f"}, {{"to", int64_t{1}}}).node("Cast", {"i"}, {"g"}, {{"to", int64_t{1}}});
  w.node("Add", {"f", "g"}, {"y"}).output("y");
  expect_near(run_floats(w, {{-2.7f, 0.5f, 1.9f, 3}}), {-1, 0, 2, 4});
}

TEST(OnnxElementwise, ClipsToOtherBounds) {
  OnnxWriter w;
  w.input("x", kFloat, {4})
      .floats("low", {}, {-0.5f})
      .floats("high", {}, {2})
      .node("Clip", {"x", "low", "high"}, {"y"})
      .output("y");
  EXPECT_EQ(operation_names(import_writer(w)), (Names{"MAXIMUM", "MINIMUM"}));
  expect_near(run_floats(w, {{-1, 0, 1, 3}}), {-0.5f, 0, 1, 2});
  OnnxWriter old(6);
  old.input("x", kFloat, {3}).node("Clip", {"x"}, {"y"}, {{"min", -1.0f}, {"max", 1.0f}}).output("y");
  EXPECT_EQ(operation_names(import_writer(old)), Names{"RELU1"});
  expect_near(run_floats(old, {{-3, 0.5f, 3}}), {-1, 0.5f, 1});
}

TEST(OnnxElementwise, HardSigmoidTimesItsInputIsHardSwish) {
  OnnxWriter w;
  w.input("x", kFloat, {3}).node("HardSigmoid", {"x"}, {"h"}, {{"alpha", 1.0f / 6}, {"beta", 0.5f}});
  w.node("Mul", {"x", "h"}, {"y"}).output("y");
  EXPECT_EQ(operation_names(import_writer(w)), Names{"HARD_SWISH"});
  expect_near(run_floats(w, {{-4, 1, 6}}), {0, 4.0f / 6, 6});
}

TEST(OnnxNormalisation, SoftmaxBeforeOperatorSet13JoinsDimensions) {
  OnnxWriter w(11);
  w.input("x", kFloat, {1, 2, 2}).node("Softmax", {"x"}, {"y"}).output("y");
  expect_near(run_floats(w, {{0, 0, 0, 0}}), {0.25f, 0.25f, 0.25f, 0.25f});
}

TEST(OnnxNormalisation, OverChannelsAndNeighbours) {
  OnnxWriter lrn;
  lrn.input("x", kFloat, {1, 3, 1, 1});
  lrn.node("LRN", {"x"}, {"y"}, {{"size", int64_t{3}}, {"alpha", 3.0f}, {"beta", 1.0f}, {"bias", 1.0f}}).output("y");
  expect_near(run_floats(lrn, {{1, 2, 3}}), {1.0f / 6, 2.0f / 15, 3.0f / 14});
  OnnxWriter instance;
  instance.input("x", kFloat, {1, 2, 1, 2}).floats("s", {2}, {1, 2}).floats("b", {2}, {0, 5});
  instance.node("InstanceNormalization", {"x", "s", "b"}, {"y"}, {{"epsilon", 0.0f}}).output("y");
  expect_near(run_floats(instance, {{1, 3, 10, 20}}), {-1, 1, 3, 7});
  OnnxWriter batch;
  batch.input("x", kFloat, {1, 2, 1, 1}).floats("s", {2}, {1, 2}).floats("b", {2}, {0, 5});
  batch.floats("m", {2}, {1, 2}).floats("v", {2}, {4, 1});
  batch.node("BatchNormalization", {"x", "s", "b", "m", "v"}, {"y"}, {{"epsilon", 0.0f}}).output("y");
  expect_near(run_floats(batch, {{3, 4}}), {1, 9});
}

OnnxWriter pool(const char* op, const Shape& shape, const Attributes& attributes) {
  OnnxWriter w;
  w.input("x", kFloat, shape).node(op, {"x"}, {"y"}, attributes);
  return std::move(w.output("y"));
}

TEST(OnnxPooling, WindowsPaddingAndCeilMode) {
  const Floats x = {1, 2, 3, 4, 5};
  const Shape shape = {1, 1, 5};
  const Attributes two = {{"kernel_shape", Shape{2}}, {"strides", Shape{2}}};
  Attributes ceil = two;
  ceil["ceil_mode"] = int64_t{1};
  expect_near(run_floats(pool("MaxPool", shape, two), {x}), {2, 4});
  expect_near(run_floats(pool("MaxPool", shape, ceil), {x}), {2, 4, 5});
  expect_near(run_floats(pool("AveragePool", shape, ceil), {x}), {1.5f, 3.5f, 5});
  Attributes padded = {{"kernel_shape", Shape{3}}, {"strides", Shape{2}}, {"pads", Shape{1, 1}}};
  expect_near(run_floats(pool("AveragePool", shape, padded), {x}), {1.5f, 3, 4.5f});
  padded["count_include_pad"] = int64_t{1};
  expect_near(run_floats(pool("AveragePool", shape, padded), {x}), {1, 3, 3});
}

TEST(OnnxPooling, WholeImages) {
  expect_near(run_floats(pool("GlobalAveragePool", {1, 2, 1, 2}, {}), {{1, 3, 5, 9}}), {2, 7});
  expect_near(run_floats(pool("GlobalMaxPool", {1, 2, 1, 2}, {}), {{1, 3, 5, 9}}), {3, 9});
}

TEST(OnnxReduction, AxesAsAttributeOrInput) {
  const Floats x = {1, 2, 3, 4, 5, 6};
  const std::vector<ElementwiseCase> cases = {{"ReduceMean", {}, {}, {2, 5}},
                                              {"ReduceMax", {}, {}, {3, 6}},
                                              {"ReduceMin", {}, {}, {1, 4}},
                                              {"ReduceProd", {}, {}, {6, 120}}};
  for (const ElementwiseCase& c : cases) {
    SCOPED_TRACE(c.op);
    OnnxWriter w;
    w.input("x", kFloat, {2, 3}).node(c.op, {"x"}, {"y"}, {{"axes", Shape{-1}}, {"keepdims", int64_t{0}}}).output("y");
    expect_near(run_floats(w, {x}), c.expected);
  }
  OnnxWriter sum;
  sum.input("x", kFloat, {2, 3})
      .integers("axes", ElementType::int64, {1}, {0})
      .node("ReduceSum", {"x", "axes"}, {"y"})
      .output("y");
  expect_near(run_floats(sum, {x}), {5, 7, 9});
}

std::vector<int64_t> integers_of(const Bytes& bytes) {
  std::vector<int64_t> values(bytes.size() / 8);
  std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<uint8_t*>(values.data()));
  return values;
}

TEST(OnnxReduction, PlacesOfExtremesAreInt64) {
  OnnxWriter arg;
  arg.input("x", kFloat, {2, 3}).node("ArgMax", {"x"}, {"y"}, {{"axis", int64_t{1}}}).output("y");
  EXPECT_EQ(integers_of(run(arg, {bytes_of({1, 9, 3, 7, 5, 6})})[0]), (std::vector<int64_t>{1, 0}));
  OnnxWriter top;
  top.input("x", kFloat, {1, 4}).integers("k", ElementType::int64, {1}, {2});
  top.node("TopK", {"x", "k"}, {"v", "i"}, {{"largest", int64_t{0}}}).output("v").output("i");
  const auto outputs = run(top, {bytes_of({4, 1, 3, 2})});
  expect_near(floats_of(outputs[0]), {1, 2});
  EXPECT_EQ(integers_of(outputs[1]), (std::vector<int64_t>{1, 3}));
}

TEST(OnnxReduction, PlacesAlongAnotherDimension) {
  OnnxWriter top;
  top.input("x", kFloat, {3, 2}).integers("k", ElementType::int64, {1}, {2});
  top.node("TopK", {"x", "k"}, {"v", "i"}, {{"axis", int64_t{0}}}).output("v").output("i");
  const auto outputs = run(top, {bytes_of({4, 1, 3, 9, 5, 2})});
  expect_near(floats_of(outputs[0]), {5, 9, 4, 2});
  EXPECT_EQ(integers_of(outputs[1]), (std::vector<int64_t>{2, 1, 0, 2}));
}

TEST(OnnxReduction, IntegersAreReshapedTransposedAndJoined) {
  OnnxWriter w;
  w.input("x", kFloat, {2, 3}).integers("shape", ElementType::int64, {2}, {2, 1});
  w.node("ArgMax", {"x"}, {"a"}, {{"axis", int64_t{1}}})
      .node("Squeeze", {"a"}, {"s"})
      .node("Reshape", {"s", "shape"}, {"r"});
  w.node("Concat", {"a", "r"}, {"c"}, {{"axis", int64_t{1}}}).node("Transpose", {"c"}, {"y"}).output("y");
  EXPECT_EQ(integers_of(run(w, {bytes_of({1, 9, 3, 7, 5, 6})})[0]), (std::vector<int64_t>{1, 0, 1, 0}));
}

}  // namespace
}  // namespace avocet::tools::test
