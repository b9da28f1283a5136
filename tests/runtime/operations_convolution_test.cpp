// SPDX-License-Identifier: Apache-2.0
// CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED against a naive reference in 64 bit integers and double, over random
// geometry: layouts, paddings, dilations, types, per-channel filters, constant and variable weights, pieces of work.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "operation_call.hpp"

namespace avocet::runtime {
namespace {

/// Geometry of one random convolution; extents in NHWC.
struct Shape {
  int batches, height, width, depth_in, depth_out, filter_h, filter_w, multiplier;
  int stride_w, stride_h, dilation_w, dilation_h;
  int pad_left, pad_right, pad_top, pad_bottom;
  int out_h, out_w;
  bool depthwise, nchw, constant;
  int activation;
};

Shape random_shape(std::mt19937& random, bool depthwise) {
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<uint32_t>(high - low + 1)); };
  Shape s{};
  do {
    s.depthwise = depthwise;
    s.batches = pick(1, 2);
    s.height = pick(1, 9);
    s.width = pick(1, 9);
    s.depth_in = pick(1, 37);
    s.multiplier = depthwise ? pick(1, 3) : 1;
    s.depth_out = depthwise ? s.depth_in * s.multiplier : pick(1, 37);
    s.filter_h = pick(1, 4);
    s.filter_w = pick(1, 4);
    s.stride_w = pick(1, 3);
    s.stride_h = pick(1, 3);
    s.dilation_w = pick(1, 2);
    s.dilation_h = pick(1, 2);
    s.pad_left = pick(0, 2);
    s.pad_right = pick(0, 2);
    s.pad_top = pick(0, 2);
    s.pad_bottom = pick(0, 2);
    s.out_h = (s.height + s.pad_top + s.pad_bottom - (s.filter_h - 1) * s.dilation_h - 1);
    s.out_w = (s.width + s.pad_left + s.pad_right - (s.filter_w - 1) * s.dilation_w - 1);
  } while (s.out_h < 0 || s.out_w < 0);
  s.out_h = s.out_h / s.stride_h + 1;
  s.out_w = s.out_w / s.stride_w + 1;
  s.nchw = pick(0, 1);
  s.constant = pick(0, 1);
  s.activation = pick(0, 3);
  return s;
}

/// sum over the filter of x(n, y, x, c) * w(index) for each output in NHWC order; `w` is indexed as the filter tensor lies.
template <typename Sum, typename X, typename W>
std::vector<Sum> convolve(const Shape& s, const X& x, const W& w) {
  std::vector<Sum> sums;
  for (int n = 0; n < s.batches; ++n)
    for (int oy = 0; oy < s.out_h; ++oy)
      for (int ox = 0; ox < s.out_w; ++ox)
        for (int oc = 0; oc < s.depth_out; ++oc) {
          Sum sum = 0;
          for (int ky = 0; ky < s.filter_h; ++ky)
            for (int kx = 0; kx < s.filter_w; ++kx) {
              const int y = oy * s.stride_h - s.pad_top + ky * s.dilation_h, xx = ox * s.stride_w - s.pad_left + kx * s.dilation_w;
              if (y < 0 || y >= s.height || xx < 0 || xx >= s.width) continue;
              const int pixel = ((n * s.height + y) * s.width + xx) * s.depth_in;
              if (s.depthwise) {
                sum += x(pixel + oc / s.multiplier) * w((ky * s.filter_w + kx) * s.depth_out + oc);
              } else {
                for (int ic = 0; ic < s.depth_in; ++ic) {
                  sum += x(pixel + ic) * w(((oc * s.filter_h + ky) * s.filter_w + kx) * s.depth_in + ic);
                }
              }
            }
          sums.push_back(sum);
        }
  return sums;
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
  return s.depthwise ? Dimensions{1, u(s.filter_h), u(s.filter_w), u(s.depth_out)}
                     : Dimensions{u(s.depth_out), u(s.filter_h), u(s.filter_w), u(s.depth_in)};
}

void add_geometry(OperationCall& call, const Shape& s) {
  call.int32(s.pad_left).int32(s.pad_right).int32(s.pad_top).int32(s.pad_bottom).int32(s.stride_w).int32(s.stride_h);
  if (s.depthwise) call.int32(s.multiplier);
  call.int32(s.activation).boolean(s.nchw).int32(s.dilation_w).int32(s.dilation_h);
}

