// SPDX-License-Identifier: Apache-2.0
// Runtime power management: the device sleeps when it is idle, and nobody notices but by the clock.
#include <avocet_isa.h>

#include <cerrno>
#include <ctime>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

#define AUTOSUSPEND "AVOCET_AUTOSUSPEND_MS=30"

avocet_accel_clock clock_of(const Client& client) {
  avocet_accel_clock clock{};
  avocet_accel_query query{AVOCET_ACCEL_QUERY_CLOCK, sizeof clock, reinterpret_cast<uint64_t>(&clock)};
  expect_ok(client.ioctl(AVOCET_ACCEL_QUERY, &query), "QUERY of the clock");
  return clock;
}

void pause_ms(long ms) {
  timespec pause{ms / 1000, ms % 1000 * 1000000};
  nanosleep(&pause, nullptr);
}

/// Until the device sleeps.
void await_suspend(const Client& client, const Location& where = Location::current()) {
  const int64_t until = in_ms(kBoundMs);
  while (clock_of(client).power != AVOCET_ACCEL_POWER_SUSPENDED) {
    expect(now_ns() < until, "the device is suspended within the bound", where);
    pause_ms(5);
  }
}

const Case kCases[] = {
    {"power.three_jobs_with_gaps", "gaps longer than autosuspend: each job wakes the device and has the right bytes", [] {
       Client client;
       CopyWork work(client);
       const uint64_t before = clock_of(client).suspends;
       for (uint32_t i = 0; i < 3; i++) {
         work.run(i);
         await_suspend(client);
       }
       expect(clock_of(client).suspends >= before + 3, "a suspend in each gap");
     }, AUTOSUSPEND},
    {"power.clock_of_a_sleeping_device", "0 kHz while suspended, the device's clock otherwise; asking does not wake it", [] {
       Client client;
       CopyWork work(client);
       await_suspend(client);
       const avocet_accel_clock asleep = clock_of(client);
       expect_equal(asleep.clock_khz, 0, "clock_khz");
       expect(asleep.max_khz > 0, "max_khz");
       expect_equal(clock_of(client).power, AVOCET_ACCEL_POWER_SUSPENDED, "power after asking");
       work.run(1);
       expect(clock_of(client).resumes > 0, "resumes");
     }, AUTOSUSPEND},
    {"power.contexts_survive", "contexts, buffers, programs and results from before a suspend", [] {
       Client client;
       CopyWork one(client), other(client);
       const uint64_t id = client.must_submit(one.context(), one.job());
       client.must_complete(one.context(), id);
       await_suspend(client);
       client.must_complete(one.context(), id);
       one.run(1);
       other.run(2);
     }, AUTOSUSPEND},
    {"power.requests_of_a_sleeping_device", "create, destroy, close and counters work", [] {
       Client client;
       CopyWork work(client);
       for (int i = 0; i < 3; i++) {
         await_suspend(client);
         const uint32_t context = client.context();
         await_suspend(client);
         const Buffer buffer = client.buffer(context, 4096);
         client.counters();
         await_suspend(client);
         expect_ok(client.close_buffer(buffer.handle), "BUFFER_CLOSE");
         await_suspend(client);
         expect_ok(client.destroy(context), "CONTEXT_DESTROY");
       }
       work.run(1);
     }, AUTOSUSPEND},
    {"power.never_while_busy", "jobs one after the other keep it awake or wake it, all complete", [] {
       Client client;
       CopyWork work(client);
       for (uint32_t i = 0; i < 200; i++) work.run(i);
     }, "AVOCET_AUTOSUSPEND_MS=1"},
    {"power.not_unless_asked_for", "without the setting the device stays awake", [] {
       Client client;
       CopyWork(client).run(1);
       pause_ms(100);
       expect_equal(static_cast<int64_t>(clock_of(client).suspends), 0, "suspends");
     }, ""},
    {"power.unplugged_while_asleep", "the next submit ends: ENODEV, or a job with an error", [] {
       Client client;
       CopyWork work(client);
       await_suspend(client);
       set_faults("unplug");
       uint64_t id = 0;
       const int error = client.submit(work.context(), work.job(), &id);
       if (error == 0)
         expect(client.must_end(work.context(), id).status != AVOCET_STATUS_OK, "an error");
       else
         expect(error == -ENODEV || error == -EIO, "ENODEV");
     }, AUTOSUSPEND},
    {"power.firmware_crashes_while_asleep", "the device is booted again, the job completes", [] {
       Client client;
       CopyWork work(client);
       await_suspend(client);
       set_faults("firmware-crash:nth=1");
       work.fill(5);
       const auto result = client.must_end(work.context(), client.must_submit(work.context(), work.job()));
       if (result.status == AVOCET_STATUS_OK) expect(work.arrived(), "the copied bytes");
       set_faults("");
       CopyWork(client).run(6);
     }, AUTOSUSPEND " AVOCET_HANG_TIMEOUT_MS=500 AVOCET_ADMIN_TIMEOUT_MS=500"},
};

}  // namespace

std::span<const Case> power_cases() { return kCases; }

}  // namespace avocet::kmd
