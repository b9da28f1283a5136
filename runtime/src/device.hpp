// SPDX-License-Identifier: Apache-2.0
// The devices of the API: the accelerators, then the CPU path. Made once, never destroyed: clients keep the handles.
#pragma once

#include <android/NeuralNetworks.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "accelerator.hpp"

namespace avocet::runtime {

inline constexpr char kCpuName[] = "nnapi-reference";

class Device {
 public:
  static Device* of(ANeuralNetworksDevice* handle) { return reinterpret_cast<Device*>(handle); }
  static const Device* of(const ANeuralNetworksDevice* handle) { return reinterpret_cast<const Device*>(handle); }
  ANeuralNetworksDevice* handle() { return reinterpret_cast<ANeuralNetworksDevice*>(this); }

  explicit Device(std::unique_ptr<Accelerator> accelerator) : accelerator_(std::move(accelerator)) {}

  /// Null for the CPU path.
  Accelerator* accelerator() const { return accelerator_.get(); }
  const char* name() const;
  const char* version() const;
  int32_t type() const;
  int64_t feature_level() const;

 private:
  std::unique_ptr<Accelerator> accelerator_;
};

/// All devices, the CPU last.
std::span<Device* const> devices();
const Device& cpu_device();

/// Puts another accelerator first in the list. For tests, before anything else uses the API.
void add_accelerator(std::unique_ptr<Accelerator> accelerator);

/// Checks a client's list: null entries, unknown handles, duplicates.
Status check_devices(std::span<const ANeuralNetworksDevice* const> list);

/// Whether a device runs an operation of a finished model, with the sentence why not.
Support device_supports(const Device& device, const Model& model, uint32_t operation);
/// Whether it may at execution, when extents and the values of the operands added to `constants` are known.
bool device_may_support(const Device& device, const Model& model, uint32_t operation, std::vector<uint32_t>* constants);

}  // namespace avocet::runtime
