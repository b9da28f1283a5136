// SPDX-License-Identifier: Apache-2.0
// Whether a run of operations is worth the way to an accelerator and back. Times are estimates from shapes alone, the same
// on every machine.
#pragma once

#include <optional>
#include <string>

#include "accelerator.hpp"

namespace avocet::runtime {

/// Seconds that the CPU path takes for one operation of which all extents are known.
double cpu_seconds(const Model& model, uint32_t operation);

/// Seconds on the accelerator, with the job's submission, the copies of inputs and outputs and the interrupt; nullopt when
/// the accelerator makes no estimate.
std::optional<double> accelerator_seconds(const Accelerator& accelerator, const SubModel& group);

/// The sentence why the group runs on the CPU though the accelerator supports it; nullopt when it shall stay.
std::optional<std::string> not_worth_the_way(const Accelerator& accelerator, const SubModel& group);

}  // namespace avocet::runtime
