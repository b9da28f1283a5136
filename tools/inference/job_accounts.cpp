// SPDX-License-Identifier: Apache-2.0
#include "inference/job_accounts.hpp"

#include <avocet_device.h>

#include <algorithm>

namespace avocet::tools {

namespace {

void add_units(JobAccount::Units& units, const JobAccount::Units& others) {
  for (size_t unit = 0; unit < kUnits; ++unit) {
    for (size_t kind = 0; kind < AVOCET_CYCLE_KINDS; ++kind) units[unit].cycles[kind] += others[unit].cycles[kind];
    units[unit].read_bytes += others[unit].read_bytes;
    units[unit].write_bytes += others[unit].write_bytes;
  }
}

void add_energy(avocet_model_energy& energy, const avocet_model_energy& other) {
  for (size_t event = 0; event < AVOCET_EVENT_KINDS; ++event) {
    energy.events[event] += other.events[event];
    energy.femtojoules[event] += other.femtojoules[event];
  }
}

}  // namespace

void JobAccount::add(const JobAccount& other) {
  cycles += other.cycles;
  add_units(units, other.units);
  add_energy(energy, other.energy);
  layers.resize(std::max(layers.size(), other.layers.size()));
  layer_energy.resize(layers.size());
  for (size_t tag = 0; tag < other.layers.size(); ++tag) {
    add_units(layers[tag], other.layers[tag]);
    add_energy(layer_energy[tag], other.layer_energy[tag]);
  }
}

JobAccounts& JobAccounts::collect() {
  static auto* const accounts = new JobAccounts;  // jobs may end while the process does
  avocet_sim_listen([](void* self, const avocet_model_job* job) { static_cast<JobAccounts*>(self)->add(*job); }, accounts);
  return *accounts;
}

void JobAccounts::add(const avocet_model_job& job) {
  JobAccount account;
  account.cycles = job.end_cycle - job.start_cycle;
  std::copy_n(job.units, kUnits, account.units.begin());
  account.energy = *job.energy;
  account.layers.resize(job.tags);
  for (size_t tag = 0; tag < job.tags; ++tag) std::copy_n(job.layers + tag * kUnits, kUnits, account.layers[tag].begin());
  account.layer_energy.assign(job.layer_energy, job.layer_energy + job.tags);
  const std::lock_guard lock(mutex_);
  const auto [known, fresh] = jobs_.try_emplace(job.job_id, account);
  if (!fresh) known->second.add(account);  // one that was preempted ends in pieces, one on several cores in parts
}

const JobAccount* JobAccounts::find(uint64_t job_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(job_id);
  return found == jobs_.end() ? nullptr : &found->second;
}

void JobAccounts::keep_only(const std::set<uint64_t>& job_ids) {
  const std::lock_guard lock(mutex_);
  std::erase_if(jobs_, [&](const auto& job) { return !job_ids.contains(job.first); });
}

}  // namespace avocet::tools
