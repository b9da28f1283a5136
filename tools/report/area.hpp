// SPDX-License-Identifier: Apache-2.0
// Area of the configured device by part: counts of the configuration times the prices of its group `area`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace avocet::tools {

/// `configuration`: as the device reports it, complete. One line; "" when it is none.
std::string format_area(const std::string& configuration);
/// {"area_um2": {"array": ..., "total": ...}}, or {}.
nlohmann::ordered_json area_to_json(const std::string& configuration);

}  // namespace avocet::tools
