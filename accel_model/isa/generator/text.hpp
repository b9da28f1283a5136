// SPDX-License-Identifier: Apache-2.0
// Building output text: case, numbers, wrapped comments.
#pragma once

#include <cstdint>
#include <string>

namespace avocet::isa_generator {

std::string upper(std::string text);
std::string lower(std::string text);
std::string hex(uint64_t value, unsigned digits = 1);  // 0x1F
uint32_t field_mask(unsigned lsb, unsigned bits);      // lsb + bits <= 32

// Words of `text` in lines of at most 118 columns; the first line begins with `first`, the others with `rest`, the last
// ends with `close`. Ends with a newline.
std::string wrapped(const std::string& text, const std::string& first, const std::string& rest,
                    const std::string& close);
// A C block comment, indented.
std::string c_comment(const std::string& text, unsigned indent = 0);

}  // namespace avocet::isa_generator
