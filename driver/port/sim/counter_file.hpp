// SPDX-License-Identifier: Apache-2.0
// Every counter of the device as one JSON file at the end: of each unit in total, for each job and for each of its layers, events with
// their energy, of the memory and of who moved bytes, and the driver's. What a unit did adds up to the cycles of its job, and those to the whole.
#pragma once

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "avocet_model.h"
#include "uapi/avocet_accel.h"

namespace avocet::sim {

class CounterFile {
 public:
  /// Before anything is counted. False when the file cannot be made: one line on stderr.
  bool start(const std::string& path);
  bool enabled() const { return enabled_.load(std::memory_order_acquire); }
  /// On the simulation thread.
  void job_ended(const avocet_model_job& job);
  /// Writes the file, once, while the model is still there; an error goes to stderr in one line.
  void finish(const avocet_accel_counters& driver);

 private:
  std::atomic<bool> enabled_{false};
  std::string path_;
  std::mutex mutex_;
  nlohmann::ordered_json jobs_ = nlohmann::ordered_json::array();
  bool finished_ = false;
};

}  // namespace avocet::sim
