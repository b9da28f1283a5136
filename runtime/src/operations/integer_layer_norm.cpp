// SPDX-License-Identifier: Apache-2.0
// Layer normalisation of the integer LSTM: see integer_layer_norm.hpp.
#include "integer_layer_norm.hpp"

#include "fixed_point_16.hpp"
#include "inverse_square_root.hpp"

namespace avocet::runtime {
namespace {

constexpr int64_t kOne = 1024;  // normalised values have ten fraction bits

/// To int32, and by ten bits, halves away from zero.
int32_t drop_fraction(int64_t x) {
  const int64_t rounded = (x > 0 ? x + kOne / 2 : x - kOne / 2) / kOne;
  return static_cast<int32_t>(
      std::clamp<int64_t>(rounded, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
}

}  // namespace

void integer_layer_norm(int16_t* values, size_t count, const int16_t* weights, const int32_t* bias, QuantisedMultiplier scale) {
  int64_t sum = 0, squares = 0;
  for (size_t i = 0; i < count; ++i) {
    sum += values[i];
    squares += int32_t{values[i]} * values[i];
  }
  const int64_t n = static_cast<int64_t>(count);
  const int64_t mean = sum * kOne / n;
  // The reference divides 2^20 by the count first, which is exact for powers of two only.
  const int64_t variance = (squares * (kOne * kOne / n) - mean * mean) / (kOne * kOne);
  // Below 1 NNAPI's guard (0 or 1, which are the same here) takes the variance's place.
  const QuantisedMultiplier inverse_deviation = inverse_square_root(static_cast<int32_t>(variance));
  // From a product with the weights to Q3.12.
  const QuantisedMultiplier to_output{scale.mantissa, std::min(scale.exponent + 12, 31)};
  for (size_t i = 0; i < count; ++i) {
    const int32_t distance = static_cast<int32_t>(kOne * values[i] - mean);
    const int64_t normalised = multiply_by_quantised_multiplier(distance, inverse_deviation);
    const int32_t weighted = drop_fraction(normalised * weights[i] + bias[i]);
    values[i] = fixed_point_16::saturate(multiply_by_quantised_multiplier(weighted, to_output));
  }
}

}  // namespace avocet::runtime
