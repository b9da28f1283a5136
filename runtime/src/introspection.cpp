// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <avocet/runtime/introspection.hpp>

#include "compilation.hpp"
#include "execution.hpp"
#include "operations/reference_page.hpp"
#include "thread_pool.hpp"

namespace avocet::runtime {
namespace {

std::atomic<bool> profiling{false};

}  // namespace

bool profiling_enabled() { return profiling.load(); }
void enable_profiling(bool enable) { profiling.store(enable); }
void set_cpu_threads(unsigned threads) { set_pool_threads(threads); }

std::string operations_reference(const std::string& name) {
  const std::span<const Operation> all = all_operations();
  if (name.empty()) return reference_page(all);
  for (const Operation& operation : all) {
    if (name == operation.name) return reference_page({&operation, 1});
  }
  return {};
}

std::vector<Placement> placements(const ANeuralNetworksCompilation* handle) {
  const Compilation* compilation = handle ? Compilation::of(handle) : nullptr;
  if (!compilation || !compilation->usable()) return {};
  const Plan& plan = compilation->plan();
  std::vector<Placement> result(plan.model().operations().size());
  for (uint32_t s = 0; s < plan.steps().size(); ++s) {
    const Step& step = plan.steps()[s];
    for (uint32_t i : step.operations) {
      result[i] = {i, plan.model().operations()[i].name(), step.device->name(), plan.reason(i), s};
    }
  }
  return result;
}

ExecutionProfile execution_profile(const ANeuralNetworksExecution* execution) {
  return execution ? Execution::of(execution)->profile() : ExecutionProfile();
}

std::vector<uint8_t> step_program(const ANeuralNetworksCompilation* handle, uint32_t step) {
  const Compilation* compilation = handle ? Compilation::of(handle) : nullptr;
  if (!compilation || !compilation->usable() || step >= compilation->plan().steps().size()) return {};
  const Step& s = compilation->plan().steps()[step];
  return s.program ? s.program->bytes() : std::vector<uint8_t>();
}

}  // namespace avocet::runtime
