// SPDX-License-Identifier: Apache-2.0
// Reading, making and rearranging constant tensors.
#pragma once

#include <span>

#include "importer/onnx/model.hpp"

namespace avocet::tools::onnx {

bool is_real(ElementType type);     // float16, float32, float64
bool is_integer(ElementType type);  // any width, signed or not; not bool
bool is_8bit(ElementType type);     // int8, uint8

/// The elements. Integers and bool only; throws std::runtime_error for others and for what exceeds int64.
std::vector<int64_t> integers_of(const Tensor& tensor);
/// The elements of any type, rounded to double.
std::vector<double> reals_of(const Tensor& tensor);

/// A tensor of `type` from these values; integer types take what std::llround gives, saturated. `values` has as many
/// elements as `dims`.
Tensor make_tensor(ElementType type, Dims dims, std::span<const double> values);
/// Throws std::runtime_error for a value outside the type.
Tensor make_tensor(ElementType type, Dims dims, std::span<const int64_t> values);

/// A tensor of `dims` whose element at an index is element `offset + sum(index * step)` of `tensor`, for every index
/// inside it: transposition, slicing and repetition are all of this form.
Tensor rearranged(const Tensor& tensor, const Dims& dims, int64_t offset, std::span<const int64_t> steps);
Tensor transposed(const Tensor& tensor, std::span<const size_t> order);
/// Steps of a dense tensor, in elements.
std::vector<int64_t> dense_steps(const Dims& dims);

/// Steps that read a tensor of `from` as one of `to`, to which it broadcasts.
std::vector<int64_t> broadcast_steps(const Dims& from, const Dims& to);

/// int8 as uint8 or the reverse: every byte moves by 128, as zero points then do.
std::vector<uint8_t> with_other_sign(std::vector<uint8_t> bytes);

}  // namespace avocet::tools::onnx
