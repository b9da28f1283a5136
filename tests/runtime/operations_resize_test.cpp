// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR: positions of pixels in all modes, layouts, types, sizes by number and by factor.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "operation_call.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32;
constexpr int32_t kBilinear = ANEURALNETWORKS_RESIZE_BILINEAR, kNearest = ANEURALNETWORKS_RESIZE_NEAREST_NEIGHBOR;

struct Mode {
  bool align_corners = false, half_pixel_centers = false;
};
constexpr Mode kPlain{}, kCorners{true, false}, kHalfPixel{false, true};

/// A line of floats to `width` pixels.
std::vector<float> resized(int32_t code, const std::vector<float>& line, int32_t width, Mode mode) {
  OperationCall call(code);
  call.floats({1, 1, static_cast<uint32_t>(line.size()), 1}, line).int32(width).int32(1).boolean(false);
  call.boolean(mode.align_corners).boolean(mode.half_pixel_centers).output(kFloat);
  const Status status = call.run();
  EXPECT_TRUE(status.ok()) << status.message;
  return call.values<float>();
}

TEST(ResizeNearest, PositionsByHand) {
  const std::vector<float> line{0, 1, 2};
  EXPECT_EQ(resized(kNearest, line, 6, kPlain), (std::vector<float>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(resized(kNearest, line, 2, kPlain), (std::vector<float>{0, 1}));       // floor(1.5)
  EXPECT_EQ(resized(kNearest, line, 2, kHalfPixel), (std::vector<float>{0, 2}));   // floor(0.75), floor(2.25)
  EXPECT_EQ(resized(kNearest, line, 5, kCorners), (std::vector<float>{0, 1, 1, 2, 2}));  // round(0.5) is away from zero
  EXPECT_EQ(resized(kNearest, line, 1, kCorners), (std::vector<float>{0}));
  EXPECT_EQ(resized(kNearest, {0, 1, 2, 3}, 1, kHalfPixel), (std::vector<float>{2}));
}

TEST(ResizeBilinear, PositionsByHand) {
  const std::vector<float> line{0, 4, 8};
  EXPECT_EQ(resized(kBilinear, line, 6, kPlain), (std::vector<float>{0, 2, 4, 6, 8, 8}));
  EXPECT_EQ(resized(kBilinear, line, 5, kCorners), (std::vector<float>{0, 2, 4, 6, 8}));
  EXPECT_EQ(resized(kBilinear, line, 6, kHalfPixel), (std::vector<float>{0, 1, 3, 5, 7, 8}));
  EXPECT_EQ(resized(kBilinear, line, 1, kCorners), (std::vector<float>{0}));
  EXPECT_EQ(resized(kBilinear, line, 1, kHalfPixel), (std::vector<float>{4}));
}

/// Both operations against double arithmetic on images with several channels and batches, in both layouts.
template <typename T>
void check_against_reference(std::mt19937& random, int32_t type, int32_t code, Mode mode, double tolerance) {
  const auto pick = [&](int high) { return 1 + static_cast<int>(random() % static_cast<uint32_t>(high)); };
  const int n = pick(2), h = pick(9), w = pick(9), c = pick(5), oh = pick(12), ow = pick(12);
  const bool nchw = random() % 2;
  const auto at = [&](int b, int y, int x, int k, int height, int width) {
    return static_cast<size_t>(nchw ? ((b * c + k) * height + y) * width + x : ((b * height + y) * width + x) * c + k);
  };
  std::vector<T> image(static_cast<size_t>(n * h * w * c));
  for (T& v : image) v = static_cast<T>(static_cast<int>(random() % 256) + (std::is_same_v<T, uint8_t> ? 0 : -128));
  const auto dims = [&](int height, int width) {
    const auto u = [](int v) { return static_cast<uint32_t>(v); };
    return nchw ? Dimensions{u(n), u(c), u(height), u(width)} : Dimensions{u(n), u(height), u(width), u(c)};
  };
  OperationCall call(code);
  call.in_pieces().input(type, dims(h, w), image, type == kFloat ? 0 : 0.5f, 0).int32(ow).int32(oh).boolean(nchw);
  call.boolean(mode.align_corners).boolean(mode.half_pixel_centers).output(type, type == kFloat ? 0 : 0.5f, 0);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  ASSERT_EQ(call.dims(), dims(oh, ow));
  const auto position = [&](int index, int in, int out) {
    const double scale = mode.align_corners && out > 1 ? (in - 1.0) / (out - 1.0) : static_cast<double>(in) / out;
    if (code == kNearest) return mode.half_pixel_centers ? (index + 0.5) * scale : index * scale;
    return std::clamp(mode.half_pixel_centers ? (index + 0.5) * scale - 0.5 : index * scale, 0.0, in - 1.0);
  };
  const std::vector<T> actual = call.values<T>();
  for (int b = 0; b < n; ++b)
    for (int y = 0; y < oh; ++y)
      for (int x = 0; x < ow; ++x)
        for (int k = 0; k < c; ++k) {
          const double py = position(y, h, oh), px = position(x, w, ow);
          double expected = 0;
          if (code == kNearest) {
            const auto whole = [&](double p, int in) { return std::min(in - 1, static_cast<int>(mode.align_corners ? std::round(p + 1e-7) : std::floor(p + 1e-7))); };
            expected = image[at(b, whole(py, h), whole(px, w), k, h, w)];
          } else {
            const int y0 = static_cast<int>(py), x0 = static_cast<int>(px), y1 = std::min(y0 + 1, h - 1), x1 = std::min(x0 + 1, w - 1);
            const double fy = py - y0, fx = px - x0;
            expected = (image[at(b, y0, x0, k, h, w)] * (1 - fx) + image[at(b, y0, x1, k, h, w)] * fx) * (1 - fy) +
                       (image[at(b, y1, x0, k, h, w)] * (1 - fx) + image[at(b, y1, x1, k, h, w)] * fx) * fy;
          }
          ASSERT_NEAR(static_cast<double>(actual[at(b, y, x, k, oh, ow)]), expected, tolerance) << y << " " << x;
        }
}

TEST(Resize, RandomImagesInAllModes) {
  std::mt19937 random(30);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    for (Mode mode : {kPlain, kCorners, kHalfPixel}) {
      ASSERT_NO_FATAL_FAILURE(check_against_reference<float>(random, kFloat, kBilinear, mode, 1e-3));
      ASSERT_NO_FATAL_FAILURE(check_against_reference<uint8_t>(random, kUint8, kBilinear, mode, 0.501));
      ASSERT_NO_FATAL_FAILURE(check_against_reference<int8_t>(random, kInt8, kBilinear, mode, 3.0));  // steps have ten fraction bits
      ASSERT_NO_FATAL_FAILURE(check_against_reference<float>(random, kFloat, kNearest, mode, 0));
      ASSERT_NO_FATAL_FAILURE(check_against_reference<uint8_t>(random, kUint8, kNearest, mode, 0));
      ASSERT_NO_FATAL_FAILURE(check_against_reference<int8_t>(random, kInt8, kNearest, mode, 0));
    }
  }
}

TEST(ResizeBilinear, Int8HasTenFractionBits) {
  // 2 to 3 pixels: the step is round(1024 * 2 / 3) = 683. -128 + 255 * 683 / 1024 = 42.08; at 1366 the last pixel is reached.
  OperationCall call(kBilinear);
  call.input<int8_t>(kInt8, {1, 1, 2, 1}, {-128, 127}, 0.5f, 0).int32(3).int32(1).output(kInt8, 0.5f, 0);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<int8_t>(), (std::vector<int8_t>{-128, 42, 127}));
}

