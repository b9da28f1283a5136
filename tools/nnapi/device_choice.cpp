// SPDX-License-Identifier: Apache-2.0
// Device lists for the three choices, and the environment that configures the simulated device.
#include "nnapi/device_choice.hpp"

#include <cstdlib>
#include <vector>

namespace avocet::tools {

const char* device_choice_name(DeviceChoice choice) {
  switch (choice) {
    case DeviceChoice::npu: return "npu";
    case DeviceChoice::cpu: return "cpu";
    default: return "auto";
  }
}

void apply_device_settings(const DeviceSettings& settings) {
  if (!settings.engine.empty()) setenv("AVOCET_ENGINE", settings.engine.c_str(), 1);
  if (!settings.config.empty()) setenv("AVOCET_CONFIG", settings.config.c_str(), 1);
  if (settings.cores != 0) setenv("AVOCET_CORES_PER_JOB", std::to_string(settings.cores).c_str(), 1);
  if (!settings.timeline.empty()) setenv("AVOCET_TIMELINE", settings.timeline.c_str(), 1);
}

ANeuralNetworksDevice* find_device(const std::string& name) {
  uint32_t count = 0;
  check(ANeuralNetworks_getDeviceCount(&count), "getDeviceCount");
  for (uint32_t i = 0; i < count; ++i) {
    ANeuralNetworksDevice* device = nullptr;
    const char* device_name = nullptr;
    check(ANeuralNetworks_getDevice(i, &device), "getDevice");
    check(ANeuralNetworksDevice_getName(device, &device_name), "Device_getName");
    if (name == device_name) return device;
  }
  return nullptr;
}

CompilationHandle create_compilation(ANeuralNetworksModel* model, DeviceChoice choice) {
  ANeuralNetworksCompilation* raw = nullptr;
  if (choice == DeviceChoice::automatic) {
    check(ANeuralNetworksCompilation_create(model, &raw), "Compilation_create");
    return CompilationHandle(raw);
  }
  std::vector<const ANeuralNetworksDevice*> devices;
  const auto add = [&](const char* name) {
    const ANeuralNetworksDevice* device = find_device(name);
    if (!device) throw ApiError("find_device", ANEURALNETWORKS_UNAVAILABLE_DEVICE, name);
    devices.push_back(device);
  };
  if (choice == DeviceChoice::npu) add(kNpuDevice);
  add(kCpuDevice);
  check(ANeuralNetworksCompilation_createForDevices(model, devices.data(), static_cast<uint32_t>(devices.size()), &raw),
        "Compilation_createForDevices");
  return CompilationHandle(raw);
}

CompilationHandle create_finished_compilation(ANeuralNetworksModel* model, DeviceChoice choice) {
  CompilationHandle compilation = create_compilation(model, choice);
  check(ANeuralNetworksCompilation_finish(compilation.get()), "Compilation_finish");
  return compilation;
}

ExecutionHandle create_execution(ANeuralNetworksCompilation* compilation) {
  ANeuralNetworksExecution* raw = nullptr;
  check(ANeuralNetworksExecution_create(compilation, &raw), "Execution_create");
  return ExecutionHandle(raw);
}

}  // namespace avocet::tools
