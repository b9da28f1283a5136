// SPDX-License-Identifier: Apache-2.0
// ADD, SUB, MUL, DIV, the activations, QUANTIZE, DEQUANTIZE and SOFTMAX: exhaustive over bytes where that is possible,
// against double and 64 bit arithmetic written out here.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "operation_call.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32;

/// The rules' requantisation, written out with 64 bit integers.
int64_t requantised(int64_t x, double multiplier) {
  int exponent = 0;
  int64_t mantissa = std::llround(std::frexp(multiplier, &exponent) * 2147483648.0);
  if (mantissa == 2147483648) mantissa /= 2, ++exponent;
  const int64_t product = x * (int64_t{1} << std::max(exponent, 0)) * mantissa;
  const int64_t high = (product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / 2147483648;
  const int64_t divisor = int64_t{1} << std::max(-exponent, 0);
  const int64_t magnitude = (std::abs(high) * 2 + divisor) / (2 * divisor);
  return high < 0 ? -magnitude : magnitude;
}

template <typename T>
std::vector<T> all_bytes() {
  std::vector<T> values;
  for (int v = std::numeric_limits<T>::min(); v <= std::numeric_limits<T>::max(); ++v) values.push_back(static_cast<T>(v));
  return values;
}

/// All 65536 pairs of bytes through a broadcast of [256, 1] with [1, 256].
template <typename T>
void check_pairs(int32_t code, float sx, int zx, float sy, int zy, float so, int zo) {
  const int32_t type = std::is_signed_v<T> ? kInt8 : kUint8;
  const std::vector<T> bytes = all_bytes<T>();
  OperationCall call(code);
  call.in_pieces().input(type, {256, 1}, bytes, sx, zx).input(type, {1, 256}, bytes, sy, zy).int32(0).output(type, so, zo);
  ASSERT_TRUE(call.run().ok());
  const std::vector<T> out = call.values<T>();
  const double twice = 2 * std::max(double{sx}, double{sy});
  for (size_t i = 0; i < 65536; ++i) {
    const int64_t x = bytes[i / 256] - zx, y = bytes[i % 256] - zy;
    int64_t value;
    if (code == ANEURALNETWORKS_MUL) {
      value = requantised(x * y, double{sx} * double{sy} / double{so});
    } else {
      const int64_t a = requantised(x << 20, sx / twice), b = requantised(y << 20, sy / twice);
      value = requantised(code == ANEURALNETWORKS_ADD ? a + b : a - b, twice / ((1 << 20) * double{so}));
    }
    value = std::clamp<int64_t>(value + zo, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    ASSERT_EQ(int64_t{out[i]}, value) << i / 256 << " with " << i % 256;
  }
}

TEST(ElementwiseBinary, QuantisedIsBitExactForEveryPair) {
  for (int32_t code : {ANEURALNETWORKS_ADD, ANEURALNETWORKS_SUB, ANEURALNETWORKS_MUL}) {
    SCOPED_TRACE(code);
    check_pairs<uint8_t>(code, 0.02f, 120, 0.037f, 3, 0.05f, 130);
    check_pairs<int8_t>(code, 0.5f, -5, 0.013f, 100, 0.3f, -128);
    check_pairs<uint8_t>(code, 1.0f, 0, 1.0f, 255, 0.25f, 7);  // the output is finer than the inputs
  }
}

TEST(ElementwiseBinary, FloatBroadcastsAndActivates) {
  OperationCall call(ANEURALNETWORKS_SUB);
  call.floats({2, 1, 3}, {1, 2, 3, 4, 5, 6}).floats({2, 1}, {10, 1}).int32(ANEURALNETWORKS_FUSED_RELU1).output(kFloat);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{2, 2, 3}));
  EXPECT_EQ(call.values<float>(), (std::vector<float>{-1, -1, -1, 0, 1, 1, -1, -1, -1, 1, 1, 1}));

  OperationCall halves(ANEURALNETWORKS_DIV);
  halves.halves({4}, {1, -3, 0.5f, 8}).halves({1}, {2}).int32(0).output(ANEURALNETWORKS_TENSOR_FLOAT16);
  ASSERT_TRUE(halves.run().ok());
  EXPECT_EQ(halves.half_values(), (std::vector<float>{0.5f, -1.5f, 0.25f, 4}));
}

