// SPDX-License-Identifier: Apache-2.0
// Devices that misbehave: at probe, and while jobs are under way. Nothing may wait for ever.
#include "fixture.hpp"

namespace avocet::test {
namespace {

// ---- probe ----

int probe_with(std::function<void(FakeDevice&)> change) {
  FakeDevice fake;
  change(fake);
  auto parameters = quick_parameters();
  return fake.probe(&parameters);
}

TEST(Probe, Succeeds) {
  EXPECT_EQ(probe_with([](FakeDevice&) {}), 0);
}
TEST(Probe, NoDevice) {
  EXPECT_EQ(probe_with([](FakeDevice& f) { f.gone = true; }), -ENODEV);
  EXPECT_EQ(probe_with([](FakeDevice& f) { f.reg(AVOCET_REG_ID) = 0x12345678; }), -ENODEV);
}
TEST(Probe, AnotherMajor) {
  EXPECT_EQ(probe_with([](FakeDevice& f) { f.reg(AVOCET_REG_VERSION) = AVOCET_VERSION + 0x10000; }), -EPROTO);
}
TEST(Probe, ANewerMinor) {
  EXPECT_EQ(probe_with([](FakeDevice& f) { f.reg(AVOCET_REG_VERSION) = AVOCET_VERSION + 3; }), 0);
}
TEST(Probe, NonsenseCapabilities) {
  EXPECT_EQ(probe_with([](FakeDevice& f) { f.reg(AVOCET_REG_ARRAY_ROWS) = 0; }), -EPROTO);
  EXPECT_EQ(probe_with([](FakeDevice& f) { f.reg(AVOCET_REG_DMA_CHANNELS) = 9; }), -EPROTO);
  EXPECT_EQ(probe_with([](FakeDevice& f) { f.reg(AVOCET_REG_CLOCK_KHZ) = 0; }), -EPROTO);
}
TEST(Probe, NoFirmware) {
  EXPECT_EQ(probe_with([](FakeDevice& f) { f.os.firmware = nullptr; }), -ENOENT);
}
TEST(Probe, FirmwareOfAnotherMajor) {
  avocet_firmware_header header = avocet_firmware_native_image;
  header.version += 0x10000;
  EXPECT_EQ(probe_with([&](FakeDevice& f) { f.os.firmware = &header; }), -EPROTO);
}
TEST(Probe, TruncatedFirmware) {
  EXPECT_EQ(probe_with([](FakeDevice& f) { f.os.firmware_bytes = 60; }), -EPROTO);
}
TEST(Probe, FirmwareThatRefusesToBoot) {
  avocet_firmware_header header = avocet_firmware_native_image;
  header.reserved[3] = 1;  // the driver leaves this to the firmware
  EXPECT_EQ(probe_with([&](FakeDevice& f) { f.os.firmware = &header; }), -EIO);
}
TEST(Probe, TakesOverADeviceThatRuns) {
  EXPECT_EQ(probe_with([](FakeDevice& f) { f.reg(AVOCET_REG_CONTROL) = AVOCET_CONTROL_RUN; }), 0);
}

// ---- under way ----

class Recovery : public DriverTest {
 protected:
  explicit Recovery(avocet_parameters parameters = quick_parameters()) : DriverTest(parameters) {
    context = client->context();
    program = client->program(context, empty_stream());
    other = client->context();
    other_program = client->program(other, empty_stream());
  }
  void expect_usable(uint32_t context, uint32_t program) {
    fake.on_job(Ending{});
    EXPECT_EQ(client->status_of(context, client->submit(context, program)), AVOCET_STATUS_OK);
  }
  uint32_t context, program, other, other_program;
};

class LostSignals : public Recovery {};

TEST_F(LostSignals, LostInterrupts) {
  for (int i = 0; i < 5; i++) {
    fake.lose_interrupts = 1;
    EXPECT_EQ(client->status_of(context, client->submit(context, program)), AVOCET_STATUS_OK);
  }
  EXPECT_EQ(client->counters().resets, 0u);
}

TEST_F(LostSignals, AnInterruptBehindALostOneComes) {
  fake.device->parameters.check_interval_ms = 1u << 30;  // nobody looks for long
  fake.lose_interrupts = 1;
  const int64_t lost = client->submit(context, program);
  while (fake.lose_interrupts != 0) std::this_thread::yield();
  avocet_reset_check(fake.device);
  EXPECT_TRUE(client->ended(context, lost));
  const uint64_t before = client->counters().interrupts;
  EXPECT_EQ(client->status_of(context, client->submit(context, program)), AVOCET_STATUS_OK) << "the lost one's bit is down";
  EXPECT_GT(client->counters().interrupts, before);
}

TEST_F(LostSignals, TimeOfAnIdleDeviceIsNoJobs) {
  fake.device->parameters.check_interval_ms = 1u << 30;
  for (int i = 0; i < 3; i++) {
    avocet_reset_check(fake.device);  // idle
    EXPECT_EQ(client->status_of(context, client->submit(context, program)), AVOCET_STATUS_OK);
    fake.lose_doorbells = 1;
    const uint32_t doorbells = fake.doorbells;
    const int64_t job = client->submit(context, program);
    avocet_reset_check(fake.device);  // the heartbeat has moved by one job since the last look
    EXPECT_EQ(client->counters().resets, 0u);
    fake.look_until([&] { return fake.doorbells > doorbells; });
    EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_OK);
  }
}

TEST_F(LostSignals, LostInterruptOfAMessage) {
  fake.lose_interrupts = 1;
  EXPECT_EQ(client->destroy(context), 0);
  EXPECT_EQ(client->counters().resets, 0u);
}

TEST_F(LostSignals, LostDoorbellOfAMessage) {
  fake.device->parameters.admin_timeout_ms = 2000;  // a quarter of it passes
  fake.lose_doorbells = 1;
  EXPECT_EQ(client->destroy(context), 0);
  EXPECT_EQ(client->counters().resets, 0u);
}

TEST_F(LostSignals, LostDoorbell) {
  fake.lose_doorbells = 1;
  const uint32_t before = fake.doorbells;
  const int64_t job = client->submit(context, program);
  fake.look_until([&] { return fake.doorbells > before; });
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_OK);
  EXPECT_EQ(client->counters().resets, 0u);
}

