// SPDX-License-Identifier: Apache-2.0
// Functions of one tensor: FLOOR, ABS, EXP, LOG, NEG, RSQRT, SIN, SQRT, LOGICAL_NOT, ELU, HARD_SWISH and CAST. Floats against
// float64; quantised HARD_SWISH also against numbers computed with gemmlowp's fixed point types.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "operation_call.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32, kHalf = ANEURALNETWORKS_TENSOR_FLOAT16;
constexpr int32_t kInt = ANEURALNETWORKS_TENSOR_INT32, kBool = ANEURALNETWORKS_TENSOR_BOOL8;
constexpr int32_t kMin = std::numeric_limits<int32_t>::min(), kMax = std::numeric_limits<int32_t>::max();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Curve {
  int32_t code;
  std::function<double(double)> function;
  float low, high;  // where it is sampled
};

const Curve kCurves[] = {{ANEURALNETWORKS_FLOOR, [](double x) { return std::floor(x); }, -9, 9},
                         {ANEURALNETWORKS_ABS, [](double x) { return std::abs(x); }, -9, 9},
                         {ANEURALNETWORKS_NEG, [](double x) { return -x; }, -9, 9},
                         {ANEURALNETWORKS_EXP, [](double x) { return std::exp(x); }, -20, 10},
                         {ANEURALNETWORKS_SIN, [](double x) { return std::sin(x); }, -50, 50},
                         {ANEURALNETWORKS_SQRT, [](double x) { return std::sqrt(x); }, 0, 5000},
                         {ANEURALNETWORKS_LOG, [](double x) { return std::log(x); }, 1e-4f, 5000},
                         {ANEURALNETWORKS_RSQRT, [](double x) { return 1 / std::sqrt(x); }, 1e-4f, 5000}};

TEST(Unary, FloatsFollowTheCurve) {
  constexpr uint32_t kCount = 20000;
  for (const Curve& curve : kCurves) {
    SCOPED_TRACE(find_operation(curve.code)->name);
    std::vector<float> x;
    for (uint32_t i = 0; i < kCount; ++i) x.push_back(curve.low + (curve.high - curve.low) * static_cast<float>(i) / kCount);
    OperationCall call(curve.code);
    const Dimensions dims = curve.code == ANEURALNETWORKS_FLOOR ? Dimensions{2, 100, 50, 2} : Dimensions{2, 2, 100, 5, 10};
    ASSERT_TRUE(call.in_pieces().floats(dims, x).output(kFloat).run().ok());
    EXPECT_EQ(call.dims(), dims);
    const std::vector<float> out = call.values<float>();
    ASSERT_EQ(out.size(), kCount);
    for (uint32_t i = 0; i < kCount; ++i) {
      const double expected = curve.function(double{x[i]});
      ASSERT_NEAR(out[i], expected, 3e-7 * std::abs(expected)) << x[i];
    }
  }
}

TEST(Unary, HalvesFollowTheCurve) {
  for (const Curve& curve : kCurves) {
    SCOPED_TRACE(find_operation(curve.code)->name);
    const std::vector<float> x{0.5f, 1, 2.5f, 3.25f, 4, 6.125f, 8, 8.5f, 0.0625f};
    OperationCall call(curve.code);
    ASSERT_TRUE(call.halves({9}, x).output(kHalf).run().ok());
    const std::vector<float> out = call.half_values();
    for (size_t i = 0; i < x.size(); ++i) {
      const double expected = curve.function(double{x[i]});
      EXPECT_NEAR(out[i], expected, std::abs(expected) / 2000) << x[i];
    }
  }
}

std::vector<float> floats_of(int32_t code, std::vector<float> x) {
  OperationCall call(code);
  EXPECT_TRUE(call.floats({static_cast<uint32_t>(x.size())}, x).output(kFloat).run().ok());
  return call.values<float>();
}

