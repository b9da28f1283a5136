// SPDX-License-Identifier: Apache-2.0
// Pools against a naive reference, and the operations that only move elements: RESHAPE, SQUEEZE, EXPAND_DIMS, CONCATENATION.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "operation_call.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32;

struct PoolShape {
  int height, width, depth, filter_h, filter_w, stride_h, stride_w, left, right, top, bottom, out_h, out_w;
};

PoolShape random_pool(std::mt19937& random) {
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<uint32_t>(high - low + 1)); };
  PoolShape s{};
  do {
    s = {pick(1, 8), pick(1, 8), pick(1, 20), pick(1, 4), pick(1, 4), pick(1, 3), pick(1, 3), pick(0, 2), pick(0, 2), pick(0, 2), pick(0, 2), 0, 0};
  } while (s.height + s.top + s.bottom < s.filter_h || s.width + s.left + s.right < s.filter_w);
  s.out_h = (s.height + s.top + s.bottom - s.filter_h) / s.stride_h + 1;
  s.out_w = (s.width + s.left + s.right - s.filter_w) / s.stride_w + 1;
  return s;
}

/// Values inside the window of one output.
template <typename T>
std::vector<double> window(const PoolShape& s, const std::vector<T>& x, int oy, int ox, int c) {
  std::vector<double> cells;
  for (int ky = 0; ky < s.filter_h; ++ky) {
    for (int kx = 0; kx < s.filter_w; ++kx) {
      const int y = oy * s.stride_h - s.top + ky, xx = ox * s.stride_w - s.left + kx;
      if (y < 0 || y >= s.height || xx < 0 || xx >= s.width) continue;
      cells.push_back(static_cast<double>(x[static_cast<size_t>((y * s.width + xx) * s.depth + c)]));
    }
  }
  return cells;
}

template <typename T>
void check_pool(std::mt19937& random, int32_t code) {
  constexpr bool is_float = std::is_floating_point_v<T>;
  const PoolShape s = random_pool(random);
  std::vector<T> x(static_cast<size_t>(s.height * s.width * s.depth));
  for (T& v : x) v = is_float ? static_cast<T>(static_cast<int>(random() % 200) - 100) / 8 : static_cast<T>(random());
  const int32_t type = is_float ? kFloat : std::is_signed_v<T> ? kInt8 : kUint8;
  const float scale = is_float ? 0 : 0.5f;
  const auto u = [](int v) { return static_cast<uint32_t>(v); };
  OperationCall call(code);
  call.in_pieces().input(type, {1, u(s.height), u(s.width), u(s.depth)}, x, scale, 0);
  call.int32(s.left).int32(s.right).int32(s.top).int32(s.bottom).int32(s.stride_w).int32(s.stride_h).int32(s.filter_w).int32(s.filter_h);
  call.int32(0).output(type, scale, 0);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  ASSERT_EQ(call.dims(), (Dimensions{1, u(s.out_h), u(s.out_w), u(s.depth)}));
  const std::vector<T> out = call.values<T>();
  size_t i = 0;
  for (int oy = 0; oy < s.out_h; ++oy)
    for (int ox = 0; ox < s.out_w; ++ox)
      for (int c = 0; c < s.depth; ++c, ++i) {
        const std::vector<double> cells = window(s, x, oy, ox, c);
        if (cells.empty()) continue;  // wholly in the padding: no defined value
        double expected = code == ANEURALNETWORKS_MAX_POOL_2D ? -1e9 : 0;
        for (double cell : cells) {
          if (code == ANEURALNETWORKS_MAX_POOL_2D) expected = std::max(expected, cell);
          else expected += code == ANEURALNETWORKS_L2_POOL_2D ? cell * cell : cell;
        }
        const double n = static_cast<double>(cells.size());
        if (code == ANEURALNETWORKS_AVERAGE_POOL_2D) {
          // Integers: half of n (rounded down) is added away from zero, then the quotient is cut off.
          const double half = std::floor(n / 2);
          expected = is_float ? expected / n : std::trunc((expected + (expected >= 0 ? half : -half)) / n);
        }
        if (code == ANEURALNETWORKS_L2_POOL_2D) expected = std::sqrt(expected / n);
        ASSERT_NEAR(static_cast<double>(out[i]), expected, is_float ? 1e-5 : 0.0);
      }
}

