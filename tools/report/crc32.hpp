// SPDX-License-Identifier: Apache-2.0
// CRC-32 as zlib and the manifests of reference outputs have it, and its usual spelling.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace avocet::tools {

uint32_t crc32_of(std::span<const uint8_t> bytes);
/// Eight lower-case hexadecimal digits.
std::string crc32_text(std::span<const uint8_t> bytes);

}  // namespace avocet::tools
