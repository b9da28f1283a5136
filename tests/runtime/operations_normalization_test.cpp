// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION, LOCAL_RESPONSE_NORMALIZATION, INSTANCE_NORMALIZATION and LOG_SOFTMAX against float64 along every axis;
// quantised L2_NORMALIZATION also against numbers computed with gemmlowp's fixed point types.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "operation_call.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32, kHalf = ANEURALNETWORKS_TENSOR_FLOAT16;

std::vector<float> random_floats(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> x(count);
  for (float& v : x) v = static_cast<float>(random() % 2001) / 500 - 2;
  return x;
}

/// Calls body(elements of one slice, in order) for each slice of `dims` along the axis.
template <typename Body>
void for_slices(const Dimensions& dims, size_t axis, const Body& body) {
  size_t step = 1, total = 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    total *= dims[d];
    if (d > axis) step *= dims[d];
  }
  for (size_t i = 0; i < total; ++i) {
    if (i / step % dims[axis] != 0) continue;
    std::vector<size_t> slice;
    for (size_t k = 0; k < dims[axis]; ++k) slice.push_back(i + k * step);
    body(slice);
  }
}

const Dimensions kShapes[] = {{6}, {3, 4}, {2, 3, 4}, {2, 3, 5, 4}};

TEST(L2Normalization, FloatsAlongEveryAxis) {
  for (const Dimensions& dims : kShapes) {
    const int32_t rank = static_cast<int32_t>(dims.size());
    for (int32_t axis = -rank; axis <= rank; ++axis) {  // rank stands for an absent axis
      SCOPED_TRACE(dims_text(dims) + " axis " + std::to_string(axis));
      const std::vector<float> x = random_floats(static_cast<size_t>(*element_count(dims)), 1);
      OperationCall call(ANEURALNETWORKS_L2_NORMALIZATION);
      call.in_pieces().floats(dims, x);
      if (axis < rank) call.int32(axis);
      ASSERT_TRUE(call.output(kFloat).run().ok());
      ASSERT_EQ(call.dims(), dims);
      const std::vector<float> out = call.values<float>();
      for_slices(dims, static_cast<size_t>(axis < 0 ? axis + rank : axis == rank ? rank - 1 : axis), [&](const auto& slice) {
        double sum = 0;
        for (size_t i : slice) sum += double{x[i]} * x[i];
        for (size_t i : slice) ASSERT_NEAR(out[i], x[i] / std::sqrt(sum), 1e-6);
      });
    }
  }
}

TEST(L2Normalization, FloatsOfAnySizeAndZeros) {
  OperationCall call(ANEURALNETWORKS_L2_NORMALIZATION);
  ASSERT_TRUE(call.floats({4, 2}, {0, 0, 3e30f, 4e30f, -3e-30f, 4e-30f, 0, -5}).output(kFloat).run().ok());
  const float expected[] = {0, 0, 0.6f, 0.8f, -0.6f, 0.8f, 0, -1};
  for (size_t i = 0; i < 8; ++i) EXPECT_FLOAT_EQ(call.values<float>()[i], expected[i]) << i;
  OperationCall halves(ANEURALNETWORKS_L2_NORMALIZATION);
  ASSERT_TRUE(halves.halves({2}, {300, 400}).output(kHalf).run().ok());  // squares are beyond float16
  EXPECT_NEAR(halves.half_values()[1], 0.8, 1e-3);
}

template <typename T>
std::vector<int> quantised_l2(std::vector<T> x, int zero_point) {
  const int32_t type = std::is_signed_v<T> ? kInt8 : kUint8;
  OperationCall call(ANEURALNETWORKS_L2_NORMALIZATION);
  call.input(type, {1, static_cast<uint32_t>(x.size())}, x, 0.1f, zero_point).output(type, 1.0f / 128, std::is_signed_v<T> ? 0 : 128);
  EXPECT_TRUE(call.run().ok());
  const std::vector<T> out = call.values<T>();
  return {out.begin(), out.end()};
}

TEST(L2Normalization, QuantisedIsBitExact) {
  EXPECT_EQ(quantised_l2<uint8_t>({0, 17, 100, 128, 200, 255}, 128), (std::vector<int>{55, 65, 112, 128, 169, 200}));
  EXPECT_EQ(quantised_l2<uint8_t>({3, 4}, 0), (std::vector<int>{205, 230}));
  EXPECT_EQ(quantised_l2<uint8_t>({9, 9, 9, 10}, 9), (std::vector<int>{128, 128, 128, 255}));
  EXPECT_EQ(quantised_l2<int8_t>({-128, -1, 0, 5, 64, 127}, 3), (std::vector<int>{-88, -3, -2, 1, 41, 83}));
  EXPECT_EQ(quantised_l2<int8_t>({3, -4}, 0), (std::vector<int>{77, -102}));
  EXPECT_EQ(quantised_l2<int8_t>({9, 9, 9, 8}, 9), (std::vector<int>{0, 0, 0, -128}));
  EXPECT_EQ(quantised_l2<uint8_t>({7, 7}, 7), (std::vector<int>{128, 128}));
}