TEST(Pool, AgreesWithTheDefinition) {
  std::mt19937 random(20);
  for (int round = 0; round < 60; ++round) {
    for (int32_t code : {ANEURALNETWORKS_AVERAGE_POOL_2D, ANEURALNETWORKS_MAX_POOL_2D}) {
      ASSERT_NO_FATAL_FAILURE(check_pool<uint8_t>(random, code));
      ASSERT_NO_FATAL_FAILURE(check_pool<int8_t>(random, code));
      ASSERT_NO_FATAL_FAILURE(check_pool<float>(random, code));
    }
    ASSERT_NO_FATAL_FAILURE(check_pool<float>(random, ANEURALNETWORKS_L2_POOL_2D));
  }
}

TEST(Pool, WindowOutsideTheImageIsHarmless) {
  for (int32_t code : {ANEURALNETWORKS_AVERAGE_POOL_2D, ANEURALNETWORKS_MAX_POOL_2D}) {
    OperationCall call(code);
    call.input<uint8_t>(kUint8, {1, 1, 1, 1}, {9}, 1.0f, 3).int32(2).int32(0).int32(0).int32(0).int32(1).int32(1).int32(1).int32(1);
    call.int32(0).output(kUint8, 1.0f, 3);
    ASSERT_TRUE(call.run().ok());
    EXPECT_EQ(call.values<uint8_t>()[2], 9);
  }
}

TEST(Pool, OnlyBatchesMayBeEmpty) {
  const auto run = [](int32_t code, Dimensions dims, Dimensions* out) {
    OperationCall call(code);
    call.floats(dims, std::vector<float>(extent_product(dims, 0, 4))).int32(ANEURALNETWORKS_PADDING_VALID).int32(1).int32(1);
    call.int32(2).int32(2).int32(0).output(kFloat);
    const Status status = call.run();
    *out = call.dims();
    return status.code;
  };
  for (int32_t code : {ANEURALNETWORKS_AVERAGE_POOL_2D, ANEURALNETWORKS_MAX_POOL_2D, ANEURALNETWORKS_L2_POOL_2D}) {
    Dimensions out;
    EXPECT_EQ(run(code, {0, 3, 4, 2}, &out), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(out, (Dimensions{0, 2, 3, 2}));
    EXPECT_EQ(run(code, {1, 0, 4, 2}, &out), ANEURALNETWORKS_OP_FAILED);
    EXPECT_EQ(run(code, {1, 3, 4, 0}, &out), ANEURALNETWORKS_OP_FAILED);
  }
}

TEST(Pool, HugeFiltersAndPaddingsStayInBounds) {
  constexpr int32_t kHuge = 1 << 30;
  OperationCall call(ANEURALNETWORKS_AVERAGE_POOL_2D);
  call.floats({1, 1, 3, 1}, {1, 2, 6}).int32(kHuge).int32(kHuge - 5).int32(0).int32(0).int32(1).int32(1).int32(2147483645).int32(1);
  call.int32(0).output(kFloat);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.values<float>(), (std::vector<float>{3, 3}));
  OperationCall same(ANEURALNETWORKS_MAX_POOL_2D);
  same.floats({1, 1, 3, 1}, {1, 2, 6}).int32(ANEURALNETWORKS_PADDING_SAME).int32(2147483647).int32(1).int32(2147483647).int32(1);
  same.int32(0).output(kFloat);
  ASSERT_TRUE(same.run().ok());
  EXPECT_EQ(same.values<float>(), std::vector<float>{6});
}

TEST(Pool, ImplicitSameInNchw) {
  OperationCall call(ANEURALNETWORKS_AVERAGE_POOL_2D);
  call.halves({1, 2, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 10, 0, 0, 0, 0});
  call.int32(ANEURALNETWORKS_PADDING_SAME).int32(2).int32(2).int32(2).int32(2).int32(0).boolean(true);
  call.output(ANEURALNETWORKS_TENSOR_FLOAT16);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{1, 2, 2, 2}));
  EXPECT_EQ(call.half_values(), (std::vector<float>{3, 4.5f, 7.5f, 9, 2.5f, 0, 0, 0}));
}

TEST(Reshape, FillsInTheMissingExtent) {
  OperationCall call(ANEURALNETWORKS_RESHAPE);
  call.input<uint8_t>(kUint8, {2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 1, 0).ints({2}, {4, -1}).output(kUint8, 1, 0);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{4, 3}));
  EXPECT_EQ(call.values<uint8_t>().back(), 12);
}

