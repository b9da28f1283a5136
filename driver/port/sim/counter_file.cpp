// SPDX-License-Identifier: Apache-2.0
#include "counter_file.hpp"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "avocet_isa.h"
#include "avocet_stream.h"
#include "memory_trace.hpp"
#include "recording.hpp"

namespace avocet::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kEvents[AVOCET_EVENT_KINDS] = {"mac", "vector", "requant", "sram_byte", "accumulator_byte", "dram_byte", "cycle"};

Json cycles_json(const avocet_model_counters& counters) {
  Json json = Json::object();
  for (uint32_t kind = 0; kind < AVOCET_CYCLE_KINDS; kind++) json[avocet_model_cycle_name(kind)] = counters.cycles[kind];
  return json;
}

/// Of the units that did anything. `counters`: by unit id.
Json units_json(const avocet_model_counters* counters) {
  Json json = Json::object();
  for (uint32_t unit = 0; unit < AVOCET_UNIT_COUNT; unit++) {
    uint64_t sum = 0;
    for (uint64_t cycles : counters[unit].cycles) sum += cycles;
    if (sum != 0) json[device_track_name(unit)] = cycles_json(counters[unit]);
  }
  return json;
}

Json energy_json(const avocet_model_energy& energy) {
  Json events = Json::object(), femtojoules = Json::object();
  for (uint32_t event = 0; event < AVOCET_EVENT_KINDS; event++) {
    events[kEvents[event]] = energy.events[event];
    femtojoules[kEvents[event]] = energy.femtojoules[event];
  }
  return {{"events", std::move(events)}, {"femtojoules", std::move(femtojoules)}};
}

/// Of every core: its units, which each add up to the cycles.
Json cores_json() {
  Json cores = Json::array();
  for (uint32_t core = 0;; core++) {
    uint64_t cycles = 0;
    Json units = Json::object();
    for (uint32_t unit = 0; unit < AVOCET_UNIT_COUNT; unit++) {
      avocet_model_counters counters{};
      if (avocet_model_unit_counters(core, unit, &cycles, &counters)) units[device_track_name(unit)] = cycles_json(counters);
    }
    if (units.empty()) return cores;
    cores.push_back({{"core", core}, {"cycles", cycles}, {"units", std::move(units)}});
  }
}

/// By the names that the trace of accesses has for them.
Json initiators_json() {
  Json initiators = Json::object();
  uint64_t cycles = 0;
  avocet_model_counters c{};
  const auto add = [&](uint32_t core, uint32_t unit) {
    if (!avocet_model_unit_counters(core, unit, &cycles, &c)) return false;
    initiators[initiator_name(core, unit)] = {{"read_bytes", c.read_bytes}, {"write_bytes", c.write_bytes}};
    return true;
  };
  for (uint32_t core = 0; add(core, AVOCET_TRACK_SEQUENCER); core++) {
    uint32_t unit = AVOCET_UNIT_DMA0;
    while (add(core, unit)) unit++;
  }
  return initiators;
}

Json memory_json() {
  avocet_model_dram_counters c{};
  if (!avocet_model_memory_counters(&c)) return Json();
  return {{"read_bytes", c.read_bytes},       {"write_bytes", c.write_bytes}, {"row_hits", c.row_hits},
          {"row_misses", c.row_misses},       {"row_conflicts", c.row_conflicts}, {"refreshes", c.refreshes},
          {"turnarounds", c.turnarounds}, {"pin_millicycles", c.pin_millicycles},
          {"ecc_corrected", avocet_model_ecc_corrected()}, {"initiators", initiators_json()}};
}

Json driver_json(const avocet_accel_counters& c) {
  return {{"jobs_submitted", c.jobs_submitted}, {"jobs_completed", c.jobs_completed}, {"jobs_failed", c.jobs_failed},
          {"busy_cycles", c.busy_cycles},       {"faults", c.faults},                 {"interrupts", c.interrupts},
          {"resets", c.resets}};
}

}  // namespace

bool CounterFile::start(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "w");  // find out now, not after an hour of simulation
  if (!file) {
    std::fprintf(stderr, "avocet: cannot write the counters %s: %s\n", path.c_str(), std::strerror(errno));
    return false;
  }
  std::fclose(file);
  path_ = path;
  enabled_.store(true, std::memory_order_release);
  return true;
}

void CounterFile::job_ended(const avocet_model_job& job) {
  char id[24];
  std::snprintf(id, sizeof id, "0x%" PRIx64, job.job_id);
  Json json = {{"job", id},
               {"context", job.context},
               {"core", job.core},
               {"status", avocet_status_text(job.status)},
               {"start_cycle", job.start_cycle},
               {"end_cycle", job.end_cycle},
               {"units", units_json(job.units)},
               {"energy", energy_json(*job.energy)}};
  Json layers = Json::array();
  for (uint32_t tag = 0; tag < job.tags; tag++)
    layers.push_back({{"units", units_json(job.layers + uint64_t{tag} * AVOCET_UNIT_COUNT)},
                      {"energy", energy_json(job.layer_energy[tag])}});
  json["layers"] = std::move(layers);
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(json));
}

void CounterFile::finish(const avocet_accel_counters& driver) {
  if (!enabled()) return;
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  const Json json = {{"cores", cores_json()},
                     {"memory", memory_json()},
                     {"driver", driver_json(driver)},
                     {"jobs", std::move(jobs_)}};
  const std::string text = json.dump(1) + "\n";
  std::FILE* file = std::fopen(path_.c_str(), "w");
  const bool good = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  if ((file && std::fclose(file) != 0) || !good)
    std::fprintf(stderr, "avocet: cannot write the counters %s: %s\n", path_.c_str(), std::strerror(error));
}

}  // namespace avocet::sim
