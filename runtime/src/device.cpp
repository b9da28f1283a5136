// SPDX-License-Identifier: Apache-2.0
#include "device.hpp"

#include <algorithm>
#include <mutex>

#include "api.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime {
namespace {

/// Identifies the CPU path's numerics; part of what clients may use to tell versions apart.
constexpr char kCpuVersion[] = AVOCET_RUNTIME_VERSION;

struct Registry {
  std::mutex mutex;
  std::vector<Device*> devices;

  Registry() {
    for (std::unique_ptr<Accelerator>& accelerator : make_accelerators()) {
      devices.push_back(new Device(std::move(accelerator)));
    }
    devices.push_back(new Device(nullptr));
  }
};

Registry& registry() {
  static Registry* const instance = new Registry;
  return *instance;
}

/// The CPU path: what has a kernel, and control flow whose models it supports entirely.
Support cpu_supports(const Model& model, uint32_t index) {
  const ModelOperation& operation = model.operations()[index];
  if (!operation.row) return {false, "a vendor operation, which no device here knows"};
  const bool control_flow = operation.code == ANEURALNETWORKS_IF || operation.code == ANEURALNETWORKS_WHILE;
  if (!control_flow) {
    if (operation.row->execute) return {true, ""};
    return {false, std::string(operation.name()) + " has no kernel"};
  }
  for (uint32_t input : operation.inputs) {
    const Model* inner = model.operand(input).model;
    if (inner && inner->missing_kernel()) return {false, std::string(inner->missing_kernel()) + " has no kernel"};
  }
  return {true, ""};
}

}  // namespace

const char* Device::name() const { return accelerator_ ? accelerator_->name().c_str() : kCpuName; }
const char* Device::version() const { return accelerator_ ? accelerator_->version().c_str() : kCpuVersion; }
int32_t Device::type() const { return accelerator_ ? accelerator_->type() : int32_t{ANEURALNETWORKS_DEVICE_CPU}; }
int64_t Device::feature_level() const { return accelerator_ ? accelerator_->feature_level() : 30; }

std::span<Device* const> devices() { return registry().devices; }
const Device& cpu_device() { return *registry().devices.back(); }

void add_accelerator(std::unique_ptr<Accelerator> accelerator) {
  Registry& r = registry();
  std::lock_guard lock(r.mutex);
  r.devices.insert(r.devices.begin(), new Device(std::move(accelerator)));
}

Status check_devices(std::span<const ANeuralNetworksDevice* const> list) {
  const std::span<Device* const> known = devices();
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i]) return failure(ANEURALNETWORKS_UNEXPECTED_NULL, "device ", i, " of the list is null");
    // By address alone: the handle may be anything.
    if (std::find(known.begin(), known.end(), Device::of(list[i])) == known.end()) {
      return bad_data("device ", i, " of the list is unknown");
    }
    if (std::find(list.begin(), list.begin() + i, list[i]) != list.begin() + i) {
      return bad_data("device ", i, " of the list is there already");
    }
  }
  return {};
}

Support device_supports(const Device& device, const Model& model, uint32_t index) {
  if (!device.accelerator()) return cpu_supports(model, index);
  const ModelOperation& operation = model.operations()[index];
  if (!operation.row) return {false, "a vendor operation, which no device here knows"};
  if (operation.feature_level > device.feature_level())
    return {false, "needs a newer feature level than the device has"};
  for (const std::vector<uint32_t>* list : {&operation.inputs, &operation.outputs}) {
    for (uint32_t i : *list) {
      const Operand& operand = model.operand(i);
      if (operand.type == ANEURALNETWORKS_MODEL)
        return {false, std::string(operation.name()) + " runs on the CPU path"};
      if (operand.lifetime != Lifetime::kNoValue && !fully_specified(operand.type, operand.dims)) {
        return {false, "operand " + std::to_string(i) + " has dimensions that are not known before execution"};
      }
      // Accelerators compile for values of scalars: a parameter that comes with each execution has none yet.
      if (!is_tensor(operand.type) && operand.lifetime != Lifetime::kNoValue && !operand.data) {
        return {false, "operand " + std::to_string(i) + ", a scalar, is not a constant"};
      }
    }
  }
  return device.accelerator()->supports(model, index);
}