TEST(Unary, KnownPointsAndEdges) {
  EXPECT_EQ(floats_of(ANEURALNETWORKS_EXP, {0, 1000, -1000}), (std::vector<float>{1, kInfinity, 0}));
  EXPECT_NEAR(floats_of(ANEURALNETWORKS_EXP, {1})[0], 2.7182818, 3e-7);
  EXPECT_NEAR(floats_of(ANEURALNETWORKS_SIN, {1.57079633f})[0], 1, 1e-7);
  EXPECT_NEAR(floats_of(ANEURALNETWORKS_SIN, {100})[0], -0.50636564, 1e-7);
  EXPECT_EQ(floats_of(ANEURALNETWORKS_SQRT, {0, 2.25f, 1e10f, kInfinity}), (std::vector<float>{0, 1.5f, 1e5f, kInfinity}));
  EXPECT_TRUE(std::isnan(floats_of(ANEURALNETWORKS_SQRT, {-1})[0]));
  EXPECT_EQ(floats_of(ANEURALNETWORKS_LOG, {0, 1}), (std::vector<float>{-kInfinity, 0}));
  EXPECT_EQ(floats_of(ANEURALNETWORKS_RSQRT, {0, 4}), (std::vector<float>{kInfinity, 0.5f}));
  EXPECT_EQ(floats_of(ANEURALNETWORKS_FLOOR, {-0.5f, 1e30f, -2}), (std::vector<float>{-1, 1e30f, -2}));
}

TEST(Unary, IntegersWrapAtTheSmallest) {
  OperationCall abs(ANEURALNETWORKS_ABS);
  ASSERT_TRUE(abs.ints({4}, {kMin, -7, 0, kMax}).output(kInt).run().ok());
  EXPECT_EQ(abs.values<int32_t>(), (std::vector<int32_t>{kMin, 7, 0, kMax}));
  OperationCall neg(ANEURALNETWORKS_NEG);
  ASSERT_TRUE(neg.ints({4}, {kMin, -7, 0, kMax}).output(kInt).run().ok());
  EXPECT_EQ(neg.values<int32_t>(), (std::vector<int32_t>{kMin, 7, 0, -kMax}));
}

TEST(Unary, LogicalNotMakesZeroAndOne) {
  OperationCall call(ANEURALNETWORKS_LOGICAL_NOT);
  ASSERT_TRUE(call.input<uint8_t>(kBool, {2, 2}, {0, 1, 2, 255}).output(kBool).run().ok());
  EXPECT_EQ(call.values<uint8_t>(), (std::vector<uint8_t>{1, 0, 0, 0}));
}

TEST(Unary, RefusalsHaveTheirCodes) {
  OperationCall quantised(ANEURALNETWORKS_EXP);
  EXPECT_EQ(quantised.input<uint8_t>(kUint8, {1}, {1}, 1, 0).output(kUint8, 1, 0).run().code, ANEURALNETWORKS_BAD_DATA);
  OperationCall five(ANEURALNETWORKS_FLOOR);
  EXPECT_EQ(five.floats({1, 1, 1, 1, 1}, {1}).output(kFloat).run().code, ANEURALNETWORKS_BAD_DATA);
  OperationCall empty(ANEURALNETWORKS_SIN);
  EXPECT_EQ(empty.floats({0, 2}, {}).output(kFloat).run().code, ANEURALNETWORKS_OP_FAILED);
  OperationCall other_shape(ANEURALNETWORKS_SQRT);
  EXPECT_EQ(other_shape.floats({2}, {1, 2}).output(kFloat, 0, 0, {3}).run().code, ANEURALNETWORKS_OP_FAILED);
}

TEST(Elu, FollowsTheFormula) {
  OperationCall call(ANEURALNETWORKS_ELU);
  ASSERT_TRUE(call.floats({6}, {-1, -1e-6f, 0, 2, -1000, kInfinity}).float32(0.5f).output(kFloat).run().ok());
  const std::vector<float> out = call.values<float>();
  const double expected[] = {0.5 * (std::exp(-1.0) - 1), -0.49999975e-6, 0, 2, -0.5, INFINITY};
  for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(out[i], expected[i], 1e-7 * (1e-6 + std::abs(expected[i]))) << i;
  EXPECT_EQ(out[5], kInfinity);
  OperationCall empty(ANEURALNETWORKS_ELU);
  ASSERT_TRUE(empty.floats({0, 3}, {}).float32(1).output(kFloat).run().ok());
  EXPECT_EQ(empty.dims(), (Dimensions{0, 3}));
  OperationCall halves(ANEURALNETWORKS_ELU);
  halves.halves({2}, {-2, 3}).input<_Float16>(ANEURALNETWORKS_FLOAT16, {}, {2}, 0, 0, true).output(kHalf);
  ASSERT_TRUE(halves.run().ok());
  EXPECT_NEAR(halves.half_values()[0], 2 * (std::exp(-2.0) - 1), 1e-3);
  EXPECT_EQ(halves.half_values()[1], 3);
}

