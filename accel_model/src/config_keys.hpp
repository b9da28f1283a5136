// SPDX-License-Identifier: Apache-2.0
// One row for each configuration key.
#pragma once

#include <span>
#include <variant>

#include "config.hpp"

namespace avocet::model {

// A whole number from low to high. decimals: the file holds a decimal fraction, the member its value times 10^decimals.
struct NumberKey {
  uint64_t Config::*member;
  uint64_t low, high;
  unsigned decimals = 0;
  bool power_of_two = false;
};

// One of the words in `allowed` (separated by a space), or any short name when it is empty; or what `complaint_about` accepts.
struct TextKey {
  std::string Config::*member;
  const char *allowed;
  std::string (*complaint_about)(const std::string &text) = nullptr; // "" = good
};

struct ConfigKey {
  const char *group; // JSON object, "" = top level
  const char *key;
  const char *unit;
  const char *standard; // the default, as it would stand in the file
  std::variant<NumberKey, TextKey> value;
  const char *doc;
};

std::span<const ConfigKey> config_keys();

} // namespace avocet::model
