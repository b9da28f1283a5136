// SPDX-License-Identifier: Apache-2.0
// zlib's crc32, fed in pieces because its length has 32 bits.
#include "report/crc32.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdio>

namespace avocet::tools {

uint32_t crc32_of(std::span<const uint8_t> bytes) {
  uLong crc = crc32(0, nullptr, 0);
  while (!bytes.empty()) {
    const size_t piece = std::min<size_t>(bytes.size(), size_t{1} << 30);
    crc = crc32(crc, bytes.data(), static_cast<uInt>(piece));
    bytes = bytes.subspan(piece);
  }
  return static_cast<uint32_t>(crc);
}

std::string crc32_text(std::span<const uint8_t> bytes) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", crc32_of(bytes));
  return text;
}

}  // namespace avocet::tools
