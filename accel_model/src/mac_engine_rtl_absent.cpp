// SPDX-License-Identifier: Apache-2.0
// Temporary: until the rtl folder builds.
#include "config.hpp"
#include "mac_unit.hpp"
namespace avocet::model {
std::unique_ptr<MacEngine> make_rtl_engine(MacUnit &, Blocks &) { throw ConfigError("engine rtl: not built"); }
} // namespace avocet::model
