// SPDX-License-Identifier: Apache-2.0
// The held-out digits of the demo: IDX files (the format of MNIST), plain or gzipped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace avocet::tools {

struct DigitSet {
  uint32_t height = 0;
  uint32_t width = 0;
  std::vector<std::vector<uint8_t>> images;  // height * width bytes each
  std::vector<uint8_t> labels;
};

/// Reads images.idx3-ubyte.gz and labels.idx1-ubyte.gz of `directory`. Throws InputError.
DigitSet read_digit_set(const std::string& directory);

/// The folder with the demo's files: `given`, else beside the installed command, else in the source tree. Throws InputError.
std::string find_digits(const std::string& given);

}  // namespace avocet::tools
