// SPDX-License-Identifier: Apache-2.0
#include "compilation.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "api.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime {
namespace {

std::atomic<uint64_t> next_id{1};

/// Whatever order a client names them in, what an accelerator supports is for the accelerator.
std::vector<const Device*> accelerators_first(std::vector<const Device*> devices) {
  std::stable_partition(devices.begin(), devices.end(), [](const Device* d) { return d->accelerator() != nullptr; });
  return devices;
}

}  // namespace

Compilation::Compilation(const Model& model, std::vector<const Device*> devices, bool chosen)
    : id_(next_id++), model_(&model), devices_(accelerators_first(std::move(devices))), chosen_(chosen) {}

Status Compilation::check_building() const {
  if (finished_) return bad_state(plan_ ? "the compilation is finished" : "the compilation's finish failed");
  return {};
}

Status Compilation::set_preference(int32_t preference) {
  AVOCET_RETURN_IF_FAILED(check_building());
  if (preference < ANEURALNETWORKS_PREFER_LOW_POWER || preference > ANEURALNETWORKS_PREFER_SUSTAINED_SPEED) {
    return bad_data("preference ", preference, " is unknown");
  }
  options_.preference = preference;
  return {};
}

Status Compilation::set_priority(int priority) {
  AVOCET_RETURN_IF_FAILED(check_building());
  if (priority != ANEURALNETWORKS_PRIORITY_LOW && priority != ANEURALNETWORKS_PRIORITY_MEDIUM &&
      priority != ANEURALNETWORKS_PRIORITY_HIGH) {
    return bad_data("priority ", priority, " is unknown");
  }
  options_.priority = priority;
  return {};
}

Status Compilation::set_timeout(uint64_t duration) {
  AVOCET_RETURN_IF_FAILED(check_building());
  if (!for_one_device()) return bad_data("the compilation was not created for exactly one device");
  timeout_ = duration;
  return {};
}

Status Compilation::set_caching(const char* directory, const uint8_t* token) {
  AVOCET_RETURN_IF_FAILED(check_building());
  CacheToken copy;
  std::memcpy(copy.data(), token, copy.size());
  cache_.emplace(directory, copy);
  return {};
}

Status Compilation::finish() {
  AVOCET_RETURN_IF_FAILED(check_building());
  finished_ = true;
  return make_plan();
}

Status Compilation::make_plan() {
  options_.deadline = Deadline::after(timeout_);
  options_.profile_layers = profiling_enabled();
  PlanOptions options;
  options.devices = devices_;
  options.may_fall_back = !chosen_;
  options.compile = options_;
  options.cache = cache_ ? &*cache_ : nullptr;
  PlanBuilder builder(options);
  const Plan* plan = nullptr;
  AVOCET_RETURN_IF_FAILED(builder.build(*model_, &plan));
  if (options_.deadline.passed())
    return failure(ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT, "compiling takes too long");
  plans_ = builder.take_plans();
  plan_ = plan;
  if (log_level() == LogLevel::kDebug) {
    for (const Step& step : plan->steps()) {
      log_debug("step on " + std::string(step.device->name()) + ": " + std::to_string(step.operations.size()) +
                " operations");
    }
  }
  return {};
}

}  // namespace avocet::runtime

using namespace avocet::runtime;

AVOCET_API int ANeuralNetworksCompilation_create(ANeuralNetworksModel* model,
                                                 ANeuralNetworksCompilation** compilation) {
  return api_call(__func__, [&]() -> Status {
    if (compilation) *compilation = nullptr;
    if (!model) return null_argument("model");
    if (!compilation) return null_argument("compilation");
    const Model& m = *Model::of(model);
    if (!m.valid()) return bad_state("the model is not finished");
    const std::span<Device* const> all = devices();
    *compilation = (new Compilation(m, {all.begin(), all.end()}, false))->handle();
    return {};
  });
}

AVOCET_API int ANeuralNetworksCompilation_createForDevices(ANeuralNetworksModel* model,
                                                           const ANeuralNetworksDevice* const* list,
                                                           uint32_t numDevices,
                                                           ANeuralNetworksCompilation** compilation) {
  return api_call(__func__, [&]() -> Status {
    if (compilation) *compilation = nullptr;
    if (!model) return null_argument("model");
    if (!list) return null_argument("devices");
    if (!compilation) return null_argument("compilation");
    if (numDevices == 0) return bad_data("the list of devices is empty");
    AVOCET_RETURN_IF_FAILED(check_devices({list, numDevices}));
    const Model& m = *Model::of(model);
    if (!m.valid()) return bad_state("the model is not finished");
    std::vector<const Device*> chosen;
    for (uint32_t i = 0; i < numDevices; ++i) chosen.push_back(Device::of(list[i]));
    *compilation = (new Compilation(m, std::move(chosen), true))->handle();
    return {};
  });
}

AVOCET_API void ANeuralNetworksCompilation_free(ANeuralNetworksCompilation* compilation) {
  if (compilation) Compilation::of(compilation)->release();
}

AVOCET_API int ANeuralNetworksCompilation_setPreference(ANeuralNetworksCompilation* compilation, int32_t preference) {
  return api_call(__func__, [&]() -> Status {
    if (!compilation) return null_argument("compilation");
    return Compilation::of(compilation)->set_preference(preference);
  });
}

AVOCET_API int ANeuralNetworksCompilation_setPriority(ANeuralNetworksCompilation* compilation, int priority) {
  return api_call(__func__, [&]() -> Status {
    if (!compilation) return null_argument("compilation");
    return Compilation::of(compilation)->set_priority(priority);
  });
}

AVOCET_API int ANeuralNetworksCompilation_setTimeout(ANeuralNetworksCompilation* compilation, uint64_t duration) {
  return api_call(__func__, [&]() -> Status {
    if (!compilation) return null_argument("compilation");
    return Compilation::of(compilation)->set_timeout(duration);
  });
}

AVOCET_API int ANeuralNetworksCompilation_setCaching(ANeuralNetworksCompilation* compilation, const char* cacheDir,
                                                     const uint8_t* token) {
  return api_call(__func__, [&]() -> Status {
    if (!compilation) return null_argument("compilation");
    if (!cacheDir) return null_argument("cacheDir");
    if (!token) return null_argument("token");
    return Compilation::of(compilation)->set_caching(cacheDir, token);
  });
}

AVOCET_API int ANeuralNetworksCompilation_finish(ANeuralNetworksCompilation* compilation) {
  return api_call(__func__, [&]() -> Status {
    if (!compilation) return null_argument("compilation");
    return Compilation::of(compilation)->finish();
  });
}
