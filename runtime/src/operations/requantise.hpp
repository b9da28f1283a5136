// SPDX-License-Identifier: Apache-2.0
// Integer requantisation as TensorFlow Lite's reference kernels define it: a real multiplier is a 31 bit mantissa and a
// power of two; both roundings (high multiply, right shift) go half away from zero. The same bits on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "failure.hpp"
#include "operation.hpp"

namespace avocet::runtime {

struct QuantisedMultiplier {
  int32_t mantissa = 0;  // value * 2^31 of a number in [0.5, 1), or 0
  int exponent = 0;      // real multiplier = mantissa / 2^31 * 2^exponent; > 0 shifts left
};

/// Negative numbers, NaN and infinity become 0; multipliers from 2^31 on become the largest one.
inline QuantisedMultiplier quantise_multiplier(double real) {
  if (!(real > 0.0) || !std::isfinite(real)) return {};
  int exponent = 0;
  const double fraction = std::frexp(real, &exponent);
  int64_t mantissa = static_cast<int64_t>(std::round(fraction * (int64_t{1} << 31)));
  if (mantissa == (int64_t{1} << 31)) {
    mantissa /= 2;
    ++exponent;
  }
  if (exponent < -31) return {};
  if (exponent > 31) return {std::numeric_limits<int32_t>::max(), 31};
  return {static_cast<int32_t>(mantissa), exponent};
}

/// High half of 2 * a * b, rounded half away from zero for positive and half up for negative products (they are the same
/// bits as (ab + 2^30) >> 31); saturates only for INT32_MIN * INT32_MIN.
constexpr int32_t rounding_doubling_high_multiply(int32_t a, int32_t b) {
  if (a == b && a == std::numeric_limits<int32_t>::min()) return std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>((int64_t{a} * b + (int64_t{1} << 30)) >> 31);
}

/// x / 2^exponent, halves away from zero; 0 <= exponent <= 31.
constexpr int32_t rounding_shift_right(int32_t x, int exponent) {
  const int32_t mask = static_cast<int32_t>((int64_t{1} << exponent) - 1);
  const int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + ((x & mask) > threshold ? 1 : 0);
}

/// x * 2^exponent with the bits that leave the top dropped, as the reference does on two's complement machines.
constexpr int32_t wrapping_shift_left(int32_t x, int exponent) {
  return static_cast<int32_t>(static_cast<uint32_t>(x) << exponent);
}

/// a + b as the vector units add: sums that leave 32 bits wrap.
constexpr int32_t wrapping_add(int32_t a, int32_t b) { return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b)); }

constexpr int32_t multiply_by_quantised_multiplier(int32_t x, QuantisedMultiplier m) {
  const int32_t shifted = m.exponent > 0 ? wrapping_shift_left(x, m.exponent) : x;
  const int32_t high = rounding_doubling_high_multiply(shifted, m.mantissa);
  return m.exponent < 0 ? rounding_shift_right(high, -m.exponent) : high;
}

/// Closed range that results are clamped to.
template <typename T>
struct Range {
  T low;
  T high;
};

/// The stored values a quantised type can hold.
constexpr Range<int32_t> type_range(int32_t type) {
  if (type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM) return {0, 255};
  if (type == ANEURALNETWORKS_TENSOR_QUANT16_ASYMM) return {0, 65535};
  if (type == ANEURALNETWORKS_TENSOR_QUANT16_SYMM) return {-32768, 32767};
  return {-128, 127};
}

/// zero_point + round(value / scale) in float32, halves away from zero, kept inside int32 whatever the scale is.
inline int32_t quantise_bound(float value, float scale, int32_t zero_point) {
  const float steps = std::round(value / scale);
  constexpr float kLimit = 1 << 30;
  return zero_point + (std::isnan(steps) ? 0 : static_cast<int32_t>(std::clamp(steps, -kLimit, kLimit)));
}

/// Bounds of a fused activation on the stored values of a quantised output.
inline Range<int32_t> quantised_activation_range(int32_t fuse_code, const OperandView& output) {
  const Range<int32_t> type = type_range(output.type);
  const auto bound = [&](float value) { return quantise_bound(value, output.scale, output.zero_point); };
  const auto clamped = [&](int32_t low, int32_t high) {
    return Range<int32_t>{std::max(type.low, low), std::min(type.high, high)};
  };
  switch (fuse_code) {
    case ANEURALNETWORKS_FUSED_RELU: return clamped(bound(0.0f), type.high);
    case ANEURALNETWORKS_FUSED_RELU1: return clamped(bound(-1.0f), bound(1.0f));
    case ANEURALNETWORKS_FUSED_RELU6: return clamped(bound(0.0f), bound(6.0f));
    default: return type;
  }
}

/// Bounds of a fused activation on floats.
constexpr Range<float> float_activation_range(int32_t fuse_code) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (fuse_code) {
    case ANEURALNETWORKS_FUSED_RELU: return {0.0f, kInfinity};
    case ANEURALNETWORKS_FUSED_RELU1: return {-1.0f, 1.0f};
    case ANEURALNETWORKS_FUSED_RELU6: return {0.0f, 6.0f};
    default: return {-kInfinity, kInfinity};
  }
}

/// std::clamp that also holds for a range turned inside out by extreme scales: the upper bound wins.
template <typename T>
constexpr T clamp_to(T value, Range<T> range) {
  return std::min(std::max(value, range.low), range.high);
}

/// Stored value of a real number: zero point + round(value / scale), clamped to the type; NaN becomes the zero point.
template <typename Stored>
Stored quantise(float value, float scale, int32_t zero_point) {
  const float steps = std::round(value / scale);
  const float stored = (std::isnan(steps) ? 0.0f : steps) + static_cast<float>(zero_point);
  constexpr float kLow = std::numeric_limits<Stored>::min(), kHigh = std::numeric_limits<Stored>::max();
  return static_cast<Stored>(std::clamp(stored, kLow, kHigh));
}

}  // namespace avocet::runtime
