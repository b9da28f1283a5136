// SPDX-License-Identifier: Apache-2.0
// From int32 accumulators to stored 8 bit values: bias, multiplier per channel, zero point, activation bounds.
// Vectorised sixteen channels at a time with the bits of multiply_by_quantised_multiplier().
#pragma once

#include <cstdint>
#include <vector>

#include "operation.hpp"
#include "requantise.hpp"

namespace avocet::runtime {

class OutputStage {
 public:
  /// One multiplier per channel, or one for all. `bias` is null for none.
  OutputStage(size_t channels, const int32_t* bias, std::span<const QuantisedMultiplier> multipliers, int32_t zero_point,
              Range<int32_t> range);

  static constexpr size_t kWidth = 16;

  /// Stores up to sixteen channels from `channel` on (a multiple of sixteen). `accumulators` has sixteen readable elements.
  void store(const int32_t* accumulators, size_t channel, uint8_t* out, size_t count) const;

  size_t channels() const { return channels_; }

 private:
  size_t channels_;
  std::vector<int32_t> bias_, mantissa_, left_, right_;  // padded to a multiple of sixteen
  int32_t zero_point_;
  Range<int32_t> range_;
};

enum class FilteredLayer { kConvolution, kFullyConnected };

/// Multipliers of a layer whose filter is quantised per tensor or per channel. The product of scales is taken as TensorFlow Lite's
/// reference does: in double per channel and by every convolution of int8, in float32 by those of uint8 and fully connected layers.
/// Fails when the filter has another number of scales than channels.
Status convolution_multipliers(FilteredLayer layer, const OperandView& input, const OperandView& filter,
                               const OperandView& output, std::vector<QuantisedMultiplier>* multipliers);
Status check_bias_scale(const OperandView& input, const OperandView& filter, const OperandView& bias);

}  // namespace avocet::runtime
