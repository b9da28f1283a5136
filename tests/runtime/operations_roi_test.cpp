// SPDX-License-Identifier: Apache-2.0
// ROI_ALIGN against point by point interpolation, ROI_POOLING by hand, and regions that must be refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "operation_call.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32, kQuant16 = ANEURALNETWORKS_TENSOR_QUANT16_ASYMM;

/// A feature map of [batches, height, width, depth] and regions on it, in numbers that all types can hold.
struct Scene {
  uint32_t batches = 1, height = 1, width = 1, depth = 1;
  std::vector<float> map;  // NHWC
  std::vector<float> rois;
  std::vector<int32_t> images;
  int32_t out_h = 1, out_w = 1, samples_h = 0, samples_w = 0;
  float ratio_h = 1, ratio_w = 1;
  bool nchw = false;

  float at(size_t n, size_t y, size_t x, size_t c) const { return map[((n * height + y) * width + x) * depth + c]; }
  Dimensions dims(uint32_t n, uint32_t h, uint32_t w) const { return nchw ? Dimensions{n, depth, h, w} : Dimensions{n, h, w, depth}; }
};

template <typename T>
std::vector<T> in_layout(const std::vector<T>& nhwc, size_t n, size_t h, size_t w, size_t c, bool nchw) {
  if (!nchw) return nhwc;
  std::vector<T> out(nhwc.size());
  for (size_t i = 0; i < nhwc.size(); ++i) {
    const size_t k = i % c, x = i / c % w, y = i / c / w % h, b = i / c / w / h;
    out[((b * c + k) * h + y) * w + x] = nhwc[i];
  }
  (void)n;
  return out;
}

OperationCall make_call(const Scene& s, int32_t code, int32_t type, float out_scale = 0.5f, int32_t zero_point = 3) {
  OperationCall call(code);
  call.in_pieces();
  const Dimensions dims = s.dims(s.batches, s.height, s.width);
  const std::vector<float> map = in_layout(s.map, s.batches, s.height, s.width, s.depth, s.nchw);
  const uint32_t count = static_cast<uint32_t>(s.images.size());
  const auto stored = [&](auto zero) {
    std::vector<decltype(zero)> values;
    for (float v : map) values.push_back(static_cast<decltype(zero)>(std::lround(v / 0.5f) + zero_point));
    return values;
  };
  if (type == kFloat) call.floats(dims, map).floats({count, 4}, s.rois);
  else if (type == ANEURALNETWORKS_TENSOR_FLOAT16) call.halves(dims, map).halves({count, 4}, s.rois);
  else {
    if (type == kUint8) call.input(type, dims, stored(uint8_t{}), 0.5f, zero_point);
    else call.input(type, dims, stored(int8_t{}), 0.5f, zero_point);
    std::vector<uint16_t> corners;
    for (float v : s.rois) corners.push_back(static_cast<uint16_t>(v * 8));
    call.input(kQuant16, {count, 4}, corners, 0.125f, 0);
  }
  call.ints({count}, s.images).int32(s.out_h).int32(s.out_w);
  for (float ratio : {s.ratio_h, s.ratio_w}) {
    if (type == ANEURALNETWORKS_TENSOR_FLOAT16) call.input<_Float16>(ANEURALNETWORKS_FLOAT16, {}, {static_cast<_Float16>(ratio)});
    else call.float32(ratio);
  }
  if (code == ANEURALNETWORKS_ROI_ALIGN) call.int32(s.samples_h).int32(s.samples_w);
  const bool quantised = type == kUint8 || type == kInt8;
  call.boolean(s.nchw).output(type, quantised ? out_scale : 0, quantised ? zero_point : 0);
  return call;
}

Scene random_scene(std::mt19937& random) {
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<uint32_t>(high - low + 1)); };
  Scene s;
  s.batches = pick(1, 3);
  s.height = pick(1, 12);
  s.width = pick(1, 12);
  s.depth = pick(1, 5);
  for (size_t i = 0; i < size_t{s.batches} * s.height * s.width * s.depth; ++i) s.map.push_back(static_cast<float>(pick(-50, 50)));
  s.ratio_h = 2;
  s.ratio_w = 4;
  for (int r = pick(1, 4); r > 0; --r) {
    const auto span = [&](uint32_t extent, float ratio, float* from, float* to) {
      const int eighths = static_cast<int>(static_cast<float>(extent) * ratio * 8);
      const int a = pick(0, eighths), b = pick(0, eighths);
      *from = static_cast<float>(std::min(a, b)) / 8;
      *to = static_cast<float>(std::max(a, b)) / 8;
    };
    float box[4];
    span(s.width, s.ratio_w, &box[0], &box[2]);
    span(s.height, s.ratio_h, &box[1], &box[3]);
    s.rois.insert(s.rois.end(), box, box + 4);
    s.images.push_back(pick(0, static_cast<int>(s.batches) - 1));
  }
  s.out_h = pick(1, 5);
  s.out_w = pick(1, 5);
  s.samples_h = pick(0, 4);
  s.samples_w = pick(0, 4);
  s.nchw = pick(0, 1);
  return s;
}

