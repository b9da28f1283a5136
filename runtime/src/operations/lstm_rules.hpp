// SPDX-License-Identifier: Apache-2.0
// A piece of rows that the LSTM family shares: the values of the activation input.
#pragma once

#include "signature.hpp"

namespace avocet::runtime {

/// None, Relu, Relu6, Tanh, Sigmoid.
constexpr OperandRule lstm_activation() { return int32("activation").values((1u << 0) | (1u << 1) | (1u << 3) | (1u << 4) | (1u << 6)); }

}  // namespace avocet::runtime
