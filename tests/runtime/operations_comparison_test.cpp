// SPDX-License-Identifier: Apache-2.0
// Operations on two broadcast tensors besides arithmetic: the comparisons, LOGICAL_AND, LOGICAL_OR, MAXIMUM, MINIMUM, POW and
// PRELU. Quantised forms go through all pairs of bytes, against float64 and 64 bit integers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "naive_requantise.hpp"
#include "operation_call.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32, kBool = ANEURALNETWORKS_TENSOR_BOOL8, kInt = ANEURALNETWORKS_TENSOR_INT32;
constexpr int32_t kComparisons[] = {ANEURALNETWORKS_LESS,    ANEURALNETWORKS_LESS_EQUAL,    ANEURALNETWORKS_EQUAL,
                                    ANEURALNETWORKS_GREATER, ANEURALNETWORKS_GREATER_EQUAL, ANEURALNETWORKS_NOT_EQUAL};

bool holds(int32_t code, double x, double y) {
  switch (code) {
    case ANEURALNETWORKS_LESS: return x < y;
    case ANEURALNETWORKS_LESS_EQUAL: return x <= y;
    case ANEURALNETWORKS_EQUAL: return x == y;
    case ANEURALNETWORKS_GREATER: return x > y;
    case ANEURALNETWORKS_GREATER_EQUAL: return x >= y;
    default: return x != y;
  }
}

template <typename T>
std::vector<T> all_bytes() {
  std::vector<T> values;
  for (int v = std::numeric_limits<T>::min(); v <= std::numeric_limits<T>::max(); ++v) values.push_back(static_cast<T>(v));
  return values;
}

struct Quantised {
  float scale;
  int zero;
};

/// All pairs of bytes as a broadcast of [256, 1] with [1, 256]; results row by row.
template <typename T, typename R = T>
std::vector<R> all_pairs(int32_t code, Quantised x, Quantised y, int32_t result_type, Quantised result = {0, 0}) {
  const int32_t type = std::is_signed_v<T> ? kInt8 : kUint8;
  OperationCall call(code);
  call.in_pieces().input(type, {256, 1}, all_bytes<T>(), x.scale, x.zero).input(type, {1, 256}, all_bytes<T>(), y.scale, y.zero);
  const Status status = call.output(result_type, result.scale, result.zero).run();
  EXPECT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.dims(), (Dimensions{256, 256}));
  return call.values<R>();
}

template <typename T>
void check_comparisons(Quantised x, Quantised y) {
  const std::vector<T> bytes = all_bytes<T>();
  for (int32_t code : kComparisons) {
    const std::vector<uint8_t> out = all_pairs<T, uint8_t>(code, x, y, kBool);
    for (size_t i = 0; i < out.size(); ++i) {
      const double a = double{x.scale} * (bytes[i / 256] - x.zero), b = double{y.scale} * (bytes[i % 256] - y.zero);
      if (a != b && std::abs(a - b) < 1e-6 * std::abs(a)) continue;  // nearer than float32 can tell
      ASSERT_EQ(out[i], holds(code, a, b)) << find_operation(code)->name << " of " << a << " and " << b;
    }
  }
}

TEST(Comparison, QuantisedComparesRealNumbers) {
  check_comparisons<uint8_t>({0.02f, 120}, {0.037f, 3});
  check_comparisons<int8_t>({1.64771f, -97}, {1.49725f, 112});
  check_comparisons<uint8_t>({1.0f, 128}, {2.0f, 128});
  check_comparisons<uint8_t>({1.0f, 0}, {1.0f, 255});
  check_comparisons<int8_t>({1e-5f, 0}, {1e-3f, 5});  // no fixed number of fraction bits would do
}

TEST(Comparison, EqualScalesOfAnySizeCompareSteps) {
  for (const float scale : {1e-44f, 3e38f}) {
    const std::vector<uint8_t> out = all_pairs<uint8_t, uint8_t>(ANEURALNETWORKS_LESS, {scale, 0}, {scale, 1}, kBool);
    for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i / 256 + 1 < i % 256) << i;
  }
}

TEST(Comparison, ScalesOfTenthsMeetInThrees) {
  // 30 * 0.1 and 10 * 0.3: neither scale is exact, both products are 3 in float32.
  OperationCall call(ANEURALNETWORKS_EQUAL);
  call.input<uint8_t>(kUint8, {1}, {30}, 0.1f, 0).input<uint8_t>(kUint8, {1}, {10}, 0.3f, 0).output(kBool);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<uint8_t>()[0], 1);
}