TEST(Reshape, ImpossibleShapesAreRefused) {
  const auto reshape = [](std::vector<int32_t> shape, Dimensions declared = {}) {
    OperationCall call(ANEURALNETWORKS_RESHAPE);
    call.floats({2, 3}, {1, 2, 3, 4, 5, 6}).ints({static_cast<uint32_t>(shape.size())}, shape).output(kFloat, 0, 0, declared);
    return call.run().code;
  };
  EXPECT_EQ(reshape({3, 2}), 0);
  EXPECT_EQ(reshape({3, 2}, {3, 2}), 0);
  EXPECT_EQ(reshape({3, 2}, {2, 3}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(reshape({4, 2}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(reshape({-1, 4}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(reshape({-1, -1}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(reshape({-2, 3}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(reshape({65536, 65536}), ANEURALNETWORKS_OP_FAILED);
}

TEST(Squeeze, DropsTheGivenOrAllOnes) {
  const auto squeeze = [](Dimensions dims, std::vector<int32_t> axes, bool all) {
    OperationCall call(ANEURALNETWORKS_SQUEEZE);
    call.floats(dims, std::vector<float>(extent_product(dims, 0, dims.size())));
    all ? call.omitted(ANEURALNETWORKS_TENSOR_INT32) : call.ints({static_cast<uint32_t>(axes.size())}, axes);
    call.output(kFloat);
    return call.run().ok() ? call.dims() : Dimensions{0};
  };
  EXPECT_EQ(squeeze({1, 2, 1, 3}, {}, true), (Dimensions{2, 3}));
  EXPECT_EQ(squeeze({1, 2, 1, 3}, {0}, false), (Dimensions{2, 1, 3}));
  EXPECT_EQ(squeeze({1, 1}, {0, 1}, false), (Dimensions{1}));
  EXPECT_EQ(squeeze({1, 2}, {1}, false), (Dimensions{0}));  // not 1: refused
  EXPECT_EQ(squeeze({1, 2}, {7}, false), (Dimensions{0}));
}

TEST(ExpandDims, CountsNegativeAxesFromTheEnd) {
  for (const auto& [axis, dims] : std::vector<std::pair<int32_t, Dimensions>>{{0, {1, 2, 3}}, {-1, {2, 3, 1}}, {1, {2, 1, 3}}, {-3, {1, 2, 3}}}) {
    OperationCall call(ANEURALNETWORKS_EXPAND_DIMS);
    call.ints({2, 3}, {1, 2, 3, 4, 5, 6}).int32(axis).output(ANEURALNETWORKS_TENSOR_INT32);
    ASSERT_TRUE(call.run().ok());
    EXPECT_EQ(call.dims(), dims);
  }
  OperationCall outside(ANEURALNETWORKS_EXPAND_DIMS);
  outside.ints({2}, {1, 2}).int32(3).output(ANEURALNETWORKS_TENSOR_INT32);
  EXPECT_EQ(outside.run().code, ANEURALNETWORKS_OP_FAILED);
}

TEST(Concatenation, JoinsAlongTheMiddle) {
  OperationCall call(ANEURALNETWORKS_CONCATENATION);
  call.floats({2, 1, 2}, {1, 2, 3, 4}).floats({2, 0, 2}, {}).floats({2, 2, 2}, {5, 6, 7, 8, 9, 10, 11, 12}).int32(-2).output(kFloat);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{2, 3, 2}));
  EXPECT_EQ(call.values<float>(), (std::vector<float>{1, 2, 5, 6, 7, 8, 3, 4, 9, 10, 11, 12}));
}

TEST(Concatenation, RescalesOtherScales) {
  OperationCall call(ANEURALNETWORKS_CONCATENATION);
  call.input<uint8_t>(kUint8, {3}, {0, 100, 255}, 0.5f, 100).input<uint8_t>(kUint8, {2}, {1, 2}, 1.0f, 50).int32(0).output(kUint8, 1.0f, 50);
  ASSERT_TRUE(call.run().ok());
  // (q - 100) / 2 + 50 with halves away from zero; the second input is copied.
  EXPECT_EQ(call.values<uint8_t>(), (std::vector<uint8_t>{0, 50, 128, 1, 2}));
  OperationCall uneven(ANEURALNETWORKS_CONCATENATION);
  uneven.floats({1, 2}, {1, 2}).floats({1, 3}, {1, 2, 3}).int32(0).output(kFloat);
  EXPECT_EQ(uneven.run().code, ANEURALNETWORKS_OP_FAILED);
}

TEST(Seam, OperationsWithoutAKernelSaySo) {
  for (const Operation& operation : all_operations()) {
    if (!operation.execute) continue;  // IF and WHILE
    OperationContext nothing;
    std::vector<OperandView> outputs(1);
    nothing.outputs = outputs;
    const Status status = operation.infer(nothing);
    EXPECT_FALSE(status.ok()) << operation.name;  // no inputs at all: a sentence in every case, and no crash
    EXPECT_FALSE(status.message.empty()) << operation.name;
  }
}

}  // namespace
}  // namespace avocet::runtime