int32_t code_of(const Shape& s) { return s.depthwise ? ANEURALNETWORKS_DEPTHWISE_CONV_2D : ANEURALNETWORKS_CONV_2D; }

template <typename T>
std::vector<T> random_bytes(std::mt19937& random, size_t count) {
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random());
  return values;
}

/// The rules' requantisation, written out with 64 bit integers.
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

template <typename T>  // of input and output: uint8_t or int8_t
void check_quantised(std::mt19937& random, bool depthwise, bool per_channel) {
  constexpr bool is_signed = std::is_signed_v<T>;
  const int32_t type = is_signed ? ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED : ANEURALNETWORKS_TENSOR_QUANT8_ASYMM;
  const Shape s = random_shape(random, depthwise);
  const int x_zero = static_cast<T>(random()), out_zero = static_cast<T>(random());
  const int w_zero = per_channel ? 0 : static_cast<T>(random());
  const float x_scale = 0.01f + static_cast<float>(random() % 100) / 1000, w_scale = 0.02f, out_scale = 0.01f + static_cast<float>(random() % 1000) / 500;
  const size_t pixels = static_cast<size_t>(s.batches) * s.height * s.width * s.depth_in;
  const std::vector<T> x = random_bytes<T>(random, pixels);
  const Dimensions fdims = filter_dims(s);
  const size_t filter_count = extent_product(fdims, 0, 4);
  std::vector<int32_t> bias(static_cast<size_t>(s.depth_out));
  for (int32_t& b : bias) b = static_cast<int32_t>(random() % 20001) - 10000;

  OperationCall call(code_of(s));
  call.in_pieces();
  call.input(type, image_dims(s, s.height, s.width, s.depth_in),
             s.nchw ? to_nchw(x, s.batches, s.height, s.width, s.depth_in) : x, x_scale, x_zero);
  std::vector<double> multipliers(static_cast<size_t>(s.depth_out), double{x_scale * w_scale} / double{out_scale});
  std::vector<int> w(filter_count);
  if (per_channel) {
    const std::vector<int8_t> stored = random_bytes<int8_t>(random, filter_count);
    std::vector<float> scales;
    for (int c = 0; c < s.depth_out; ++c) {
      scales.push_back(0.001f * static_cast<float>(1 + random() % 50));
      multipliers[static_cast<size_t>(c)] = double{x_scale} * double{scales.back()} / double{out_scale};
    }
    call.per_channel(fdims, stored, scales, depthwise ? 3 : 0);
    w.assign(stored.begin(), stored.end());
    call.ints({static_cast<uint32_t>(s.depth_out)}, bias, 0, s.constant);
  } else {
    const std::vector<T> stored = random_bytes<T>(random, filter_count);
    call.input(type, fdims, stored, w_scale, w_zero, s.constant);
    w.assign(stored.begin(), stored.end());
    call.ints({static_cast<uint32_t>(s.depth_out)}, bias, x_scale * w_scale, s.constant);
  }
  add_geometry(call, s);
  call.output(type, out_scale, out_zero);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  ASSERT_EQ(call.dims(), image_dims(s, s.out_h, s.out_w, s.depth_out));

  const auto sums = convolve<int64_t>(
      s, [&](int i) { return int64_t{x[static_cast<size_t>(i)]} - x_zero; }, [&](int i) { return int64_t{w[static_cast<size_t>(i)]} - w_zero; });
  std::vector<T> expected;
  for (size_t i = 0; i < sums.size(); ++i) {
    const size_t c = i % static_cast<size_t>(s.depth_out);
    expected.push_back(static_cast<T>(activated(requantised(sums[i] + bias[c], multipliers[c]), s.activation, out_scale, out_zero, is_signed)));
  }
  ASSERT_EQ(call.values<T>(), s.nchw ? to_nchw(expected, s.batches, s.out_h, s.out_w, s.depth_out) : expected);
}

