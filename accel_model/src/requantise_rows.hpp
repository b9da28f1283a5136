// SPDX-License-Identifier: Apache-2.0
// Rows of int32 sums to rows of bytes: bias, per-channel multiplier and shift, zero point, clamp. Used by REQUANT and DEPTHWISE;
// the arithmetic is avocet_requantise.h's, the vector path computes the same numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace avocet::model {

class RowRequantiser {
public:
  // parameters: avocet_parameter records (PARAMETER_BYTES each: bias, multiplier, shift) of `channels` channels. They are
  // data, so a shift outside -31 to 30 is taken as the nearest legal one.
  RowRequantiser(const uint8_t *parameters, uint32_t channels, int32_t zero_point, int32_t clamp_min, int32_t clamp_max);

  // One row: as many sums, and bytes out, as there are channels.
  void operator()(const int32_t *sums, uint8_t *out) const;
  void scalar(const int32_t *sums, uint8_t *out, uint32_t first_channel) const;

private:
  uint32_t vector(const int32_t *sums, uint8_t *out) const;

  uint32_t channels_;
  int32_t zero_point_, clamp_min_, clamp_max_;
  std::vector<int32_t> bias_, multiplier_, left_, right_; // left and right shift: one of them is 0
  bool vector_ = false;
};

} // namespace avocet::model