TEST(HardSwish, FloatHoldsItsRangeAtTheEnds) {
  const std::vector<float> out = floats_of(ANEURALNETWORKS_HARD_SWISH, {-4, -3, -1.5f, 0, 1, 3, 1e38f, -kInfinity});
  const float expected[] = {0, 0, -0.375f, 0, 2.0f / 3, 3, 1e38f, 0};
  for (size_t i = 0; i < out.size(); ++i) EXPECT_FLOAT_EQ(out[i], expected[i]) << i;
}

template <typename T>
std::vector<int> quantised_swish(float scale_in, int zero_in, float scale_out, int zero_out, int step) {
  std::vector<T> x;
  for (int v = std::numeric_limits<T>::min(); v <= std::numeric_limits<T>::max(); v += step) x.push_back(static_cast<T>(v));
  const int32_t type = std::is_signed_v<T> ? kInt8 : kUint8;
  OperationCall call(ANEURALNETWORKS_HARD_SWISH);
  call.input(type, {static_cast<uint32_t>(x.size())}, x, scale_in, zero_in).output(type, scale_out, zero_out);
  EXPECT_TRUE(call.run().ok());
  const std::vector<T> out = call.values<T>();
  return {out.begin(), out.end()};
}

TEST(HardSwish, QuantisedIsBitExact) {
  EXPECT_EQ(quantised_swish<uint8_t>(0.0476f, 128, 0.0391f, 7, 15),
            (std::vector<int>{7, 7, 7, 7, 7, 2, 0, 0, 3, 12, 25, 43, 65, 89, 107, 125, 143, 162}));
  EXPECT_EQ(quantised_swish<int8_t>(0.0125f, -20, 0.011f, -100, 15),
            (std::vector<int>{-128, -128, -128, -126, -122, -116, -109, -102, -93, -83, -72, -60, -47, -33, -17, -1, 16, 35}));
  EXPECT_EQ(quantised_swish<uint8_t>(1.5f, 100, 1.2f, 60, 15),
            (std::vector<int>{60, 60, 60, 60, 60, 60, 60, 66, 85, 104, 122, 141, 160, 179, 197, 216, 235, 254}));
  EXPECT_EQ(quantised_swish<int8_t>(0.1f, 127, 0.05f, 100, 15),
            (std::vector<int>{100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 92, 100}));
}

TEST(HardSwish, QuantisedIsWithinOneStepOfTheCurve) {
  for (const float scale_out : {0.003f, 0.02f, 0.5f}) {
    const std::vector<int> out = quantised_swish<int8_t>(0.05f, 10, scale_out, -3, 1);
    for (int i = 0; i < 256; ++i) {
      const double x = 0.05 * (i - 128 - 10), y = x * std::clamp(x + 3, 0.0, 6.0) / 6;
      EXPECT_NEAR(out[static_cast<size_t>(i)], std::clamp(std::round(y / double{scale_out}) - 3, -128.0, 127.0), 1) << x;
    }
  }
}

TEST(HardSwish, ExtremeScalesSaturate) {
  const std::vector<int> finer = quantised_swish<uint8_t>(1e20f, 128, 1e-20f, 3, 255);
  EXPECT_EQ(finer, (std::vector<int>{3, 255}));
  const std::vector<int> coarser = quantised_swish<uint8_t>(1e-20f, 128, 1e20f, 3, 255);
  EXPECT_EQ(coarser, (std::vector<int>{3, 3}));
}

