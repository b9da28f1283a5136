// SPDX-License-Identifier: Apache-2.0
// LSH_PROJECTION: the sign of a weighted sum of hashes of (seed, input element). The hash is FarmHash's Fingerprint64, which the
// published cases fix; keys are at most 64 bytes here.
#include <cstring>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

constexpr uint64_t k0 = 0xc3a5c85c97cb3127u, k1 = 0xb492b66fbe98f273u, k2 = 0x9ae16a3b2f90404fu;

uint64_t load64(const uint8_t* p) {
  uint64_t x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

uint32_t load32(const uint8_t* p) {
  uint32_t x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

uint64_t rotate(uint64_t x, int by) { return (x >> by) | (x << (64 - by)); }

uint64_t mix(uint64_t u, uint64_t v, uint64_t mul) {
  uint64_t a = (u ^ v) * mul;
  a ^= a >> 47;
  uint64_t b = (v ^ a) * mul;
  b ^= b >> 47;
  return b * mul;
}

uint64_t hash_to_16(const uint8_t* s, size_t n) {
  const uint64_t mul = k2 + n * 2;
  if (n >= 8) {
    const uint64_t a = load64(s) + k2, b = load64(s + n - 8);
    return mix(rotate(b, 37) * mul + a, (rotate(a, 25) + b) * mul, mul);
  }
  if (n >= 4) return mix(n + (uint64_t{load32(s)} << 3), load32(s + n - 4), mul);
  if (n == 0) return k2;
  const uint32_t y = s[0] + (uint32_t{s[n >> 1]} << 8), z = static_cast<uint32_t>(n) + (uint32_t{s[n - 1]} << 2);
  uint64_t x = y * k2 ^ z * k0;
  x ^= x >> 47;
  return x * k2;
}

uint64_t hash_to_32(const uint8_t* s, size_t n) {
  const uint64_t mul = k2 + n * 2, a = load64(s) * k1, b = load64(s + 8);
  const uint64_t c = load64(s + n - 8) * mul, d = load64(s + n - 16) * k2;
  return mix(rotate(a + b, 43) + rotate(c, 30) + d, a + rotate(b + k2, 18) + c, mul);
}

uint64_t hash_to_64(const uint8_t* s, size_t n) {
  const uint64_t mul = k2 + n * 2, a = load64(s) * k2, b = load64(s + 8);
  const uint64_t c = load64(s + n - 8) * mul, d = load64(s + n - 16) * k2;
  const uint64_t y = rotate(a + b, 43) + rotate(c, 30) + d;
  const uint64_t z = mix(y, a + rotate(b + k2, 18) + c, mul);
  const uint64_t e = load64(s + 16) * mul, f = load64(s + 24);
  const uint64_t g = (y + load64(s + n - 32)) * mul, h = (z + load64(s + n - 24)) * mul;
  return mix(rotate(e + f, 43) + rotate(g, 30) + h, e + rotate(f + a, 18) + g, mul);
}

uint64_t fingerprint(const std::vector<uint8_t>& key) {
  if (key.size() <= 16) return hash_to_16(key.data(), key.size());
  return key.size() <= 32 ? hash_to_32(key.data(), key.size()) : hash_to_64(key.data(), key.size());
}

}  // namespace

void lsh_projection(Call& call) {
  const Value &hash = call.in(0), &input = call.in(1);
  const uint32_t functions = hash.dims[0], bits = hash.dims[1], items = input.dims[0];
  const std::vector<uint8_t> bytes = stored_bytes(input);
  const size_t item_bytes = bytes.size() / items;
  const int64_t type = call.integer(3);
  Expected& out = call.out(0);
  const bool dense = type == 2;
  out.resize({dense ? functions * bits : functions});
  if (item_bytes + 4 > 64) {
    out.values_known = false;  // the hash of longer keys is not written down here
    return;
  }
  for (uint32_t f = 0; f < functions; ++f) {
    uint32_t signature = 0;
    for (uint32_t b = 0; b < bits; ++b) {
      const auto seed = static_cast<float>(hash.real[size_t{f} * bits + b]);
      double score = 0;
      for (uint32_t i = 0; i < items; ++i) {
        std::vector<uint8_t> key(4);
        std::memcpy(key.data(), &seed, 4);
        key.insert(key.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i * item_bytes),
                   bytes.begin() + static_cast<std::ptrdiff_t>((i + 1) * item_bytes));
        score += static_cast<double>(static_cast<int64_t>(fingerprint(key))) * (call.has(2) ? call.in(2).real[i] : 1);
      }
      if (dense) out.real[size_t{f} * bits + b] = score > 0 ? 1 : 0;
      signature = signature << 1 | (score > 0 ? 1 : 0);
    }
    if (!dense) out.real[f] = static_cast<int32_t>(type == 3 ? signature + (f << bits) : signature);
  }
}

}  // namespace avocet::random_models::naive