TEST_F(Recovery, StuckJobThatTheFirmwareAborts) {
  fake.on_job(Ending{.hold = true});
  int64_t stuck = client->submit(context, program);
  int64_t behind = client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.on_job(Ending{});
  int64_t neighbour = client->submit(other, other_program);
  fake.let_hang();
  EXPECT_EQ(client->status_of(context, stuck), AVOCET_STATUS_HANG);
  EXPECT_EQ(client->status_of(context, behind), AVOCET_STATUS_ABORTED);
  EXPECT_EQ(client->status_of(other, neighbour), AVOCET_STATUS_OK);
  EXPECT_EQ(client->submit(context, program), -EBADFD);
  EXPECT_EQ(client->counters().resets, 0u) << "the job was aborted, not the device reset";
}

TEST_F(Recovery, StuckJobThatNothingStopsResetsTheDevice) {
  fake.abort_works = fake.engine_reset_works = false;
  fake.on_job(Ending{.hold = true});
  int64_t stuck = client->submit(context, program);
  int64_t behind = client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.on_job(Ending{});
  std::vector<int64_t> neighbours;
  for (int i = 0; i < 8; i++) neighbours.push_back(client->submit(other, other_program));
  while (fake.reg(AVOCET_REG_GENERATION) == 0) fake.let_hang();
  avocet_accel_wait result{};
  ASSERT_EQ(client->wait(context, stuck, INT64_MAX, &result), 0);
  EXPECT_EQ(result.status, AVOCET_STATUS_HANG);
  EXPECT_EQ(client->status_of(context, behind), AVOCET_STATUS_ABORTED);
  for (int64_t job : neighbours) EXPECT_EQ(client->status_of(other, job), AVOCET_STATUS_OK) << "resubmitted";
  EXPECT_EQ(client->submit(context, program), -EBADFD);
  EXPECT_EQ(client->counters().resets, 1u);
  EXPECT_EQ(fake.reg(AVOCET_REG_GENERATION), 1u);
  expect_usable(other, other_program);
}