bool device_may_support(const Device& device, const Model& model, uint32_t index, std::vector<uint32_t>* constants) {
  const ModelOperation& operation = model.operations()[index];
  if (!device.accelerator() || !operation.row || operation.feature_level > device.feature_level()) return false;
  return device.accelerator()->may_support(model, index, constants);
}

}  // namespace avocet::runtime

using namespace avocet::runtime;

namespace {

/// The query functions differ in what they store through their out-pointer.
template <typename Value, typename Getter>
int query(const char* function, const ANeuralNetworksDevice* device, Value* result, Getter getter) {
  return api_call(function, [&]() -> Status {
    if (!device) return null_argument("device");
    if (!result) return null_argument("result");
    *result = getter(*Device::of(device));
    return {};
  });
}

}  // namespace

AVOCET_API int ANeuralNetworks_getDeviceCount(uint32_t* numDevices) {
  return api_call(__func__, [&]() -> Status {
    if (!numDevices) return null_argument("numDevices");
    *numDevices = static_cast<uint32_t>(devices().size());
    return {};
  });
}

AVOCET_API int ANeuralNetworks_getDevice(uint32_t devIndex, ANeuralNetworksDevice** device) {
  return api_call(__func__, [&]() -> Status {
    if (!device) return null_argument("device");
    *device = nullptr;
    if (devIndex >= devices().size()) return bad_data("device ", devIndex, " of ", devices().size(), " does not exist");
    *device = devices()[devIndex]->handle();
    return {};
  });
}

AVOCET_API int ANeuralNetworksDevice_getName(const ANeuralNetworksDevice* device, const char** name) {
  return query(__func__, device, name, [](const Device& d) { return d.name(); });
}

AVOCET_API int ANeuralNetworksDevice_getType(const ANeuralNetworksDevice* device, int32_t* type) {
  return query(__func__, device, type, [](const Device& d) { return d.type(); });
}

AVOCET_API int ANeuralNetworksDevice_getVersion(const ANeuralNetworksDevice* device, const char** version) {
  return query(__func__, device, version, [](const Device& d) { return d.version(); });
}

AVOCET_API int ANeuralNetworksDevice_getFeatureLevel(const ANeuralNetworksDevice* device, int64_t* featureLevel) {
  return query(__func__, device, featureLevel, [](const Device& d) { return d.feature_level(); });
}

AVOCET_API int ANeuralNetworksDevice_wait(const ANeuralNetworksDevice* device) {
  return api_call(__func__, [&]() -> Status {
    if (!device) return null_argument("device");
    Accelerator* accelerator = Device::of(device)->accelerator();
    return accelerator ? accelerator->wait_until_live() : Status{};
  });
}

AVOCET_API int ANeuralNetworksModel_getSupportedOperationsForDevices(const ANeuralNetworksModel* model,
                                                                     const ANeuralNetworksDevice* const* list,
                                                                     uint32_t numDevices, bool* supportedOps) {
  return api_call(__func__, [&]() -> Status {
    if (!model) return null_argument("model");
    if (!list) return null_argument("devices");
    if (!supportedOps) return null_argument("supportedOps");
    if (numDevices == 0) return bad_data("the list of devices is empty");
    const Model& m = *Model::of(model);
    if (!m.valid()) return bad_state("the model is not finished");
    AVOCET_RETURN_IF_FAILED(check_devices({list, numDevices}));
    for (uint32_t i = 0; i < m.operations().size(); ++i) {
      supportedOps[i] = std::any_of(list, list + numDevices, [&](const ANeuralNetworksDevice* device) {
        return device_supports(*Device::of(device), m, i).supported;
      });
    }
    return {};
  });
}
