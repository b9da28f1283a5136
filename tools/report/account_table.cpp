// SPDX-License-Identifier: Apache-2.0
#include "report/account_table.hpp"

#include <cstdio>
#include <numeric>
#include <set>

#include "report/text_table.hpp"

namespace avocet::tools {
namespace {

using Row = std::vector<std::string>;

constexpr const char* kEventNames[AVOCET_EVENT_KINDS] = {"mac", "vector", "requant", "sram", "accumulator", "dram", "leakage"};
constexpr size_t kFirstDma = 8;

std::string unit_name(size_t unit) {
  constexpr const char* kNames[] = {"array", "requant", "vector"};
  return unit < std::size(kNames) ? kNames[unit] : "dma" + std::to_string(unit - kFirstDma);
}

uint64_t sum(const avocet_model_counters& counters) {
  return std::accumulate(std::begin(counters.cycles), std::end(counters.cycles), uint64_t{0});
}

uint64_t sum(const avocet_model_energy& energy) {
  return std::accumulate(std::begin(energy.femtojoules), std::end(energy.femtojoules), uint64_t{0});
}

/// Of all jobs of the execution together.
JobAccount whole(const runtime::ExecutionProfile& profile, const JobAccounts& accounts) {
  JobAccount total;
  std::set<uint64_t> seen;
  for (const auto& layer : profile.layers) {
    if (layer.job_id == 0 || !seen.insert(layer.job_id).second) continue;
    if (const JobAccount* job = accounts.find(layer.job_id)) total.add(*job);
  }
  return total;
}

const JobAccount* job_with_layer(const runtime::LayerProfile& layer, const JobAccounts& accounts) {
  const JobAccount* job = layer.job_id ? accounts.find(layer.job_id) : nullptr;
  return job && layer.tag < job->layers.size() ? job : nullptr;
}

std::string microjoules(uint64_t femtojoules) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(femtojoules) * 1e-9);
  return text;
}

std::string or_dash(uint64_t value) { return value ? with_separators(value) : "-"; }

/// Whether cores waited for each other: only then their column is shown.
bool has_core_waits(const JobAccount& account) {
  for (const avocet_model_counters& unit : account.units)
    if (unit.cycles[AVOCET_CYCLE_CORES] != 0) return true;
  return false;
}

/// The head of the columns of add_kinds.
void add_kind_names(Row& row, bool cores, bool idle) {
  for (const char* name : {"busy", "waits: token", "SRAM", "DMA", "DRAM", "TLB"}) row.push_back(name);
  if (cores) row.push_back("cores");
  if (idle) row.push_back("idle");
}

/// The cells of the kinds that occur within a job, the last of them idle.
void add_kinds(Row& row, const avocet_model_counters& counters, bool cores, bool idle) {
  for (size_t kind = 0; kind < AVOCET_CYCLE_KINDS; ++kind) {
    if (kind == AVOCET_CYCLE_FIRMWARE || (kind == AVOCET_CYCLE_CORES && !cores) || (kind == AVOCET_CYCLE_IDLE && !idle)) continue;
    row.push_back(or_dash(counters.cycles[kind]));
  }
}

std::string energy_line(const avocet_model_energy& energy, double seconds) {
  const uint64_t all = sum(energy);
  if (all == 0) return "";
  std::string text = "energy " + microjoules(all) + " uJ:";
  for (size_t event = 0; event < AVOCET_EVENT_KINDS; ++event)
    text += std::string(event ? ", " : " ") + kEventNames[event] + " " +
            percent(static_cast<double>(energy.femtojoules[event]) / static_cast<double>(all));
  if (seconds > 0) {
    char power[48];
    std::snprintf(power, sizeof power, "; %.1f mW on average", static_cast<double>(all) * 1e-12 / seconds);
    text += power;
  }
  return text + "\n";
}

nlohmann::ordered_json units_to_json(const JobAccount::Units& units) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (size_t unit = 0; unit < kUnits; ++unit) {
    if (sum(units[unit]) == 0) continue;
    for (size_t kind = 0; kind < AVOCET_CYCLE_KINDS; ++kind) json[unit_name(unit)][avocet_model_cycle_name(kind)] = units[unit].cycles[kind];
  }
  return json;
}

nlohmann::ordered_json energy_to_json(const avocet_model_energy& energy) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (size_t event = 0; event < AVOCET_EVENT_KINDS; ++event)
    json[kEventNames[event]] = static_cast<double>(energy.femtojoules[event]) / 1000;
  json["total"] = static_cast<double>(sum(energy)) / 1000;
  return json;
}

}  // namespace