template <typename To, typename From>
std::vector<To> cast(int32_t from_type, int32_t to_type, const std::vector<From>& x) {
  const auto quantised = [](int32_t type) { return type != kFloat && type != kHalf && type != kInt && type != kBool; };
  OperationCall call(ANEURALNETWORKS_CAST);
  call.input(from_type, {static_cast<uint32_t>(x.size())}, x, quantised(from_type) ? 4.0f : 0.0f, from_type == kUint8 ? 100 : 0);
  EXPECT_TRUE(call.output(to_type, quantised(to_type) ? 2.0f : 0.0f).run().ok());
  return call.values<To>();
}

TEST(Cast, CutsFractionsAndSaturates) {
  const std::vector<float> x{-1.9f, 1.9f, 255.5f, -3e9f, 3e9f, std::nanf("")};
  EXPECT_EQ((cast<int32_t>(kFloat, kInt, x)), (std::vector<int32_t>{-1, 1, 255, kMin, kMax, 0}));
  EXPECT_EQ((cast<uint8_t>(kFloat, kUint8, x)), (std::vector<uint8_t>{0, 1, 255, 0, 255, 0}));
  EXPECT_EQ((cast<uint8_t>(kInt, kUint8, std::vector<int32_t>{-5, 7, 256, kMax})), (std::vector<uint8_t>{0, 7, 255, 255}));
  EXPECT_EQ((cast<float>(kInt, kFloat, std::vector<int32_t>{kMin, 16777217})), (std::vector<float>{-2147483648.0f, 16777216}));
}

TEST(Cast, IgnoresScaleAndZeroPoint) {
  const std::vector<uint8_t> x{0, 100, 255};
  EXPECT_EQ((cast<float>(kUint8, kFloat, x)), (std::vector<float>{0, 100, 255}));
  EXPECT_EQ((cast<int32_t>(kUint8, kInt, x)), (std::vector<int32_t>{0, 100, 255}));
  EXPECT_EQ((cast<uint8_t>(kUint8, kUint8, x)), x);
  EXPECT_EQ((cast<_Float16>(kUint8, kHalf, x))[2], static_cast<_Float16>(255));
}

TEST(Cast, HalvesBothWays) {
  const std::vector<_Float16> x{static_cast<_Float16>(-2.5f), static_cast<_Float16>(300)};
  EXPECT_EQ((cast<float>(kHalf, kFloat, x)), (std::vector<float>{-2.5f, 300}));
  EXPECT_EQ((cast<int32_t>(kHalf, kInt, x)), (std::vector<int32_t>{-2, 300}));
  EXPECT_EQ((cast<uint8_t>(kHalf, kUint8, x)), (std::vector<uint8_t>{0, 255}));
  EXPECT_EQ((cast<_Float16>(kHalf, kHalf, x)), x);
  EXPECT_EQ((cast<_Float16>(kFloat, kHalf, std::vector<float>{-2.5f, 300})), x);
}

TEST(Cast, IdentityOfTheOtherTypes) {
  EXPECT_EQ((cast<int16_t>(ANEURALNETWORKS_TENSOR_QUANT16_SYMM, ANEURALNETWORKS_TENSOR_QUANT16_SYMM, std::vector<int16_t>{-32768, 5})),
            (std::vector<int16_t>{-32768, 5}));
  EXPECT_EQ((cast<uint16_t>(ANEURALNETWORKS_TENSOR_QUANT16_ASYMM, ANEURALNETWORKS_TENSOR_QUANT16_ASYMM, std::vector<uint16_t>{65535})),
            (std::vector<uint16_t>{65535}));
  EXPECT_EQ((cast<int8_t>(kInt8, kInt8, std::vector<int8_t>{-128, 127})), (std::vector<int8_t>{-128, 127}));
  EXPECT_EQ((cast<uint8_t>(kBool, kBool, std::vector<uint8_t>{0, 1})), (std::vector<uint8_t>{0, 1}));
  OperationCall mixed(ANEURALNETWORKS_CAST);
  EXPECT_EQ(mixed.input<int8_t>(kInt8, {1}, {1}, 1, 0).output(kFloat).run().code, ANEURALNETWORKS_BAD_DATA);
}

}  // namespace
}  // namespace avocet::runtime
