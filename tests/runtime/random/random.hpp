// SPDX-License-Identifier: Apache-2.0
// The seeded source of all choices: the same seed gives the same model on every machine and standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace avocet::random_models {

class Random {
 public:
  /// The seed is mixed: streams of neighbouring seeds have nothing in common.
  explicit Random(uint64_t seed) : state_(mix(seed + 0x632be59bd9b4e019u)) {}

  /// splitmix64
  uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15u); }
  /// In [0, count); count is not 0.
  uint32_t below(size_t count) { return static_cast<uint32_t>(next() % count); }
  /// In [low, high].
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(next() % (static_cast<uint64_t>(high - low) + 1));
  }
  uint32_t extent(uint32_t low, uint32_t high) { return static_cast<uint32_t>(between(low, high)); }
  bool chance(uint32_t percent) { return next() % 100 < percent; }
  /// In [low, high).
  double real(double low, double high) { return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53; }
  template <typename List>
  auto& pick(List& list) {
    return list[below(std::size(list))];
  }
  template <typename T>
  void shuffle(std::vector<T>& list) {
    for (size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

}  // namespace avocet::random_models