void check_float(std::mt19937& random, bool depthwise, bool half) {
  const Shape s = random_shape(random, depthwise);
  const auto numbers = [&](size_t count) {
    std::vector<float> values(count);
    for (float& v : values) v = static_cast<float>(static_cast<int>(random() % 33) - 16) / 16;  // exact in float16
    return values;
  };
  const std::vector<float> x = numbers(static_cast<size_t>(s.batches) * s.height * s.width * s.depth_in);
  const Dimensions fdims = filter_dims(s);
  const std::vector<float> w = numbers(extent_product(fdims, 0, 4)), bias = numbers(static_cast<size_t>(s.depth_out));
  OperationCall call(code_of(s));
  call.in_pieces();
  const auto add = [&](Dimensions dims, const std::vector<float>& values, bool constant) {
    half ? call.halves(std::move(dims), values, constant) : call.floats(std::move(dims), values, constant);
  };
  add(image_dims(s, s.height, s.width, s.depth_in), s.nchw ? to_nchw(x, s.batches, s.height, s.width, s.depth_in) : x, false);
  add(fdims, w, s.constant);
  add({static_cast<uint32_t>(s.depth_out)}, bias, s.constant);
  add_geometry(call, s);
  call.output(half ? ANEURALNETWORKS_TENSOR_FLOAT16 : ANEURALNETWORKS_TENSOR_FLOAT32);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  const auto sums = convolve<double>(s, [&](int i) { return double{x[static_cast<size_t>(i)]}; }, [&](int i) { return double{w[static_cast<size_t>(i)]}; });
  std::vector<float> expected;
  for (size_t i = 0; i < sums.size(); ++i) {
    double value = sums[i] + bias[i % static_cast<size_t>(s.depth_out)];
    if (s.activation == ANEURALNETWORKS_FUSED_RELU || s.activation == ANEURALNETWORKS_FUSED_RELU6) value = std::max(value, 0.0);
    if (s.activation == ANEURALNETWORKS_FUSED_RELU6) value = std::min(value, 6.0);
    if (s.activation == ANEURALNETWORKS_FUSED_RELU1) value = std::min(std::max(value, -1.0), 1.0);
    expected.push_back(static_cast<float>(value));
  }
  if (s.nchw) expected = to_nchw(expected, s.batches, s.out_h, s.out_w, s.depth_out);
  const std::vector<float> actual = half ? call.half_values() : call.values<float>();
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(actual[i], expected[i], half ? 1e-3 * (1 + std::abs(expected[i])) : 1e-5);
}

TEST(Convolution, QuantisedIsBitExact) {
  std::mt19937 random(10);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    for (bool depthwise : {false, true}) {
      ASSERT_NO_FATAL_FAILURE(check_quantised<uint8_t>(random, depthwise, false));
      ASSERT_NO_FATAL_FAILURE(check_quantised<uint8_t>(random, depthwise, true));
      ASSERT_NO_FATAL_FAILURE(check_quantised<int8_t>(random, depthwise, false));
      ASSERT_NO_FATAL_FAILURE(check_quantised<int8_t>(random, depthwise, true));
    }
  }
}

TEST(Convolution, FloatIsClose) {
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    for (bool depthwise : {false, true}) {
      ASSERT_NO_FATAL_FAILURE(check_float(random, depthwise, false));
      ASSERT_NO_FATAL_FAILURE(check_float(random, depthwise, true));
    }
  }
}

TEST(Convolution, ManyBlocksOfRows) {
  // 64 x 64 pixels of 64 channels: more rows than one block holds, so that blocks and their seams take part.
  const uint32_t side = 64, depth = 64;
  std::mt19937 random(12);
  const std::vector<uint8_t> x = random_bytes<uint8_t>(random, side * side * depth), w = random_bytes<uint8_t>(random, 5 * depth);
  OperationCall call(ANEURALNETWORKS_CONV_2D);
  call.in_pieces()
      .input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1, side, side, depth}, x, 0.5f, 128)
      .input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {5, 1, 1, depth}, w, 0.5f, 100, true)
      .ints({5}, {1, 2, 3, 4, 5}, 0.25f, true);
  call.int32(ANEURALNETWORKS_PADDING_VALID).int32(1).int32(1).int32(0).output(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 300.0f, 77);
  ASSERT_TRUE(call.run().ok());
  const std::vector<uint8_t> out = call.values<uint8_t>();
  for (size_t p = 0; p < side * side; ++p) {
    for (size_t c = 0; c < 5; ++c) {
      int64_t sum = static_cast<int64_t>(c) + 1;
      for (size_t k = 0; k < depth; ++k) sum += (x[p * depth + k] - 128) * (w[c * depth + k] - 100);
      ASSERT_EQ(out[p * 5 + c], activated(requantised(sum, 0.25 / 300), 0, 300, 77, false));
    }
  }
}

