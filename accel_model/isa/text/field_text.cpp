// SPDX-License-Identifier: Apache-2.0
// See field_text.hpp. DMA units have one row in the contract; DMA1 to DMA7 are spelt from it.
#include "field_text.hpp"

#include <charconv>

namespace avocet::isa {
namespace {

std::string unit_text(int64_t value) {
  if (value >= AVOCET_UNIT_DMA0 && value < AVOCET_UNIT_COUNT) return "DMA" + std::to_string(value - AVOCET_UNIT_DMA0);
  return "";
}

std::string name_of(const avocet_field_info& field, int64_t value) {
  if (field.kind == AVOCET_KIND_UNIT)
    if (std::string dma = unit_text(value); !dma.empty()) return dma;
  for (uint32_t i = 0; field.names && i < field.names->value_count; ++i)
    if (field.names->values[i].value == value) return field.names->values[i].name;
  return "";
}

}  // namespace

std::optional<int64_t> field_default(const avocet_field_info& field) {
  switch (field.kind) {
    case AVOCET_KIND_FLAG:
    case AVOCET_KIND_STRIDE:
      return 0;
    case AVOCET_KIND_COUNT_MINUS_ONE:
      return 1;
    default:
      return std::nullopt;
  }
}

std::string field_text(const avocet_field_info& field, int64_t value) {
  if (std::string name = name_of(field, value); !name.empty()) return name;
  if (field.kind == AVOCET_KIND_SRAM || field.kind == AVOCET_KIND_DRAM)
    return hexadecimal(static_cast<uint64_t>(value));
  return std::to_string(value);
}

std::optional<int64_t> parse_field(const avocet_field_info& field, std::string_view text) {
  if (std::optional<int64_t> number = parse_number(text)) return number;
  if (field.kind != AVOCET_KIND_UNIT && field.kind != AVOCET_KIND_ENUM) return std::nullopt;
  for (int64_t value = avocet_field_minimum(&field); value <= avocet_field_maximum(&field); ++value)
    if (name_of(field, value) == text) return value;
  return std::nullopt;
}

std::optional<int64_t> parse_number(std::string_view text) {
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  uint64_t value = 0;
  auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc() || stop != text.data() + text.size() || value > INT64_MAX) return std::nullopt;
  return negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

std::string hexadecimal(uint64_t value, int digits) {
  char buffer[16];
  char* end = std::to_chars(buffer, buffer + sizeof buffer, value, 16).ptr;
  std::string text(buffer, end);
  if (text.size() < static_cast<size_t>(digits)) text.insert(0, digits - text.size(), '0');
  return "0x" + text;
}

}  // namespace avocet::isa