TEST_F(Recovery, StuckJobThatCannotBeAbortedCostsItsCoreAlone) {
  fake.abort_works = false;
  fake.on_job(Ending{.hold = true});
  int64_t stuck = client->submit(context, program);
  int64_t behind = client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.on_job(Ending{});
  int64_t neighbour = client->submit(other, other_program);
  while (fake.reg(AVOCET_REG_NPU_RESETS) == 0) fake.let_hang();
  EXPECT_EQ(client->status_of(context, stuck), AVOCET_STATUS_HANG);
  EXPECT_EQ(client->status_of(context, behind), AVOCET_STATUS_ABORTED);
  EXPECT_EQ(client->status_of(other, neighbour), AVOCET_STATUS_OK);
  EXPECT_EQ(client->submit(context, program), -EBADFD);
  EXPECT_EQ(client->counters().resets, 0u);
  EXPECT_EQ(client->query<avocet_accel_reset>(AVOCET_ACCEL_QUERY_RESET).engine_resets, 1u);
  expect_usable(other, other_program);
}

/// The driver's own steps, when it is the first to lose patience: the firmware sees no time pass.
class Escalation : public Recovery {
 protected:
  int64_t stick() {
    fake.device->parameters.admin_timeout_ms = 700;  // what an abort without effect is waited for
    fake.abort_works = false;
    fake.on_job(Ending{.hold = true});
    int64_t stuck = client->submit(context, program);
    while (!fake.holds_a_job()) std::this_thread::yield();
    fake.on_job(Ending{});
    neighbour = client->submit(other, other_program);
    fake.look_until([&] { return client->ended(context, stuck); });
    return client->status_of(context, stuck);
  }
  void expect_resets(uint64_t device, uint64_t engine) {
    EXPECT_EQ(client->status_of(other, neighbour), AVOCET_STATUS_OK);
    EXPECT_EQ(client->submit(context, program), -EBADFD);
    const auto reset = client->query<avocet_accel_reset>(AVOCET_ACCEL_QUERY_RESET);
    EXPECT_EQ(client->counters().resets, device);
    EXPECT_EQ(reset.generation, device);
    EXPECT_EQ(reset.cause, device ? AVOCET_ACCEL_RESET_HANG : AVOCET_ACCEL_RESET_NONE);
    EXPECT_EQ(reset.engine_resets, engine);
    EXPECT_EQ(reset.aborts, 0u);
    expect_usable(other, other_program);
    EXPECT_EQ(client->destroy(context), 0);
  }
  int64_t neighbour = 0;
};

TEST_F(Escalation, AnAbortWithoutEffectIsFollowedByAResetOfTheCore) {
  EXPECT_EQ(stick(), AVOCET_STATUS_HANG);
  expect_resets(0, 1);
}

TEST_F(Escalation, AndThatByAResetOfTheDevice) {
  fake.engine_reset_works = false;
  EXPECT_EQ(stick(), AVOCET_STATUS_HANG);
  expect_resets(1, 0);
}

TEST_F(Escalation, ADeviceThatKnowsNoResetOfACoreIsResetItself) {
  fake.device->info.contract_version = fake.reg(AVOCET_REG_VERSION) = AVOCET_VERSION_MAJOR << 16 | 2;
  EXPECT_EQ(stick(), AVOCET_STATUS_HANG);
  expect_resets(1, 0);
  EXPECT_EQ(fake.reg(AVOCET_REG_NPU_RESETS), 0u);
}

TEST_F(Recovery, AJobThatMovesGetsMoreTimeSoOften) {
  fake.device->parameters.extensions_max = 3;
  fake.on_job(Ending{.hold = true});
  int64_t slow = client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.on_job(Ending{});
  fake.look_until([&] {
    fake.reg(AVOCET_REG_FW_HEARTBEAT)++;
    return client->ended(context, slow);
  });
  EXPECT_EQ(client->status_of(context, slow), AVOCET_STATUS_HANG);
  const auto reset = client->query<avocet_accel_reset>(AVOCET_ACCEL_QUERY_RESET);
  EXPECT_EQ(reset.extensions, 3u);
  EXPECT_EQ(reset.aborts, 1u);
  EXPECT_EQ(reset.engine_resets, 0u);
  EXPECT_EQ(client->counters().resets, 0u);
  expect_usable(other, other_program);
}

