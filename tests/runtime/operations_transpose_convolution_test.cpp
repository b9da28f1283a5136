// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV_2D and GROUPED_CONV_2D against naive references over random geometry: layouts, paddings, types, per-channel
// filters, constant and variable weights, strides larger than the filter; and shapes that must be refused.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "operation_call.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32;

/// Geometry of one random operation; extents in NHWC. `groups` is 1 for the transposed one.
struct Shape {
  bool transposed;
  int batches, height, width, depth_in, depth_out, filter_h, filter_w, groups, stride_w, stride_h;
  int left, right, top, bottom, out_h, out_w;
  bool nchw, constant;
  int activation;

  int filter_depth() const { return depth_in / groups; }
};

Shape random_shape(std::mt19937& random, bool transposed) {
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<uint32_t>(high - low + 1)); };
  for (;;) {
    Shape s{};
    s.transposed = transposed;
    s.groups = transposed ? 1 : pick(1, 10);
    s.batches = pick(1, 2);
    s.height = pick(1, 7);
    s.width = pick(1, 7);
    s.depth_in = transposed ? pick(1, 20) : s.groups * pick(1, 5);
    s.depth_out = transposed ? pick(1, 37) : s.groups * pick(1, 20);
    s.filter_h = pick(1, 5);
    s.filter_w = pick(1, 5);
    s.stride_w = pick(1, transposed ? 6 : 3);
    s.stride_h = pick(1, transposed ? 6 : 3);
    s.left = pick(0, 4);
    s.right = pick(0, 4);
    s.top = pick(0, 4);
    s.bottom = pick(0, 4);
    s.nchw = pick(0, 1);
    s.constant = pick(0, 1);
    s.activation = pick(0, 3);
    if (transposed) {
      s.out_h = (s.height - 1) * s.stride_h + s.filter_h - s.top - s.bottom;
      s.out_w = (s.width - 1) * s.stride_w + s.filter_w - s.left - s.right;
    } else {
      if (s.height + s.top + s.bottom < s.filter_h || s.width + s.left + s.right < s.filter_w) continue;
      s.out_h = (s.height + s.top + s.bottom - s.filter_h) / s.stride_h + 1;
      s.out_w = (s.width + s.left + s.right - s.filter_w) / s.stride_w + 1;
    }
    if (s.out_h > 0 && s.out_w > 0) return s;
  }
}

/// Calls add(output element, input element, filter element) for each product of the definition, elements as the tensors lie
/// in NHWC. The transposed convolution spreads inputs over outputs, the grouped one collects.
template <typename Add>
void for_products(const Shape& s, const Add& add) {
  const int small_h = s.transposed ? s.height : s.out_h, small_w = s.transposed ? s.width : s.out_w;
  const int large_h = s.transposed ? s.out_h : s.height, large_w = s.transposed ? s.out_w : s.width;
  for (int n = 0; n < s.batches; ++n)
    for (int y = 0; y < small_h; ++y)
      for (int x = 0; x < small_w; ++x)
        for (int ky = 0; ky < s.filter_h; ++ky)
          for (int kx = 0; kx < s.filter_w; ++kx) {
            const int yy = y * s.stride_h + ky - s.top, xx = x * s.stride_w + kx - s.left;
            if (yy < 0 || yy >= large_h || xx < 0 || xx >= large_w) continue;
            const int small = (n * small_h + y) * small_w + x, large = (n * large_h + yy) * large_w + xx;
            const int in = s.transposed ? small : large, out = s.transposed ? large : small;
            for (int oc = 0; oc < s.depth_out; ++oc) {
              const int group = oc / (s.depth_out / s.groups);
              for (int ic = 0; ic < s.filter_depth(); ++ic) {
                add(static_cast<size_t>(out * s.depth_out + oc), static_cast<size_t>(in * s.depth_in + group * s.filter_depth() + ic),
                    static_cast<size_t>(((oc * s.filter_h + ky) * s.filter_w + kx) * s.filter_depth() + ic));
              }
            }
          }
}

