// SPDX-License-Identifier: Apache-2.0
// The few things the tools ask the driver's user-space library directly: whether the device starts with the settings
// given, its configuration, and slices on the application's track of the timeline.
#pragma once

#include <cstdint>
#include <string>

#include "nnapi/device_choice.hpp"

namespace avocet::tools {

/// Puts the settings in force and, unless only the CPU is wanted, powers the device on once to see that they are valid.
/// Throws InputError with the device's sentence. Before the first call of the API.
void prepare_device(const DeviceSettings& settings);

/// The same for a command whose worker processes use the device: tries it in a process of its own, because a process
/// that has powered the device on cannot be forked.
void prepare_device_for_workers(const DeviceSettings& settings);

/// Name of the configuration in force ("avocet_256"), or of the file given; empty when no device was used.
std::string configuration_name(const DeviceSettings& settings);
/// The engine in force.
std::string engine_name(const DeviceSettings& settings);
/// Whether that engine counts cycles.
bool engine_is_timed(const DeviceSettings& settings);

/// Whether results mean anything: engine timing has none.
bool engine_moves_values(const DeviceSettings& settings);
/// A whole number of the configuration in force ("array", "rows"); 0 when no device was used.
uint32_t configuration_number(const char* group, const char* key);

/// The configuration in force, indented JSON; empty when no device was used.
std::string configuration_text();

/// Writes the timeline now. Throws InputError when the file cannot be written.
void write_timeline(const DeviceSettings& settings);

/// A slice from construction to destruction.
class TimelineSlice {
 public:
  explicit TimelineSlice(std::string name);
  ~TimelineSlice();
  TimelineSlice(const TimelineSlice&) = delete;
  TimelineSlice& operator=(const TimelineSlice&) = delete;

 private:
  std::string name_;
  uint64_t start_;
};

}  // namespace avocet::tools
