// SPDX-License-Identifier: Apache-2.0
// Whole tensors of any numeric type as float32 and back, for operations whose arithmetic is defined on real numbers only.
#pragma once

#include <span>
#include <vector>

#include "operation.hpp"

namespace avocet::runtime {

/// The real values of a float32, float16 or quantised tensor.
std::vector<float> real_values(const OperandView& tensor);

/// Stores real values as the tensor's type has them: rounded to the nearest, clamped to the type's range.
void store_real_values(const OperandView& tensor, void* buffer, std::span<const float> values);

}  // namespace avocet::runtime