TEST(Convolution, MultipliersAboveOneAreTaken) {
  OperationCall call(ANEURALNETWORKS_CONV_2D);
  call.input<uint8_t>(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1, 1, 1, 1}, {3}, 1.0f, 0)
      .input<uint8_t>(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1, 1, 1, 1}, {2}, 1.0f, 0)
      .ints({1}, {1}, 1.0f)
      .int32(ANEURALNETWORKS_PADDING_SAME).int32(1).int32(1).int32(0)
      .output(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 0.125f, 10);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<uint8_t>(), std::vector<uint8_t>{66});  // (3 * 2 + 1) / 0.125 + 10
}

/// A bias alone, which lies between 5 and 6 for a scale whose product was rounded to float32, or was not.
template <typename T> int bias_between_two_roundings(int32_t operation, int32_t type) {
  OperationCall call(operation);
  const bool dense = operation == ANEURALNETWORKS_FULLY_CONNECTED;
  const Dimensions one = dense ? Dimensions{1, 1} : Dimensions{1, 1, 1, 1};
  call.input<T>(type, one, {0}, 0.0013800000306218863f, 0)
      .template input<T>(type, one, {0}, 0.005830000154674053f, 0)
      .ints({1}, {5933825}, 0.0013800000306218863f * 0.005830000154674053f);
  if (!dense) call.int32(ANEURALNETWORKS_PADDING_SAME).int32(1).int32(1);
  if (operation == ANEURALNETWORKS_DEPTHWISE_CONV_2D) call.int32(1);
  call.int32(0).output(type, 8.680000305175781f, 0);
  EXPECT_TRUE(call.run().ok());
  return call.values<T>().at(0);
}

TEST(Convolution, Int8TakesTheProductOfScalesInDouble) {
  constexpr int32_t kSigned = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, kUnsigned = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM;
  for (int32_t operation : {ANEURALNETWORKS_CONV_2D, ANEURALNETWORKS_DEPTHWISE_CONV_2D}) {
    EXPECT_EQ(bias_between_two_roundings<int8_t>(operation, kSigned), 6) << operation;
    EXPECT_EQ(bias_between_two_roundings<uint8_t>(operation, kUnsigned), 5) << operation;
  }
  EXPECT_EQ(bias_between_two_roundings<int8_t>(ANEURALNETWORKS_FULLY_CONNECTED, kSigned), 5);
  EXPECT_EQ(bias_between_two_roundings<uint8_t>(ANEURALNETWORKS_FULLY_CONNECTED, kUnsigned), 5);
}

TEST(Convolution, ZeroBatchesGiveAnEmptyOutput) {
  OperationCall call(ANEURALNETWORKS_CONV_2D);
  call.floats({0, 4, 4, 2}, {}).floats({3, 2, 2, 2}, std::vector<float>(24)).floats({3}, {0, 0, 0});
  call.int32(ANEURALNETWORKS_PADDING_VALID).int32(1).int32(1).int32(0).output(ANEURALNETWORKS_TENSOR_FLOAT32);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{0, 3, 3, 3}));
}

TEST(Convolution, SamePaddingCountsTheDilatedFilter) {
  // One line, three taps of one: 9 elements padded by 3 + 3 for dilation 3, by 2 + 3 when the stride of 2 leaves an odd one.
  const auto conv = [](int32_t code, int32_t stride, int32_t dilation, uint32_t width) {
    std::vector<float> x;
    for (uint32_t i = 0; i < width; ++i) x.push_back(static_cast<float>(1 << i));
    OperationCall call(code);
    call.floats({1, 1, width, 1}, x).floats({1, 1, 3, 1}, {1, 1, 1}).floats({1}, {0}).int32(ANEURALNETWORKS_PADDING_SAME);
    call.int32(stride).int32(1);
    if (code == ANEURALNETWORKS_DEPTHWISE_CONV_2D) call.int32(1);
    call.int32(0).boolean(false).int32(dilation).int32(1).output(ANEURALNETWORKS_TENSOR_FLOAT32);
    const Status status = call.run();
    EXPECT_TRUE(status.ok()) << status.message;
    return call.values<float>();
  };
  for (int32_t code : {ANEURALNETWORKS_CONV_2D, ANEURALNETWORKS_DEPTHWISE_CONV_2D}) {
    EXPECT_EQ(conv(code, 1, 3, 5), (std::vector<float>{1 + 8, 2 + 16, 4, 1 + 8, 2 + 16}));
    EXPECT_EQ(conv(code, 2, 3, 6), (std::vector<float>{2 + 16, 1 + 8, 4 + 32}) ) << "the odd element of padding is at the end";
    EXPECT_EQ(conv(code, 4, 1, 6), (std::vector<float>{1 + 2 + 4, 16 + 32})) << "a stride larger than the filter";
    EXPECT_EQ(conv(code, 5, 1, 9), (std::vector<float>{1 + 2 + 4, 32 + 64 + 128})) << "nothing to pad";
  }
}

