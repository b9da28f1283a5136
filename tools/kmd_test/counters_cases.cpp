// SPDX-License-Identifier: Apache-2.0
// COUNTERS.
#include <avocet_isa.h>

#include <cerrno>
#include <cstring>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

int get(const Client& client, uint32_t context, uint32_t* size, void* data) {
  avocet_accel_counters_get get{context, *size, reinterpret_cast<uint64_t>(data)};
  const int error = client.ioctl(AVOCET_ACCEL_COUNTERS, &get);
  *size = get.size;
  return error;
}

const Case kCases[] = {
    {"counters.add_up", "submitted = completed + failed once all have ended; busy cycles are the jobs'", [] {
       Client client;
       CopyWork work(client);
       uint64_t busy = 0;
       for (int i = 0; i < 10; i++) {
         const auto result = client.must_end(work.context(), client.must_submit(work.context(), work.job()));
         busy += result.end_cycle - result.start_cycle;
       }
       const avocet_accel_counters counters = client.counters(work.context());
       expect_equal(static_cast<int64_t>(counters.jobs_submitted), 10, "jobs_submitted");
       expect_equal(static_cast<int64_t>(counters.jobs_completed), 10, "jobs_completed");
       expect_equal(static_cast<int64_t>(counters.jobs_failed), 0, "jobs_failed");
       expect_equal(static_cast<int64_t>(counters.busy_cycles), static_cast<int64_t>(busy), "busy_cycles");
     }},
    {"counters.of_a_context_are_its_own", "another context's jobs do not show", [] {
       Client client;
       CopyWork work(client);
       const uint32_t idle = client.context();
       work.run(1);
       expect_equal(static_cast<int64_t>(client.counters(idle).jobs_submitted), 0, "jobs_submitted");
     }},
    {"counters.of_the_device", "context 0: jobs, interrupts, cycles and heartbeat grow", [] {
       Client client;
       CopyWork work(client);
       const avocet_accel_counters before = client.counters();
       for (int i = 0; i < 3; i++) work.run(1);
       const avocet_accel_counters after = client.counters();
       expect(after.jobs_completed >= before.jobs_completed + 3, "jobs_completed");
       expect(after.interrupts > before.interrupts, "interrupts");
       expect(after.device_cycles > before.device_cycles, "device_cycles");
       expect(after.firmware_heartbeat != before.firmware_heartbeat, "firmware_heartbeat");
     }},
    {"counters.of_an_unknown_context", "ENOENT", [] {
       Client client;
       avocet_accel_counters counters;
       uint32_t size = sizeof counters;
       expect_result(get(client, 31337, &size, &counters), -ENOENT, "handle 31337");
       expect_result(get(client, client.buffer(client.context(), 1).handle, &size, &counters), -ENOENT, "a buffer's handle");
     }},
    {"counters.size_and_pointer", "as QUERY: the size without a pointer, never more than the caller's size", [] {
       Client client;
       uint32_t size = 0;
       expect_ok(get(client, 0, &size, nullptr), "COUNTERS of the size");
       expect(size >= sizeof(avocet_accel_counters), "size");
       uint8_t answer[32];
       std::memset(answer, 0xAA, sizeof answer);
       size = 8;
       expect_ok(get(client, 0, &size, answer), "COUNTERS");
       for (size_t i = 8; i < sizeof answer; i++) expect_equal(answer[i], 0xAA, "a byte behind");
     }},
    {"counters.into_nowhere", "EFAULT", [] {
       Client client;
       uint32_t size = 64;
       expect_result(get(client, 0, &size, reinterpret_cast<void*>(16)), -EFAULT, "COUNTERS");
     }},
    {"counters.of_refused_jobs", "a refused SUBMIT counts nowhere", [] {
       Client client;
       CopyWork work(client);
       avocet_accel_job job = work.job();
       job.program = 4711;
       expect_result(client.submit(work.context(), job), -ENOENT, "SUBMIT");
       const avocet_accel_counters counters = client.counters(work.context());
       expect_equal(static_cast<int64_t>(counters.jobs_submitted + counters.jobs_failed), 0, "jobs");
     }},
};

}  // namespace

std::span<const Case> counters_cases() { return kCases; }

}  // namespace avocet::kmd
