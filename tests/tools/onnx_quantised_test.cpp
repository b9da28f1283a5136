// SPDX-License-Identifier: Apache-2.0
// ONNX's two quantised forms: DequantizeLinear and QuantizeLinear around an operator, and the QLinear operators. What
// comes out is held against the definition: dequantise, compute in double, quantise.
#include <android/NeuralNetworks.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "inference/inference.hpp"
#include "onnx_writer.hpp"

namespace avocet::tools::test {
namespace {

constexpr ElementType kFloat = ElementType::float32;
constexpr ElementType kUint8 = ElementType::uint8;
constexpr ElementType kInt8 = ElementType::int8;
constexpr ElementType kInt32 = ElementType::int32;
constexpr const char* kMicrosoft = "com.microsoft";

using Doubles = std::vector<double>;

struct Scheme {
  ElementType type;
  float scale;
  int64_t zero;

  double real(uint8_t byte) const {
    return scale * static_cast<double>((type == kInt8 ? static_cast<int8_t>(byte) : byte) - zero);
  }
  int byte(double value) const {
    const double low = type == kInt8 ? -128 : 0;
    return static_cast<int>(std::clamp(std::round(value / scale) + static_cast<double>(zero), low, low + 255));
  }
};

Doubles real(const Scheme& scheme, const Bytes& bytes) {
  Doubles values;
  for (const uint8_t byte : bytes) values.push_back(scheme.real(byte));
  return values;
}

Bytes made(size_t count, unsigned step = 37) {
  Bytes bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<uint8_t>(i * step + 11);
  return bytes;
}

/// Within one step of what the definition gives, and exact for all but a few.
void expect_close(const Bytes& got, const Scheme& scheme, const Doubles& want) {
  ASSERT_EQ(got.size(), want.size());
  size_t exact = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const int value = scheme.type == kInt8 ? static_cast<int8_t>(got[i]) : got[i];
    EXPECT_NEAR(value, scheme.byte(want[i]), 1) << "element " << i;
    exact += value == scheme.byte(want[i]);
  }
  EXPECT_GE(exact * 10, got.size() * 8);
}

void define(OnnxWriter& w, const std::string& name, const Scheme& scheme) {
  w.quantisation(name, scheme.type, {scheme.scale}, {scheme.zero});
}

/// x -> DequantizeLinear -> op -> QuantizeLinear -> y.
OnnxWriter qdq(const char* op, const Shape& shape, const Scheme& in, const Scheme& out,
               const Attributes& attributes = {}, const std::function<Names(OnnxWriter&)>& more = {}) {
  OnnxWriter w;
  w.input("x", in.type, shape);
  define(w, "in", in);
  define(w, "out", out);
  Names inputs = {"xr"};
  w.dequantise("x", "xr", "in");
  if (more) {
    for (const std::string& name : more(w)) inputs.push_back(name);
  }
  w.node(op, inputs, {"yr"}, attributes).quantise("yr", "y", "out");
  return std::move(w.output("y"));
}

constexpr Scheme kIn = {kUint8, 0.05f, 120};
constexpr Scheme kOut = {kUint8, 0.07f, 100};
constexpr Scheme kInSigned = {kInt8, 0.05f, -8};

struct UnaryCase {
  const char* op;
  Attributes attributes;
  double (*compute)(double);
  Names operations;
};

double relu(double x) { return std::max(0.0, x); }
double clip(double x) { return std::clamp(x, -1.5, 2.0); }
double leaky(double x) { return x < 0 ? 0.25 * x : x; }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double swish(double x) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); }