// ---- rings that were overwritten ----

class BadRing : public Recovery {
 protected:
  BadRing() {
    for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX && !ring; id++)
      if (fake.device->contexts[id]) ring = &fake.device->contexts[id]->queue.lanes[AVOCET_PRIORITY_MEDIUM]->ring;
  }
  /// A job of `context` is in hardware, and one behind it that the device has not seen.
  void fill() {
    fake.on_job(Ending{.hold = true});
    held = client->submit(context, program);
    while (!fake.holds_a_job()) std::this_thread::yield();
    fake.on_job(Ending{});
    fake.lose_doorbells = 1;
    unseen = client->submit(context, program);
  }
  void expect_no_harm_to_others() {
    expect_usable(other, other_program);
    EXPECT_EQ(client->counters().resets, 0u);
    EXPECT_EQ(client->counters(context).faults, 1u);
    EXPECT_EQ(client->submit(context, program), -EBADFD);
    EXPECT_EQ(client->destroy(context), 0);
    context = client->context();
    expect_usable(context, client->program(context, empty_stream()));
  }
  avocet_shared_ring* ring = nullptr;  // of `context`, the first
  int64_t held = 0, unseen = 0;
};

TEST_F(BadRing, ATailBeyondTheRingCostsItsContext) {
  fill();
  avocet_shared_ring_publish(ring, avocet_shared_ring_tail(ring) + 1000);
  int64_t neighbour = client->submit(other, other_program);  // its doorbell makes the firmware look
  EXPECT_EQ(client->status_of(context, unseen), AVOCET_STATUS_BAD_MESSAGE);
  EXPECT_EQ(client->status_of(context, held), AVOCET_STATUS_ABORTED);
  EXPECT_EQ(client->status_of(other, neighbour), AVOCET_STATUS_OK);
  expect_no_harm_to_others();
}

TEST_F(BadRing, ATailBeyondTheRingOfAnIdleContextIsToldAtItsNextSubmit) {
  avocet_shared_ring_publish(ring, avocet_shared_ring_tail(ring) - 3);
  EXPECT_EQ(client->status_of(other, client->submit(other, other_program)), AVOCET_STATUS_OK);
  while (client->submit(context, program) != -EBADFD) std::this_thread::yield();
  EXPECT_EQ(client->status_of(other, client->submit(other, other_program)), AVOCET_STATUS_OK);
  EXPECT_EQ(client->counters().resets, 0u);
}

TEST_F(BadRing, ATailThatShowsOldJobsCostsItsContext) {
  ASSERT_EQ(client->status_of(context, client->submit(context, program)), AVOCET_STATUS_OK);
  fill();
  avocet_shared_ring_publish(ring, avocet_shared_ring_tail(ring) + 5);
  int64_t neighbour = client->submit(other, other_program);
  fake.release();
  EXPECT_EQ(client->status_of(context, held), AVOCET_STATUS_OK);
  EXPECT_EQ(client->status_of(context, unseen), AVOCET_STATUS_OK);
  EXPECT_EQ(client->status_of(other, neighbour), AVOCET_STATUS_OK);
  while (!avocet_os_load32(&fake.device->contexts[1]->forgotten)) std::this_thread::yield();
  EXPECT_EQ(client->submit(context, program), -EBADFD);
  expect_usable(other, other_program);
  EXPECT_EQ(client->counters().resets, 0u);
}

TEST_F(BadRing, ADescriptorWithAnotherIdCostsItsContext) {
  fill();
  reinterpret_cast<avocet_job*>(avocet_shared_ring_entry(ring, avocet_shared_ring_tail(ring) - 1))->job_id ^= 0x5A5A;
  int64_t neighbour = client->submit(other, other_program);
  fake.release();
  EXPECT_EQ(client->status_of(context, held), AVOCET_STATUS_OK);
  EXPECT_EQ(client->status_of(context, unseen), AVOCET_STATUS_BAD_MESSAGE);
  EXPECT_EQ(client->status_of(other, neighbour), AVOCET_STATUS_OK);
  expect_no_harm_to_others();
}

