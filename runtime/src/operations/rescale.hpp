// SPDX-License-Identifier: Apache-2.0
// Integers brought to the scale of a quantised output: one multiplier, the zero point, and the output's range. The bits are
// those of multiply_by_quantised_multiplier(), but extreme scales saturate where that would wrap.
#pragma once

#include "byte_table.hpp"
#include "requantise.hpp"

namespace avocet::runtime {

/// a * b / c in float32, as TensorFlow Lite makes many multipliers; in float64 where float32 cannot hold it.
inline double real_multiplier(float a, float b, float c) {
  const float product = a * b;
  const float real = product / c;
  if (std::isnormal(product) && std::isnormal(real)) return double{real};
  return double{a} * double{b} / double{c};
}

class Rescale {
 public:
  Rescale(QuantisedMultiplier multiplier, const OperandView& output)
      : multiplier_(multiplier), zero_point_(output.zero_point), range_(type_range(output.type)) {}
  Rescale(double real_multiplier, const OperandView& output) : Rescale(quantise_multiplier(real_multiplier), output) {}

  /// The stored value of x times the multiplier.
  int32_t operator()(int32_t x) const {
    const int64_t shifted = multiplier_.exponent > 0 ? int64_t{x} * (int64_t{1} << multiplier_.exponent) : int64_t{x};
    // Mantissas are at least 1/4: what leaves 32 bits here is outside every 8 bit range.
    if (shifted > std::numeric_limits<int32_t>::max()) return range_.high;
    if (shifted < std::numeric_limits<int32_t>::min()) return range_.low;
    const int64_t stored = int64_t{multiply_by_quantised_multiplier(x, multiplier_)} + zero_point_;
    return static_cast<int32_t>(std::clamp<int64_t>(stored, range_.low, range_.high));
  }

 private:
  QuantisedMultiplier multiplier_;
  int32_t zero_point_;
  Range<int32_t> range_;
};

/// The stored output of each stored byte of the input, for the same real number.
inline ByteTable make_rescaling_table(const OperandView& input, const OperandView& output) {
  const Rescale rescale(double{input.scale} / double{output.scale}, output);
  const Range<int32_t> range = type_range(input.type);
  ByteTable table{};
  for (int32_t value = range.low; value <= range.high; ++value) {
    table[static_cast<uint8_t>(value)] = static_cast<uint8_t>(rescale(value - input.zero_point));
  }
  return table;
}

}  // namespace avocet::runtime
