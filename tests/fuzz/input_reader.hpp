// SPDX-License-Identifier: Apache-2.0
// A fuzzer's input as a source of values; behind its end everything is 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace avocet::fuzz {

class InputReader {
 public:
  InputReader(const uint8_t* data, size_t size) : at_(data), left_(size) {}

  bool empty() const { return left_ == 0; }

  template <typename T>
  T take() {
    T value{};
    read(&value, sizeof value);
    return value;
  }
  uint32_t below(uint32_t count) { return take<uint8_t>() % count; }

  void read(void* to, size_t bytes) {
    if (bytes == 0) return;
    const size_t now = std::min(bytes, left_);
    std::memset(to, 0, bytes);
    if (now > 0) std::memcpy(to, at_, now);
    at_ += now;
    left_ -= now;
  }

  std::vector<uint32_t> words(size_t most) {
    std::vector<uint32_t> words(std::min(most, left_ / 4));
    read(words.data(), words.size() * 4);
    return words;
  }

 private:
  const uint8_t* at_;
  size_t left_;
};

/// What does not hold ends the process, as a fuzzer's finding.
inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

}  // namespace avocet::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
