// SPDX-License-Identifier: Apache-2.0
// Cutting a model into runs of operations for one device each. Deterministic, linear but for the sorting of ready
// operations; groups never form a cycle because each begins only after all it reads is computed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model.hpp"

namespace avocet::runtime {

struct OperationGroup {
  uint32_t device = 0;               // as in `device_of`
  std::vector<uint32_t> operations;  // in an order they can run in
};

/// `device_of[operation]` is any number that stands for the operation's device. Operations move past independent ones
/// to join a run, so that there are as few groups as possible.
/// Operands in `before[operation]` (empty: of none) are computed by an earlier group than the operation's.
std::vector<OperationGroup> partition(const Model& model, std::span<const uint32_t> device_of,
                                      std::span<const std::vector<uint32_t>> before = {});

}  // namespace avocet::runtime