TEST(OnnxQdq, OperatorsOfOneInput) {
  const Attributes quarter = {{"alpha", 0.25f}};
  const std::vector<UnaryCase> cases = {
      {"Relu", {}, relu, {"DEPTHWISE_CONV_2D"}},  // another scale: requantised with the activation fused
      {"LeakyRelu", quarter, leaky, {"PRELU"}},
      {"Sigmoid", {}, logistic, {"LOGISTIC", "DEPTHWISE_CONV_2D"}},
      {"Tanh", {}, std::tanh, {"TANH", "DEPTHWISE_CONV_2D"}},
      {"HardSwish", {}, swish, {"HARD_SWISH"}},
      {"Exp", {}, std::exp, {"DEQUANTIZE", "EXP", "QUANTIZE"}},  // the API has no quantised form
  };
  const Bytes x = made(16);
  for (const UnaryCase& c : cases) {
    SCOPED_TRACE(c.op);
    const OnnxWriter w = qdq(c.op, {1, 1, 4, 4}, kIn, kOut, c.attributes);
    EXPECT_EQ(operation_names(import_writer(w)), c.operations);
    Doubles want = real(kIn, x);
    std::transform(want.begin(), want.end(), want.begin(), c.compute);
    expect_close(run(w, {x})[0], kOut, want);
  }
}

TEST(OnnxQdq, ClipToOtherBounds) {
  const OnnxWriter w = qdq("Clip", {16}, kIn, kOut, {}, [](OnnxWriter& v) {
    v.floats("low", {}, {-1.5f}).floats("high", {}, {2});
    return Names{"low", "high"};
  });
  EXPECT_EQ(operation_names(import_writer(w)), (Names{"MAXIMUM", "MINIMUM"}));
  const Bytes x = made(16);
  Doubles want = real(kIn, x);
  std::transform(want.begin(), want.end(), want.begin(), clip);
  expect_close(run(w, {x})[0], kOut, want);
}

TEST(OnnxQdq, ScalesThatTheApiPrescribesNeedNothingMore) {
  const Scheme unit = {kUint8, 1.0f / 256, 0};
  EXPECT_EQ(operation_names(import_writer(qdq("Softmax", {1, 4}, kIn, unit))), Names{"SOFTMAX"});
  const Scheme unit_signed = {kInt8, 1.0f / 256, -128};
  EXPECT_EQ(operation_names(import_writer(qdq("Sigmoid", {1, 4}, kInSigned, unit_signed))), Names{"LOGISTIC"});
}

TEST(OnnxQdq, OperatorsOfTwoInputs) {
  const Scheme other = {kUint8, 0.03f, 90};
  const std::vector<std::pair<const char*, double (*)(double, double)>> cases = {
      {"Add", [](double a, double b) { return a + b; }},
      {"Sub", [](double a, double b) { return a - b; }},
      {"Mul", [](double a, double b) { return a * b; }},
      {"Max", [](double a, double b) { return std::max(a, b); }},
      {"Min", [](double a, double b) { return std::min(a, b); }},
  };
  const Bytes x = made(16);
  const Bytes z = made(16, 53);
  for (const auto& [op, compute] : cases) {
    SCOPED_TRACE(op);
    const OnnxWriter w = qdq(op, {1, 16}, kIn, kOut, {}, [&](OnnxWriter& v) {
      v.input("z", kUint8, {1, 16});
      define(v, "other", other);
      v.dequantise("z", "zr", "other");
      return Names{"zr"};
    });
    EXPECT_EQ(operation_names(import_writer(w)).size(), 1u);
    Doubles want;
    for (size_t i = 0; i < x.size(); ++i) want.push_back(compute(kIn.real(x[i]), other.real(z[i])));
    expect_close(run(w, {x, z})[0], kOut, want);
  }
}

TEST(OnnxQdq, InputsOfBothSigns) {
  const OnnxWriter w = qdq("Add", {16}, kIn, {kInt8, 0.07f, -28}, {}, [](OnnxWriter& v) {
    v.input("z", kInt8, {16});
    define(v, "other", kInSigned);
    v.dequantise("z", "zr", "other");
    return Names{"zr"};
  });
  const Bytes x = made(16);
  const Bytes z = made(16, 53);
  Doubles want;
  for (size_t i = 0; i < x.size(); ++i) want.push_back(kIn.real(x[i]) + kInSigned.real(z[i]));
  expect_close(run(w, {x, z})[0], {kInt8, 0.07f, -28}, want);
}

