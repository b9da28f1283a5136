// SPDX-License-Identifier: Apache-2.0
// Where the cycles of every unit went, and the energy: an execution's whole and its layers, as tables and as JSON. Parts add up:
// the kinds of a unit to the cycles of its jobs, the layers of a unit to its kinds but idle, the layers' energy to the whole but
// for leakage outside of all layers.
#pragma once

#include <avocet/runtime/introspection.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "inference/job_accounts.hpp"

namespace avocet::tools {

/// A line per unit, and one of the energy. Empty when nothing ran on the device.
std::string format_unit_table(const runtime::ExecutionProfile& profile, const JobAccounts& accounts);
/// A line per layer and unit that had work or waited.
std::string format_stall_table(const runtime::ExecutionProfile& profile, const JobAccounts& accounts);
/// A line per layer: energy by event.
std::string format_energy_table(const runtime::ExecutionProfile& profile, const JobAccounts& accounts);

/// {"units": {...}, "energy_pj": {...}} of the whole.
nlohmann::ordered_json account_to_json(const runtime::ExecutionProfile& profile, const JobAccounts& accounts);
/// Adds the same to each entry of `layers`, which has one for each of the profile's layers.
void add_layer_accounts(const runtime::ExecutionProfile& profile, const JobAccounts& accounts, nlohmann::ordered_json& layers);

}  // namespace avocet::tools