TEST(Comparison, FloatsIntegersAndBooleans) {
  const float nan = std::nanf("");
  for (int32_t code : kComparisons) {
    SCOPED_TRACE(find_operation(code)->name);
    const std::vector<float> x{1, 2, 3, nan, -0.0f}, y{2, 2, 2, nan, 0.0f};
    OperationCall floats(code), halves(code), ints(code), booleans(code);
    ASSERT_TRUE(floats.floats({5}, x).floats({5}, y).output(kBool).run().ok());
    ASSERT_TRUE(halves.halves({5}, x).halves({5}, y).output(kBool).run().ok());
    for (size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(floats.values<uint8_t>()[i], holds(code, double{x[i]}, double{y[i]}));
      EXPECT_EQ(halves.values<uint8_t>()[i], holds(code, double{x[i]}, double{y[i]}));
    }
    const std::vector<int32_t> a{16777216, 16777217, -5}, b{16777217, 16777217, -6};  // not to be told apart as float32
    ASSERT_TRUE(ints.ints({3}, a).ints({3}, b).output(kBool).run().ok());
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(ints.values<uint8_t>()[i], holds(code, a[i], b[i]));
    const std::vector<uint8_t> p{0, 0, 1, 2}, q{0, 1, 0, 1};  // 2 is true as well
    ASSERT_TRUE(booleans.input(kBool, {4}, p).input(kBool, {4}, q).output(kBool).run().ok());
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(booleans.values<uint8_t>()[i], holds(code, p[i] != 0, q[i] != 0));
  }
}

TEST(Comparison, BroadcastsBothWaysAndRefusesTheRest) {
  OperationCall call(ANEURALNETWORKS_GREATER);
  ASSERT_TRUE(call.floats({2, 1, 1, 2, 1}, {1, 2, 3, 4}).floats({3}, {0, 2, 4}).output(kBool).run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{2, 1, 1, 2, 3}));
  EXPECT_EQ(call.values<uint8_t>(), (std::vector<uint8_t>{1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0}));
  OperationCall incompatible(ANEURALNETWORKS_LESS);
  EXPECT_EQ(incompatible.floats({2}, {1, 2}).floats({3}, {1, 2, 3}).output(kBool).run().code, ANEURALNETWORKS_OP_FAILED);
  OperationCall mixed(ANEURALNETWORKS_EQUAL);
  EXPECT_EQ(mixed.floats({1}, {1}).ints({1}, {1}).output(kBool).run().code, ANEURALNETWORKS_BAD_DATA);
  OperationCall not_bool(ANEURALNETWORKS_EQUAL);
  EXPECT_EQ(not_bool.floats({1}, {1}).floats({1}, {1}).output(kFloat).run().code, ANEURALNETWORKS_BAD_DATA);
}

TEST(Logical, AndOr) {
  const std::vector<uint8_t> x{0, 1, 2}, y{0, 1};
  OperationCall both(ANEURALNETWORKS_LOGICAL_AND), either(ANEURALNETWORKS_LOGICAL_OR);
  ASSERT_TRUE(both.input(kBool, {3, 1}, x).input(kBool, {2}, y).output(kBool).run().ok());
  EXPECT_EQ(both.values<uint8_t>(), (std::vector<uint8_t>{0, 0, 0, 1, 0, 1}));
  ASSERT_TRUE(either.input(kBool, {3, 1}, x).input(kBool, {2}, y).output(kBool).run().ok());
  EXPECT_EQ(either.values<uint8_t>(), (std::vector<uint8_t>{0, 1, 1, 1, 1, 1}));
}

template <typename T>
void check_extremes(Quantised x, Quantised y, Quantised result) {
  const std::vector<T> bytes = all_bytes<T>();
  const naive::Multiplier mx = naive::multiplier_of(double{x.scale} / result.scale);
  const naive::Multiplier my = naive::multiplier_of(double{y.scale} / result.scale);
  const std::vector<T> larger = all_pairs<T>(ANEURALNETWORKS_MAXIMUM, x, y, std::is_signed_v<T> ? kInt8 : kUint8, result);
  const std::vector<T> smaller = all_pairs<T>(ANEURALNETWORKS_MINIMUM, x, y, std::is_signed_v<T> ? kInt8 : kUint8, result);
  for (size_t i = 0; i < larger.size(); ++i) {
    const int64_t a = naive::clamped<T>(naive::requantised(bytes[i / 256] - x.zero, mx) + result.zero);
    const int64_t b = naive::clamped<T>(naive::requantised(bytes[i % 256] - y.zero, my) + result.zero);
    ASSERT_EQ(larger[i], std::max(a, b));
    ASSERT_EQ(smaller[i], std::min(a, b));
  }
}

TEST(MaximumMinimum, QuantisedIsRequantisedToTheOutput) {
  check_extremes<uint8_t>({0.02f, 120}, {0.037f, 3}, {0.05f, 130});
  check_extremes<int8_t>({0.5f, -5}, {0.013f, 100}, {0.3f, -128});
  check_extremes<uint8_t>({1.0f, 128}, {1.0f, 128}, {1.0f, 128});
  check_extremes<uint8_t>({1.0f, 0}, {2.0f, 255}, {0.01f, 7});
}

