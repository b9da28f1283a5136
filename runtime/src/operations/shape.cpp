// SPDX-License-Identifier: Apache-2.0
// Dimensions: see shape.hpp.
#include "shape.hpp"

#include <limits>

namespace avocet::runtime {

const char* type_name(int32_t type) {
  static constexpr const char* kNames[] = {
      "FLOAT32",       "INT32",       "UINT32",  "TENSOR_FLOAT32",
      "TENSOR_INT32",  "TENSOR_QUANT8_ASYMM", "BOOL", "TENSOR_QUANT16_SYMM",
      "TENSOR_FLOAT16", "TENSOR_BOOL8", "FLOAT16", "TENSOR_QUANT8_SYMM_PER_CHANNEL",
      "TENSOR_QUANT16_ASYMM", "TENSOR_QUANT8_SYMM", "TENSOR_QUANT8_ASYMM_SIGNED", "MODEL"};
  if (type < 0 || type >= static_cast<int32_t>(std::size(kNames))) return "an unknown type";
  return kNames[type];
}

std::optional<uint32_t> element_count(std::span<const uint32_t> dims) {
  // A zero extent makes the product zero, whatever the others are.
  for (uint32_t extent : dims) {
    if (extent == 0) return 0;
  }
  uint64_t product = 1;
  for (uint32_t extent : dims) {
    product *= extent;
    if (product > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  }
  return static_cast<uint32_t>(product);
}

std::string dims_text(std::span<const uint32_t> dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i) text += ", ";
    text += std::to_string(dims[i]);
  }
  return text + "]";
}

}  // namespace avocet::runtime
