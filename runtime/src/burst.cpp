// SPDX-License-Identifier: Apache-2.0
#include "burst.hpp"

#include "api.hpp"
#include "execution.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime {

Status Burst::compute(Execution& execution) {
  if (&execution.compilation() != compilation_.get()) return bad_data("the execution belongs to another compilation");
  if (busy_.exchange(true, std::memory_order_acquire)) return bad_state("another execution is on the burst");
  struct Release {
    std::atomic<bool>& busy;
    ~Release() { busy.store(false, std::memory_order_release); }
  } release{busy_};
  return execution.compute();
}

}  // namespace avocet::runtime

using namespace avocet::runtime;

AVOCET_API int ANeuralNetworksBurst_create(ANeuralNetworksCompilation* compilation, ANeuralNetworksBurst** burst) {
  return api_call(__func__, [&]() -> Status {
    if (burst) *burst = nullptr;
    if (!compilation) return null_argument("compilation");
    if (!burst) return null_argument("burst");
    const Compilation& c = *Compilation::of(compilation);
    if (!c.usable()) return bad_state("the compilation is not finished, or its finish failed");
    *burst = (new Burst(c))->handle();
    return {};
  });
}

AVOCET_API void ANeuralNetworksBurst_free(ANeuralNetworksBurst* burst) { delete Burst::of(burst); }

AVOCET_API int ANeuralNetworksExecution_burstCompute(ANeuralNetworksExecution* execution, ANeuralNetworksBurst* burst) {
  return api_call(__func__, [&]() -> Status {
    if (!execution) return null_argument("execution");
    if (!burst) return null_argument("burst");
    return Burst::of(burst)->compute(*Execution::of(execution));
  });
}
