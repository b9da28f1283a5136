// SPDX-License-Identifier: Apache-2.0
// The driver core on a fake device, with one open file.
#pragma once

#include <poll.h>
#include <unistd.h>

#include "client.hpp"
#include "fake_device.hpp"

extern "C" {
#include "buffer.h"
#include "context.h"
#include "file.h"
#include "ioctl.h"
}

namespace avocet::test {

/// An open file of the core.
class CoreClient : public Client {
 public:
  explicit CoreClient(avocet_device* device)
      : Client([this](unsigned long request, void* argument) {
          return avocet_ioctl_dispatch(file_, request, reinterpret_cast<uint64_t>(argument));
        }) {
    EXPECT_EQ(avocet_file_open(device, &file_), 0);
  }
  ~CoreClient() override { close(); }
  void close() {
    if (file_) avocet_file_close(file_);
    file_ = nullptr;
  }
  avocet_file* file() { return file_; }

 private:
  avocet_file* file_ = nullptr;
};

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  bool readable(int milliseconds = 0) const {
    pollfd p{fd_, POLLIN, 0};
    return poll(&p, 1, milliseconds) == 1 && (p.revents & POLLIN);
  }

 private:
  int fd_;
};

/// The watchdog looks often. Timeouts are long: whoever wants one to pass says so (FakeDevice::look_until, sleep_until_reset),
/// and a host that has no time for the device's thread causes none.
inline avocet_parameters quick_parameters() {
  avocet_parameters p = avocet_default_parameters;
  p.check_interval_ms = 5;
  p.hang_timeout_ms = 20000;
  p.admin_timeout_ms = 60000;
  p.boot_timeout_ms = 60000;
  return p;
}

class DriverTest : public testing::Test {
 protected:
  explicit DriverTest(avocet_parameters parameters = avocet_default_parameters) {
    avocet_os_check_user_copies(true);
    EXPECT_EQ(fake.probe(&parameters), 0);
    client = std::make_unique<CoreClient>(fake.device);
  }
  ~DriverTest() override { client.reset(); }

  FakeDevice fake;
  std::unique_ptr<CoreClient> client;
};

}  // namespace avocet::test
