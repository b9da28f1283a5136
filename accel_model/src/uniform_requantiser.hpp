// SPDX-License-Identifier: Apache-2.0
// int32 values to bytes with one multiplier and shift for all: scale, zero point, clamp. The arithmetic is avocet_requantise.h's,
// the vector path computes the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace avocet::model {

class UniformRequantiser {
public:
  // shift: -31 to 30.
  UniformRequantiser(int32_t multiplier, int32_t shift, int32_t zero_point, int32_t clamp_min, int32_t clamp_max);

  void operator()(const int32_t *values, size_t count, uint8_t *out) const;

private:
  size_t vector(const int32_t *values, size_t count, uint8_t *out) const; // returns the number done

  int32_t multiplier_, shift_, zero_point_, clamp_min_, clamp_max_;
  bool vector_;
};

} // namespace avocet::model
