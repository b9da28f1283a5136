// SPDX-License-Identifier: Apache-2.0
// RISC-V firmware that crashes while a job is in hardware (firmware/crashing_job.c: contexts 1 to 6, each in its own way): the driver
// resets the device, the job ends with an error, and jobs of a healthy context come out right before, beside and after.
#include <algorithm>
#include <cstring>

#include "avocet_device.h"
#include "client.hpp"

namespace avocet::test {
namespace {

constexpr uint32_t kBytes = 4096, kCrashes = 6;

class FirmwareCrash : public testing::Test, public Client {
 protected:
  FirmwareCrash() : Client([this](unsigned long request, void* argument) { return avocet_ioctl(device_, request, argument); }) {
    device_ = avocet_open();
    EXPECT_GE(device_, 0) << avocet_sim_error();
  }
  ~FirmwareCrash() override { avocet_close(device_); }
  int8_t* map(const avocet_accel_buffer_create& buffer) {
    return static_cast<int8_t*>(avocet_mmap(device_, buffer.mmap_offset, kBytes));
  }

  int device_ = -1;
};

TEST_F(FirmwareCrash, CostsItsContextAndNobodyElse) {
  uint32_t bad[kCrashes], empty[kCrashes];
  for (uint32_t i = 0; i < kCrashes; i++) {
    bad[i] = context(); // in the order of the device's ids
    empty[i] = program(bad[i], empty_stream());
  }
  uint32_t healthy = context(), copy = program(healthy, copy_stream(0, 1, 0, kBytes));
  auto in = buffer_full(healthy, kBytes), out = buffer_full(healthy, kBytes);
  int8_t *from = map(in), *to = map(out);
  for (uint32_t i = 0; i < kCrashes; i++) {
    SCOPED_TRACE("crash " + std::to_string(i + 1));
    std::memset(from, static_cast<int>(10 + i), kBytes);
    std::memset(to, 0, kBytes);
    int64_t before = submit(healthy, copy_job(copy, in.handle, out.handle, kBytes));
    int64_t crash = submit(bad[i], empty[i]);
    int64_t beside = submit(healthy, copy_job(copy, in.handle, out.handle, kBytes));
    EXPECT_NE(status_of(bad[i], crash), AVOCET_STATUS_OK);
    EXPECT_EQ(status_of(healthy, before), AVOCET_STATUS_OK);
    EXPECT_EQ(status_of(healthy, beside), AVOCET_STATUS_OK);
    EXPECT_EQ(std::memcmp(from, to, kBytes), 0);
    EXPECT_EQ(counters().resets, i + 1);
    std::memset(to, 0, kBytes);
    EXPECT_EQ(status_of(healthy, submit(healthy, copy_job(copy, in.handle, out.handle, kBytes))), AVOCET_STATUS_OK);
    EXPECT_EQ(std::memcmp(from, to, kBytes), 0);
  }
  EXPECT_EQ(avocet_munmap(from, kBytes), 0);
  EXPECT_EQ(avocet_munmap(to, kBytes), 0);
}

}  // namespace
}  // namespace avocet::test
