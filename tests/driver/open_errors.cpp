// SPDX-License-Identifier: Apache-2.0
// Opening the simulated device with settings that make no sense: one sentence each, and the next attempt starts afresh.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "avocet_device.h"
#include "client.hpp"

namespace avocet::test {
namespace {

void expect_refusal(int error, const char* mentions) {
  EXPECT_EQ(avocet_open(), error);
  std::string sentence = avocet_sim_error();
  EXPECT_NE(sentence.find(mentions), std::string::npos) << sentence;
  EXPECT_EQ(sentence.find('\n'), std::string::npos) << "one line";
  EXPECT_EQ(avocet_sim_config(), nullptr);
}

// One test, because a process has one device and the order matters.
TEST(OpenErrors, EachIsASentenceAndThenItWorks) {
  avocet_sim_configure(nullptr, "steam", nullptr);
  expect_refusal(-EINVAL, "steam");
  avocet_sim_configure("/nonexistent/device.json", nullptr, nullptr);
  expect_refusal(-ENOENT, "/nonexistent/device.json");
  avocet_sim_configure("/dev/null", nullptr, nullptr);
  expect_refusal(-EINVAL, "/dev/null");
  avocet_sim_configure(nullptr, nullptr, nullptr);
  setenv("AVOCET_ENGINE", "water", 1);
  expect_refusal(-EINVAL, "water");
  unsetenv("AVOCET_ENGINE");
  setenv("AVOCET_DRIVER_LOG", "loud", 1);
  expect_refusal(-EINVAL, "AVOCET_DRIVER_LOG=loud");
  unsetenv("AVOCET_DRIVER_LOG");
  setenv("AVOCET_HANG_TIMEOUT_MS", "-3", 1);
  expect_refusal(-EINVAL, "AVOCET_HANG_TIMEOUT_MS=-3");
  unsetenv("AVOCET_HANG_TIMEOUT_MS");

  // A timeline that cannot be written is reported, and is no reason to do without the device.
  avocet_sim_configure(nullptr, "functional", "/nonexistent/trace.json");
  testing::internal::CaptureStderr();
  int device = avocet_open();
  std::string complaint = testing::internal::GetCapturedStderr();
  ASSERT_GE(device, 0) << avocet_sim_error();
  EXPECT_STREQ(avocet_sim_error(), "");
  EXPECT_NE(complaint.find("/nonexistent/trace.json"), std::string::npos);
  EXPECT_EQ(std::count(complaint.begin(), complaint.end(), '\n'), 1) << complaint;
  EXPECT_FALSE(avocet_timeline_enabled());
  ASSERT_NE(avocet_sim_config(), nullptr);

  // A child of fork has no device.
  pid_t child = fork();
  if (child == 0) {
    avocet_accel_context_create create{};
    bool refused = avocet_open() == -ENODEV && avocet_ioctl(device, AVOCET_ACCEL_CONTEXT_CREATE, &create) == -ENODEV &&
                   avocet_close(device) == 0;
    _exit(refused ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  Client client([&](unsigned long request, void* argument) { return avocet_ioctl(device, request, argument); });
  uint32_t context = client.context();
  EXPECT_EQ(client.status_of(context, client.submit(context, client.program(context, empty_stream()))), 0);
  EXPECT_EQ(avocet_close(device), 0);
}

}  // namespace
}  // namespace avocet::test
