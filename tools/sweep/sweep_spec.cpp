// SPDX-License-Identifier: Apache-2.0
#include "sweep/sweep_spec.hpp"

#include <avocet_device.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "inputs/tensor_input.hpp"
#include "workload/hardware_file.hpp"

namespace avocet::tools {
namespace {

constexpr size_t kPointsMax = 1000000;
constexpr char kEngines[] = "timing, timed, functional, rtl";

using Settings = std::vector<std::pair<std::string, Json>>;

/// Paths of a specification are relative to its folder.
std::string beside(const std::string& specification, const std::string& path) {
  return (std::filesystem::path(specification).parent_path() / path).lexically_normal().string();
}

Json::json_pointer pointer_of(const std::string& key) {
  std::string text = "/" + key;
  std::replace(text.begin(), text.end(), '.', '/');
  return Json::json_pointer(text);
}

std::string content_name(const void* data, size_t bytes) {
  char text[33];
  avocet_sim_content_hash(data, bytes, text);
  return text;
}

class Reader {
 public:
  Reader(const Json& root, const std::string& path, const Json* known) : path_(path), known_(known), root_(root, path) {}

  SweepSpec read() {
    const std::string engine = root_.word("engine", {"timing", "timed", "functional", "rtl"});
    Json base = read_base();
    root_.find("base");
    base["engine"] = engine;
    const std::vector<std::string> workloads = read_workloads();
    const std::vector<Settings> settings = read_settings();
    root_.finish("a sweep");
    if (workloads.size() * settings.size() > kPointsMax)
      throw InputError(path_ + ": " + std::to_string(workloads.size() * settings.size()) + " points are not allowed (1 to " +
                       std::to_string(kPointsMax) + ")");
    for (const std::string& workload : workloads) add_points(workload, settings, base);
    return std::move(spec_);
  }

 private:
  Json read_base() const {
    const std::string file = sweep_base(path_);
    if (file.empty()) return Json::object();
    Json base = is_hardware_file(file) ? read_hardware_file(file) : read_json_file(file);
    if (!base.is_object()) throw InputError(file + ": the whole file: " + shown(base) + " is not allowed (an object)");
    return base;
  }

  std::vector<std::string> read_workloads() {
    const std::string allowed = "an array of 1 to 1000 paths of workloads";
    const Json& value = root_.required("workloads", allowed);
    if (!value.is_array() || value.empty() || value.size() > 1000) root_.refuse("workloads", value, allowed);
    std::vector<std::string> paths;
    for (const Json& one : value) {
      if (!one.is_string()) root_.refuse("workloads", one, allowed);
      paths.push_back(beside(path_, one.get<std::string>()));
    }
    return paths;
  }

  /// The product of the grid, then the list.
  std::vector<Settings> read_settings() {
    std::vector<Settings> settings;
    if (const Json* grid = root_.find("grid")) settings = read_grid(*grid);
    if (const Json* list = root_.find("points")) {
      if (!list->is_array() || list->empty()) root_.refuse("points", *list, "an array of objects of keys and values");
      for (size_t i = 0; i < list->size(); ++i) {
        const std::string place = "points[" + std::to_string(i) + "]";
        if (!(*list)[i].is_object()) root_.refuse(place, (*list)[i], "an object of keys and values");
        Settings point;
        for (const auto& [key, value] : (*list)[i].items()) point.push_back(setting(place, key, value));
        settings.push_back(std::move(point));
      }
    }
    if (settings.empty()) settings.emplace_back();  // the base alone
    return settings;
  }

  std::vector<Settings> read_grid(const Json& grid) {
    if (!grid.is_object() || grid.empty()) root_.refuse("grid", grid, "an object of keys, each with an array of values");
    std::vector<Settings> settings = {{}};
    for (const auto& [key, values] : grid.items()) {
      if (!values.is_array() || values.empty()) root_.refuse("grid: " + key, values, "an array of 1 or more values");
      if (settings.size() * values.size() > kPointsMax)
        root_.refuse("grid: " + key, values, "at most " + std::to_string(kPointsMax) + " points in all");
      std::vector<Settings> longer;
      for (const Settings& before : settings)
        for (const Json& value : values) {
          longer.push_back(before);
          longer.back().push_back(setting("grid", key, value));
        }
      settings = std::move(longer);
    }
    return settings;
  }

  std::pair<std::string, Json> setting(const std::string& place, const std::string& key, const Json& value) {
    if (key == "engine") root_.refuse(place + ": engine", value, std::string("told once, at the top: ") + kEngines);
    if (known_ && !(known_->contains(pointer_of(key)) && !(*known_)[pointer_of(key)].is_object()))
      throw InputError(path_ + ": " + place + ": " + shown(key) +
                       " is no key of a configuration (accel_model/configs/README.md lists them, GROUP.KEY)");
    if (!value.is_number() && !value.is_string()) root_.refuse(place + ": " + key, value, "a number or a word");
    if (std::find(spec_.keys.begin(), spec_.keys.end(), key) == spec_.keys.end()) spec_.keys.push_back(key);
    return {key, value};
  }

  /// Each point once, even if the grid and the list both have it.
  void add_points(const std::string& workload, const std::vector<Settings>& settings, const Json& base) {
    const std::vector<uint8_t> bytes = read_file(workload);
    const std::string content = content_name(bytes.data(), bytes.size());
    for (const Settings& one : settings) {
      SweepPoint point{workload, one, base, {}};
      for (const auto& [key, value] : one) point.configuration[pointer_of(key)] = value;
      const std::string text = workload + " " + content + " " + point.configuration.dump();
      point.identity = content_name(text.data(), text.size());
      if (identities_.insert(point.identity).second) spec_.points.push_back(std::move(point));
    }
  }

  const std::string& path_;
  const Json* known_;
  StrictObject root_;
  SweepSpec spec_;
  std::set<std::string> identities_;
};

}  // namespace

SweepSpec read_sweep(const std::string& path, const Json* known) {
  const Json root = read_json_file(path);
  return Reader(root, path, known).read();
}

std::string sweep_base(const std::string& path) {
  const Json root = read_json_file(path);
  StrictObject keys(root, path);
  return keys.find("base") ? beside(path, keys.text("base")) : "";
}

}  // namespace avocet::tools