template <typename T>
std::vector<T> to_nchw(const std::vector<T>& nhwc, int n, int h, int w, int c) {
  std::vector<T> out(nhwc.size());
  for (int b = 0; b < n; ++b)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        for (int k = 0; k < c; ++k) out[((b * c + k) * h + y) * w + x] = nhwc[((b * h + y) * w + x) * c + k];
  return out;
}

Dimensions image_dims(const Shape& s, int h, int w, int c) {
  const auto u = [](int v) { return static_cast<uint32_t>(v); };
  return s.nchw ? Dimensions{u(s.batches), u(c), u(h), u(w)} : Dimensions{u(s.batches), u(h), u(w), u(c)};
}

Dimensions filter_dims(const Shape& s) {
  const auto u = [](int v) { return static_cast<uint32_t>(v); };
  return {u(s.depth_out), u(s.filter_h), u(s.filter_w), u(s.filter_depth())};
}

size_t input_count(const Shape& s) { return static_cast<size_t>(s.batches * s.height * s.width * s.depth_in); }
size_t output_count(const Shape& s) { return static_cast<size_t>(s.batches * s.out_h * s.out_w * s.depth_out); }

OperationCall make_call(const Shape& s) {
  return OperationCall(s.transposed ? ANEURALNETWORKS_TRANSPOSE_CONV_2D : ANEURALNETWORKS_GROUPED_CONV_2D);
}

void add_geometry(OperationCall& call, const Shape& s) {
  call.int32(s.left).int32(s.right).int32(s.top).int32(s.bottom).int32(s.stride_w).int32(s.stride_h);
  if (!s.transposed) call.int32(s.groups);
  call.int32(s.activation).boolean(s.nchw);
}

template <typename T>
std::vector<T> random_bytes(std::mt19937& random, size_t count) {
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random());
  return values;
}

