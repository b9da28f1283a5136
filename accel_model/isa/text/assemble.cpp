// SPDX-License-Identifier: Apache-2.0
// See avocet/isa/assemble.hpp.
#include "avocet/isa/assemble.hpp"

#include <algorithm>
#include <optional>

#include "field_text.hpp"

namespace avocet::isa {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

// Takes the next blank-separated token off the front; empty at the end.
std::string_view take_token(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
  std::string_view token = rest.substr(0, end);
  rest.remove_prefix(end);
  return token;
}

class Line {
 public:
  Line(size_t number, std::string_view text) : number_(number), rest_(text.substr(0, text.find(';'))) {}

  void assemble_into(std::vector<uint32_t>& words) {
    std::string_view name = take_token(rest_);
    if (name.empty()) return;
    if (name == ".word") return raw(words);
    for (const avocet_command_info& row : avocet_commands)
      if (name == row.name) return command(row, words);
    fail("unknown command \"" + std::string(name) + "\"");
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { throw AssemblyError(number_, problem); }

  void raw(std::vector<uint32_t>& words) {
    size_t before = words.size();
    for (std::string_view token = take_token(rest_); !token.empty(); token = take_token(rest_)) {
      std::optional<int64_t> value = parse_number(token);
      if (!value || *value < 0 || *value > UINT32_MAX) fail("\"" + std::string(token) + "\" is not a 32-bit word");
      words.push_back(static_cast<uint32_t>(*value));
    }
    if (words.size() == before) fail(".word needs a value");
  }

  void command(const avocet_command_info& row, std::vector<uint32_t>& words) {
    uint32_t encoded[AVOCET_WORDS_MAX] = {};
    bool given[AVOCET_FIELDS_MAX] = {}, tag_given = false;
    int64_t tag = 0;
    for (std::string_view token = take_token(rest_); !token.empty(); token = take_token(rest_)) {
      size_t equals = token.find('=');
      if (equals == std::string_view::npos) fail("\"" + std::string(token) + "\" is not field=value");
      std::string name(token.substr(0, equals));
      std::string_view value = token.substr(equals + 1);
      if (name == "tag") {
        once(tag_given, name);
        tag = tag_value(value);
      } else {
        uint32_t index = field_index(row, name);
        once(given[index], name);
        avocet_field_set(&row.fields[index], encoded, field_value(row.fields[index], value));
      }
    }
    for (uint32_t i = 0; i < row.field_count; ++i)
      if (!given[i]) avocet_field_set(&row.fields[i], encoded, default_value(row, row.fields[i]));
    encoded[0] = avocet_command_header(row.opcode, row.words, static_cast<uint32_t>(tag));
    words.insert(words.end(), encoded, encoded + row.words);
  }

  uint32_t field_index(const avocet_command_info& row, const std::string& name) const {
    for (uint32_t i = 0; i < row.field_count; ++i)
      if (name == row.fields[i].name) return i;
    fail(std::string(row.name) + " has no field \"" + name + "\"");
  }

  void once(bool& given, const std::string& name) const {
    if (given) fail(name + " is given twice");
    given = true;
  }

  int64_t tag_value(std::string_view text) const {
    std::optional<int64_t> value = parse_number(text);
    if (!value) fail("tag: \"" + std::string(text) + "\" is not a number");
    check_range("tag", *value, 0, (int64_t{1} << AVOCET_COMMAND_TAG_BITS) - 1);
    return *value;
  }

  int64_t field_value(const avocet_field_info& field, std::string_view text) const {
    std::optional<int64_t> value = parse_field(field, text);
    if (!value) fail(std::string(field.name) + ": \"" + std::string(text) + "\" is no value of this field");
    check_range(field.name, *value, avocet_field_minimum(&field), avocet_field_maximum(&field));
    return *value;
  }

  void check_range(const std::string& name, int64_t value, int64_t minimum, int64_t maximum) const {
    if (value < minimum || value > maximum)
      fail(name + ": " + std::to_string(value) + " is not within " + std::to_string(minimum) + " to " +
           std::to_string(maximum));
  }

  int64_t default_value(const avocet_command_info& row, const avocet_field_info& field) const {
    std::optional<int64_t> value = field_default(field);
    if (!value) fail(std::string(row.name) + " needs " + field.name);
    return *value;
  }

  size_t number_;
  std::string_view rest_;
};

}  // namespace

std::vector<uint32_t> assemble(std::string_view text) {
  std::vector<uint32_t> words;
  for (size_t number = 1; !text.empty(); ++number) {
    size_t end = std::min(text.find('\n'), text.size());
    Line(number, text.substr(0, end)).assemble_into(words);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace avocet::isa
