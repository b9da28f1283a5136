// SPDX-License-Identifier: Apache-2.0
// How a reset is told: a fence for whoever waits for one, and its cause.
#include <avocet_isa.h>

#include <cerrno>

#include "kmd_test/descriptor.hpp"

namespace avocet::kmd {
namespace {

#define QUICK "AVOCET_HANG_TIMEOUT_MS=400"

avocet_accel_reset last_reset(const Client& client) {
  avocet_accel_reset reset{};
  avocet_accel_query query{AVOCET_ACCEL_QUERY_RESET, sizeof reset, reinterpret_cast<uint64_t>(&reset)};
  expect_ok(client.ioctl(AVOCET_ACCEL_QUERY, &query), "QUERY of the last reset");
  return reset;
}

Descriptor reset_fence(const Client& client, uint32_t generation) {
  avocet_accel_reset_fence fence{};
  fence.generation = generation;
  expect_ok(client.ioctl(AVOCET_ACCEL_RESET_FENCE, &fence), "RESET_FENCE");
  return Descriptor(fence.fd);
}

/// A job meets the fault; whatever its status.
void run_job(const Client& client, const char* faults) {
  CopyWork work(client);
  set_faults(faults);
  client.must_end(work.context(), client.must_submit(work.context(), work.job()));
  set_faults("");
}

void expect_cause(const char* faults, uint32_t cause, const Location& where = Location::current()) {
  Client client;
  run_job(client, faults);
  CopyWork(client).run(1, where);
  const avocet_accel_reset reset = last_reset(client);
  expect_equal(reset.cause, cause, "cause", where);
  expect(reset.generation > 0 && reset.time_ns > 0, "a reset and its time", where);
}

const Case kCases[] = {
    {"reset.none_so_far", "cause NONE, time 0", [] {
       const avocet_accel_reset reset = last_reset(Client());
       expect_equal(reset.cause, AVOCET_ACCEL_RESET_NONE, "cause");
       expect_equal(static_cast<int64_t>(reset.time_ns), 0, "time");
     }, ""},
    {"reset.cause_hang", "a unit that does not let go", [] {
       Client client;
       run_job(client, "unit-stuck:abort=off,reset=off");
       CopyWork(client).run(1);  // the hung job ends before the reset
       const avocet_accel_reset reset = last_reset(client);
       // The firmware may give up before the driver does.
       expect(reset.cause == AVOCET_ACCEL_RESET_HANG || reset.cause == AVOCET_ACCEL_RESET_FIRMWARE, "HANG or FIRMWARE");
       expect(reset.jobs_lost >= 1, "jobs_lost");
     }, QUICK},
    {"reset.cause_firmware", "a firmware that halts", [] { expect_cause("firmware-crash:halt=on", AVOCET_ACCEL_RESET_FIRMWARE); }, QUICK},
    {"reset.cause_protocol", "nonsense in the completion ring", [] {
       expect_cause("completion-corrupt:bit=20", AVOCET_ACCEL_RESET_PROTOCOL);
     }, QUICK},
    {"reset.resubmitted_jobs_are_counted", "a job that had not started when the firmware fell silent", [] {
       Client client;
       run_job(client, "firmware-crash:nth=1");
       expect_equal(static_cast<int64_t>(last_reset(client).jobs_resubmitted), 1, "jobs_resubmitted");
     }, QUICK},
    {"reset.fence_signals_with_the_next_reset", "and not before", [] {
       Client client;
       const Descriptor fence = reset_fence(client, client.info().generation);
       CopyWork(client).run(1);
       expect(!fence.readable(20), "not readable");
       run_job(client, "firmware-crash:halt=on");
       expect(fence.readable(kBoundMs), "readable");
       expect_equal(fence_status(client, fence.get()), 1, "status");
     }, QUICK},
    {"reset.fence_of_the_past", "signals at once when the device is past that generation", [] {
       Client client;
       run_job(client, "firmware-crash:halt=on");
       const Descriptor fence = reset_fence(client, 0);
       expect(fence.readable(kBoundMs), "readable");
     }, QUICK},
    {"reset.fence_of_a_device_that_goes", "signals with ENODEV", [] {
       Client client;
       const Descriptor fence = reset_fence(client, 0);
       run_job(client, "unplug");
       expect(fence.readable(kBoundMs), "readable");
       expect_result(fence_status(client, fence.get()), -ENODEV, "status");
     }, QUICK},
    {"reset.fence_refusals", "flags and pad: EINVAL", [] {
       Client client;
       avocet_accel_reset_fence flags{}, pad{};
       flags.flags = 1;
       pad.pad = 1;
       expect_result(client.ioctl(AVOCET_ACCEL_RESET_FENCE, &flags), -EINVAL, "flags");
       expect_result(client.ioctl(AVOCET_ACCEL_RESET_FENCE, &pad), -EINVAL, "pad");
     }},
};

}  // namespace

std::span<const Case> reset_cases() { return kCases; }

}  // namespace avocet::kmd