TEST(ResizeBilinear, Int8StepsThatLeadBeyondTheImageStayInIt) {
  // 2 to 1365 pixels: the step 1.5 becomes 2, so that the last positions are beyond the second pixel.
  OperationCall call(kBilinear);
  call.input<int8_t>(kInt8, {1, 1, 2, 1}, {-100, 100}, 0.5f, 0).int32(1365).int32(1).output(kInt8, 0.5f, 0);
  ASSERT_TRUE(call.run().ok());
  const std::vector<int8_t> out = call.values<int8_t>();
  EXPECT_EQ(out.front(), -100);
  EXPECT_EQ(out.back(), 100);
  for (size_t i = 1; i < out.size(); ++i) ASSERT_GE(out[i], out[i - 1]) << i;
}

Dimensions by_scale(float width_scale, float height_scale, Status* status) {
  OperationCall call(kBilinear);
  call.floats({2, 4, 5, 1}, std::vector<float>(40)).float32(width_scale).float32(height_scale).output(kFloat);
  *status = call.run();
  return call.dims();
}

TEST(Resize, SizesByFactorAreRoundedDown) {
  Status status;
  EXPECT_EQ(by_scale(1.5f, 0.99f, &status), (Dimensions{2, 3, 7, 1}));
  EXPECT_TRUE(status.ok()) << status.message;
  for (float bad : {0.1f, 1e9f, 1e38f, std::numeric_limits<float>::infinity()}) {
    by_scale(bad, 1.0f, &status);
    EXPECT_EQ(status.code, ANEURALNETWORKS_OP_FAILED) << bad;
  }
  for (float bad : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()}) {
    by_scale(1.0f, bad, &status);
    EXPECT_EQ(status.code, ANEURALNETWORKS_BAD_DATA) << bad;
  }
}

TEST(Resize, HalfFactorsAndHalfPixels) {
  for (int32_t code : {kBilinear, kNearest}) {
    OperationCall call(code);
    call.halves({1, 1, 2, 1}, {1, 3});
    call.input<_Float16>(ANEURALNETWORKS_FLOAT16, {}, {static_cast<_Float16>(2.0f)}).input<_Float16>(ANEURALNETWORKS_FLOAT16, {}, {static_cast<_Float16>(1.0f)});
    call.boolean(false).output(ANEURALNETWORKS_TENSOR_FLOAT16);
    const Status status = call.run();
    ASSERT_TRUE(status.ok()) << status.message;
    EXPECT_EQ(call.half_values(), code == kBilinear ? (std::vector<float>{1, 2, 3, 3}) : (std::vector<float>{1, 1, 3, 3}));
  }
}

TEST(Resize, EmptyBatchesAndImpossibleImages) {
  const auto run = [](int32_t code, Dimensions dims, bool corners, bool half_pixel, Dimensions* out) {
    OperationCall call(code);
    call.floats(dims, std::vector<float>(extent_product(dims, 0, 4))).int32(3).int32(2).boolean(false);
    call.boolean(corners).boolean(half_pixel).output(kFloat);
    const Status status = call.run();
    *out = call.dims();
    return status.code;
  };
  for (int32_t code : {kBilinear, kNearest}) {
    Dimensions out;
    EXPECT_EQ(run(code, {0, 4, 4, 3}, false, false, &out), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(out, (Dimensions{0, 2, 3, 3}));
    EXPECT_EQ(run(code, {1, 0, 4, 3}, false, false, &out), ANEURALNETWORKS_OP_FAILED);
    EXPECT_EQ(run(code, {1, 4, 4, 0}, false, false, &out), ANEURALNETWORKS_OP_FAILED);
    EXPECT_EQ(run(code, {1, 4, 4, 3}, true, true, &out), ANEURALNETWORKS_OP_FAILED);
  }
}

}  // namespace
}  // namespace avocet::runtime
