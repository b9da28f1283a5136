// SPDX-License-Identifier: Apache-2.0
// From which node to which node each value lives.
#pragma once

#include "network.hpp"

namespace avocet::compiler {

struct Lifetime {
  static constexpr int32_t kOutside = -1;
  int32_t first_writer = kOutside;  // node index; kOutside: given from outside
  int32_t last_writer = kOutside;   // differs for values written image by image
  int32_t last_reader = kOutside;
};

/// One for each value.
std::vector<Lifetime> lifetimes(const Network& network);

}  // namespace avocet::compiler