TEST(OnnxQdq, MovedBytesNeedNoQuantizeLinear) {
  // Transpose, MaxPool and Slice between two quantised operators, without a QuantizeLinear of their own.
  OnnxWriter w;
  w.input("x", kUint8, {1, 2, 2, 2})
      .integers("from", ElementType::int64, {1}, {0})
      .integers("to", ElementType::int64, {1}, {1});
  define(w, "in", kIn);
  w.dequantise("x", "a", "in").node("Transpose", {"a"}, {"b"}, {{"perm", Shape{0, 1, 3, 2}}});
  w.node("MaxPool", {"b"}, {"c"}, {{"kernel_shape", Shape{1, 2}}}).node("Slice", {"c", "from", "to", "to"}, {"d"});
  w.quantise("d", "y", "in").output("y");
  EXPECT_EQ(operation_names(import_writer(w)), (Names{"TRANSPOSE", "MAX_POOL_2D", "SLICE"}));
  EXPECT_EQ(run(w, {{1, 2, 3, 4, 5, 6, 7, 8}})[0], (Bytes{3, 4}));
}

TEST(OnnxQdq, JoinsOfDifferentScales) {
  const Scheme other = {kUint8, 0.03f, 90};
  const OnnxWriter w = qdq("Concat", {1, 8}, kIn, kOut, {{"axis", int64_t{1}}}, [&](OnnxWriter& v) {
    v.input("z", kUint8, {1, 8});
    define(v, "other", other);
    v.dequantise("z", "zr", "other");
    return Names{"zr"};
  });
  EXPECT_EQ(operation_names(import_writer(w)), Names{"CONCATENATION"});
  const Bytes x = made(8);
  const Bytes z = made(8, 53);
  Doubles want = real(kIn, x);
  for (const double value : real(other, z)) want.push_back(value);
  expect_close(run(w, {x, z})[0], kOut, want);
}

TEST(OnnxQdq, AveragesWithAnotherScale) {
  const Bytes x = made(16);
  Doubles means(4);
  for (size_t i = 0; i < 16; ++i) means[i / 8 * 2 + i % 4 / 2] += kIn.real(x[i]) / 4;
  const OnnxWriter pool =
      qdq("AveragePool", {1, 1, 4, 4}, kIn, kOut, {{"kernel_shape", Shape{2, 2}}, {"strides", Shape{2, 2}}});
  EXPECT_EQ(operation_names(import_writer(pool)), Names{"DEPTHWISE_CONV_2D"});
  expect_close(run(pool, {x})[0], kOut, means);
  const OnnxWriter global = qdq("GlobalAveragePool", {1, 1, 4, 4}, kIn, kOut);
  EXPECT_EQ(operation_names(import_writer(global)), Names{"MEAN"});
  expect_close(run(global, {x})[0], kOut, {(means[0] + means[1] + means[2] + means[3]) / 4});
}

TEST(OnnxQdq, Resizing) {
  const auto resized = [](const char* mode, const Scheme& out) {
    return qdq("Resize", {1, 1, 1, 2}, kIn, out, {{"mode", std::string(mode)}}, [](OnnxWriter& v) {
      v.floats("s", {4}, {1, 1, 1, 2});
      return Names{"", "s"};
    });
  };
  const OnnxWriter nearest = resized("nearest", kIn);
  EXPECT_EQ(operation_names(import_writer(nearest)), Names{"RESIZE_NEAREST_NEIGHBOR"});
  EXPECT_EQ(run(nearest, {{10, 250}})[0], (Bytes{10, 10, 250, 250}));
  const OnnxWriter linear = resized("linear", kOut);
  EXPECT_EQ(operation_names(import_writer(linear)), (Names{"RESIZE_BILINEAR", "DEPTHWISE_CONV_2D"}));
  const double a = kIn.real(10);
  const double b = kIn.real(250);
  expect_close(run(linear, {{10, 250}})[0], kOut, {a, 0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b, b});
}

