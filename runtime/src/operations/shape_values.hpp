// SPDX-License-Identifier: Apache-2.0
// Shapes, offsets and paddings that clients give as tensors: read once into memory of our own, so that a buffer which
// another thread writes to meanwhile cannot slip past the checks.
#pragma once

#include <vector>

#include "operation.hpp"

namespace avocet::runtime {

/// The values of the TENSOR_INT32 input i, which must be known and `count` in number.
Status read_int32s(const OperationContext& context, size_t i, size_t count, const char* name, std::vector<int32_t>* values);

/// Appends an extent that was computed with 64 bits.
Status append_extent(uint64_t extent, Dimensions* dims);

/// For execute, which computes the shape of output 0 again from values it then works with: the shape must be as infer
/// found it, because the buffer has that size.
Status check_unchanged(const Dimensions& now, const OperandView& output);

}  // namespace avocet::runtime