/// The mean of the sampling points of one bin, each interpolated on its own.
double aligned(const Scene& s, size_t roi, int bin_y, int bin_x, size_t c) {
  const float* box = &s.rois[4 * roi];
  const double x0 = box[0] / s.ratio_w, y0 = box[1] / s.ratio_h;
  const double step_x = std::max(box[2] / s.ratio_w - x0, 1.0) / s.out_w, step_y = std::max(box[3] / s.ratio_h - y0, 1.0) / s.out_h;
  const int nx = s.samples_w ? s.samples_w : static_cast<int>(std::ceil(step_x - 1e-9)), ny = s.samples_h ? s.samples_h : static_cast<int>(std::ceil(step_y - 1e-9));
  double sum = 0;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const double y = std::min(y0 + step_y * (bin_y + (j + 0.5) / ny), s.height - 1.0), x = std::min(x0 + step_x * (bin_x + (i + 0.5) / nx), s.width - 1.0);
      const size_t iy = static_cast<size_t>(y), ix = static_cast<size_t>(x);
      const size_t iy1 = std::min<size_t>(iy + 1, s.height - 1), ix1 = std::min<size_t>(ix + 1, s.width - 1);
      const double fy = y - static_cast<double>(iy), fx = x - static_cast<double>(ix);
      const size_t n = static_cast<size_t>(s.images[roi]);
      sum += (s.at(n, iy, ix, c) * (1 - fx) + s.at(n, iy, ix1, c) * fx) * (1 - fy) + (s.at(n, iy1, ix, c) * (1 - fx) + s.at(n, iy1, ix1, c) * fx) * fy;
    }
  return sum / (nx * ny);
}

template <typename T>
void check_align(const Scene& s, int32_t type, double tolerance) {
  const bool quantised = type == kUint8 || type == kInt8;
  OperationCall call = make_call(s, ANEURALNETWORKS_ROI_ALIGN, type, 0.75f);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  const uint32_t h = static_cast<uint32_t>(s.out_h), w = static_cast<uint32_t>(s.out_w), count = static_cast<uint32_t>(s.images.size());
  ASSERT_EQ(call.dims(), s.dims(count, h, w));
  const std::vector<T> actual = call.values<T>();
  std::vector<double> expected;
  for (size_t r = 0; r < count; ++r)
    for (int y = 0; y < s.out_h; ++y)
      for (int x = 0; x < s.out_w; ++x)
        for (size_t c = 0; c < s.depth; ++c) {
          const double value = aligned(s, r, y, x, c);
          expected.push_back(quantised ? std::clamp(value / 0.75 + 3, double{std::numeric_limits<T>::lowest()}, double{std::numeric_limits<T>::max()}) : value);
        }
  expected = in_layout(expected, count, h, w, s.depth, s.nchw);
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(static_cast<double>(actual[i]), expected[i], tolerance) << i;
}

TEST(RoiAlign, MeanOfInterpolatedPoints) {
  std::mt19937 random(40);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    Scene s = random_scene(random);
    ASSERT_NO_FATAL_FAILURE(check_align<float>(s, kFloat, 2e-4));
    ASSERT_NO_FATAL_FAILURE(check_align<_Float16>(s, ANEURALNETWORKS_TENSOR_FLOAT16, 0.03));
    ASSERT_NO_FATAL_FAILURE(check_align<int8_t>(s, kInt8, 0.5002));
    for (float& v : s.map) v = std::abs(v);
    ASSERT_NO_FATAL_FAILURE(check_align<uint8_t>(s, kUint8, 0.5002));
  }
}

Scene line(std::vector<float> map, std::vector<float> roi, int32_t out_w) {
  Scene s;
  s.width = static_cast<uint32_t>(map.size());
  s.map = std::move(map);
  s.rois = std::move(roi);
  s.images.assign(s.rois.size() / 4, 0);
  s.out_w = out_w;
  return s;
}