TEST(Convolution, OnlyBatchesMayBeEmpty) {
  const auto code_of = [](int32_t code, Dimensions image, Dimensions filter, uint32_t depth_out) {
    OperationCall call(code);
    call.floats(image, std::vector<float>(extent_product(image, 0, 4))).floats(filter, std::vector<float>(extent_product(filter, 0, 4)));
    call.floats({depth_out}, std::vector<float>(depth_out)).int32(ANEURALNETWORKS_PADDING_SAME).int32(1).int32(1);
    if (code == ANEURALNETWORKS_DEPTHWISE_CONV_2D) call.int32(1);
    call.int32(0).output(ANEURALNETWORKS_TENSOR_FLOAT32);
    return call.run().code;
  };
  EXPECT_EQ(code_of(ANEURALNETWORKS_CONV_2D, {0, 2, 2, 1}, {1, 1, 1, 1}, 1), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(code_of(ANEURALNETWORKS_CONV_2D, {1, 2, 2, 0}, {1, 1, 1, 0}, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of(ANEURALNETWORKS_CONV_2D, {1, 2, 2, 1}, {0, 1, 1, 1}, 0), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of(ANEURALNETWORKS_CONV_2D, {1, 2, 2, 1}, {1, 0, 1, 1}, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of(ANEURALNETWORKS_CONV_2D, {1, 0, 2, 1}, {1, 1, 1, 1}, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of(ANEURALNETWORKS_DEPTHWISE_CONV_2D, {0, 2, 2, 1}, {1, 1, 1, 1}, 1), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(code_of(ANEURALNETWORKS_DEPTHWISE_CONV_2D, {1, 2, 2, 0}, {1, 1, 1, 0}, 0), ANEURALNETWORKS_OP_FAILED);
}

TEST(FullyConnected, ZeroBatchesKeepTheUnits) {
  const auto run = [](Dimensions input, Dimensions weights, Dimensions* out) {
    OperationCall call(ANEURALNETWORKS_FULLY_CONNECTED);
    call.floats(input, std::vector<float>(extent_product(input, 0, input.size()))).floats(weights, std::vector<float>(weights[0] * weights[1]));
    call.floats({weights[0]}, std::vector<float>(weights[0])).int32(0).output(ANEURALNETWORKS_TENSOR_FLOAT32);
    const Status status = call.run();
    *out = call.dims();
    return status.code;
  };
  Dimensions out;
  EXPECT_EQ(run({0, 6}, {4, 6}, &out), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(out, (Dimensions{0, 4}));
  EXPECT_EQ(run({0, 2, 1, 3}, {4, 6}, &out), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(out, (Dimensions{0, 4}));
  EXPECT_EQ(run({2, 2, 3}, {4, 6}, &out), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(out, (Dimensions{2, 4}));
  EXPECT_EQ(run({2, 6}, {4, 3}, &out), ANEURALNETWORKS_NO_ERROR);  // four rows of three
  EXPECT_EQ(out, (Dimensions{4, 4}));
  EXPECT_EQ(run({2, 6}, {0, 6}, &out), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({2, 0}, {4, 0}, &out), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({6}, {4, 6}, &out), ANEURALNETWORKS_BAD_DATA);
}

TEST(Convolution, ImpossibleShapesAreRefused) {
  const auto conv = [](Dimensions image, Dimensions filter, Dimensions bias, Dimensions declared = {}) {
    OperationCall call(ANEURALNETWORKS_CONV_2D);
    call.floats(image, std::vector<float>(extent_product(image, 0, 4)))
        .floats(filter, std::vector<float>(extent_product(filter, 0, 4)))
        .floats(bias, std::vector<float>(bias[0]));
    call.int32(ANEURALNETWORKS_PADDING_VALID).int32(1).int32(1).int32(0).output(ANEURALNETWORKS_TENSOR_FLOAT32, 0, 0, declared);
    return call.run();
  };
  EXPECT_TRUE(conv({1, 4, 4, 2}, {3, 2, 2, 2}, {3}).ok());
  EXPECT_TRUE(conv({1, 4, 4, 2}, {3, 2, 2, 2}, {3}, {1, 0, 3, 0}).ok());
  EXPECT_EQ(conv({1, 4, 4, 2}, {3, 2, 2, 3}, {3}).code, ANEURALNETWORKS_OP_FAILED);             // depths differ
  EXPECT_EQ(conv({1, 4, 4, 2}, {3, 2, 2, 2}, {4}).code, ANEURALNETWORKS_OP_FAILED);             // bias length
  EXPECT_EQ(conv({1, 4, 4, 2}, {3, 5, 2, 2}, {3}).code, ANEURALNETWORKS_OP_FAILED);             // filter too tall
  EXPECT_EQ(conv({1, 4, 4, 2}, {3, 2, 2, 2}, {3}, {1, 3, 3, 4}).code, ANEURALNETWORKS_OP_FAILED);  // declared otherwise
}

TEST(Convolution, BiasOfAnotherScaleIsRefused) {
  OperationCall call(ANEURALNETWORKS_FULLY_CONNECTED);
  call.input<uint8_t>(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1, 2}, {1, 2}, 0.5f, 0)
      .input<uint8_t>(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1, 2}, {1, 2}, 0.5f, 0)
      .ints({1}, {0}, 0.5f)
      .int32(0)
      .output(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 1.0f, 0);
  EXPECT_EQ(call.run().code, ANEURALNETWORKS_OP_FAILED);
}

TEST(FullyConnected, FlattensAndRequantises) {
  std::mt19937 random(13);
  const uint32_t batch = 5, depth = 2 * 3 * 7, units = 19;
  const std::vector<int8_t> x = random_bytes<int8_t>(random, batch * depth), w = random_bytes<int8_t>(random, units * depth);
  std::vector<int32_t> bias(units);
  for (int32_t& b : bias) b = static_cast<int32_t>(random() % 2001) - 1000;
  OperationCall call(ANEURALNETWORKS_FULLY_CONNECTED);
  call.in_pieces()
      .input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, {batch, 2, 3, 7}, x, 0.25f, -3)
      .input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, {units, depth}, w, 0.5f, 4, true)
      .ints({units}, bias, 0.125f, true)
      .int32(ANEURALNETWORKS_FUSED_RELU)
      .output(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, 70.0f, -20);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{batch, units}));
  const std::vector<int8_t> out = call.values<int8_t>();
  for (size_t b = 0; b < batch; ++b) {
    for (size_t u = 0; u < units; ++u) {
      int64_t sum = bias[u];
      for (size_t k = 0; k < depth; ++k) sum += (x[b * depth + k] + 3) * (w[u * depth + k] - 4);
      ASSERT_EQ(out[b * units + u], activated(requantised(sum, 0.125 / 70), ANEURALNETWORKS_FUSED_RELU, 70, -20, true));
    }
  }
}

TEST(FullyConnected, FloatAndItsFailures) {
  OperationCall call(ANEURALNETWORKS_FULLY_CONNECTED);
  call.floats({2, 1, 3}, {1, 2, 3, 4, 5, 6}).floats({2, 3}, {1, 0, -1, 2, 2, 2}).floats({2}, {10, 0.5f}).int32(0);
  call.output(ANEURALNETWORKS_TENSOR_FLOAT32);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<float>(), (std::vector<float>{8, 12.5f, 8, 30.5f}));

  OperationCall uneven(ANEURALNETWORKS_FULLY_CONNECTED);
  uneven.floats({1, 4}, {1, 2, 3, 4}).floats({1, 3}, {1, 1, 1}).floats({1}, {0}).int32(0).output(ANEURALNETWORKS_TENSOR_FLOAT32);
  EXPECT_EQ(uneven.run().code, ANEURALNETWORKS_OP_FAILED);

  // 65536 x 65536 floats are more than 32 bits of bytes: a failure, not a small buffer.
  OperationCall huge(ANEURALNETWORKS_FULLY_CONNECTED);
  huge.floats({65536, 1}, std::vector<float>(65536)).floats({65536, 1}, std::vector<float>(65536));
  huge.floats({65536}, std::vector<float>(65536)).int32(0).output(ANEURALNETWORKS_TENSOR_FLOAT32);
  EXPECT_EQ(huge.run().code, ANEURALNETWORKS_OP_FAILED);
}

}  // namespace
}  // namespace avocet::runtime
