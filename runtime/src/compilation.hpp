// SPDX-License-Identifier: Apache-2.0
// ANeuralNetworksCompilation: a model, the devices it may use, and, once finished, its plan.
#pragma once

#include <android/NeuralNetworks.h>

#include <memory>
#include <optional>
#include <vector>

#include "compilation_cache.hpp"
#include "device.hpp"
#include "model.hpp"
#include "plan.hpp"
#include "reference_counted.hpp"

namespace avocet::runtime {

class Compilation : public ReferenceCounted {
 public:
  static Compilation* of(ANeuralNetworksCompilation* handle) { return reinterpret_cast<Compilation*>(handle); }
  static const Compilation* of(const ANeuralNetworksCompilation* handle) {
    return reinterpret_cast<const Compilation*>(handle);
  }
  ANeuralNetworksCompilation* handle() { return reinterpret_cast<ANeuralNetworksCompilation*>(this); }

  /// `chosen`: the client named the devices, so there is no recovery on others.
  Compilation(const Model& model, std::vector<const Device*> devices, bool chosen);

  Status set_preference(int32_t preference);
  Status set_priority(int priority);
  Status set_timeout(uint64_t duration);
  Status set_caching(const char* directory, const uint8_t* token);
  Status finish();

  uint64_t id() const { return id_; }  // unlike the address, never given to another compilation
  const Model& model() const { return *model_; }
  bool usable() const { return finished_ && plan_; }
  const Plan& plan() const { return *plan_; }  // of usable ones
  bool may_fall_back() const { return !chosen_; }
  bool for_one_device() const { return chosen_ && devices_.size() == 1; }
  int priority() const { return options_.priority; }
  bool profile_layers() const { return options_.profile_layers; }

 private:
  Status check_building() const;
  Status make_plan();

  const uint64_t id_;
  const Reference<const Model> model_;
  const std::vector<const Device*> devices_;
  const bool chosen_;
  CompileOptions options_;
  uint64_t timeout_ = 0;
  std::optional<CompilationCache> cache_;
  bool finished_ = false;
  std::vector<std::unique_ptr<Plan>> plans_;
  const Plan* plan_ = nullptr;
};

/// enable_profiling() of introspection.hpp: compilations finished while it is on collect layers.
bool profiling_enabled();

}  // namespace avocet::runtime
