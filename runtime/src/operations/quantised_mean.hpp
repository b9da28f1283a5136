// SPDX-License-Identifier: Apache-2.0
// Mean of stored values as TensorFlow Lite's reference computes it: the division by the count is folded into the multiplier
// from the input's to the output's scale, as an integer division of its mantissa.
#pragma once

#include <bit>

#include "rescale.hpp"

namespace avocet::runtime {

class QuantisedMean {
 public:
  QuantisedMean(const OperandView& input, const OperandView& output, size_t count)
      : offset_(int64_t{input.zero_point} * static_cast<int64_t>(count)),
        real_(double{input.scale} / double{output.scale} / static_cast<double>(count)),
        zero_point_(output.zero_point),
        range_(type_range(output.type)),
        rescale_(divided(quantise_multiplier(double{input.scale} / double{output.scale}), count), output) {}

  /// The stored mean of `count` values with this sum.
  int32_t operator()(int64_t sum) const {
    const int64_t centred = sum - offset_;
    if (centred == static_cast<int32_t>(centred)) return rescale_(static_cast<int32_t>(centred));
    // More elements than the reference's 32 bits can add up.
    const double stored = std::round(static_cast<double>(centred) * real_) + zero_point_;
    return static_cast<int32_t>(std::clamp(stored, double(range_.low), double(range_.high)));
  }

  /// A multiplier with the division by `count` folded in.
  static QuantisedMultiplier divided(QuantisedMultiplier multiplier, size_t count) {
    const int shift = std::min({static_cast<int>(std::bit_width(count)) - 1, 32, 31 + multiplier.exponent});
    const int64_t mantissa = (int64_t{multiplier.mantissa} << shift) / static_cast<int64_t>(count);
    return {static_cast<int32_t>(mantissa), multiplier.exponent - shift};
  }

 private:
  int64_t offset_;
  double real_;
  int32_t zero_point_;
  Range<int32_t> range_;
  Rescale rescale_;
};

}  // namespace avocet::runtime
