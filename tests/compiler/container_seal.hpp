// SPDX-License-Identifier: Apache-2.0
// The checksum of a program container as the container's comment defines it, written again from that definition.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace avocet::compiler::test {

inline uint64_t checksum(std::span<const uint8_t> bytes) {
  uint64_t hash = 0xCBF29CE484222325u;
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    hash = (hash ^ word) * 0x100000001B3u;
    hash ^= hash >> 29;
  }
  uint64_t tail = 0xCBF29CE484222325u;
  for (; at < bytes.size(); ++at) tail = (tail ^ bytes[at]) * 0x100000001B3u;
  return hash ^ tail;
}

/// Gives forged bytes, at least 32, the size and checksum that they should have.
inline void seal(std::vector<uint8_t>& bytes) {
  const uint64_t size = bytes.size(), sum = checksum(std::span(bytes).subspan(32));
  std::memcpy(bytes.data() + 16, &size, 8);
  std::memcpy(bytes.data() + 24, &sum, 8);
}

}  // namespace avocet::compiler::test