/// The rules' requantisation, written out with 64 bit integers, for multipliers below one.
int64_t requantised(int64_t sum, double multiplier) {
  int exponent = 0;
  int64_t mantissa = std::llround(std::frexp(multiplier, &exponent) * 2147483648.0);
  if (mantissa == 2147483648) mantissa /= 2, ++exponent;
  const int64_t product = sum * (int64_t{1} << std::max(exponent, 0)) * mantissa;
  const int64_t high = (product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / 2147483648;
  const int64_t divisor = int64_t{1} << std::max(-exponent, 0);
  const int64_t magnitude = (std::abs(high) * 2 + divisor) / (2 * divisor);  // halves away from zero
  return high < 0 ? -magnitude : magnitude;
}

int64_t activated(int64_t value, int activation, float scale, int zero_point, bool is_signed) {
  int64_t low = is_signed ? -128 : 0, high = is_signed ? 127 : 255;
  if (activation == ANEURALNETWORKS_FUSED_RELU || activation == ANEURALNETWORKS_FUSED_RELU6) low = std::max<int64_t>(low, zero_point);
  if (activation == ANEURALNETWORKS_FUSED_RELU6) high = std::min<int64_t>(high, zero_point + std::lround(6 / scale));
  if (activation == ANEURALNETWORKS_FUSED_RELU1) {
    low = std::max<int64_t>(low, zero_point + std::lround(-1 / scale));
    high = std::min<int64_t>(high, zero_point + std::lround(1 / scale));
  }
  return std::min(std::max(value + zero_point, low), high);
}

template <typename T>
void check_quantised(std::mt19937& random, bool transposed, bool per_channel) {
  constexpr bool is_signed = std::is_signed_v<T>;
  const int32_t type = is_signed ? kInt8 : kUint8;
  const Shape s = random_shape(random, transposed);
  const int x_zero = static_cast<T>(random()), out_zero = static_cast<T>(random());
  const int w_zero = per_channel ? 0 : static_cast<T>(random());
  const float x_scale = 0.05f, w_scale = 0.02f, out_scale = 0.01f + static_cast<float>(random() % 1000) / 500;
  const std::vector<T> x = random_bytes<T>(random, input_count(s));
  const Dimensions fdims = filter_dims(s);
  std::vector<int32_t> bias(static_cast<size_t>(s.depth_out));
  for (int32_t& b : bias) b = static_cast<int32_t>(random() % 20001) - 10000;

  OperationCall call = make_call(s);
  call.in_pieces().input(type, image_dims(s, s.height, s.width, s.depth_in),
                         s.nchw ? to_nchw(x, s.batches, s.height, s.width, s.depth_in) : x, x_scale, x_zero);
  std::vector<double> multipliers(bias.size(), double{x_scale * w_scale} / double{out_scale});
  std::vector<int> w;
  if (per_channel) {
    const std::vector<int8_t> stored = random_bytes<int8_t>(random, extent_product(fdims, 0, 4));
    std::vector<float> scales;
    for (double& multiplier : multipliers) {
      scales.push_back(0.001f * static_cast<float>(1 + random() % 50));
      multiplier = double{x_scale} * double{scales.back()} / double{out_scale};
    }
    call.per_channel(fdims, stored, scales, 0).ints({static_cast<uint32_t>(s.depth_out)}, bias, 0, s.constant);
    w.assign(stored.begin(), stored.end());
  } else {
    const std::vector<T> stored = random_bytes<T>(random, extent_product(fdims, 0, 4));
    call.input(type, fdims, stored, w_scale, w_zero, s.constant).ints({static_cast<uint32_t>(s.depth_out)}, bias, x_scale * w_scale);
    w.assign(stored.begin(), stored.end());
  }
  add_geometry(call, s);
  call.output(type, out_scale, out_zero);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  ASSERT_EQ(call.dims(), image_dims(s, s.out_h, s.out_w, s.depth_out));

  std::vector<int64_t> sums(output_count(s));
  for_products(s, [&](size_t o, size_t i, size_t f) { sums[o] += int64_t{x[i] - x_zero} * (w[f] - w_zero); });
  std::vector<T> expected;
  for (size_t i = 0; i < sums.size(); ++i) {
    const size_t c = i % bias.size();
    expected.push_back(static_cast<T>(activated(requantised(sums[i] + bias[c], multipliers[c]), s.activation, out_scale, out_zero, is_signed)));
  }
  ASSERT_EQ(call.values<T>(), s.nchw ? to_nchw(expected, s.batches, s.out_h, s.out_w, s.depth_out) : expected);
}

void check_float(std::mt19937& random, bool transposed, bool half) {
  const Shape s = random_shape(random, transposed);
  const auto numbers = [&](size_t count) {
    std::vector<float> values(count);
    for (float& v : values) v = static_cast<float>(static_cast<int>(random() % 33) - 16) / 16;  // exact in float16
    return values;
  };
  const Dimensions fdims = filter_dims(s);
  const std::vector<float> x = numbers(input_count(s)), w = numbers(extent_product(fdims, 0, 4)), bias = numbers(fdims[0]);
  OperationCall call = make_call(s);
  call.in_pieces();
  const auto add = [&](Dimensions dims, const std::vector<float>& values, bool constant) {
    half ? call.halves(std::move(dims), values, constant) : call.floats(std::move(dims), values, constant);
  };
  add(image_dims(s, s.height, s.width, s.depth_in), s.nchw ? to_nchw(x, s.batches, s.height, s.width, s.depth_in) : x, false);
  add(fdims, w, s.constant);
  add({fdims[0]}, bias, s.constant);
  add_geometry(call, s);
  call.output(half ? ANEURALNETWORKS_TENSOR_FLOAT16 : kFloat);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  std::vector<float> expected(output_count(s));
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = bias[i % bias.size()];
  for_products(s, [&](size_t o, size_t i, size_t f) { expected[o] += x[i] * w[f]; });  // exact: multiples of 1/256
  for (float& value : expected) {
    if (s.activation == ANEURALNETWORKS_FUSED_RELU || s.activation == ANEURALNETWORKS_FUSED_RELU6) value = std::max(value, 0.0f);
    if (s.activation == ANEURALNETWORKS_FUSED_RELU6) value = std::min(value, 6.0f);
    if (s.activation == ANEURALNETWORKS_FUSED_RELU1) value = std::min(std::max(value, -1.0f), 1.0f);
  }
  if (s.nchw) expected = to_nchw(expected, s.batches, s.out_h, s.out_w, s.depth_out);
  const std::vector<float> actual = half ? call.half_values() : call.values<float>();
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(actual[i], expected[i], half ? 1e-3 * (1 + std::abs(expected[i])) : 1e-6);
}

TEST(TransposeConvolution, QuantisedIsBitExact) {
  std::mt19937 random(20);
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    for (bool per_channel : {false, true}) {
      ASSERT_NO_FATAL_FAILURE(check_quantised<uint8_t>(random, true, per_channel));
      ASSERT_NO_FATAL_FAILURE(check_quantised<int8_t>(random, true, per_channel));
    }
  }
}