TEST(MaximumMinimum, ExtremeScalesSaturate) {
  const std::vector<uint8_t> larger = all_pairs<uint8_t>(ANEURALNETWORKS_MAXIMUM, {1e30f, 128}, {1e-30f, 0}, kUint8, {1e-5f, 9});
  EXPECT_EQ(larger[0], 9);             // far below zero against zero
  EXPECT_EQ(larger[128 * 256 + 255], 9);
  EXPECT_EQ(larger[129 * 256], 255);
}

TEST(MaximumMinimum, Numbers) {
  OperationCall floats(ANEURALNETWORKS_MAXIMUM), ints(ANEURALNETWORKS_MINIMUM), halves(ANEURALNETWORKS_MINIMUM);
  ASSERT_TRUE(floats.floats({2, 2}, {1, -2, 3, 0}).floats({2}, {0, -1}).output(kFloat).run().ok());
  EXPECT_EQ(floats.values<float>(), (std::vector<float>{1, -1, 3, 0}));
  ASSERT_TRUE(ints.ints({3}, {16777217, -1, 5}).ints({3}, {16777216, 2, 5}).output(kInt).run().ok());
  EXPECT_EQ(ints.values<int32_t>(), (std::vector<int32_t>{16777216, -1, 5}));
  ASSERT_TRUE(halves.halves({2}, {1.5f, -2}).halves({1}, {0}).output(ANEURALNETWORKS_TENSOR_FLOAT16).run().ok());
  EXPECT_EQ(halves.half_values(), (std::vector<float>{0, -2}));
}

TEST(Pow, BroadcastsAsTheSpecificationShows) {
  std::vector<float> base{0, 1, 2, 3, 4, 5, -6, 0.5f}, exponent;
  for (int i = 0; i < 60; ++i) exponent.push_back(static_cast<float>(i % 4));
  OperationCall call(ANEURALNETWORKS_POW);
  ASSERT_TRUE(call.floats({4, 1, 2}, base).floats({5, 4, 3, 1}, exponent).output(kFloat).run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{5, 4, 3, 2}));
  const std::vector<float> out = call.values<float>();
  for (size_t i = 0; i < out.size(); ++i) {
    EXPECT_FLOAT_EQ(out[i], std::pow(base[i / 6 % 4 * 2 + i % 2], exponent[i / 2])) << i;
  }
  OperationCall halves(ANEURALNETWORKS_POW);
  ASSERT_TRUE(halves.halves({2}, {4, -2}).halves({2}, {0.5f, 3}).output(ANEURALNETWORKS_TENSOR_FLOAT16).run().ok());
  EXPECT_EQ(halves.half_values(), (std::vector<float>{2, -8}));
}

template <typename T>
void check_prelu(Quantised x, Quantised alpha, Quantised result) {
  const std::vector<T> bytes = all_bytes<T>();
  const float positive = x.scale / result.scale, negative = x.scale * alpha.scale / result.scale;
  const std::vector<T> out = all_pairs<T>(ANEURALNETWORKS_PRELU, x, alpha, std::is_signed_v<T> ? kInt8 : kUint8, result);
  for (size_t i = 0; i < out.size(); ++i) {
    const int64_t a = bytes[i / 256] - x.zero, slope = bytes[i % 256] - alpha.zero;
    const int64_t y = a >= 0 ? naive::requantised(a, naive::multiplier_of(double{positive}))
                             : naive::requantised(a * slope, naive::multiplier_of(double{negative}));
    ASSERT_EQ(out[i], naive::clamped<T>(y + result.zero)) << i;
  }
}

TEST(Prelu, QuantisedIsBitExactForEveryPair) {
  check_prelu<uint8_t>({0.25f, 128}, {0.5f, 50}, {0.1f, 120});
  check_prelu<int8_t>({0.0371f, 11}, {0.0129f, -78}, {0.0217f, -8});
  check_prelu<uint8_t>({1.0f, 200}, {1.0f, 0}, {0.01f, 128});  // multipliers above 1
}

TEST(Prelu, FloatsAndShapes) {
  OperationCall call(ANEURALNETWORKS_PRELU);
  ASSERT_TRUE(call.floats({2, 3}, {1, -2, 0, -4, 5, -6}).floats({3}, {10, 0.5f, -1}).output(kFloat).run().ok());
  EXPECT_EQ(call.values<float>(), (std::vector<float>{1, -1, 0, -40, 5, 6}));
  OperationCall wider(ANEURALNETWORKS_PRELU);
  ASSERT_TRUE(wider.floats({4, 1, 2}, std::vector<float>(8, -1)).floats({5, 4, 3, 1}, std::vector<float>(60, 2)).output(kFloat).run().ok());
  EXPECT_EQ(wider.dims(), (Dimensions{5, 4, 3, 2}));
  OperationCall empty(ANEURALNETWORKS_PRELU);
  EXPECT_EQ(empty.floats({0}, {}).floats({1}, {1}).output(kFloat).run().code, ANEURALNETWORKS_OP_FAILED);
}

}  // namespace
}  // namespace avocet::runtime