TEST(L2Normalization, QuantisedIsWithinOneStepHoweverLong) {
  std::mt19937 random(5);
  for (size_t length : {1u, 2u, 7u, 100u, 40000u, 200000u}) {  // the last sums of squares need more than 32 bits
    std::vector<uint8_t> x(length);
    for (uint8_t& v : x) v = length > 1000 ? static_cast<uint8_t>(random() % 2 * 255) : static_cast<uint8_t>(random());
    double sum = 0;
    for (uint8_t v : x) sum += v * v;
    const std::vector<int> out = quantised_l2(x, 0);
    for (size_t i = 0; i < length; ++i) {
      ASSERT_NEAR(out[i], std::min(255.0, 128 + std::round(128 * x[i] / std::max(std::sqrt(sum), 1.0))), 1) << length;
    }
  }
}

TEST(L2Normalization, Refusals) {
  OperationCall axis(ANEURALNETWORKS_L2_NORMALIZATION), scale(ANEURALNETWORKS_L2_NORMALIZATION), rank(ANEURALNETWORKS_L2_NORMALIZATION);
  EXPECT_EQ(axis.floats({2}, {1, 2}).int32(1).output(kFloat).run().code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(scale.input<uint8_t>(kUint8, {1}, {1}, 1, 0).output(kUint8, 1.0f / 256, 0).run().code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(rank.floats({1, 1, 1, 1, 1}, {1}).output(kFloat).run().code, ANEURALNETWORKS_BAD_DATA);
}

TEST(LocalResponseNormalization, EveryRadiusAlongEveryAxis) {
  for (const Dimensions& dims : kShapes) {
    const int32_t rank = static_cast<int32_t>(dims.size());
    for (int32_t axis = -rank; axis < rank; ++axis) {
      for (int32_t radius : {0, 1, 2, 3, 5, 20, std::numeric_limits<int32_t>::max()}) {
        SCOPED_TRACE(dims_text(dims) + " axis " + std::to_string(axis) + " radius " + std::to_string(radius));
        const std::vector<float> x = random_floats(static_cast<size_t>(*element_count(dims)), 2);
        OperationCall call(ANEURALNETWORKS_LOCAL_RESPONSE_NORMALIZATION);
        call.in_pieces().floats(dims, x).int32(radius).float32(1.5f).float32(0.7f).float32(0.75f).int32(axis).output(kFloat);
        ASSERT_TRUE(call.run().ok());
        const std::vector<float> out = call.values<float>();
        for_slices(dims, static_cast<size_t>(axis < 0 ? axis + rank : axis), [&](const auto& slice) {
          for (size_t i = 0; i < slice.size(); ++i) {
            double sum = 0;
            for (size_t k = 0; k < slice.size(); ++k) {
              if (std::abs(static_cast<int64_t>(k) - static_cast<int64_t>(i)) <= radius) sum += double{x[slice[k]]} * x[slice[k]];
            }
            ASSERT_NEAR(out[slice[i]], x[slice[i]] / std::pow(1.5 + double{0.7f} * sum, 0.75), 1e-6) << i;
          }
        });
      }
    }
  }
}

TEST(LocalResponseNormalization, LongSlicesAndLargeNeighbours) {
  std::vector<float> x(500, 1);
  x[0] = 1e18f;
  OperationCall call(ANEURALNETWORKS_LOCAL_RESPONSE_NORMALIZATION);
  call.floats({500}, x).int32(2).float32(0).float32(1).float32(0.5f).output(kFloat);
  ASSERT_TRUE(call.run().ok());
  EXPECT_FLOAT_EQ(call.values<float>()[0], 1);
  EXPECT_FLOAT_EQ(call.values<float>()[2], 1e-18f);
  for (size_t i = 3; i < 498; ++i) ASSERT_FLOAT_EQ(call.values<float>()[i], 1 / std::sqrt(5.0f)) << i;
  OperationCall halves(ANEURALNETWORKS_LOCAL_RESPONSE_NORMALIZATION);
  halves.halves({1, 2}, {3, 4}).int32(1);
  for (float value : {0.0f, 1.0f, 0.5f}) {
    halves.input<_Float16>(ANEURALNETWORKS_FLOAT16, {}, {static_cast<_Float16>(value)}, 0, 0, true);
  }
  ASSERT_TRUE(halves.output(kHalf).run().ok());
  EXPECT_NEAR(halves.half_values()[0], 0.6, 1e-3);
}

TEST(LocalResponseNormalization, Refusals) {
  const auto code_of = [](int32_t radius, int32_t axis) {
    OperationCall call(ANEURALNETWORKS_LOCAL_RESPONSE_NORMALIZATION);
    return call.floats({2}, {1, 2}).int32(radius).float32(1).float32(1).float32(1).int32(axis).output(kFloat).run().code;
  };
  EXPECT_EQ(code_of(0, 0), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(code_of(-1, 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(code_of(0, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of(0, -2), ANEURALNETWORKS_OP_FAILED);
}

TEST(InstanceNormalization, BothLayouts) {
  const uint32_t n = 2, h = 3, w = 4, c = 70;
  const std::vector<float> x = random_floats(n * h * w * c, 3);
  const auto nhwc = [&](size_t b, size_t p, size_t ch) { return (b * h * w + p) * c + ch; };
  const auto nchw = [&](size_t b, size_t p, size_t ch) { return (b * c + ch) * h * w + p; };
  for (bool channels_first : {false, true}) {
    OperationCall call(ANEURALNETWORKS_INSTANCE_NORMALIZATION);
    call.in_pieces().floats(channels_first ? Dimensions{n, c, h, w} : Dimensions{n, h, w, c}, x);
    call.float32(2).float32(-1).float32(0.01f).boolean(channels_first).output(kFloat);
    ASSERT_TRUE(call.run().ok());
    const std::vector<float> out = call.values<float>();
    for (size_t b = 0; b < n; ++b) {
      for (size_t ch = 0; ch < c; ++ch) {
        const auto at = [&](size_t p) { return channels_first ? nchw(b, p, ch) : nhwc(b, p, ch); };
        double mean = 0, variance = 0;
        for (size_t p = 0; p < h * w; ++p) mean += x[at(p)] / double{h * w};
        for (size_t p = 0; p < h * w; ++p) variance += (x[at(p)] - mean) * (x[at(p)] - mean) / double{h * w};
        for (size_t p = 0; p < h * w; ++p) {
          ASSERT_NEAR(out[at(p)], 2 * (x[at(p)] - mean) / std::sqrt(variance + double{0.01f}) - 1, 2e-6);
        }
      }
    }
  }
}

TEST(InstanceNormalization, HalvesAndFlatChannels) {
  OperationCall call(ANEURALNETWORKS_INSTANCE_NORMALIZATION);
  call.halves({1, 1, 2, 2}, {1, 5, 3, 5});  // the second channel is flat
  for (float value : {1.0f, 0.5f, 0.0001f}) {
    call.input<_Float16>(ANEURALNETWORKS_FLOAT16, {}, {static_cast<_Float16>(value)}, 0, 0, true);
  }
  ASSERT_TRUE(call.boolean(false).output(kHalf).run().ok());
  const float expected[] = {-0.5f, 0.5f, 1.5f, 0.5f};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(call.half_values()[i], expected[i], 2e-3) << i;
}

TEST(LogSoftmax, AlongEveryAxis) {
  const Dimensions dims{2, 3, 1, 4, 2};
  const std::vector<float> x = random_floats(48, 4);
  for (int32_t axis = -5; axis < 5; ++axis) {
    OperationCall call(ANEURALNETWORKS_LOG_SOFTMAX);
    ASSERT_TRUE(call.in_pieces().floats(dims, x).float32(1.5f).int32(axis).output(kFloat).run().ok());
    const std::vector<float> out = call.values<float>();
    for_slices(dims, static_cast<size_t>(axis < 0 ? axis + 5 : axis), [&](const auto& slice) {
      double sum = 0;
      for (size_t i : slice) sum += std::exp(1.5 * x[i]);
      for (size_t i : slice) ASSERT_NEAR(out[i], 1.5 * x[i] - std::log(sum), 2e-6);
    });
  }
}

TEST(LogSoftmax, LargeLogitsHalvesAndRefusals) {
  OperationCall call(ANEURALNETWORKS_LOG_SOFTMAX);
  ASSERT_TRUE(call.floats({3}, {10000, 10000, -10000}).float32(1).int32(0).output(kFloat).run().ok());
  EXPECT_NEAR(call.values<float>()[0], -std::log(2.0), 1e-6);
  EXPECT_FLOAT_EQ(call.values<float>()[2], -20000.693f);
  OperationCall halves(ANEURALNETWORKS_LOG_SOFTMAX);
  halves.halves({2}, {1, 1}).input<_Float16>(ANEURALNETWORKS_FLOAT16, {}, {1}, 0, 0, true).int32(-1).output(kHalf);
  ASSERT_TRUE(halves.run().ok());
  EXPECT_NEAR(halves.half_values()[0], -std::log(2.0), 1e-3);
  OperationCall axis(ANEURALNETWORKS_LOG_SOFTMAX), beta(ANEURALNETWORKS_LOG_SOFTMAX);
  EXPECT_EQ(axis.floats({2}, {1, 2}).float32(1).int32(1).output(kFloat).run().code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(beta.floats({2}, {1, 2}).float32(0).int32(0).output(kFloat).run().code, ANEURALNETWORKS_BAD_DATA);
}

}  // namespace
}  // namespace avocet::runtime