// ---- the firmware ----

TEST_F(Recovery, DeadFirmwareWithAJobInHardware) {
  fake.on_job(Ending{.hold = true});
  int64_t stuck = client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.sleep_until_reset();
  int64_t neighbour = client->submit(other, other_program);
  fake.look_until([&] { return client->ended(context, stuck); });
  EXPECT_EQ(client->status_of(context, stuck), AVOCET_STATUS_HANG);
  EXPECT_EQ(client->status_of(other, neighbour), AVOCET_STATUS_OK);
}

TEST_F(Recovery, DeadFirmwareNoticedByAMessage) {
  fake.sleep_until_reset();
  EXPECT_EQ(client->destroy(context), 0);
  EXPECT_EQ(client->counters().resets, 1u);
  EXPECT_EQ(client->counters().contexts, 1u);
  expect_usable(other, other_program);
  context = client->context();
  expect_usable(context, client->program(context, empty_stream()));
}

TEST_F(Recovery, DeadFirmwareNoticedByContextCreation) {
  fake.sleep_until_reset();
  uint32_t fresh = client->context();
  expect_usable(fresh, client->program(fresh, empty_stream()));
}

TEST_F(Recovery, DeadFirmwareNoticedByABufferClose) {
  expect_usable(context, program);  // so that translations may be cached
  uint32_t buffer = client->buffer(context, 4096);
  fake.sleep_until_reset();
  EXPECT_EQ(client->close_buffer(buffer), 0);
  EXPECT_EQ(client->counters().resets, 1u);
  expect_usable(context, program);
}

TEST_F(Recovery, FirmwareThatHaltsIsResetAtOnce) {
  fake.on_job(Ending{.hold = true});
  int64_t job = client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.on_job(Ending{});
  // An admin tail beyond the ring makes the firmware halt.
  avocet_shared_ring_publish(&fake.device->admin.ring, avocet_shared_ring_tail(&fake.device->admin.ring) + 1000);
  int64_t neighbour = client->submit(other, other_program);
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_HANG);
  EXPECT_EQ(client->status_of(other, neighbour), AVOCET_STATUS_OK);
  EXPECT_EQ(client->counters().resets, 1u);
}

TEST_F(Recovery, UnknownStatusMeansReset) {
  fake.on_job(Ending{0x77});
  EXPECT_EQ(client->status_of(context, client->submit(context, program)), 0x77);
  fake.on_job(Ending{});
  while (client->counters().resets == 0) std::this_thread::yield();  // which would cost a job that runs just then
  EXPECT_EQ(client->status_of(context, client->submit(context, program)), AVOCET_STATUS_OK);
  EXPECT_EQ(client->counters().resets, 1u);
}

TEST_F(Recovery, CompletionOfNoJobMeansReset) {
  fake.on_job(Ending{.hold = true});
  int64_t job = client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.on_job(Ending{});
  auto& ring = fake.device->completions.ring;
  avocet_completion bogus{};
  bogus.type = 9;
  uint32_t tail = avocet_shared_ring_tail(&ring);
  memcpy(avocet_shared_ring_entry(&ring, tail), &bogus, sizeof bogus);
  avocet_shared_ring_publish(&ring, tail + 1);
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_HANG) << "the job in hardware goes with the reset";
  EXPECT_EQ(client->counters().resets, 1u);
  expect_usable(other, other_program);
}

TEST_F(Recovery, DeviceThatDoesNotComeBack) {
  fake.on_job(Ending{.hold = true});
  int64_t job = client->submit(context, program), neighbour = client->submit(other, other_program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.reset_works = false;
  fake.device->parameters.boot_timeout_ms = 100;
  fake.sleep_until_reset();
  fake.look_until([&] { return avocet_device_usable(fake.device) != 0; });
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_HANG);
  EXPECT_EQ(client->status_of(other, neighbour), AVOCET_STATUS_ABORTED);
  EXPECT_EQ(client->submit(other, other_program), -EIO);
  avocet_accel_context_create create{};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &create), -EIO);
  EXPECT_EQ(client->destroy(context), 0) << "what exists can still be closed";
}

