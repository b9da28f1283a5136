// SPDX-License-Identifier: Apache-2.0
// Bad input of a user: a file, an option, a model. One line that says what is wrong and where; ends a command with status 2.
#pragma once

#include <stdexcept>

namespace avocet::tools {

class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace avocet::tools
