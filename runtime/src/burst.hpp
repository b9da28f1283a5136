// SPDX-License-Identifier: Apache-2.0
// ANeuralNetworksBurst: executions of one compilation, one at a time. It needs no state of its own to be fast: frames
// and their memory stay with the plan.
#pragma once

#include <android/NeuralNetworks.h>

#include <atomic>

#include "compilation.hpp"

namespace avocet::runtime {

class Execution;

class Burst {
 public:
  static Burst* of(ANeuralNetworksBurst* handle) { return reinterpret_cast<Burst*>(handle); }
  ANeuralNetworksBurst* handle() { return reinterpret_cast<ANeuralNetworksBurst*>(this); }

  explicit Burst(const Compilation& compilation) : compilation_(&compilation) {}

  /// BAD_STATE while another execution is on the burst; then this one is as it was.
  Status compute(Execution& execution);

 private:
  const Reference<const Compilation> compilation_;
  std::atomic<bool> busy_{false};
};

}  // namespace avocet::runtime
