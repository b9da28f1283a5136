// SPDX-License-Identifier: Apache-2.0
// SUBMIT as such: sizes, counts, flags, programs, all or none.
#include <avocet_isa.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

/// SUBMIT of one job with every member under the case's control.
struct Request {
  Client client;
  CopyWork work{client};
  avocet_accel_job job = work.job();
  avocet_accel_submit submit{work.context(), 0, 1, sizeof job, reinterpret_cast<uint64_t>(&job)};

  int send() { return client.ioctl(AVOCET_ACCEL_SUBMIT, &submit); }
  void expect_refused(int error, const char* what, const Location& where = Location::current()) {
    const auto before = client.counters(work.context()).jobs_submitted;
    expect_result(send(), -error, what, where);
    expect_equal(static_cast<int64_t>(client.counters(work.context()).jobs_submitted), static_cast<int64_t>(before),
                 "jobs queued by a refused SUBMIT", where);
  }
};

const Case kCases[] = {
    {"submit.runs_a_job", "the copied bytes arrive", [] {
       Request r;
       r.work.run(1);
     }},
    {"submit.unknown_flags", "EINVAL", [] {
       Request r;
       r.submit.flags = 0x80000000;
       r.expect_refused(EINVAL, "flags");
     }},
    {"submit.no_job", "EINVAL for job_count 0", [] {
       Request r;
       r.submit.job_count = 0;
       r.expect_refused(EINVAL, "job_count 0");
     }},
    {"submit.more_jobs_than_a_context_has", "EINVAL above jobs_per_context, also where the size would overflow", [] {
       Request r;
       for (const uint32_t count : {r.client.info().jobs_per_context + 1, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
         r.submit.job_count = count;
         r.expect_refused(EINVAL, "job_count");
       }
     }},
    {"submit.job_structure_too_small", "EINVAL for job_struct_size below that of the first version", [] {
       Request r;
       for (const uint32_t bytes : {0u, 8u, uint32_t{AVOCET_ACCEL_JOB_BYTES_1_0} - 8}) {
         r.submit.job_struct_size = bytes;
         r.expect_refused(EINVAL, "job_struct_size");
       }
     }},
    {"submit.job_structure_of_the_first_version", "a caller of version 1.0 is served", [] {
       Request r;
       r.submit.job_struct_size = AVOCET_ACCEL_JOB_BYTES_1_0;
       expect_ok(r.send(), "SUBMIT");
       r.client.must_complete(r.work.context(), r.job.job_id);
     }},
    {"submit.job_structure_too_large", "EINVAL beyond any future size", [] {
       Request r;
       r.submit.job_struct_size = 1 << 20;
       r.expect_refused(EINVAL, "job_struct_size");
     }},
    {"submit.larger_job_structure_of_zeros", "a caller of a later interface that uses nothing new is served", [] {
       Request r;
       std::vector<uint8_t> bytes(2 * (sizeof(avocet_accel_job) + 64));
       for (int i = 0; i < 2; i++) std::memcpy(&bytes[i * (sizeof r.job + 64)], &r.job, sizeof r.job);
       r.submit.jobs = reinterpret_cast<uint64_t>(bytes.data());
       r.submit.job_count = 2;
       r.submit.job_struct_size = sizeof r.job + 64;
       expect_ok(r.send(), "SUBMIT");
       for (int i = 0; i < 2; i++) {
         avocet_accel_job sent;
         std::memcpy(&sent, &bytes[i * (sizeof r.job + 64)], sizeof sent);
         r.client.must_complete(r.work.context(), sent.job_id);
       }
     }},
    {"submit.larger_job_structure_with_values", "what this driver does not know is refused: E2BIG", [] {
       Request r;
       std::vector<uint8_t> bytes(sizeof r.job + 64);
       std::memcpy(bytes.data(), &r.job, sizeof r.job);
       bytes.back() = 1;
       r.submit.jobs = reinterpret_cast<uint64_t>(bytes.data());
       r.submit.job_struct_size = static_cast<uint32_t>(bytes.size());
       r.expect_refused(E2BIG, "the last byte");
     }},
    {"submit.jobs_nowhere", "EFAULT", [] {
       Request r;
       r.submit.jobs = 0;
       r.expect_refused(EFAULT, "jobs = 0");
       r.submit.jobs = ~uint64_t{0} - 8;
       r.expect_refused(EFAULT, "jobs whose end overflows");
     }},
    {"submit.jobs_in_read_only_memory", "EFAULT before anything is queued: the ids could not be told", [] {
       Request r;
       void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       expect(page != MAP_FAILED, "a page");
       std::memcpy(page, &r.job, sizeof r.job);
       mprotect(page, 4096, PROT_READ);
       r.submit.jobs = reinterpret_cast<uint64_t>(page);
       r.expect_refused(EFAULT, "SUBMIT");
       munmap(page, 4096);
     }, "AVOCET_CHECK_POINTERS=1"},
    {"submit.to_an_unknown_context", "ENOENT", [] {
       Request r;
       r.submit.context = 9999;
       r.expect_refused(ENOENT, "handle 9999");
       r.submit.context = r.work.from().handle;
       r.expect_refused(ENOENT, "a buffer's handle");
     }},
    {"submit.priority_above_the_highest", "EINVAL", [] {
       Request r;
       for (const uint32_t priority : {16u, 0xFFFFFFFFu}) {
         r.job.priority = priority;
         r.expect_refused(EINVAL, "priority");
       }
     }},
    {"submit.every_priority", "each runs, with the same result", [] {
       Request r;
       for (const uint32_t priority : {AVOCET_ACCEL_PRIORITY_DEFAULT, AVOCET_ACCEL_PRIORITY_LOW, AVOCET_ACCEL_PRIORITY_MEDIUM,
                                       AVOCET_ACCEL_PRIORITY_HIGH}) {
         r.work.fill(priority + 10);
         r.job.priority = priority;
         r.client.must_complete(r.work.context(), r.client.must_submit(r.work.context(), r.job));
         expect(r.work.arrived(), "the copied bytes");
       }
     }},
    {"submit.unknown_job_flags", "EINVAL", [] {
       Request r;
       r.job.flags = 0x80000000;
       r.expect_refused(EINVAL, "job flags");
     }},
    {"submit.program_unknown", "ENOENT", [] {
       Request r;
       for (const uint32_t handle : {0u, 4711u, 0xFFFFFFFFu}) {
         r.job.program = handle;
         r.expect_refused(ENOENT, "program");
       }
     }},
    {"submit.program_closed", "ENOENT", [] {
       Request r;
       expect_ok(r.client.close_program(r.job.program), "PROGRAM_CLOSE");
       r.expect_refused(ENOENT, "program");
     }},
    {"submit.buffer_as_program", "only a validated stream can be run: EINVAL", [] {
       Request r;
       r.job.program = r.work.from().handle;
       r.expect_refused(EINVAL, "a buffer as program");
       r.job.program = r.work.context();
       r.expect_refused(EINVAL, "a context as program");
     }},
    {"submit.program_of_another_context", "EINVAL", [] {
       Request r;
       r.job.program = r.client.program(r.client.context(), copy_stream(0, 1, 0, 5000));
       r.expect_refused(EINVAL, "program");
     }},
    {"submit.program_of_another_file", "ENOENT, or EINVAL where the number means something here", [] {
       Request r, other;
       for (int i = 0; i < 50; i++) other.job.program = other.client.program(other.work.context(), empty_stream());
       r.job.program = other.job.program;
       r.expect_refused(ENOENT, "program");
     }},
    {"submit.one_bad_job_of_many", "an error in the last job queues none of those before it", [] {
       Request r;
       std::vector<avocet_accel_job> jobs(8, r.job);
       jobs[7].program = 4711;
       r.submit.jobs = reinterpret_cast<uint64_t>(jobs.data());
       r.submit.job_count = 8;
       r.expect_refused(ENOENT, "the last of eight");
       jobs[7] = r.job;
       jobs[3].region[0].bytes = 1;
       r.expect_refused(EOVERFLOW, "the fourth of eight");
     }},
    {"submit.ids_rise", "ids are not 0, differ on the device and rise within a context", [] {
       Request r;
       CopyWork other(r.client);
       uint64_t last = 0, last_other = 0;
       for (int i = 0; i < 50; i++) {
         const uint64_t id = r.client.must_submit(r.work.context(), r.job);
         const uint64_t id_other = r.client.must_submit(other.context(), other.job());
         expect(id > last && id_other > last_other && id != id_other, "ids");
         r.client.must_complete(r.work.context(), id);
         r.client.must_complete(other.context(), id_other);
         last = id;
         last_other = id_other;
       }
     }},
    {"submit.full_queue", "EBUSY, nothing of that SUBMIT is queued, and all that was queued completes", [] {
       Request r;
       const uint32_t most = r.client.info().jobs_per_context;
       set_faults("doorbell-lost:count=all");  // nothing starts
       std::vector<avocet_accel_job> jobs(most, r.job), one(1, r.job), two(2, r.job);
       expect_ok(r.client.submit(r.work.context(), &jobs), "SUBMIT of as many as a queue holds");
       expect_result(r.client.submit(r.work.context(), &one), -EBUSY, "one more");
       expect_result(r.client.submit(r.work.context(), &two), -EBUSY, "two more");
       expect_equal(static_cast<int64_t>(r.client.counters(r.work.context()).jobs_submitted), most, "jobs queued");
       set_faults("");
       const uint32_t other = r.client.context();
       r.client.must_complete(other, r.client.must_submit_empty(other));  // rings again
       for (const auto& job : jobs) r.client.must_complete(r.work.context(), job.job_id);
       expect_ok(r.client.submit(r.work.context(), &two), "SUBMIT once the queue is empty");
       for (const auto& job : two) r.client.must_complete(r.work.context(), job.job_id);
     }, ""},
    {"submit.deadline_that_has_passed", "ETIME", [] {
       Request r;
       r.job.deadline_ns = 1;
       r.expect_refused(ETIME, "a deadline after boot");
       r.job.deadline_ns = static_cast<uint64_t>(now_ns() - 1);
       r.expect_refused(ETIME, "a deadline just passed");
     }},
    {"submit.deadline_far_away", "hours ahead, or beyond all clocks: the job runs", [] {
       Request r;
       for (const uint64_t deadline : {static_cast<uint64_t>(in_ms(3600000)), ~uint64_t{0}}) {
         r.job.deadline_ns = deadline;
         r.client.must_complete(r.work.context(), r.client.must_submit(r.work.context(), r.job));
       }
     }},
};

}  // namespace

std::span<const Case> submit_cases() { return kCases; }

}  // namespace avocet::kmd
