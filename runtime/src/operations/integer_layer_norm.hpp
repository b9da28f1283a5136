// SPDX-License-Identifier: Apache-2.0
// Layer normalisation of the integer LSTM: (x - mean) / standard deviation * weight + bias, from int16 of any scale to Q3.12.
#pragma once

#include <cstddef>
#include <cstdint>

#include "requantise.hpp"

namespace avocet::runtime {

/// In place. Weights have the scale that `scale` stands for, the bias that scale / 1024.
void integer_layer_norm(int16_t* values, size_t count, const int16_t* weights, const int32_t* bias, QuantisedMultiplier scale);

}  // namespace avocet::runtime