TEST(OnnxQdq, EqualQuantizeLinearsAreOneAndDifferentOnesAreNone) {
  const auto model = [](const char* second) {
    OnnxWriter w;
    w.input("x", kUint8, {1, 4});
    define(w, "in", kIn);
    define(w, "out", kOut);
    define(w, "other", kIn);
    w.dequantise("x", "xr", "in").node("Mul", {"xr", "xr"}, {"m"}).quantise("m", "a", "out").quantise("m", "b", second);
    return std::move(w.output("a").output("b"));
  };
  // The second output is a copy of the first.
  EXPECT_EQ(operation_names(import_writer(model("out"))), (Names{"MUL", "CAST"}));
  const auto same = run(model("out"), {{100, 120, 130, 140}});
  EXPECT_EQ(same[0], same[1]);
  EXPECT_EQ(operation_names(import_writer(model("other"))), (Names{"DEQUANTIZE", "MUL", "QUANTIZE", "QUANTIZE"}));
}

struct WeightsCase {
  const char* name;
  ElementType type;
  std::vector<float> scales;
  std::vector<int64_t> zero_points;
  Scheme in, out;
  int32_t filter_type;  // of the API's operand
};

/// 1x1 Conv of two channels with every kind of weights.
TEST(OnnxQdq, ConvolutionWeightsOfEveryKind) {
  const Scheme out_signed = {kInt8, 0.07f, -28};
  const std::vector<WeightsCase> cases = {
      {"u8 x s8", kInt8, {0.02f}, {0}, kIn, kOut, ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL},
      {"u8 x s8 per channel", kInt8, {0.02f, 0.01f}, {0, 0}, kIn, kOut, ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL},
      {"u8 x s8 with zero point", kInt8, {0.02f}, {3}, kIn, kOut, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM},
      {"u8 x u8", kUint8, {0.02f}, {131}, kIn, kOut, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM},
      {"s8 x u8 around 128",
       kUint8,
       {0.02f},
       {128},
       kInSigned,
       out_signed,
       ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL},
      {"s8 x u8", kUint8, {0.02f}, {131}, kInSigned, out_signed, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED},
      {"u8 in, s8 out", kInt8, {0.02f}, {0}, kIn, out_signed, ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL},
  };
  const Bytes weights = {10, 200, 90, 250};
  for (const WeightsCase& c : cases) {
    SCOPED_TRACE(c.name);
    const OnnxWriter w = qdq("Conv", {1, 2, 1, 4}, c.in, c.out, {}, [&](OnnxWriter& v) {
      v.raw("w", c.type, {2, 2, 1, 1}, weights)
          .quantisation("q", c.type, c.scales, c.zero_points)
          .dequantise("w", "wr", "q", 0);
      v.floats("b", {2}, {0.5f, -0.25f});
      return Names{"wr", "b"};
    });
    const ImportedModel model = import_writer(w);
    EXPECT_EQ(model.description.operands[model.description.operations[0].inputs[1]].type, c.filter_type);
    const Bytes x = made(8);
    Doubles want;
    for (size_t m = 0; m < 2; ++m) {
      const size_t at = c.scales.size() == 1 ? 0 : m;
      const Scheme own = {c.type, c.scales[at], c.zero_points[at]};
      for (size_t i = 0; i < 4; ++i) {
        const double sum =
            c.in.real(x[i]) * own.real(weights[2 * m]) + c.in.real(x[4 + i]) * own.real(weights[2 * m + 1]);
        want.push_back(sum + (m == 0 ? 0.5 : -0.25));
      }
    }
    expect_close(run(w, {x})[0], c.out, want);
  }
}

