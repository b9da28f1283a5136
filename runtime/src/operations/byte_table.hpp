// SPDX-License-Identifier: Apache-2.0
// Functions of one quantised byte as tables of 256 entries: made from a float function, applied to whole tensors.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "operation.hpp"
#include "requantise.hpp"

namespace avocet::runtime {

using ByteTable = std::array<uint8_t, 256>;

/// Entry of each stored byte: stored(function(scale * (value - zero point))), in float32, as TensorFlow Lite makes them.
template <typename Function>
ByteTable make_byte_table(const OperandView& input, const OperandView& output, const Function& function) {
  const float inverse_scale = 1.0f / output.scale;
  const Range<int32_t> in_range = type_range(input.type), out_range = type_range(output.type);
  ByteTable table{};
  for (int32_t value = in_range.low; value <= in_range.high; ++value) {
    const float result = function(input.scale * static_cast<float>(value - input.zero_point));
    const float stored = std::round(result * inverse_scale) + static_cast<float>(output.zero_point);
    const float low = static_cast<float>(out_range.low), high = static_cast<float>(out_range.high);
    const int32_t clamped = static_cast<int32_t>(std::isnan(stored) ? low : std::min(std::max(stored, low), high));
    table[static_cast<uint8_t>(value)] = static_cast<uint8_t>(clamped);
  }
  return table;
}

/// Looks up `count` bytes on the execution's threads.
inline void apply_byte_table(const OperationContext& context, const ByteTable& table, const uint8_t* from, uint8_t* to, size_t count) {
  constexpr size_t kGrain = 32768;
  context.parallel_for(count, kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) to[i] = table[from[i]];
  });
}

}  // namespace avocet::runtime
