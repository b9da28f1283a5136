// SPDX-License-Identifier: Apache-2.0
// FarmHash's 64 bit fingerprint: one mixing function for each range of lengths. All arithmetic wraps at 64 bits, words are
// little endian, and the last words of a piece may overlap the ones before them.
#include "fingerprint.hpp"

#include <bit>
#include <utility>

namespace avocet::runtime {
namespace {

// Primes between 2^63 and 2^64.
constexpr uint64_t kPrime0 = 0xc3a5c85c97cb3127, kPrime1 = 0xb492b66fbe98f273, kPrime2 = 0x9ae16a3b2f90404f;

uint64_t word(const uint8_t* p, size_t bytes = 8) {
  uint64_t value = 0;
  for (size_t i = bytes; i-- > 0;) value = value << 8 | p[i];
  return value;
}

uint64_t fold(uint64_t x) { return x ^ (x >> 47); }

/// Two words to one.
uint64_t join(uint64_t a, uint64_t b, uint64_t factor) {
  const uint64_t first = fold((a ^ b) * factor);
  return fold((b ^ first) * factor) * factor;
}

uint64_t up_to_16(const uint8_t* p, size_t n) {
  const uint64_t factor = kPrime2 + n * 2;
  if (n >= 8) {
    const uint64_t a = word(p) + kPrime2, b = word(p + n - 8);
    return join(std::rotr(b, 37) * factor + a, (std::rotr(a, 25) + b) * factor, factor);
  }
  if (n >= 4) return join(n + (word(p, 4) << 3), word(p + n - 4, 4), factor);
  if (n == 0) return kPrime2;
  const uint64_t y = p[0] + (uint64_t{p[n / 2]} << 8), z = n + (uint64_t{p[n - 1]} << 2);
  return fold(y * kPrime2 ^ z * kPrime0) * kPrime2;
}

uint64_t from_17_to_32(const uint8_t* p, size_t n) {
  const uint64_t factor = kPrime2 + n * 2;
  const uint64_t a = word(p) * kPrime1, b = word(p + 8), c = word(p + n - 8) * factor, d = word(p + n - 16) * kPrime2;
  return join(std::rotr(a + b, 43) + std::rotr(c, 30) + d, a + std::rotr(b + kPrime2, 18) + c, factor);
}

uint64_t from_33_to_64(const uint8_t* p, size_t n) {
  const uint64_t factor = kPrime2 + n * 2;
  const uint64_t a = word(p) * kPrime2, b = word(p + 8), c = word(p + n - 8) * factor, d = word(p + n - 16) * kPrime2;
  const uint64_t y = std::rotr(a + b, 43) + std::rotr(c, 30) + d;
  const uint64_t z = join(y, a + std::rotr(b + kPrime2, 18) + c, factor);
  const uint64_t e = word(p + 16) * factor, f = word(p + 24);
  const uint64_t g = (y + word(p + n - 32)) * factor, h = (z + word(p + n - 24)) * factor;
  return join(std::rotr(e + f, 43) + std::rotr(g, 30) + h, e + std::rotr(f + a, 18) + g, factor);
}

/// The state that blocks of 64 bytes are mixed into.
struct State {
  uint64_t x, y, z;
  uint64_t v[2], w[2];
};

/// 32 bytes and two words into a pair.
void mix_half(const uint8_t* p, uint64_t a, uint64_t b, uint64_t pair[2]) {
  a += word(p);
  b = std::rotr(b + a + word(p + 24), 21);
  const uint64_t sum = a + word(p + 8) + word(p + 16);
  pair[0] = sum + word(p + 24);
  pair[1] = b + std::rotr(sum, 44) + a;
}

/// One block; `weight` is 1 for all but the last one.
void mix_block(State& s, const uint8_t* p, uint64_t factor, uint64_t weight) {
  s.x = std::rotr(s.x + s.y + s.v[0] + word(p + 8), 37) * factor;
  s.y = std::rotr(s.y + s.v[1] + word(p + 48), 42) * factor;
  s.x ^= s.w[1] * weight;
  s.y += s.v[0] * weight + word(p + 40);
  s.z = std::rotr(s.z + s.w[0], 33) * factor;
  const uint64_t second = s.z + s.w[1], third = s.y + word(p + 16);
  mix_half(p, s.v[1] * factor, s.x + s.w[0], s.v);
  mix_half(p + 32, second, third, s.w);
  std::swap(s.x, s.z);
}

uint64_t from_65(const uint8_t* p, size_t n) {
  constexpr uint64_t kSeed = 81;
  State s{};
  s.y = kSeed * kPrime1 + 113;
  s.z = fold(s.y * kPrime2 + 113) * kPrime2;
  s.x = kSeed * kPrime2 + word(p);
  const size_t rest = (n - 1) % 64 + 1;  // the last block is mixed in from its end, 64 bytes of it
  for (size_t at = 0; at < n - rest; at += 64) mix_block(s, p + at, kPrime1, 1);
  const uint64_t factor = kPrime1 + ((s.z & 0xff) << 1);
  s.w[0] += rest - 1;
  s.v[0] += s.w[0];
  s.w[0] += s.v[0];
  mix_block(s, p + n - 64, factor, 9);
  return join(join(s.v[0], s.w[0], factor) + fold(s.y) * kPrime0 + s.z, join(s.v[1], s.w[1], factor) + s.x, factor);
}

}  // namespace

uint64_t fingerprint64(const uint8_t* bytes, size_t length) {
  if (length <= 16) return up_to_16(bytes, length);
  if (length <= 32) return from_17_to_32(bytes, length);
  if (length <= 64) return from_33_to_64(bytes, length);
  return from_65(bytes, length);
}

}  // namespace avocet::runtime