TEST(OnnxQdq, MatrixProductsPerTensorAndPerUnit) {
  const Bytes weights = made(6, 71);  // [3, 2]
  for (const bool per_unit : {false, true}) {
    const std::vector<float> scales = per_unit ? std::vector<float>{0.02f, 0.01f} : std::vector<float>{0.02f};
    const OnnxWriter w = qdq("MatMul", {2, 3}, kIn, kOut, {}, [&](OnnxWriter& v) {
      v.raw("w", kInt8, {3, 2}, weights)
          .quantisation("q", kInt8, scales, std::vector<int64_t>(scales.size(), 0))
          .dequantise("w", "wr", "q", 1);
      return Names{"wr"};
    });
    EXPECT_EQ(operation_names(import_writer(w)),
              per_unit ? (Names{"RESHAPE", "CONV_2D", "RESHAPE"}) : (Names{"FULLY_CONNECTED"}));
    const Bytes x = made(6);
    Doubles want;
    for (size_t row = 0; row < 2; ++row) {
      for (size_t unit = 0; unit < 2; ++unit) {
        double sum = 0;
        for (size_t k = 0; k < 3; ++k) {
          sum += kIn.real(x[row * 3 + k]) * Scheme{kInt8, scales[per_unit ? unit : 0], 0}.real(weights[k * 2 + unit]);
        }
        want.push_back(sum);
      }
    }
    expect_close(run(w, {x})[0], kOut, want);
  }
}

TEST(OnnxQdq, ArithmeticBehindAConvolutionGoesIntoItsScales) {
  // What quantisation-aware training writes: a quantised convolution, divided, a bias added, normalised, Relu.
  const OnnxWriter w = [] {
    OnnxWriter v;
    v.input("x", kUint8, {1, 1, 1, 4}).raw("w", kInt8, {2, 1, 1, 1}, {100, 0x9c});
    define(v, "in", kIn);
    define(v, "out", kOut);
    v.quantisation("q", kInt8, {0.02f}, {0})
        .floats("d", {1, 2, 1, 1}, {2, -4})
        .floats("b", {1, 2, 1, 1}, {0.5f, 0.25f});
    v.dequantise("x", "xr", "in").dequantise("w", "wr", "q");
    v.node("Conv", {"xr", "wr"}, {"a"})
        .node("Div", {"a", "d"}, {"c"})
        .node("Add", {"c", "b"}, {"e"})
        .node("Relu", {"e"}, {"f"});
    v.quantise("f", "y", "out");
    return std::move(v.output("y"));
  }();
  EXPECT_EQ(operation_names(import_writer(w)), Names{"CONV_2D"});
  const Bytes x = made(4);
  Doubles want;
  for (const double factor : {1.0, 0.5}) {
    for (const uint8_t byte : x) want.push_back(relu(kIn.real(byte) * factor + 0.5 * factor));
  }
  expect_close(run(w, {x})[0], kOut, want);
}

TEST(OnnxQdq, WeightsStayQuantisedWhenTheyAreMoved) {
  const OnnxWriter w = qdq("Gemm", {1, 2}, kIn, kOut, {}, [](OnnxWriter& v) {
    v.raw("w", kInt8, {3, 2}, {1, 2, 3, 4, 5, 6}).quantisation("q", kInt8, {0.02f}, {0}).dequantise("w", "wr", "q");
    v.node("Transpose", {"wr"}, {"wt"});
    return Names{"wt"};
  });
  EXPECT_EQ(operation_names(import_writer(w)), Names{"FULLY_CONNECTED"});
}

TEST(OnnxQdq, WithoutAQuantizeLinearItIsComputedInFloats) {
  OnnxWriter w;
  w.input("x", kUint8, {1, 2});
  define(w, "in", kIn);
  w.raw("w", kInt8, {2, 1}, {50, 0xce}).quantisation("q", kInt8, {0.5f}, {0}).dequantise("w", "wr", "q");
  w.dequantise("x", "xr", "in").node("MatMul", {"xr", "wr"}, {"y"}).output("y");
  EXPECT_EQ(operation_names(import_writer(w)), (Names{"DEQUANTIZE", "FULLY_CONNECTED"}));
  EXPECT_NEAR(floats_of(run(w, {{130, 110}})[0])[0], 25 * 0.5 + 25 * 0.5, 1e-4);
}

