// SPDX-License-Identifier: Apache-2.0
// What the simulated device tells of each job when it ends: the cycles of every unit by kind, and events with their energy, for the
// whole and per layer tag.
#pragma once

#include <avocet_model.h>

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace avocet::tools {

inline constexpr size_t kUnits = 16;  // by unit id

struct JobAccount {
  using Units = std::array<avocet_model_counters, kUnits>;
  uint64_t cycles = 0;  // of the job on all its cores, to its profile being written; those of a unit add up to them
  Units units{};
  avocet_model_energy energy{};
  std::vector<Units> layers;
  std::vector<avocet_model_energy> layer_energy;

  void add(const JobAccount& other);
};

class JobAccounts {
 public:
  /// Collects from now on; before the device is opened. The object lives as long as the process.
  static JobAccounts& collect();

  /// What the job cost; nullptr when it did not run to its end while this listened.
  const JobAccount* find(uint64_t job_id) const;
  /// Forgets every other job.
  void keep_only(const std::set<uint64_t>& job_ids);

 private:
  JobAccounts() = default;
  void add(const avocet_model_job& job);

  mutable std::mutex mutex_;  // jobs end on the simulation's thread
  std::map<uint64_t, JobAccount> jobs_;
};

}  // namespace avocet::tools