TEST(TransposeConvolution, FloatIsExactOnSmallNumbers) {
  std::mt19937 random(21);
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    ASSERT_NO_FATAL_FAILURE(check_float(random, true, false));
    ASSERT_NO_FATAL_FAILURE(check_float(random, true, true));
  }
}

/// A transposed convolution of ones with implicit padding, on `height` x 1 pixels of one channel.
OperationCall implicit_call(uint32_t height, uint32_t filter, std::vector<int32_t> shape, int32_t scheme, int32_t stride, bool nchw = false) {
  OperationCall call(ANEURALNETWORKS_TRANSPOSE_CONV_2D);
  std::vector<float> taps;
  for (uint32_t k = 0; k < filter; ++k) taps.push_back(static_cast<float>(k + 1));
  std::vector<float> x;
  for (uint32_t y = 0; y < height; ++y) x.push_back(y % 2 ? 10.0f : 1.0f);
  call.floats(nchw ? Dimensions{1, 1, height, 1} : Dimensions{1, height, 1, 1}, x).floats({1, filter, 1, 1}, taps).floats({1}, {0.5f});
  call.ints({4}, shape).int32(scheme).int32(1).int32(stride).int32(0).boolean(nchw).output(kFloat);
  return call;
}

TEST(TransposeConvolution, SamePaddingTakesTheOddPixelFromTheEnd) {
  // Stride 2 and three taps onto 4 pixels: one pixel is too many, and it is the last.
  OperationCall call = implicit_call(2, 3, {1, 4, 1, 1}, ANEURALNETWORKS_PADDING_SAME, 2);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.values<float>(), (std::vector<float>{1.5f, 2.5f, 13.5f, 20.5f}));
}

TEST(TransposeConvolution, OutputShapeIsWrittenInTheLayoutOfTheImages) {
  OperationCall call = implicit_call(2, 2, {1, 1, 4, 1}, ANEURALNETWORKS_PADDING_VALID, 2, true);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.dims(), (Dimensions{1, 1, 4, 1}));
  EXPECT_EQ(call.values<float>(), (std::vector<float>{1.5f, 2.5f, 10.5f, 20.5f}));
}

TEST(TransposeConvolution, PixelsBeyondTheLastTapAndBetweenTapsAreBias) {
  OperationCall call = implicit_call(2, 1, {1, 6, 1, 1}, ANEURALNETWORKS_PADDING_VALID, 3);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.values<float>(), (std::vector<float>{1.5f, 0.5f, 0.5f, 10.5f, 0.5f, 0.5f}));
}

TEST(TransposeConvolution, PaddingLargerThanTheFilterCutsInputsOff) {
  OperationCall call(ANEURALNETWORKS_TRANSPOSE_CONV_2D);
  call.floats({1, 4, 1, 1}, {1, 2, 3, 4}).floats({1, 1, 1, 1}, {1}).floats({1}, {0});
  call.int32(0).int32(0).int32(2).int32(1).int32(1).int32(1).int32(0).boolean(false).output(kFloat);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<float>(), std::vector<float>{3});
}

TEST(TransposeConvolution, ZeroBatchesGiveAnEmptyOutput) {
  OperationCall call(ANEURALNETWORKS_TRANSPOSE_CONV_2D);
  call.floats({0, 2, 2, 1}, {}).floats({2, 3, 3, 1}, std::vector<float>(18)).floats({2}, {0, 0});
  call.ints({4}, {0, 5, 5, 2}).int32(ANEURALNETWORKS_PADDING_VALID).int32(2).int32(2).int32(0).boolean(false).output(kFloat);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.dims(), (Dimensions{0, 5, 5, 2}));
}

