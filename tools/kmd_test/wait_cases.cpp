// SPDX-License-Identifier: Apache-2.0
// WAIT: times, results, who may ask.
#include <avocet_isa.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

/// A job of which nobody knows when it ends: the doorbell that would start it is lost.
struct Pending {
  Client client;
  CopyWork work{client};
  uint64_t id = 0;

  Pending() {
    set_faults("doorbell-lost:count=all");
    id = client.must_submit(work.context(), work.job());
  }
  /// Lets it run.
  void release() const {
    set_faults("");
    client.must_submit(work.context(), work.job());  // rings again
  }
};

const Case kCases[] = {
    {"wait.tells_how_the_job_ended", "status, cycles in order, commands, generation", [] {
       Client client;
       CopyWork work(client);
       const avocet_accel_wait result = client.must_end(work.context(), client.must_submit(work.context(), work.job()));
       expect_status(result.status, AVOCET_STATUS_OK, "the job");
       expect(result.doorbell_cycle > 0 && result.doorbell_cycle <= result.start_cycle, "doorbell before start");
       expect(result.start_cycle < result.end_cycle, "start before end");
       expect_equal(result.commands, 2, "commands");
       expect_equal(result.generation, client.info().generation, "generation");
     }},
    {"wait.unknown_flags", "EINVAL", [] {
       Client client;
       avocet_accel_wait wait{};
       wait.context = client.context();
       wait.job_id = client.must_submit_empty(wait.context);
       wait.flags = 0x80000000;
       expect_result(client.ioctl(AVOCET_ACCEL_WAIT, &wait), -EINVAL, "WAIT");
     }},
    {"wait.in_an_unknown_context", "ENOENT", [] {
       Client client;
       expect_result(client.wait(31337, 1, 0), -ENOENT, "WAIT");
     }},
    {"wait.for_an_unknown_job", "ENOENT at once, also with an endless timeout", [] {
       Client client;
       const uint32_t context = client.context();
       const uint64_t id = client.must_submit_empty(context);
       client.must_complete(context, id);
       for (const uint64_t wrong : {uint64_t{0}, id + 1, id ^ (uint64_t{1} << 50), ~uint64_t{0}})
         expect_result(client.wait(context, wrong, INT64_MAX), -ENOENT, "WAIT");
     }},
    {"wait.for_a_job_of_another_context", "ENOENT", [] {
       Client client;
       const uint32_t one = client.context(), other = client.context();
       const uint64_t id = client.must_submit_empty(one);
       expect_result(client.wait(other, id, INT64_MAX), -ENOENT, "WAIT");
       client.must_complete(one, id);
     }},
    {"wait.twice", "an ended job can be asked for again, with the same answer", [] {
       Client client;
       const uint32_t context = client.context();
       const uint64_t id = client.must_submit_empty(context);
       const avocet_accel_wait first = client.must_end(context, id), second = client.must_end(context, id);
       expect_equal(static_cast<int64_t>(first.end_cycle), static_cast<int64_t>(second.end_cycle), "end_cycle");
       expect_result(client.wait(context, id, 0), 0, "a poll");
     }},
    {"wait.polls_with_0", "ETIMEDOUT while the job has not ended, never success", [] {
       Pending job;
       expect_result(job.client.wait(job.work.context(), job.id, 0), -ETIMEDOUT, "timeout 0");
       expect_result(job.client.wait(job.work.context(), job.id, -1), -ETIMEDOUT, "a negative timeout");
       expect_result(job.client.wait(job.work.context(), job.id, INT64_MIN), -ETIMEDOUT, "the most negative timeout");
       expect_result(job.client.wait(job.work.context(), job.id, 1), -ETIMEDOUT, "a time long past");
       job.release();
       job.client.must_complete(job.work.context(), job.id);
     }, ""},
    {"wait.times_out", "the timeout is an absolute time: not before it, ETIMEDOUT after", [] {
       Pending job;
       const int64_t until = in_ms(30);
       expect_result(job.client.wait(job.work.context(), job.id, until), -ETIMEDOUT, "WAIT");
       expect(now_ns() >= until, "not before the time");
       job.release();
       job.client.must_complete(job.work.context(), job.id);
     }, ""},
    {"wait.for_ever", "INT64_MAX waits until the job has ended", [] {
       Pending job;
       std::thread later([&] {
         timespec pause{0, 20000000};
         nanosleep(&pause, nullptr);
         avocet_sim_set_faults("");
         job.client.submit(job.work.context(), job.work.job());
       });
       const int error = job.client.wait(job.work.context(), job.id, INT64_MAX);
       later.join();
       expect_ok(error, "WAIT");
     }, ""},
    {"wait.wakes_all_waiters", "sixteen threads wait for the same job", [] {
       Pending job;
       std::atomic<int> good{0};
       std::vector<std::thread> threads;
       for (int i = 0; i < 16; i++)
         threads.emplace_back([&] { good += job.client.wait(job.work.context(), job.id, in_ms(kBoundMs)) == 0; });
       job.release();
       for (auto& thread : threads) thread.join();
       expect_equal(good, 16, "woken");
     }, ""},
    {"wait.while_the_context_is_destroyed", "the waiter returns: the job ended as ABORTED, or is unknown", [] {
       Pending job;
       int error = 1;
       avocet_accel_wait result{};
       std::thread waiter([&] { error = job.client.wait(job.work.context(), job.id, in_ms(kBoundMs), &result); });
       timespec pause{0, 20000000};
       nanosleep(&pause, nullptr);
       const int destroyed = job.client.destroy(job.work.context());
       waiter.join();
       expect_ok(destroyed, "CONTEXT_DESTROY");
       expect(error == -ENOENT || (error == 0 && result.status == AVOCET_STATUS_ABORTED), "ABORTED, or ENOENT");
     }, ""},
    {"wait.old_results_are_forgotten", "the last 1024 are kept, older ones give ENOENT", [] {
       Client client;
       const uint32_t context = client.context();
       avocet_accel_job job{};
       job.program = client.program(context, empty_stream());
       std::vector<uint64_t> ids;
       for (int i = 0; i < 1100; i++) {
         ids.push_back(client.must_submit(context, job));
         client.must_complete(context, ids.back());
       }
       expect_result(client.wait(context, ids[0], 0), -ENOENT, "the oldest");
       expect_ok(client.wait(context, ids[1100 - 1024], 0), "the oldest of the last 1024");
       expect_ok(client.wait(context, ids.back(), 0), "the last");
     }},
    {"wait.a_missed_deadline_is_told", "a job that could not start in time ends with DEADLINE", [] {
       Client client;
       CopyWork work(client);
       const Buffer big = client.buffer(work.context(), 100000);
       avocet_accel_job slow{};
       slow.program = client.program(work.context(), long_stream(500));
       slow.region[0] = {big.handle, AVOCET_ACCEL_REGION_READ, 0, 100000};
       avocet_accel_job late = work.job();
       work.run(6);
       set_faults("doorbell-lost:count=all");  // the device's time stands until both are queued
       const uint64_t first = client.must_submit(work.context(), slow);
       uint64_t id = 0;
       int error = -ETIME;  // from a host that takes longer than the deadline to submit
       for (const int64_t until = in_ms(kBoundMs); error == -ETIME && now_ns() < until;) {
         late.deadline_ns = static_cast<uint64_t>(now_ns()) + 1000000;  // a millisecond; the slow one takes 6 of the device's
         error = client.submit(work.context(), late, &id);
       }
       expect_ok(error, "SUBMIT");
       set_faults("");
       client.must_submit_empty(client.context());  // rings
       client.must_complete(work.context(), first);
       expect_status(client.must_end(work.context(), id).status, AVOCET_STATUS_DEADLINE, "the late job");
       work.run(7);
     }, "AVOCET_ENGINE=timed"},
};

}  // namespace

std::span<const Case> wait_cases() { return kCases; }

}  // namespace avocet::kmd
