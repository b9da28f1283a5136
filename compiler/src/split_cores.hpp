// SPDX-License-Identifier: Apache-2.0
// One network over several cores: where the BARRIERs stand and what each core makes between them, by estimated cycles.
#pragma once

#include <memory>
#include <optional>

#include "search_plans.hpp"

namespace avocet::compiler {

struct CoresDraft {
  std::unique_ptr<Network> network;  // which the constants refer to
  Draft draft;                       // its stream holds one for each core
};

/// On `cores` cores or, where more of them only take the memory's bandwidth from each other, on half as many, and so on.
/// `network`: before choose_layouts. nullopt: it cannot be shared.
std::optional<CoresDraft> split_cores(const Network& network, const DeviceConfig& device, uint32_t cores);

}  // namespace avocet::compiler
