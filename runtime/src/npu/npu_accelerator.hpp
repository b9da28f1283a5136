// SPDX-License-Identifier: Apache-2.0
// The device avocet-npu: the compiler and the driver behind the runtime's accelerator seam.
#pragma once

#include <memory>

#include "accelerator.hpp"

namespace avocet::runtime::npu {

/// Always there; the simulated device is powered on when the first question about an operation is asked.
std::unique_ptr<Accelerator> make_npu_accelerator();

}  // namespace avocet::runtime::npu
