// SPDX-License-Identifier: Apache-2.0
// `avocet devices`: what the API lists, and the simulated device's configuration.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "commands/command.hpp"
#include "inference/simulated_device.hpp"

namespace avocet::tools {
namespace {

const char* type_name(int32_t type) {
  switch (type) {
    case ANEURALNETWORKS_DEVICE_CPU: return "CPU";
    case ANEURALNETWORKS_DEVICE_GPU: return "GPU";
    case ANEURALNETWORKS_DEVICE_ACCELERATOR: return "accelerator";
    case ANEURALNETWORKS_DEVICE_OTHER: return "other";
    default: return "unknown";
  }
}

void print_device(uint32_t index) {
  ANeuralNetworksDevice* device = nullptr;
  const char* name = nullptr;
  const char* version = nullptr;
  int32_t type = 0;
  int64_t level = 0;
  check(ANeuralNetworks_getDevice(index, &device), "getDevice");
  check(ANeuralNetworksDevice_getName(device, &name), "Device_getName");
  check(ANeuralNetworksDevice_getVersion(device, &version), "Device_getVersion");
  check(ANeuralNetworksDevice_getType(device, &type), "Device_getType");
  check(ANeuralNetworksDevice_getFeatureLevel(device, &level), "Device_getFeatureLevel");
  std::printf("%s\n  type           %s\n  version        %s\n  feature level  %lld\n", name, type_name(type), version,
              static_cast<long long>(level));
}

int run(const DeviceSettings& settings) {
  prepare_device(settings);
  uint32_t count = 0;
  check(ANeuralNetworks_getDeviceCount(&count), "getDeviceCount");
  for (uint32_t i = 0; i < count; ++i) print_device(i);
  const std::string configuration = configuration_text();
  if (!configuration.empty()) std::printf("configuration of the simulated device\n%s\n", configuration.c_str());
  return 0;
}

}  // namespace

void add_devices_command(CLI::App& app, Action& action) {
  auto settings = std::make_shared<DeviceSettings>();
  CLI::App* command = app.add_subcommand("devices", "List the devices, their versions and capabilities");
  add_device_options(*command, *settings);
  command->footer("Example: avocet devices --config my_npu.json");
  command->callback([settings, &action] { action = [settings] { return run(*settings); }; });
}

}  // namespace avocet::tools
