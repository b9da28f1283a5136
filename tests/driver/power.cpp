// SPDX-License-Identifier: Apache-2.0
// Runtime power management, and the answers of QUERY about it and everything else.
#include "fixture.hpp"

extern "C" {
#include "power.h"
}

namespace avocet::test {
namespace {

avocet_parameters sleepy(uint32_t autosuspend_ms) {
  avocet_parameters p = quick_parameters();
  p.autosuspend_ms = autosuspend_ms;
  p.suspend_timeout_ms = 30;
  return p;
}

class Power : public DriverTest {
 protected:
  explicit Power(uint32_t autosuspend_ms = 0) : DriverTest(sleepy(autosuspend_ms)) {
    context = client->context();
    program = client->program(context, empty_stream());
  }
  avocet_accel_clock clock() { return client->query<avocet_accel_clock>(AVOCET_ACCEL_QUERY_CLOCK); }
  int64_t run() { return client->status_of(context, client->submit(context, program)); }
  uint32_t context, program;
};

class Autosuspend : public Power {
 protected:
  Autosuspend() : Power(20) {}
};

TEST_F(Autosuspend, ThreeJobsWithLongGaps) {
  uint32_t buffer = client->buffer(context, 4096);
  for (uint64_t i = 1; i <= 3; i++) {
    while (clock().power != AVOCET_ACCEL_POWER_SUSPENDED) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(clock().clock_khz, 0u);
    EXPECT_EQ(fake.reg(AVOCET_REG_FW_STATE), AVOCET_FIRMWARE_STATE_SUSPENDED);
    EXPECT_EQ(run(), AVOCET_STATUS_OK);
    EXPECT_EQ(clock().resumes, i);
    EXPECT_EQ(clock().suspends, i);
  }
  EXPECT_GT(clock().suspended_ns, 0u);
  EXPECT_EQ(client->counters().resets, 0u) << "contexts and rings were kept";
  EXPECT_EQ(client->close_buffer(buffer), 0);
}

TEST_F(Autosuspend, NotWhileAJobRuns) {
  fake.on_job(Ending{.hold = true});
  int64_t job = client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(clock().power, AVOCET_ACCEL_POWER_ACTIVE);
  fake.release();
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_OK);
}

TEST_F(Autosuspend, EverythingElseWakesItUpAsWell) {
  while (clock().power != AVOCET_ACCEL_POWER_SUSPENDED) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  uint32_t fresh = client->context();
  EXPECT_EQ(clock().power, AVOCET_ACCEL_POWER_ACTIVE);
  EXPECT_EQ(client->destroy(fresh), 0);
  while (clock().power != AVOCET_ACCEL_POWER_SUSPENDED) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(run(), AVOCET_STATUS_OK);
}

TEST_F(Power, SuspendAndResumeByHand) {
  EXPECT_EQ(avocet_power_suspend(fake.device), 0);
  EXPECT_EQ(avocet_power_suspend(fake.device), 0) << "it is already";
  EXPECT_EQ(clock().suspends, 1u);
  EXPECT_EQ(avocet_power_resume(fake.device), 0);
  EXPECT_EQ(clock().power, AVOCET_ACCEL_POWER_ACTIVE);
  EXPECT_EQ(run(), AVOCET_STATUS_OK);
}

TEST_F(Power, ABusyDeviceRefusesInBoundedTime) {
  fake.on_job(Ending{.hold = true});
  int64_t job = client->submit(context, program);
  EXPECT_EQ(avocet_power_suspend(fake.device), -EBUSY);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.release();
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_OK);
  EXPECT_EQ(avocet_power_suspend(fake.device), 0);
}

TEST_F(Power, ADeviceThatDoesNotWakeUpIsStartedAnew) {
  EXPECT_EQ(run(), AVOCET_STATUS_OK);
  EXPECT_EQ(avocet_power_suspend(fake.device), 0);
  fake.sleep_until_reset();
  fake.device->parameters.boot_timeout_ms = 300;  // what waking up may take
  EXPECT_EQ(run(), AVOCET_STATUS_OK);
  auto reset = client->query<avocet_accel_reset>(AVOCET_ACCEL_QUERY_RESET);
  EXPECT_EQ(reset.cause, AVOCET_ACCEL_RESET_RESUME);
  EXPECT_EQ(reset.generation, 1u);
}

TEST_F(Power, ADeviceThatIsGoneWhileSuspended) {
  EXPECT_EQ(avocet_power_suspend(fake.device), 0);
  fake.gone = true;
  EXPECT_EQ(client->submit(context, program), -ENODEV);
}

// ---- QUERY ----

