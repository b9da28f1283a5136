// SPDX-License-Identifier: Apache-2.0
// Names, sizes and element conversions of the API's operand types, and the names of its operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace avocet::tools {

struct OperandTypeInfo {
  const char* name;      // without the ANEURALNETWORKS_ prefix
  size_t element_bytes;  // 0 for MODEL
  bool tensor;
};

/// Null for a code or name the API does not define.
const OperandTypeInfo* operand_type_info(int32_t type);
std::optional<int32_t> operand_type_code(std::string_view name);
std::optional<int32_t> operation_code(std::string_view name);
/// The operation's name, or its number when the API does not define it.
std::string operation_name(int32_t code);

/// One stored element as a double; never dequantised.
double read_element(int32_t type, const uint8_t* element);
/// Appends `value`, rounded to the element type, to `bytes`.
void append_element(int32_t type, double value, std::vector<uint8_t>& bytes);

/// Number of elements; nullopt on overflow of 32 bits. Rank 0 counts one element.
std::optional<size_t> element_count(std::span<const uint32_t> dims);
/// "[1, 224, 224, 3]"
std::string format_dimensions(std::span<const uint32_t> dims);
/// Position of the flat element `index` in a tensor of these dimensions: "[0, 3, 1]".
std::string format_position(size_t index, std::span<const uint32_t> dims);

uint16_t half_from_double(double value);
double double_from_half(uint16_t bits);

}  // namespace avocet::tools