std::string format_unit_table(const runtime::ExecutionProfile& profile, const JobAccounts& accounts) {
  const JobAccount total = whole(profile, accounts);
  if (total.cycles == 0) return "";
  const bool cores = has_core_waits(total);
  std::vector<Row> rows = {{"unit", "cycles"}};
  add_kind_names(rows[0], cores, true);
  rows[0].push_back("use");
  for (size_t unit = 0; unit < kUnits; ++unit) {
    const uint64_t cycles = sum(total.units[unit]);
    if (cycles == 0) continue;
    Row& row = rows.emplace_back(Row{unit_name(unit), with_separators(cycles)});
    add_kinds(row, total.units[unit], cores, true);
    row.push_back(percent(static_cast<double>(total.units[unit].cycles[AVOCET_CYCLE_BUSY]) / static_cast<double>(cycles)));
  }
  return format_table(rows, 1) + energy_line(total.energy, profile.simulated_seconds);
}

std::string format_stall_table(const runtime::ExecutionProfile& profile, const JobAccounts& accounts) {
  const JobAccount total = whole(profile, accounts);
  const bool cores = has_core_waits(total);
  std::vector<Row> rows = {{"operation", "unit", "cycles"}};
  add_kind_names(rows[0], cores, false);
  for (const auto& layer : profile.layers) {
    const JobAccount* job = job_with_layer(layer, accounts);
    if (job == nullptr) continue;
    bool first = true;
    for (size_t unit = 0; unit < kUnits; ++unit) {
      const avocet_model_counters& counters = job->layers[layer.tag][unit];
      if (sum(counters) == 0) continue;
      Row& row = rows.emplace_back(Row{first ? layer.name : "", unit_name(unit), with_separators(sum(counters))});
      add_kinds(row, counters, cores, false);
      first = false;
    }
  }
  for (size_t unit = 0; unit < kUnits; ++unit) {
    const uint64_t cycles = sum(total.units[unit]) - total.units[unit].cycles[AVOCET_CYCLE_IDLE];
    if (cycles == 0) continue;
    Row& row = rows.emplace_back(Row{"total", unit_name(unit), with_separators(cycles)});
    add_kinds(row, total.units[unit], cores, false);
  }
  return format_table(rows, 2);
}

std::string format_energy_table(const runtime::ExecutionProfile& profile, const JobAccounts& accounts) {
  std::vector<Row> rows = {{"operation", "uJ", "MAC", "vector", "requant", "SRAM", "accumulator", "DRAM", "leakage"}};
  const auto add_row = [&](const std::string& name, const avocet_model_energy& energy) {
    Row& row = rows.emplace_back(Row{name, microjoules(sum(energy))});
    for (const uint64_t femtojoules : energy.femtojoules) row.push_back(femtojoules ? microjoules(femtojoules) : "-");
  };
  avocet_model_energy rest = whole(profile, accounts).energy;
  const avocet_model_energy total = rest;
  for (const auto& layer : profile.layers) {
    const JobAccount* job = job_with_layer(layer, accounts);
    if (job == nullptr) continue;
    const avocet_model_energy& energy = job->layer_energy[layer.tag];
    add_row(layer.name, energy);
    for (size_t event = 0; event < AVOCET_EVENT_KINDS; ++event) rest.femtojoules[event] -= energy.femtojoules[event];
  }
  add_row("outside of layers", rest);
  add_row("total", total);
  return format_table(rows, 1);
}

nlohmann::ordered_json account_to_json(const runtime::ExecutionProfile& profile, const JobAccounts& accounts) {
  const JobAccount total = whole(profile, accounts);
  return {{"job_cycles", total.cycles}, {"units", units_to_json(total.units)}, {"energy_pj", energy_to_json(total.energy)}};
}

void add_layer_accounts(const runtime::ExecutionProfile& profile, const JobAccounts& accounts, nlohmann::ordered_json& layers) {
  for (size_t i = 0; i < profile.layers.size(); ++i) {
    const JobAccount* job = job_with_layer(profile.layers[i], accounts);
    if (job == nullptr) continue;
    layers[i]["units"] = units_to_json(job->layers[profile.layers[i].tag]);
    layers[i]["energy_pj"] = energy_to_json(job->layer_energy[profile.layers[i].tag]);
  }
}

}  // namespace avocet::tools