TEST(TransposeConvolution, ImpossibleShapesAreRefused) {
  for (const std::vector<int32_t>& shape :
       {std::vector<int32_t>{2, 4, 1, 1}, {1, 4, 1, 2}, {1, 0, 1, 1}, {1, -4, 1, 1}, {-1, 4, 1, 1}, {1, 2147483647, 2147483647, 1}}) {
    EXPECT_EQ(implicit_call(2, 3, shape, ANEURALNETWORKS_PADDING_SAME, 2).run().code, ANEURALNETWORKS_OP_FAILED) << shape[1];
  }
  for (const auto& [top, stride] : {std::pair{5, 1}, {0, 2147483647}, {2147483647, 1}}) {
    OperationCall call(ANEURALNETWORKS_TRANSPOSE_CONV_2D);
    call.floats({1, 3, 1, 1}, {1, 2, 3}).floats({1, 3, 1, 1}, {1, 1, 1}).floats({1}, {0});
    call.int32(0).int32(0).int32(top).int32(0).int32(1).int32(stride).int32(0).boolean(false).output(kFloat);
    EXPECT_EQ(call.run().code, ANEURALNETWORKS_OP_FAILED) << top << " " << stride;
  }
}

TEST(TransposeConvolution, HugeStridesAndPaddingsStayInBounds) {
  OperationCall call = implicit_call(2, 3, {1, 4, 1, 1}, ANEURALNETWORKS_PADDING_SAME, 2147483647);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<float>(), (std::vector<float>{1.5f, 2.5f, 3.5f, 0.5f}));
  // 2^31 - 1 pixels of padding before one output pixel, which the second tap of the last input reaches.
  OperationCall cut(ANEURALNETWORKS_TRANSPOSE_CONV_2D);
  cut.floats({1, 2, 1, 1}, {7, 5}).floats({1, 3, 1, 1}, {1, 2, 3}).floats({1}, {0});
  cut.int32(0).int32(0).int32(2147483647).int32(1).int32(1).int32(2147483646).int32(0).boolean(false).output(kFloat);
  const Status status = cut.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(cut.values<float>(), std::vector<float>{10});
}

TEST(GroupedConvolution, QuantisedIsBitExact) {
  std::mt19937 random(22);
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    for (bool per_channel : {false, true}) {
      ASSERT_NO_FATAL_FAILURE(check_quantised<uint8_t>(random, false, per_channel));
      ASSERT_NO_FATAL_FAILURE(check_quantised<int8_t>(random, false, per_channel));
    }
  }
}

TEST(GroupedConvolution, FloatIsExactOnSmallNumbers) {
  std::mt19937 random(23);
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    ASSERT_NO_FATAL_FAILURE(check_float(random, false, false));
    ASSERT_NO_FATAL_FAILURE(check_float(random, false, true));
  }
}

TEST(GroupedConvolution, GroupsThatDoNotDivideAreRefused) {
  const auto grouped = [](uint32_t depth_in, Dimensions filter, int32_t groups) {
    OperationCall call(ANEURALNETWORKS_GROUPED_CONV_2D);
    call.floats({1, 2, 2, depth_in}, std::vector<float>(4 * depth_in), true)
        .floats(filter, std::vector<float>(extent_product(filter, 0, 4)), true)
        .floats({filter[0]}, std::vector<float>(filter[0]));
    call.int32(ANEURALNETWORKS_PADDING_SAME).int32(1).int32(1).int32(groups).int32(0).boolean(false).output(kFloat);
    return call.run().code;
  };
  EXPECT_EQ(grouped(4, {6, 1, 1, 2}, 2), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(grouped(5, {6, 1, 1, 2}, 2), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(grouped(4, {5, 1, 1, 2}, 2), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(grouped(4, {6, 1, 1, 2}, 3), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(grouped(4, {6, 1, 1, 4}, 2147483647), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(grouped(4, {6, 1, 1, 2}, 0), ANEURALNETWORKS_BAD_DATA);
}

}  // namespace
}  // namespace avocet::runtime