TEST(ElementwiseBinary, IntegersWrapAndDivideDownwards) {
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min(), kMax = std::numeric_limits<int32_t>::max();
  const auto call = [](int32_t code, std::vector<int32_t> x, std::vector<int32_t> y) {
    OperationCall c(code);
    c.ints({static_cast<uint32_t>(x.size())}, x).ints({static_cast<uint32_t>(y.size())}, y).int32(0).output(ANEURALNETWORKS_TENSOR_INT32);
    EXPECT_TRUE(c.run().ok());
    return c.values<int32_t>();
  };
  EXPECT_EQ(call(ANEURALNETWORKS_ADD, {kMax, 1}, {1, 2}), (std::vector<int32_t>{kMin, 3}));
  EXPECT_EQ(call(ANEURALNETWORKS_SUB, {kMin, 1}, {1, 2}), (std::vector<int32_t>{kMax, -1}));
  EXPECT_EQ(call(ANEURALNETWORKS_MUL, {65536, -3}, {65536, 2}), (std::vector<int32_t>{0, -6}));
  EXPECT_EQ(call(ANEURALNETWORKS_DIV, {5, -5, 5, -5, 6, kMin, kMax}, {2, 2, -2, -2, -3, -1, -1}),
            (std::vector<int32_t>{2, -3, -3, 2, -2, kMin, -kMax}));
  // A divisor of zero has no defined value but must not stop the process.
  EXPECT_EQ(call(ANEURALNETWORKS_DIV, {5}, {0}).size(), 1u);
}

TEST(ElementwiseBinary, RefusalsHaveTheirCodes) {
  OperationCall activated(ANEURALNETWORKS_ADD);
  activated.ints({1}, {1}).ints({1}, {1}).int32(ANEURALNETWORKS_FUSED_RELU).output(ANEURALNETWORKS_TENSOR_INT32);
  EXPECT_EQ(activated.run().code, ANEURALNETWORKS_BAD_DATA);
  OperationCall unknown(ANEURALNETWORKS_ADD);
  unknown.floats({1}, {1}).floats({1}, {1}).int32(4).output(kFloat);
  EXPECT_EQ(unknown.run().code, ANEURALNETWORKS_BAD_DATA);
  OperationCall mixed(ANEURALNETWORKS_ADD);
  mixed.floats({1}, {1}).ints({1}, {1}).int32(0).output(kFloat);
  EXPECT_EQ(mixed.run().code, ANEURALNETWORKS_BAD_DATA);
  OperationCall incompatible(ANEURALNETWORKS_ADD);
  incompatible.floats({2}, {1, 2}).floats({3}, {1, 2, 3}).int32(0).output(kFloat);
  EXPECT_EQ(incompatible.run().code, ANEURALNETWORKS_OP_FAILED);
  OperationCall five(ANEURALNETWORKS_ADD);
  five.floats({1, 1, 1, 1, 1}, {1}).floats({1}, {1}).int32(0).output(kFloat);
  EXPECT_EQ(five.run().code, ANEURALNETWORKS_BAD_DATA);
}

TEST(ElementwiseBinary, EmptyInputsGiveEmptyOutputs) {
  OperationCall call(ANEURALNETWORKS_ADD);
  call.floats({0, 2}, {}).floats({1, 2}, {1, 2}).int32(0).output(kFloat);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{0, 2}));
}

