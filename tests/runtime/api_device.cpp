// SPDX-License-Identifier: Apache-2.0
// ANeuralNetworks_getDevice* and ANeuralNetworksDevice_*.
#include <set>
#include <string>

#include "api_fixture.hpp"

namespace avocet::test {
namespace {

std::vector<ANeuralNetworksDevice*> all_devices() {
  uint32_t count = 0;
  EXPECT_EQ(ANeuralNetworks_getDeviceCount(&count), ANEURALNETWORKS_NO_ERROR);
  std::vector<ANeuralNetworksDevice*> devices(count);
  for (uint32_t i = 0; i < count; ++i) EXPECT_EQ(ANeuralNetworks_getDevice(i, &devices[i]), ANEURALNETWORKS_NO_ERROR);
  return devices;
}

TEST(Device, Errors) {
  uint32_t count = 0;
  ANeuralNetworksDevice* device = nullptr;
  EXPECT_EQ(ANeuralNetworks_getDeviceCount(nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  ASSERT_EQ(ANeuralNetworks_getDeviceCount(&count), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworks_getDevice(0, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworks_getDevice(count, &device), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworks_getDevice(UINT32_MAX, &device), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(device, nullptr);

  const char* text = nullptr;
  int32_t type = 0;
  int64_t level = 0;
  EXPECT_EQ(ANeuralNetworksDevice_getName(nullptr, &text), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksDevice_getVersion(nullptr, &text), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksDevice_getType(nullptr, &type), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksDevice_getFeatureLevel(nullptr, &level), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksDevice_wait(nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  for (ANeuralNetworksDevice* d : all_devices()) {
    EXPECT_EQ(ANeuralNetworksDevice_getName(d, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
    EXPECT_EQ(ANeuralNetworksDevice_getVersion(d, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
    EXPECT_EQ(ANeuralNetworksDevice_getType(d, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
    EXPECT_EQ(ANeuralNetworksDevice_getFeatureLevel(d, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  }
}

TEST(Device, EachHasANameOfItsOwn) {
  std::set<std::string> names;
  for (ANeuralNetworksDevice* d : all_devices()) {
    const char *name = nullptr, *version = nullptr;
    int64_t level = 0;
    ASSERT_EQ(ANeuralNetworksDevice_getName(d, &name), ANEURALNETWORKS_NO_ERROR);
    ASSERT_EQ(ANeuralNetworksDevice_getVersion(d, &version), ANEURALNETWORKS_NO_ERROR);
    ASSERT_EQ(ANeuralNetworksDevice_getFeatureLevel(d, &level), ANEURALNETWORKS_NO_ERROR);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_NE(std::string(name).find('-'), std::string::npos) << "{VENDOR}-{DEVICE}";
    EXPECT_NE(*version, '\0');
    EXPECT_EQ(level, 30);
    EXPECT_EQ(ANeuralNetworksDevice_wait(d), ANEURALNETWORKS_NO_ERROR);
  }
}

TEST(Device, TheCpuIsLastAndHandlesStay) {
  const std::vector<ANeuralNetworksDevice*> devices = all_devices();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices, all_devices());
  EXPECT_EQ(devices.back(), cpu());
  int32_t type = -1;
  ASSERT_EQ(ANeuralNetworksDevice_getType(devices.back(), &type), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(type, ANEURALNETWORKS_DEVICE_CPU);
}

}  // namespace
}  // namespace avocet::test
