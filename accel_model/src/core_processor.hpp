// SPDX-License-Identifier: Apache-2.0
// What the management core is made of: the configuration's `firmware.kind` chooses one of these.
#pragma once

#include <memory>

namespace avocet::model {

class ManagementCore;

class CoreProcessor {
public:
  virtual ~CoreProcessor() = default;
  // Runs the firmware from reset; returns when the core is held. No exception may leave it.
  virtual void run() = 0;
};

// The firmware as it is built into the model, behind its port.
std::unique_ptr<CoreProcessor> make_native_processor(ManagementCore &core);
// An RV32IMC hart that runs the image which the driver loaded.
std::unique_ptr<CoreProcessor> make_riscv_processor(ManagementCore &core);

} // namespace avocet::model