TEST(OnnxQdq, RefusesWhatBytesCannotMean) {
  OnnxWriter twice;
  twice.input("x", kFloat, {2});
  define(twice, "in", kIn);
  define(twice, "out", kOut);
  twice.quantise("x", "q", "in").dequantise("q", "y", "out").output("y");
  EXPECT_EQ(refusal(twice),
            "m.onnx: node 1 (DequantizeLinear): scale and zero point differ from those that 'q' was made with");
  OnnxWriter scale;
  scale.input("x", kFloat, {2}).floats("s", {}, {-1}).node("QuantizeLinear", {"x", "s"}, {"y"}).output("y");
  EXPECT_EQ(refusal(scale), "m.onnx: node 0 (QuantizeLinear): a scale of -1.000000");
}

struct QlinearCase {
  const char* op;
  const char* float_op;
  Attributes attributes;
};

/// QLinear forms give the bytes of the QDQ form: one data input.
TEST(OnnxQlinear, OneInput) {
  const std::vector<QlinearCase> cases = {
      {"QLinearSigmoid", "Sigmoid", {}},
      {"QLinearLeakyRelu", "LeakyRelu", {{"alpha", 0.25f}}},
      {"QLinearGlobalAveragePool", "GlobalAveragePool", {}},
      {"QLinearAveragePool", "AveragePool", {{"kernel_shape", Shape{2, 2}}}},
      {"QLinearReduceMean", "ReduceMean", {{"axes", Shape{3}}}},
      {"QLinearSoftmax", "Softmax", {{"axis", int64_t{3}}}},
  };
  const Bytes x = made(16);
  for (const QlinearCase& c : cases) {
    SCOPED_TRACE(c.op);
    OnnxWriter w;
    w.input("x", kUint8, {1, 1, 4, 4});
    define(w, "in", kIn);
    define(w, "out", kOut);
    w.node(c.op, {"x", "in_scale", "in_zero", "out_scale", "out_zero"}, {"y"}, c.attributes, kMicrosoft).output("y");
    const OnnxWriter same = qdq(c.float_op, {1, 1, 4, 4}, kIn, kOut, c.attributes);
    EXPECT_EQ(operation_names(import_writer(w)), operation_names(import_writer(same)));
    EXPECT_EQ(run(w, {x})[0], run(same, {x})[0]);
  }
}

TEST(OnnxQlinear, SumsProductsAndJoins) {
  const Scheme other = {kUint8, 0.03f, 90};
  const Names triples = {"x", "in_scale", "in_zero", "z", "other_scale", "other_zero"};
  for (const auto& [op, float_op] : std::vector<std::pair<std::string, const char*>>{
           {"QLinearAdd", "Add"}, {"QLinearMul", "Mul"}, {"QLinearConcat", "Concat"}}) {
    SCOPED_TRACE(op);
    const bool concat = op == "QLinearConcat";
    const Attributes attributes = concat ? Attributes{{"axis", int64_t{1}}} : Attributes{};
    OnnxWriter w;
    w.input("x", kUint8, {1, 8}).input("z", kUint8, {1, 8});
    define(w, "in", kIn);
    define(w, "other", other);
    define(w, "out", kOut);
    Names inputs = triples;
    inputs.insert(concat ? inputs.begin() : inputs.end(), {"out_scale", "out_zero"});
    w.node(op, inputs, {"y"}, attributes, kMicrosoft).output("y");
    const OnnxWriter same = qdq(float_op, {1, 8}, kIn, kOut, attributes, [&](OnnxWriter& v) {
      v.input("z", kUint8, {1, 8});
      define(v, "other", other);
      v.dequantise("z", "zr", "other");
      return Names{"zr"};
    });
    EXPECT_EQ(run(w, {made(8), made(8, 53)})[0], run(same, {made(8), made(8, 53)})[0]);
  }
}

