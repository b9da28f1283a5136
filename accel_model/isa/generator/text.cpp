// SPDX-License-Identifier: Apache-2.0
// See text.hpp.
#include "text.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace avocet::isa_generator {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string hex(uint64_t value, unsigned digits) {
  std::string result;
  while (value != 0 || result.size() < digits) {
    result.insert(result.begin(), "0123456789ABCDEF"[value & 15]);
    value >>= 4;
  }
  return "0x" + result;
}

uint32_t field_mask(unsigned lsb, unsigned bits) { return static_cast<uint32_t>(((uint64_t{1} << bits) - 1) << lsb); }

std::string wrapped(const std::string& text, const std::string& first, const std::string& rest,
                    const std::string& close) {
  constexpr size_t kColumns = 118;
  std::istringstream words(text);
  std::string result, line = first, word;
  for (bool empty = true; words >> word; empty = false) {
    if (!empty && line.size() + 1 + word.size() + close.size() > kColumns) {
      result += line + "\n";
      line = rest + word;
    } else {
      line += (empty ? "" : " ") + word;
    }
  }
  return result + line + close + "\n";
}

std::string c_comment(const std::string& text, unsigned indent) {
  std::string margin(indent, ' ');
  return wrapped(text, margin + "/* ", margin + " * ", " */");
}

}  // namespace avocet::isa_generator
