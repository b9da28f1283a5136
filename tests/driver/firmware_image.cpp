// SPDX-License-Identifier: Apache-2.0
// Images that the driver or the device refuses: one clear line, no device, and a good image works afterwards.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "avocet_device.h"
#include "avocet_firmware_image.h"
#include "client.hpp"

namespace avocet::test {
namespace {

class FirmwareImage : public testing::Test {
 protected:
  FirmwareImage() {
    size_t bytes = 0;
    const void* image = avocet_firmware_image(AVOCET_FIRMWARE_KIND_RISCV, &bytes);
    image_.assign(static_cast<const char*>(image), static_cast<const char*>(image) + bytes);
    std::memcpy(&header_, image_.data(), sizeof header_);
    setenv("AVOCET_FIRMWARE", "riscv", 1);
    setenv("AVOCET_FIRMWARE_IMAGE", path_.c_str(), 1);
    avocet_sim_configure(nullptr, "functional", nullptr);
  }
  ~FirmwareImage() override {
    unlink(path_.c_str());
    unsetenv("AVOCET_FIRMWARE");
    unsetenv("AVOCET_FIRMWARE_IMAGE");
  }

  void write() {
    std::memcpy(image_.data(), &header_, sizeof header_);
    std::ofstream(path_, std::ios::binary).write(image_.data(), static_cast<std::streamsize>(image_.size()));
  }
  void expect_refusal(int error, const char* says) {
    write();
    testing::internal::CaptureStderr();
    EXPECT_EQ(avocet_open(), error) << says;
    std::string log = testing::internal::GetCapturedStderr();
    EXPECT_NE((log + avocet_sim_error()).find(says), std::string::npos) << log << avocet_sim_error();
    EXPECT_LE(std::count(log.begin(), log.end(), '\n'), 1) << log;
  }

  const std::string path_ = testing::TempDir() + "avocet_image_" + std::to_string(getpid()) + ".fw";
  std::vector<char> image_;
  avocet_firmware_header header_{};
};

// One test, because a process has one device.
TEST_F(FirmwareImage, ABadOneIsRefusedAndAGoodOneWorks) {
  const avocet_firmware_header good = header_;
  header_.magic ^= 1;
  expect_refusal(-EPROTO, "no firmware image of contract 1.x");
  header_ = good;
  header_.version += 1u << 16;
  expect_refusal(-EPROTO, "no firmware image of contract 1.x");
  header_ = good;
  header_.image_bytes += 4;
  expect_refusal(-EPROTO, "no firmware image of contract 1.x");
  header_ = good;
  header_.kind = AVOCET_FIRMWARE_KIND_NATIVE;
  expect_refusal(-EPROTO, "the firmware image is for processor kind 0, the device has kind 1");
  header_ = good;
  header_.checksum ^= 0x80000000;
  expect_refusal(-EIO, "status 306: the image's checksum is wrong");
  header_ = good;
  image_[image_.size() / 2] ^= 4;
  expect_refusal(-EIO, "status 306: the image's checksum is wrong");
  image_[image_.size() / 2] ^= 4;
  header_.entry = AVOCET_CORE_RAM_BASE + good.image_bytes;
  expect_refusal(-EIO, "status 307: the image does not fit into the core's memory");
  header_ = good;
  header_.ram_bytes = AVOCET_CORE_RAM_BYTES + 1;
  expect_refusal(-EIO, "status 307: the image does not fit into the core's memory");
  header_ = good;
  header_.reserved[8] = 1;
  expect_refusal(-EIO, "status 304: not a firmware image");
  header_ = good;
  setenv("AVOCET_FIRMWARE_IMAGE", "/nonexistent.fw", 1);
  expect_refusal(-ENOENT, "/nonexistent.fw: cannot be read");
  setenv("AVOCET_FIRMWARE", "steam", 1);
  expect_refusal(-EINVAL, "option: firmware.kind: \"steam\" is not allowed (one of: native riscv, word)");
  setenv("AVOCET_FIRMWARE", "riscv", 1);
  setenv("AVOCET_FIRMWARE_IMAGE", path_.c_str(), 1);
  write();
  int device = avocet_open();
  ASSERT_GE(device, 0) << avocet_sim_error();
  EXPECT_NE(std::strstr(avocet_sim_config(), "\"kind\": \"riscv\""), nullptr);
  Client client([&](unsigned long request, void* argument) { return avocet_ioctl(device, request, argument); });
  uint32_t context = client.context();
  EXPECT_EQ(client.status_of(context, client.submit(context, client.program(context, empty_stream()))), 0);
  EXPECT_EQ(avocet_close(device), 0);
}

}  // namespace
}  // namespace avocet::test
