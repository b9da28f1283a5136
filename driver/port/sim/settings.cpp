// SPDX-License-Identifier: Apache-2.0
// Settings of the simulator port.
#include "settings.hpp"

#include <cstdlib>
#include <iterator>
#include <mutex>

namespace avocet::sim {
namespace {

struct Configured {
  std::mutex mutex;
  Settings settings;
};

Configured& configured() {
  static auto* const instance = new Configured;  // outlives every exit handler
  return *instance;
}

std::optional<std::string> given(const char* value) {
  return value && *value ? std::optional<std::string>(value) : std::nullopt;
}

bool read_log_level(const std::string& name, int* level) {
  static const char* const kNames[] = {"error", "warning", "info", "debug"};
  for (size_t i = 0; i < std::size(kNames); i++) {
    if (name != kNames[i]) continue;
    *level = static_cast<int>(i);
    return true;
  }
  return false;
}

bool read_milliseconds(const std::string& text, unsigned* value) {
  char* end = nullptr;
  unsigned long number = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || text[0] < '0' || text[0] > '9' || *end != '\0' || number == 0 || number > 86400000) return false;
  *value = static_cast<unsigned>(number);
  return true;
}

}  // namespace

void configure(const char* config, const char* engine, const char* timeline) {
  std::lock_guard lock(configured().mutex);
  configured().settings.config = given(config);
  configured().settings.engine = given(engine);
  configured().settings.timeline = given(timeline);
}

bool read_settings(Settings* settings, std::string* error) {
  {
    std::lock_guard lock(configured().mutex);
    *settings = configured().settings;
  }
  if (!settings->config) settings->config = given(std::getenv("AVOCET_CONFIG"));
  if (!settings->engine) settings->engine = given(std::getenv("AVOCET_ENGINE"));
  settings->firmware = given(std::getenv("AVOCET_FIRMWARE"));
  settings->firmware_image = given(std::getenv("AVOCET_FIRMWARE_IMAGE"));
  if (!settings->timeline) settings->timeline = given(std::getenv("AVOCET_TIMELINE"));
  settings->faults = given(std::getenv("AVOCET_FAULTS"));
  settings->counters = given(std::getenv("AVOCET_COUNTERS"));
  settings->memory_trace = given(std::getenv("AVOCET_MEMORY_TRACE"));
  settings->vcd = given(std::getenv("AVOCET_VCD"));
  settings->record = given(std::getenv("AVOCET_RECORD"));
  if (auto check = given(std::getenv("AVOCET_CHECK_POINTERS"))) settings->check_pointers = *check != "0";
  if (auto level = given(std::getenv("AVOCET_DRIVER_LOG")); level && !read_log_level(*level, &settings->log_level)) {
    *error = "AVOCET_DRIVER_LOG=" + *level + ": must be error, warning, info or debug";
    return false;
  }
  for (auto [name, value] : {std::pair("AVOCET_HANG_TIMEOUT_MS", &settings->hang_timeout_ms),
                             std::pair("AVOCET_ADMIN_TIMEOUT_MS", &settings->admin_timeout_ms)}) {
    auto bound = given(std::getenv(name));
    if (!bound || read_milliseconds(*bound, value)) continue;
    *error = std::string(name) + "=" + *bound + ": must be 1 to 86400000";
    return false;
  }
  if (auto idle = given(std::getenv("AVOCET_AUTOSUSPEND_MS"));
      idle && *idle != "0" && !read_milliseconds(*idle, &settings->autosuspend_ms)) {
    *error = "AVOCET_AUTOSUSPEND_MS=" + *idle + ": must be 0 (never) to 86400000";
    return false;
  }
  return true;
}

}  // namespace avocet::sim