TEST(Activation, TablesAgreeWithTheCurves) {
  for (int32_t code : {ANEURALNETWORKS_LOGISTIC, ANEURALNETWORKS_TANH}) {
    const bool logistic = code == ANEURALNETWORKS_LOGISTIC;
    OperationCall call(code);
    call.input(kInt8, {256}, all_bytes<int8_t>(), 0.047f, 11).output(kInt8, logistic ? 1.0f / 256 : 1.0f / 128, logistic ? -128 : 0);
    ASSERT_TRUE(call.run().ok());
    const std::vector<int8_t> out = call.values<int8_t>();
    for (int i = 0; i < 256; ++i) {
      const double x = 0.047 * (i - 128 - 11);
      const double y = logistic ? std::round(256 / (1 + std::exp(-x))) - 128 : std::round(128 * std::tanh(x));
      EXPECT_EQ(out[static_cast<size_t>(i)], std::min(y, 127.0)) << i;
    }
  }
}

TEST(Activation, OutputScalesAreFixedByTheSpecification) {
  OperationCall logistic(ANEURALNETWORKS_LOGISTIC);
  logistic.input<uint8_t>(kUint8, {1}, {1}, 0.1f, 0).output(kUint8, 1.0f / 255, 0);
  EXPECT_EQ(logistic.run().code, ANEURALNETWORKS_OP_FAILED);
  OperationCall relu(ANEURALNETWORKS_RELU);
  relu.input<uint8_t>(kUint8, {1}, {1}, 0.1f, 0).output(kUint8, 0.1f, 1);
  EXPECT_EQ(relu.run().code, ANEURALNETWORKS_OP_FAILED);
}

TEST(Activation, RectifiersClamp) {
  OperationCall relu6(ANEURALNETWORKS_RELU6);
  relu6.floats({5}, {-1, 0.5f, 6, 7, std::nanf("")}).output(kFloat);
  ASSERT_TRUE(relu6.run().ok());
  const std::vector<float> out = relu6.values<float>();
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 4), (std::vector<float>{0, 0.5f, 6, 6}));
  EXPECT_TRUE(std::isnan(out[4]));
  OperationCall relu1(ANEURALNETWORKS_RELU1);
  relu1.input<int8_t>(kInt8, {4}, {-128, -1, 10, 127}, 0.25f, 2).output(kInt8, 0.25f, 2);
  ASSERT_TRUE(relu1.run().ok());
  EXPECT_EQ(relu1.values<int8_t>(), (std::vector<int8_t>{-2, -1, 6, 6}));
}

TEST(Quantize, RoundsHalvesAwayAndSaturates) {
  OperationCall call(ANEURALNETWORKS_QUANTIZE);
  call.floats({7}, {0.25f, -0.25f, 0.74f, 1000, -1000, INFINITY, std::nanf("")}).output(kUint8, 0.5f, 10);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<uint8_t>(), (std::vector<uint8_t>{11, 9, 11, 255, 0, 255, 10}));
  OperationCall halves(ANEURALNETWORKS_QUANTIZE);
  halves.halves({3}, {1, -1, 100}).output(kInt8, 1.0f, -3);
  ASSERT_TRUE(halves.run().ok());
  EXPECT_EQ(halves.values<int8_t>(), (std::vector<int8_t>{-2, -4, 97}));
}

TEST(Dequantize, EveryInputType) {
  OperationCall unsigned_(ANEURALNETWORKS_DEQUANTIZE);
  unsigned_.input<uint8_t>(kUint8, {3}, {0, 128, 255}, 0.5f, 128).output(kFloat);
  ASSERT_TRUE(unsigned_.run().ok());
  EXPECT_EQ(unsigned_.values<float>(), (std::vector<float>{-64, 0, 63.5f}));
  OperationCall symmetric(ANEURALNETWORKS_DEQUANTIZE);
  symmetric.input<int8_t>(ANEURALNETWORKS_TENSOR_QUANT8_SYMM, {2}, {-128, 127}, 2.0f).output(ANEURALNETWORKS_TENSOR_FLOAT16);
  ASSERT_TRUE(symmetric.run().ok());
  EXPECT_EQ(symmetric.half_values(), (std::vector<float>{-256, 254}));
  OperationCall channels(ANEURALNETWORKS_DEQUANTIZE);
  channels.per_channel({2, 3, 1}, {1, 2, 3, 4, 5, 6}, {1, 10, 100}, 1).output(kFloat);
  ASSERT_TRUE(channels.run().ok());
  EXPECT_EQ(channels.values<float>(), (std::vector<float>{1, 20, 300, 4, 50, 600}));
}

