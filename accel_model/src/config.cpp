// SPDX-License-Identifier: Apache-2.0
// Reads, checks and prints a configuration by walking the table of keys. Every complaint is one line with file, key, value
// and allowed range.
#include "config.hpp"

#include <cctype>
#include <cmath>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "config_keys.hpp"
#include "dram_timing.hpp"

namespace avocet::model {

namespace {

using Json = nlohmann::ordered_json;

uint64_t power_of_ten(unsigned decimals) {
  uint64_t scale = 1;
  while (decimals-- > 0) scale *= 10;
  return scale;
}

// 8000 with three decimals -> "8", 8500 -> "8.5".
std::string number_text(uint64_t value, unsigned decimals) {
  uint64_t scale = power_of_ten(decimals);
  std::string text = std::to_string(value / scale);
  std::string fraction = std::to_string(scale + value % scale).substr(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return fraction.empty() ? text : text + "." + fraction;
}

std::string full_name(const ConfigKey &row) { return row.group[0] ? std::string(row.group) + "." + row.key : row.key; }

std::string allowed_text(const ConfigKey &row) {
  if (const auto *number = std::get_if<NumberKey>(&row.value)) {
    std::string range = number_text(number->low, number->decimals) + " to " + number_text(number->high, number->decimals);
    if (number->power_of_two) range += ", a power of two";
    return range;
  }
  if (std::get<TextKey>(row.value).complaint_about != nullptr) return "a specification";
  const char *allowed = std::get<TextKey>(row.value).allowed;
  return allowed[0] ? "one of: " + std::string(allowed) : "1 to 64 letters, digits, '_', '-', '.'";
}

// The value as it stands in the file, cut so that the message stays one short line.
std::string shown(const Json &value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

[[noreturn]] void complain(const std::string &source, const ConfigKey &row, const Json &value) {
  throw ConfigError(source + ": " + full_name(row) + ": " + shown(value) + " is not allowed (" + allowed_text(row) +
                    ", " + row.unit + ")");
}

void set_number(Config &config, const ConfigKey &row, const NumberKey &key, const Json &value, const std::string &source) {
  if (!value.is_number() || (key.decimals == 0 && !value.is_number_unsigned())) complain(source, row, value);
  uint64_t number = 0;
  if (key.decimals == 0) {
    number = value.get<uint64_t>();
  } else {
    double scaled = std::round(value.get<double>() * static_cast<double>(power_of_ten(key.decimals)));
    if (!(scaled >= 0 && scaled < 1e18)) complain(source, row, value);
    number = static_cast<uint64_t>(scaled);
  }
  if (number < key.low || number > key.high) complain(source, row, value);
  if (key.power_of_two && (number & (number - 1)) != 0) complain(source, row, value);
  config.*key.member = number;
}

bool is_word_of(const std::string &word, const char *allowed) {
  std::istringstream words(allowed);
  std::string candidate;
  while (words >> candidate)
    if (candidate == word) return true;
  return false;
}

bool is_plain_name(const std::string &name) {
  if (name.empty() || name.size() > 64) return false;
  for (unsigned char c : name)
    if (!std::isalnum(c) && c != '_' && c != '-' && c != '.') return false;
  return true;
}

void set_text(Config &config, const ConfigKey &row, const TextKey &key, const Json &value, const std::string &source) {
  if (!value.is_string()) complain(source, row, value);
  const std::string text = value.get<std::string>();
  if (key.complaint_about != nullptr) {
    const std::string complaint = key.complaint_about(text);
    if (!complaint.empty()) throw ConfigError(source + ": " + full_name(row) + ": " + complaint);
    config.*key.member = text;
    return;
  }
  bool good = key.allowed[0] ? is_word_of(text, key.allowed) : is_plain_name(text);
  if (!good) complain(source, row, value);
  config.*key.member = text;
}

void set_key(Config &config, const ConfigKey &row, const Json &value, const std::string &source) {
  if (const auto *number = std::get_if<NumberKey>(&row.value))
    set_number(config, row, *number, value, source);
  else
    set_text(config, row, std::get<TextKey>(row.value), value, source);
}

const ConfigKey *find_key(const std::string &group, const std::string &key) {
  for (const ConfigKey &row : config_keys())
    if (row.group == group && row.key == key) return &row;
  return nullptr;
}

bool is_group(const std::string &name) {
  for (const ConfigKey &row : config_keys())
    if (!name.empty() && row.group == name) return true;
  return false;
}

[[noreturn]] void complain_unknown(const std::string &source, const std::string &key) {
  throw ConfigError(source + ": " + shown(Json(key)) + ": unknown key (configs/README.md lists the known ones)");
}

void set_group(Config &config, const std::string &group, const Json &object, const std::string &source) {
  for (const auto &[key, value] : object.items()) {
    if (group.empty() && is_group(key)) {
      const ConfigKey *kind = find_key(key, "kind"); // "firmware": "riscv" is short for "firmware": {"kind": "riscv"}
      if (value.is_string() && kind != nullptr) {
        set_key(config, *kind, value, source);
        continue;
      }
      if (!value.is_object())
        throw ConfigError(source + ": " + key + ": " + shown(value) + " is not allowed (an object)");
      set_group(config, key, value, source);
      continue;
    }
    const ConfigKey *row = find_key(group, key);
    if (row == nullptr) complain_unknown(source, group.empty() ? key : group + "." + key);
    set_key(config, *row, value, source);
  }
}

Json default_value(const ConfigKey &row) {
  if (std::holds_alternative<NumberKey>(row.value)) return Json::parse(row.standard);
  return Json(row.standard);
}

Config defaults() {
  Config config;
  for (const ConfigKey &row : config_keys()) set_key(config, row, default_value(row), "built-in configuration");
  return config;
}

// The memory's part first: its values stand for those that the file does not set, wherever it names the part.
void set_memory_part(Config &config, const Json &root, const std::string &source) {
  const auto group = root.find("dram");
  if (group == root.end() || !group->is_object() || !group->contains("model")) return;
  set_key(config, *find_key("dram", "model"), (*group)["model"], source);
  apply_dram_preset(config);
}

// Rules between keys.
void check_together(const Config &config, const std::string &source) {
  if (config.engine == "rtl" && !(config.array_rows == config.array_columns &&
                                  (config.array_rows == 8 || config.array_rows == 16 || config.array_rows == 32)))
    throw ConfigError(source + ": array: " + std::to_string(config.array_rows) + "x" +
                      std::to_string(config.array_columns) +
                      " is not allowed with engine rtl (8x8, 16x16 or 32x32; the other engines take any size)");
  if (config.dram_row_bytes < config.dram_bus_bits / 8 * config.dram_burst_length)
    throw ConfigError(source + ": dram.row_bytes: " + std::to_string(config.dram_row_bytes) +
                      " is not allowed (at least a burst, dram.bus_bits / 8 * dram.burst_length bytes)");
}

// Line of a byte position, for syntax errors.
size_t line_of(const std::string &text, size_t position) {
  size_t line = 1;
  for (size_t i = 0; i < position && i < text.size(); ++i) line += text[i] == '\n';
  return line;
}

Json parse_json(const std::string &text, const std::string &source) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error &error) {
    throw ConfigError(source + ": line " + std::to_string(line_of(text, error.byte > 0 ? error.byte - 1 : 0)) +
                      ": not valid JSON");
  } catch (const Json::exception &) {
    throw ConfigError(source + ": holds a number out of range");
  }
}

} // namespace

Config parse_config(const std::string &text, const std::string &source, const char *engine, const char *firmware) {
  Config config = defaults();
  Json root = parse_json(text, source);
  if (!root.is_object()) throw ConfigError(source + ": the whole file: " + shown(root) + " is not allowed (an object)");
  set_memory_part(config, root, source);
  set_group(config, "", root, source);
  if (engine != nullptr) set_key(config, *find_key("", "engine"), Json(engine), "option");
  if (firmware != nullptr) set_key(config, *find_key("firmware", "kind"), Json(firmware), "option");
  check_together(config, source);
  return config;
}

Config read_config(const char *path, const char *engine, const char *firmware) {
  if (path == nullptr) return parse_config("{}", "built-in configuration", engine, firmware);
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw ConfigError(std::string(path) + ": cannot be read, or is empty", !file);
  return parse_config(text.str(), path, engine, firmware);
}

std::string config_text(const Config &config) {
  Json root = Json::object();
  for (const ConfigKey &row : config_keys()) {
    Json &place = row.group[0] ? root[row.group] : root;
    if (const auto *number = std::get_if<NumberKey>(&row.value))
      place[row.key] = Json::parse(number_text(config.*number->member, number->decimals));
    else
      place[row.key] = config.*std::get<TextKey>(row.value).member;
  }
  return root.dump(2);
}

std::string config_reference() {
  std::string page = "| key | unit | default | allowed | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const ConfigKey &row : config_keys())
    page += "| `" + full_name(row) + "` | " + row.unit + " | " + row.standard + " | " + allowed_text(row) + " | " + row.doc +
            " |\n";
  return page;
}

} // namespace avocet::model
