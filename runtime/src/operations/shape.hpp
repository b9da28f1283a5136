// SPDX-License-Identifier: Apache-2.0
// Dimensions: element counts with overflow checks, axes, byte sizes, and their text for messages.
// Nothing here multiplies dimensions without a check: extents come from clients.
#pragma once

#include <android/NeuralNetworks.h>

#include <cstdint>
#include <optional>
#include <string>

#include "operation.hpp"

namespace avocet::runtime {

/// Bytes of one element of a tensor or scalar type; 0 for MODEL and unknown codes.
constexpr size_t element_size(int32_t type) {
  switch (type) {
    case ANEURALNETWORKS_FLOAT32:
    case ANEURALNETWORKS_INT32:
    case ANEURALNETWORKS_UINT32:
    case ANEURALNETWORKS_TENSOR_FLOAT32:
    case ANEURALNETWORKS_TENSOR_INT32: return 4;
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM:
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM:
    case ANEURALNETWORKS_TENSOR_FLOAT16:
    case ANEURALNETWORKS_FLOAT16: return 2;
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM:
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED:
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM:
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL:
    case ANEURALNETWORKS_TENSOR_BOOL8:
    case ANEURALNETWORKS_BOOL: return 1;
    default: return 0;
  }
}

constexpr bool is_tensor(int32_t type) {
  switch (type) {
    case ANEURALNETWORKS_FLOAT32:
    case ANEURALNETWORKS_INT32:
    case ANEURALNETWORKS_UINT32:
    case ANEURALNETWORKS_BOOL:
    case ANEURALNETWORKS_FLOAT16:
    case ANEURALNETWORKS_MODEL: return false;
    default: return true;
  }
}

/// TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED: the types with scale and zero point and an integer kernel.
constexpr bool is_quant8(int32_t type) {
  return type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM || type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
}

constexpr bool is_float16(int32_t type) {
  return type == ANEURALNETWORKS_TENSOR_FLOAT16 || type == ANEURALNETWORKS_FLOAT16;
}

/// Name of an operand type code, without the ANEURALNETWORKS_ prefix.
const char* type_name(int32_t type);

/// Product of the extents (1 for a scalar), or nothing when it does not fit into 32 bits.
std::optional<uint32_t> element_count(std::span<const uint32_t> dims);

/// Product of dims[begin, end) of a shape that element_count() accepts (or of which no extent is zero): never overflows there.
inline size_t extent_product(std::span<const uint32_t> dims, size_t begin, size_t end) {
  size_t product = 1;
  for (size_t i = begin; i < end; ++i) product *= dims[i];
  return product;
}

/// Number of elements of a fully known operand that already passed the checks.
inline size_t count_of(const OperandView& operand) { return extent_product(operand.dims, 0, operand.dims.size()); }

/// Axis in [-rank, rank) as an index in [0, rank), or nothing when outside.
constexpr std::optional<uint32_t> normalise_axis(int32_t axis, size_t rank) {
  const int64_t index = axis < 0 ? int64_t{axis} + static_cast<int64_t>(rank) : int64_t{axis};
  if (index < 0 || index >= static_cast<int64_t>(rank)) return std::nullopt;
  return static_cast<uint32_t>(index);
}

/// "[1, 224, 224, 3]"
std::string dims_text(std::span<const uint32_t> dims);

}  // namespace avocet::runtime