TEST_F(Power, QueryKnowsItsTypesAndSizes) {
  const std::vector<std::pair<uint32_t, size_t>> sizes{{AVOCET_ACCEL_QUERY_INFO, sizeof(avocet_accel_info)},
                                                       {AVOCET_ACCEL_QUERY_PARAMETERS, sizeof(avocet_accel_parameters)},
                                                       {AVOCET_ACCEL_QUERY_VERSIONS, sizeof(avocet_accel_versions)},
                                                       {AVOCET_ACCEL_QUERY_UTILISATION, sizeof(avocet_accel_utilisation)},
                                                       {AVOCET_ACCEL_QUERY_CLOCK, sizeof(avocet_accel_clock)},
                                                       {AVOCET_ACCEL_QUERY_MEMORY, sizeof(avocet_accel_memory)},
                                                       {AVOCET_ACCEL_QUERY_RESET, sizeof(avocet_accel_reset)}};
  for (auto [type, bytes] : sizes) {
    avocet_accel_query a{type, 0, 0};
    EXPECT_EQ(client->ioctl(AVOCET_ACCEL_QUERY, &a), 0);
    EXPECT_EQ(a.size, bytes);
  }
  for (uint32_t type : {7u, 8u, ~0u}) {
    avocet_accel_query a{type, 0, 0};
    EXPECT_EQ(client->ioctl(AVOCET_ACCEL_QUERY, &a), -EINVAL);
  }
}

TEST_F(Power, QueryAnswers) {
  auto parameters = client->query<avocet_accel_parameters>(AVOCET_ACCEL_QUERY_PARAMETERS);
  EXPECT_EQ(parameters.jobs_per_submit, 64u);
  EXPECT_EQ(parameters.job_struct_bytes, sizeof(avocet_accel_job));
  EXPECT_EQ(parameters.hang_timeout_ms, quick_parameters().hang_timeout_ms);
  auto versions = client->query<avocet_accel_versions>(AVOCET_ACCEL_QUERY_VERSIONS);
  EXPECT_EQ(versions.uapi, AVOCET_ACCEL_UAPI_VERSION);
  EXPECT_EQ(versions.firmware_contract, AVOCET_VERSION);
  EXPECT_EQ(versions.firmware_bytes, sizeof(avocet_firmware_header));
  EXPECT_EQ(clock().clock_khz, 1000000u);
  auto reset = client->query<avocet_accel_reset>(AVOCET_ACCEL_QUERY_RESET);
  EXPECT_EQ(reset.cause, AVOCET_ACCEL_RESET_NONE);
  EXPECT_EQ(reset.time_ns, 0u);
}

TEST_F(Power, UtilisationGrowsWithWork) {
  auto idle = client->query<avocet_accel_utilisation>(AVOCET_ACCEL_QUERY_UTILISATION);
  EXPECT_EQ(idle.busy_ns, 0u);
  fake.on_job(Ending{.hold = true});
  int64_t job = client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  auto busy = client->query<avocet_accel_utilisation>(AVOCET_ACCEL_QUERY_UTILISATION);
  EXPECT_GE(busy.busy_ns, 5000000u);
  EXPECT_GT(busy.per_mille, 0u);
  EXPECT_LE(busy.per_mille, 1000u);
  EXPECT_EQ(busy.unfinished, 1u);
  fake.release();
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_OK);
  auto after = client->query<avocet_accel_utilisation>(AVOCET_ACCEL_QUERY_UTILISATION);
  EXPECT_EQ(after.unfinished, 0u);
  EXPECT_EQ(after.busy_ns, client->query<avocet_accel_utilisation>(AVOCET_ACCEL_QUERY_UTILISATION).busy_ns);
}

// ---- resets that clients hear of ----

TEST_F(Power, AResetFenceSignalsWithTheReset) {
  Descriptor fence(client->reset_fence(0)), second(client->reset_fence(0));
  EXPECT_FALSE(fence.readable());
  EXPECT_EQ(avocet_reset_device(fake.device, 0, AVOCET_ACCEL_RESET_REQUESTED, "the test wants it"), 0);
  EXPECT_TRUE(fence.readable());
  EXPECT_EQ(client->fence_status(second.get()), 1);
  auto reset = client->query<avocet_accel_reset>(AVOCET_ACCEL_QUERY_RESET);
  EXPECT_EQ(reset.cause, AVOCET_ACCEL_RESET_REQUESTED);
  EXPECT_EQ(reset.generation, 1u);
  Descriptor late(client->reset_fence(0)), next(client->reset_fence(1));
  EXPECT_TRUE(late.readable()) << "the device is past that generation";
  EXPECT_FALSE(next.readable());
  EXPECT_EQ(run(), AVOCET_STATUS_OK);
}

TEST_F(Power, AResetFenceTellsThatTheDeviceIsGone) {
  Descriptor fence(client->reset_fence(0));
  avocet_device_lost(fake.device);
  EXPECT_TRUE(fence.readable());
  EXPECT_EQ(client->fence_status(fence.get()), -ENODEV);
  EXPECT_EQ(client->query<avocet_accel_reset>(AVOCET_ACCEL_QUERY_RESET).cause, AVOCET_ACCEL_RESET_REMOVED);
  Descriptor late(client->reset_fence(0));
  EXPECT_EQ(client->fence_status(late.get()), -ENODEV);
  avocet_accel_query a{AVOCET_ACCEL_QUERY_INFO, 0, 0};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_QUERY, &a), -ENODEV) << "all other questions need a device";
}

TEST_F(Power, RefusedResetFences) {
  avocet_accel_reset_fence a{0, 1, 0, 0};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_RESET_FENCE, &a), -EINVAL);
  a = {0, 0, 0, 1};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_RESET_FENCE, &a), -EINVAL);
}

}  // namespace
}  // namespace avocet::test