/// Convolution with a bias, Relu by saturation, pool, matrix product: a whole network in both forms.
OnnxWriter network(bool qlinear) {
  OnnxWriter w;
  w.input("x", kUint8, {1, 2, 4, 4})
      .raw("w", kInt8, {3, 2, 3, 3}, made(54, 91))
      .raw("f", kUint8, {12, 5}, made(60, 23));
  define(w, "in", kIn);
  w.quantisation("q", kInt8, {0.01f, 0.02f, 0.015f}, {0, 0, 0});
  define(w, "middle", {kUint8, 0.04f, 0});
  define(w, "fq", {kUint8, 0.01f, 99});
  define(w, "out", kOut);
  w.integers("b", kInt32, {3}, {100, -2000, 30}).integers("flat", ElementType::int64, {2}, {1, 12});
  const Attributes window = {{"pads", Shape{1, 1, 1, 1}}};
  const Attributes pool = {{"kernel_shape", Shape{2, 2}}, {"strides", Shape{2, 2}}};
  if (qlinear) {
    w.node("QLinearConv", {"x", "in_scale", "in_zero", "w", "q_scale", "q_zero", "middle_scale", "middle_zero", "b"},
           {"c"}, window);
    w.node("MaxPool", {"c"}, {"p"}, pool).node("Reshape", {"p", "flat"}, {"r"});
    w.node("QLinearMatMul", {"r", "middle_scale", "middle_zero", "f", "fq_scale", "fq_zero", "out_scale", "out_zero"},
           {"y"});
  } else {
    w.floats("bs", {3}, {0.05f * 0.01f, 0.05f * 0.02f, 0.05f * 0.015f})
        .node("DequantizeLinear", {"b", "bs"}, {"br"}, {{"axis", int64_t{0}}});
    w.dequantise("x", "xr", "in").dequantise("w", "wr", "q").node("Conv", {"xr", "wr", "br"}, {"cr"}, window);
    w.node("Relu", {"cr"}, {"rr"}).quantise("rr", "c", "middle").dequantise("c", "cd", "middle");
    w.node("MaxPool", {"cd"}, {"pr"}, pool).node("Reshape", {"pr", "flat"}, {"r"}).quantise("r", "rq", "middle");
    w.dequantise("rq", "rd", "middle")
        .dequantise("f", "fr", "fq")
        .node("MatMul", {"rd", "fr"}, {"yr"})
        .quantise("yr", "y", "out");
  }
  return std::move(w.output("y"));
}

TEST(OnnxQlinear, ANetworkInBothFormsGivesTheSameBytes) {
  EXPECT_EQ(operation_names(import_writer(network(true))),
            (Names{"CONV_2D", "MAX_POOL_2D", "RESHAPE", "FULLY_CONNECTED"}));
  EXPECT_EQ(operation_names(import_writer(network(true))), operation_names(import_writer(network(false))));
  const Bytes x = made(32);
  const Bytes y = run(network(true), {x})[0];
  EXPECT_EQ(y, run(network(false), {x})[0]);
  EXPECT_GT(*std::max_element(y.begin(), y.end()), *std::min_element(y.begin(), y.end()));
}

TEST(OnnxQlinear, GemmWithAndWithoutAnOutputScale) {
  OnnxWriter w;
  w.input("x", kUint8, {1, 2}).raw("w", kInt8, {3, 2}, {1, 2, 3, 4, 5, 0xfa}).integers("c", kInt32, {3}, {10, 20, 30});
  define(w, "in", kIn);
  w.quantisation("q", kInt8, {0.02f, 0.01f, 0.03f}, {0, 0, 0});
  w.node("QGemm", {"x", "in_scale", "in_zero", "w", "q_scale", "q_zero", "c"}, {"y"}, {{"transB", int64_t{1}}},
         kMicrosoft)
      .output("y");
  const std::vector<float> y = floats_of(run(w, {{130, 110}})[0]);
  const double a = 0.5;
  const double b = -0.5;
  ASSERT_EQ(y.size(), 3u);
  EXPECT_NEAR(y[0], 0.02 * (a * 1 + b * 2 + 0.05 * 10), 1e-5);
  EXPECT_NEAR(y[1], 0.01 * (a * 3 + b * 4 + 0.05 * 20), 1e-5);
  EXPECT_NEAR(y[2], 0.03 * (a * 5 - b * 6 + 0.05 * 30), 1e-5);
}

}  // namespace
}  // namespace avocet::tools::test