TEST(Softmax, FloatAlongAnyAxis) {
  std::mt19937 random(3);
  std::vector<float> x(2 * 3 * 5);
  for (float& v : x) v = static_cast<float>(random() % 1000) / 100;
  const Dimensions dims{2, 3, 5};
  for (int32_t axis = -3; axis < 3; ++axis) {
    OperationCall call(ANEURALNETWORKS_SOFTMAX);
    call.in_pieces().floats(dims, x).float32(0.7f).int32(axis).output(kFloat);
    ASSERT_TRUE(call.run().ok());
    const std::vector<float> out = call.values<float>();
    const size_t index = static_cast<size_t>(axis < 0 ? axis + 3 : axis);
    const size_t step = extent_product(dims, index + 1, 3), length = dims[index];
    for (size_t i = 0; i < x.size(); ++i) {
      const size_t first = i - i / step % length * step;
      double sum = 0;
      for (size_t k = 0; k < length; ++k) sum += std::exp(0.7 * x[first + k * step]);
      ASSERT_NEAR(out[i], std::exp(0.7 * x[i]) / sum, 1e-6);
    }
  }
}

TEST(Softmax, QuantisedIsWithinOneStepOfTheRealResult) {
  std::mt19937 random(4);
  for (int round = 0; round < 50; ++round) {
    const uint32_t length = 1 + random() % 300;
    const float scale = std::ldexp(1.0f, -static_cast<int>(random() % 8)), beta = 0.5f + static_cast<float>(random() % 3);
    std::vector<uint8_t> x(2 * length);
    for (uint8_t& v : x) v = static_cast<uint8_t>(random());
    OperationCall call(ANEURALNETWORKS_SOFTMAX);
    call.input(kUint8, {2, length}, x, scale, 17).float32(beta).output(kUint8, 1.0f / 256, 0);
    ASSERT_TRUE(call.run().ok());
    const std::vector<uint8_t> out = call.values<uint8_t>();
    for (size_t r = 0; r < 2; ++r) {
      double sum = 0;
      for (size_t i = 0; i < length; ++i) sum += std::exp(double{beta} * scale * (x[r * length + i] - 255.0));
      for (size_t i = 0; i < length; ++i) {
        const double real = std::exp(double{beta} * scale * (x[r * length + i] - 255.0)) / sum;
        ASSERT_NEAR(out[r * length + i], std::min(256 * real, 255.0), 1.0);
      }
    }
  }
}

TEST(Softmax, SignedIsUnsignedMovedBy128) {
  std::vector<uint8_t> x;
  std::vector<int8_t> y;
  for (int i = 0; i < 100; ++i) {
    x.push_back(static_cast<uint8_t>(i * 37));
    y.push_back(static_cast<int8_t>(int{x.back()} - 128));
  }
  OperationCall u(ANEURALNETWORKS_SOFTMAX), s(ANEURALNETWORKS_SOFTMAX);
  u.input(kUint8, {4, 25}, x, 0.1f, 0).float32(1).output(kUint8, 1.0f / 256, 0);
  s.input(kInt8, {4, 25}, y, 0.1f, 5).float32(1).output(kInt8, 1.0f / 256, -128);
  ASSERT_TRUE(u.run().ok());
  ASSERT_TRUE(s.run().ok());
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(int{u.values<uint8_t>()[i]} - 128, int{s.values<int8_t>()[i]});
}

}  // namespace
}  // namespace avocet::runtime