TEST_F(Recovery, DeviceThatDisappears) {
  fake.on_job(Ending{.hold = true});
  int64_t job = client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.gone = true;
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_ABORTED);
  EXPECT_EQ(client->submit(context, program), -ENODEV);
}

TEST_F(Recovery, JobsThatNeverStartAreNotResubmittedForEver) {
  fake.die_at_start = true;
  const int64_t job = client->submit(context, program);
  fake.look_until([&] { return client->ended(context, job); });
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_ABORTED);
  EXPECT_EQ(client->counters().resets, 3u) << "the first and two more";
  fake.die_at_start = false;
  expect_usable(context, program);
  expect_usable(other, other_program);
}

// ---- preempted jobs ----

/// The device can preempt; a LOW job of `victim` was stopped by a HIGH one of `urgent`, which does not end by itself.
class Preempted : public testing::Test {
 protected:
  Preempted() {
    fake.reg(AVOCET_REG_SAVE_AREA_BYTES) = 256;
    auto parameters = quick_parameters();
    EXPECT_EQ(fake.probe(&parameters), 0);
    client = std::make_unique<CoreClient>(fake.device);
    victim = client->context();
    urgent = client->context();
    fake.on_job(Ending{.hold = true});
    low = submit(victim, AVOCET_ACCEL_PRIORITY_LOW);
    wait_for_starts(1);
    high = submit(urgent, AVOCET_ACCEL_PRIORITY_HIGH);
    wait_for_starts(2);
  }
  ~Preempted() override { client.reset(); }
  int64_t submit(uint32_t context, uint32_t priority) {
    avocet_accel_job job{};
    job.program = client->program(context, empty_stream());
    job.priority = priority;
    return client->submit(context, job);
  }
  void wait_for_starts(uint32_t count) {
    while (fake.jobs_started < count || !fake.holds_a_job()) std::this_thread::yield();
  }
  FakeDevice fake;
  std::unique_ptr<CoreClient> client;
  uint32_t victim = 0, urgent = 0;
  int64_t low = 0, high = 0;
};

TEST_F(Preempted, BothJobsEndWell) {
  fake.on_job(Ending{});
  fake.release();
  EXPECT_EQ(client->status_of(urgent, high), AVOCET_STATUS_OK);
  EXPECT_EQ(client->status_of(victim, low), AVOCET_STATUS_OK);
  EXPECT_EQ(fake.jobs_started, 3u) << "it continued";
  EXPECT_EQ(client->counters().resets, 0u);
}

TEST_F(Preempted, AResetBlamesTheJobInHardwareOnly) {
  int64_t behind = submit(victim, AVOCET_ACCEL_PRIORITY_LOW);
  fake.sleep_until_reset();
  fake.look_until([&] { return client->ended(urgent, high); });
  EXPECT_EQ(client->status_of(urgent, high), AVOCET_STATUS_HANG);
  EXPECT_EQ(client->status_of(victim, low), AVOCET_STATUS_ABORTED) << "it had done something: it cannot run again";
  EXPECT_EQ(client->status_of(victim, behind), AVOCET_STATUS_OK) << "resubmitted";
  EXPECT_EQ(submit(urgent, AVOCET_ACCEL_PRIORITY_HIGH), -EBADFD);
  EXPECT_EQ(client->status_of(victim, submit(victim, AVOCET_ACCEL_PRIORITY_HIGH)), AVOCET_STATUS_OK);
  EXPECT_EQ(client->counters().resets, 1u);
}

TEST_F(Preempted, DestroyingItsContextLeavesTheOther) {
  EXPECT_EQ(client->destroy(victim), 0);
  fake.release();
  EXPECT_EQ(client->status_of(urgent, high), AVOCET_STATUS_OK);
  EXPECT_EQ(client->counters().resets, 0u);
}

}  // namespace
}  // namespace avocet::test
