// SPDX-License-Identifier: Apache-2.0
// The per-layer table and its JSON twin: one list of columns for both.
#pragma once

#include <avocet/runtime/introspection.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace avocet::tools {

/// Columns: operation, shape, device, MACs, cycles, MAC utilisation, bytes from DRAM, host time. Ends with a line of totals.
/// Without `timed` (the functional engine counts no cycles, the CPU path has none) there are no cycles to show.
std::string format_layer_table(const runtime::ExecutionProfile& profile, bool timed);
/// Cycles, times, utilisation and traffic of the whole.
nlohmann::ordered_json totals_to_json(const runtime::ExecutionProfile& profile, double host_seconds);
nlohmann::ordered_json layers_to_json(const runtime::ExecutionProfile& profile);

/// "where each operation runs, and if not on the NPU, why", one line for each.
std::string format_placements(const std::vector<runtime::Placement>& placements);

}  // namespace avocet::tools
