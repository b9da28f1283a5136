// SPDX-License-Identifier: Apache-2.0
// One output pixel of a depthwise convolution, sixteen channels at a time: each tap of the filter is a pointer to the
// channels of one input pixel. Taps in the padding point to a pixel of zero points, so that there is no branch.
#pragma once

#include <cstdint>

#include "aligned_buffer.hpp"
#include "output_stage.hpp"

namespace avocet::runtime {

/// Filter [taps][channels] minus its zero point: blocks of sixteen channels, in them pairs of taps, interleaved as the kernel
/// multiplies them. An odd last tap is paired with weights of zero.
class PackedDepthwiseWeights {
 public:
  static constexpr size_t kBlock = 16;
  template <typename Stored>  // int8_t or uint8_t
  PackedDepthwiseWeights(const Stored* filter, size_t taps, size_t channels, int32_t zero_point);
  size_t taps() const { return taps_; }
  size_t padded_taps() const { return (taps_ + 1) / 2 * 2; }
  size_t channels() const { return channels_; }
  const int16_t* block(size_t b) const { return values_.data() + b * padded_taps() * kBlock; }

 private:
  size_t taps_;
  size_t channels_;
  AlignedBuffer<int16_t> values_;
};

/// `taps` has weights.padded_taps() pointers, each to weights.channels() bytes.
void depthwise_pixel(const uint8_t* const* taps, bool is_signed, int32_t zero_point, const PackedDepthwiseWeights& weights,
                     const OutputStage& stage, uint8_t* out);

/// out[c] = clamp(bias[c] + sum over taps of taps[t][c] * filter[t * channels + c]).
void depthwise_pixel(const float* const* taps, size_t tap_count, const float* filter, const float* bias, size_t channels,
                     Range<float> range, float* out);

}  // namespace avocet::runtime
