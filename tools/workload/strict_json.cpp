// SPDX-License-Identifier: Apache-2.0
#include "workload/strict_json.hpp"

#include <algorithm>
#include <cmath>

#include "inputs/tensor_input.hpp"

namespace avocet::tools {
namespace {

std::string range_text(uint64_t low, uint64_t high) { return std::to_string(low) + " to " + std::to_string(high); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

bool is_printable(const std::string& text) {
  return !text.empty() && text.size() <= 200 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0x20 && c != 0x7F; });
}

}  // namespace

Json read_json_file(const std::string& path) {
  const std::vector<uint8_t> bytes = read_file(path);
  try {
    return Json::parse(bytes);
  } catch (const Json::parse_error& error) {
    const size_t end = std::min(bytes.size(), error.byte > 0 ? error.byte - 1 : 0);
    const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    throw InputError(path + ": line " + std::to_string(line) + ": not valid JSON");
  } catch (const Json::exception&) {
    throw InputError(path + ": holds a number out of range");
  }
}

std::string shown(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

void refuse_value(const std::string& place, const std::string& key, const Json& value, const std::string& allowed) {
  throw InputError(place + ": " + key + ": " + shown(value) + " is not allowed (" + allowed + ")");
}

StrictObject::StrictObject(const Json& value, std::string place) : value_(value), place_(std::move(place)) {
  if (!value.is_object()) throw InputError(place_ + ": " + shown(value) + " is not allowed (an object)");
}

const Json* StrictObject::find(const std::string& key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.push_back(key);
  const auto found = value_.find(key);
  return found == value_.end() ? nullptr : &*found;
}

const Json& StrictObject::required(const std::string& key, const std::string& allowed) {
  if (const Json* value = find(key)) return *value;
  throw InputError(place_ + ": " + key + " is missing (" + allowed + ")");
}

uint32_t StrictObject::whole_of(const std::string& key, const Json& value, uint32_t low, uint32_t high) const {
  if (!value.is_number_unsigned() || value.get<uint64_t>() < low || value.get<uint64_t>() > high)
    refuse(key, value, "a whole number, " + range_text(low, high));
  return value.get<uint32_t>();
}

uint32_t StrictObject::whole(const std::string& key, uint32_t low, uint32_t high) {
  return whole_of(key, required(key, range_text(low, high)), low, high);
}

uint32_t StrictObject::whole_or(const std::string& key, uint32_t low, uint32_t high, uint32_t absent) {
  const Json* value = find(key);
  return value ? whole_of(key, *value, low, high) : absent;
}

double StrictObject::number_or(const std::string& key, double low, double high, double absent) {
  const Json* value = find(key);
  if (!value) return absent;
  if (!value->is_number() || !(value->get<double>() >= low && value->get<double>() <= high))
    refuse(key, *value, "a number, " + shown(low) + " to " + shown(high));
  return value->get<double>();
}

bool StrictObject::flag_or(const std::string& key, bool absent) {
  const Json* value = find(key);
  if (!value) return absent;
  if (!value->is_boolean()) refuse(key, *value, "true or false");
  return value->get<bool>();
}

std::string StrictObject::text(const std::string& key) {
  const Json& value = required(key, "a text");
  if (!value.is_string() || !is_printable(value.get<std::string>()))
    refuse(key, value, "a text of 1 to 200 printable characters");
  return value.get<std::string>();
}

std::string StrictObject::text_or(const std::string& key, const std::string& absent) {
  return find(key) ? text(key) : absent;
}

std::string StrictObject::word(const std::string& key, const std::vector<std::string>& words) {
  const Json* value = find(key);
  if (!value) return words.front();
  if (!value->is_string() || std::find(words.begin(), words.end(), value->get<std::string>()) == words.end())
    refuse(key, *value, "one of " + joined(words));
  return value->get<std::string>();
}

std::vector<uint32_t> StrictObject::wholes_or(const std::string& key, size_t count, uint32_t low, uint32_t high,
                                              uint32_t absent) {
  const Json* value = find(key);
  if (!value) return std::vector<uint32_t>(count, absent);
  const std::string allowed =
      "a whole number or " + std::to_string(count) + " of them, " + range_text(low, high) + " each";
  if (value->is_array() && value->size() != count) refuse(key, *value, allowed);
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i < count; ++i) {
    const Json& one = value->is_array() ? (*value)[i] : *value;
    if (!one.is_number_unsigned() || one.get<uint64_t>() < low || one.get<uint64_t>() > high) refuse(key, *value, allowed);
    numbers.push_back(one.get<uint32_t>());
  }
  return numbers;
}

std::vector<uint32_t> StrictObject::list(const std::string& key, size_t least, size_t most, uint32_t low, uint32_t high) {
  const std::string allowed = "an array of " + (least == most ? std::to_string(least) : range_text(least, most)) +
                              " whole numbers, " + range_text(low, high) + " each";
  const Json& value = required(key, allowed);
  if (!value.is_array() || value.size() < least || value.size() > most) refuse(key, value, allowed);
  std::vector<uint32_t> numbers;
  for (const Json& one : value) {
    if (!one.is_number_unsigned() || one.get<uint64_t>() < low || one.get<uint64_t>() > high) refuse(key, value, allowed);
    numbers.push_back(one.get<uint32_t>());
  }
  return numbers;
}

void StrictObject::finish(const std::string& what) const {
  for (const auto& [key, value] : value_.items()) {
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    throw InputError(place_ + ": " + shown(key) + " is no key of " + what + " (" + joined(asked_) + ")");
  }
}

}  // namespace avocet::tools
