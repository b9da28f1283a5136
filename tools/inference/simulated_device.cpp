// SPDX-License-Identifier: Apache-2.0
// Calls of avocet_device.h.
#include "inference/simulated_device.hpp"

#include <avocet_device.h>

#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "input_error.hpp"
#include "report/worker_pool.hpp"
#include "workload/hardware_file.hpp"

namespace avocet::tools {
namespace {

/// A string of the configuration in force; empty when there is no device or no such key.
std::string configuration_string(const char* key) {
  const char* text = avocet_sim_config();
  if (!text) return {};
  const auto config = nlohmann::json::parse(text, nullptr, false);
  if (!config.is_object() || !config.contains(key) || !config[key].is_string()) return {};
  return config[key].get<std::string>();
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

void prepare_device(const DeviceSettings& given) {
  DeviceSettings settings = given;
  settings.config = configuration_file(given.config);
  apply_device_settings(settings);
  if (settings.device == DeviceChoice::cpu) return;
  const int device = avocet_open();
  if (device < 0) {
    const std::string reason = avocet_sim_error();
    throw InputError("the device does not start: " + (reason.empty() ? std::strerror(-device) : reason));
  }
  avocet_close(device);
}

void prepare_device_for_workers(const DeviceSettings& given) {
  DeviceSettings settings = given;
  settings.config = configuration_file(given.config);
  apply_device_settings(settings);
  if (settings.device == DeviceChoice::cpu) return;
  std::string refusal;
  run_in_worker_processes(
      1, {.workers = 1, .seconds_per_job = 60},
      [&](size_t) -> std::string {
        try {
          prepare_device(settings);
          return "";
        } catch (const InputError& error) {
          return error.what();
        }
      },
      [&](size_t, const std::string& result) { refusal = result; },
      [&](size_t, const std::string& reason) { refusal = "the device does not start: " + reason; });
  if (!refusal.empty()) throw InputError(refusal);
}

std::string configuration_name(const DeviceSettings& settings) {
  if (settings.device == DeviceChoice::cpu) return {};
  if (std::string name = configuration_string("name"); !name.empty()) return name;
  return settings.config.empty() ? environment("AVOCET_CONFIG") : settings.config;
}

std::string engine_name(const DeviceSettings& settings) {
  if (settings.device == DeviceChoice::cpu) return {};
  if (!settings.engine.empty()) return settings.engine;
  if (std::string name = environment("AVOCET_ENGINE"); !name.empty()) return name;
  return configuration_string("engine");
}

bool engine_is_timed(const DeviceSettings& settings) {
  return settings.device != DeviceChoice::cpu && engine_name(settings) != "functional";
}

bool engine_moves_values(const DeviceSettings& settings) {
  return settings.device == DeviceChoice::cpu || engine_name(settings) != "timing";
}

uint32_t configuration_number(const char* group, const char* key) {
  const char* text = avocet_sim_config();
  if (!text) return 0;
  const auto config = nlohmann::json::parse(text, nullptr, false);
  return config.value(nlohmann::json::json_pointer(std::string("/") + group + "/" + key), 0u);
}

std::string configuration_text() {
  const char* text = avocet_sim_config();
  if (!text) return {};
  const auto config = nlohmann::ordered_json::parse(text, nullptr, false);
  return config.is_discarded() ? text : config.dump(2);
}

void write_timeline(const DeviceSettings& settings) {
  if (settings.timeline.empty()) return;
  const int result = avocet_timeline_flush();
  if (result < 0) throw InputError(settings.timeline + ": " + std::strerror(-result));
}

TimelineSlice::TimelineSlice(std::string name) : name_(std::move(name)), start_(avocet_timeline_now()) {}

TimelineSlice::~TimelineSlice() {
  if (avocet_timeline_enabled()) {
    avocet_timeline_slice(AVOCET_HOST_APPLICATION, name_.c_str(), start_, avocet_timeline_now(), 0);
  }
}

}  // namespace avocet::tools
