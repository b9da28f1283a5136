// SPDX-License-Identifier: Apache-2.0
// One piece of work in a forked process of its own, which ends with it.
#pragma once

#include <functional>
#include <string>

namespace avocet::kmd {

/// Sets "NAME=value NAME=value" in this process's environment.
void set_environment(const std::string& settings);

/// The text that `work` returned; when the process died, `died(reason)`. The caller must not have opened the device; dies with
/// its parent.
std::string run_in_a_process(const std::function<std::string()>& work, const std::function<std::string(const std::string&)>& died);

}  // namespace avocet::kmd