TEST(RoiPooling, LargestOfRoundedBins) {
  // The region [0, 3] rounds to pixels 0..3; bins of 4/3 pixels are [0, 2), [1, 3), [2, 4).
  OperationCall call = make_call(line({5, 1, 7, 2, 9}, {0.25f, 0, 3.25f, 0}, 3), ANEURALNETWORKS_ROI_POOLING, kFloat);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.values<float>(), (std::vector<float>{5, 7, 7}));
}

TEST(RoiPooling, BinsWithoutPixelsAreZero) {
  // The region starts at the right edge, where there is no pixel left.
  const Scene s = line({5, 1, 7, 2}, {4, 0, 4, 0}, 2);
  OperationCall call = make_call(s, ANEURALNETWORKS_ROI_POOLING, kFloat);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<float>(), (std::vector<float>{0, 0}));
  OperationCall quantised = make_call(s, ANEURALNETWORKS_ROI_POOLING, kUint8);
  ASSERT_TRUE(quantised.run().ok());
  EXPECT_EQ(quantised.values<uint8_t>(), (std::vector<uint8_t>{3, 3}));
}

TEST(RoiPooling, ChannelsImagesAndLayouts) {
  Scene s;
  s.batches = 2;
  s.height = s.width = 2;
  s.depth = 2;
  s.map = {1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 8, -8};
  s.rois = {0, 0, 1, 1, 0, 0, 0, 1};
  s.images = {1, 0};
  for (bool nchw : {false, true}) {
    for (int32_t type : {kFloat, kInt8}) {
      s.nchw = nchw;
      OperationCall call = make_call(s, ANEURALNETWORKS_ROI_POOLING, type);
      const Status status = call.run();
      ASSERT_TRUE(status.ok()) << status.message;
      if (type == kFloat) {
        EXPECT_EQ(call.values<float>(), (std::vector<float>{8, -5, 3, -1}));
      } else {
        EXPECT_EQ(call.values<int8_t>(), (std::vector<int8_t>{19, -7, 9, 1}));
      }
    }
  }
}

TEST(Roi, RegionsThatAreNotInTheImageAreRefused) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (int32_t code : {ANEURALNETWORKS_ROI_ALIGN, ANEURALNETWORKS_ROI_POOLING}) {
    const auto run = [&](std::vector<float> roi, int32_t image) {
      Scene s = line({1, 2, 3, 4}, std::move(roi), 2);
      s.images = {image};
      return make_call(s, code, kFloat).run().code;
    };
    EXPECT_EQ(run({1, 0, 4, 1}, 0), ANEURALNETWORKS_NO_ERROR);
    for (int32_t image : {-1, 1, 2147483647, std::numeric_limits<int32_t>::min()}) {
      EXPECT_EQ(run({1, 0, 4, 1}, image), ANEURALNETWORKS_OP_FAILED) << image;
    }
    for (const std::vector<float>& roi : {std::vector<float>{2, 0, 1, 1}, {1, 1, 2, 0}, {-1, 0, 1, 1}, {0, 0, 4.5f, 1}, {0, 0, 1, 2},
                                          {nan, 0, 1, 1}, {0, 0, nan, 1}, {0, 0, infinity, 1}, {0, 0, 1e30f, 1}}) {
      EXPECT_EQ(run(roi, 0), ANEURALNETWORKS_OP_FAILED) << roi[0] << " " << roi[2];
    }
  }
}

TEST(RoiAlign, NoRegionsGiveAnEmptyOutput) {
  Scene s = line({1, 2}, {}, 3);
  s.out_h = 2;
  OperationCall call = make_call(s, ANEURALNETWORKS_ROI_ALIGN, kFloat);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.dims(), (Dimensions{0, 2, 3, 1}));
}

TEST(RoiAlign, BoundlessNumbersOfPointsAreRefused) {
  Scene s = line({1, 2}, {0, 0, 1, 1}, 1);
  s.samples_w = 2147483647;
  EXPECT_EQ(make_call(s, ANEURALNETWORKS_ROI_ALIGN, kFloat).run().code, ANEURALNETWORKS_OP_FAILED);
  s.samples_w = 60000;
  OperationCall call = make_call(s, ANEURALNETWORKS_ROI_ALIGN, kFloat);
  ASSERT_TRUE(call.run().ok());
  EXPECT_NEAR(call.values<float>()[0], 1.5f, 1e-3);
}

}  // namespace
}  // namespace avocet::runtime
