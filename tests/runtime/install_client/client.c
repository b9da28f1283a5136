// SPDX-License-Identifier: Apache-2.0
// A client of the installed library: lists its devices.
#include <android/NeuralNetworks.h>
#include <stdio.h>

int main(void) {
  uint32_t count = 0;
  ANeuralNetworksDevice* device = NULL;
  const char* name = NULL;
  if (ANeuralNetworks_getDeviceCount(&count) || count == 0) return 1;
  for (uint32_t i = 0; i < count; ++i) {
    if (ANeuralNetworks_getDevice(i, &device) || ANeuralNetworksDevice_getName(device, &name)) return 1;
    puts(name);
  }
  return 0;
}
