// SPDX-License-Identifier: Apache-2.0
// Files of ours in JSON, read strictly: every complaint is one line with file, place, key, value and what is allowed, and a key
// that nobody asked for is an error.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "input_error.hpp"

namespace avocet::tools {

using Json = nlohmann::ordered_json;

/// Throws InputError ("PATH: line 3: not valid JSON").
Json read_json_file(const std::string& path);
/// The value as it stands in the file, cut to a short text.
std::string shown(const Json& value);
/// "PLACE: KEY: VALUE is not allowed (ALLOWED)"
[[noreturn]] void refuse_value(const std::string& place, const std::string& key, const Json& value,
                               const std::string& allowed);

/// An object whose keys are asked for one by one.
class StrictObject {
 public:
  /// `place`: "FILE: layers[3]". The value must outlive the object.
  StrictObject(const Json& value, std::string place);

  const std::string& place() const { return place_; }
  void set_place(std::string place) { place_ = std::move(place); }

  /// Null when the key is not there.
  const Json* find(const std::string& key);
  const Json& required(const std::string& key, const std::string& allowed);
  [[noreturn]] void refuse(const std::string& key, const Json& value, const std::string& allowed) const {
    refuse_value(place_, key, value, allowed);
  }

  uint32_t whole(const std::string& key, uint32_t low, uint32_t high);
  uint32_t whole_or(const std::string& key, uint32_t low, uint32_t high, uint32_t absent);
  double number_or(const std::string& key, double low, double high, double absent);
  bool flag_or(const std::string& key, bool absent);
  /// Any text of 1 to 200 printable characters.
  std::string text(const std::string& key);
  std::string text_or(const std::string& key, const std::string& absent);
  /// One of `words`; the first when the key is not there.
  std::string word(const std::string& key, const std::vector<std::string>& words);
  /// `count` whole numbers, or one that stands for all.
  std::vector<uint32_t> wholes_or(const std::string& key, size_t count, uint32_t low, uint32_t high, uint32_t absent);
  /// An array of least..most whole numbers.
  std::vector<uint32_t> list(const std::string& key, size_t least, size_t most, uint32_t low, uint32_t high);

  /// Refuses keys that nobody asked for; `what` names the kind of object.
  void finish(const std::string& what) const;

 private:
  uint32_t whole_of(const std::string& key, const Json& value, uint32_t low, uint32_t high) const;

  const Json& value_;
  std::string place_;
  std::vector<std::string> asked_;
};

}  // namespace avocet::tools
