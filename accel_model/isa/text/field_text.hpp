// SPDX-License-Identifier: Apache-2.0
// One field's value as text and back: what the assembler and the disassembler must agree on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "avocet_isa_tables.h"

namespace avocet::isa {

// The value of a field that a line leaves out; nullopt when the field must be given.
std::optional<int64_t> field_default(const avocet_field_info& field);

// A name where the field's enum has one, addresses in hexadecimal, other values in decimal.
std::string field_text(const avocet_field_info& field, int64_t value);

// A decimal or 0x number with optional sign, or a name of the field's enum; nullopt for anything else.
std::optional<int64_t> parse_field(const avocet_field_info& field, std::string_view text);
std::optional<int64_t> parse_number(std::string_view text);

std::string hexadecimal(uint64_t value, int digits = 1);

}  // namespace avocet::isa
