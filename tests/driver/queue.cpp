// SPDX-License-Identifier: Apache-2.0
// Submitting and waiting: order, wrap-around, limits, faults, timeouts, counters, the query protocol.
#include <algorithm>

#include "fixture.hpp"

namespace avocet::test {
namespace {

class Queue : public DriverTest {
 protected:
  Queue() {
    context = client->context();
    program = client->program(context, empty_stream());
  }
  uint32_t context, program;
};

TEST_F(Queue, QueryBySizeAndPointer) {
  avocet_accel_query a{AVOCET_ACCEL_QUERY_INFO, 0, 0};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_QUERY, &a), 0);
  EXPECT_EQ(a.size, sizeof(avocet_accel_info));
  avocet_accel_info info{};
  a.data = reinterpret_cast<uint64_t>(&info);
  a.size = 8;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_QUERY, &a), 0);
  EXPECT_EQ(a.size, 8u);
  EXPECT_EQ(info.uapi_version, AVOCET_ACCEL_UAPI_VERSION);
  EXPECT_EQ(info.firmware_version, 0u) << "not asked for";
  a.size = 4000;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_QUERY, &a), 0);
  EXPECT_EQ(a.size, sizeof info);
  EXPECT_EQ(info.firmware_version, AVOCET_VERSION);
  EXPECT_EQ(info.array_cols, 16u);
  EXPECT_EQ(info.sram_bytes, 384u * 1024);
  EXPECT_EQ(info.jobs_per_context, 64u);
  EXPECT_EQ(info.contexts_max, 63u);
}

TEST_F(Queue, AJobArrivesAsItWasGiven) {
  avocet_job seen{};
  fake.on_job([&](const avocet_job& job) {
    seen = job;
    return Ending{};
  });
  auto in = client->buffer_full(context, 8192), out = client->buffer_full(context, 8192),
       profile = client->buffer_full(context, 4096);
  auto job = copy_job(client->program(context, copy_stream(0, 1, 0, 4096)), in.handle, out.handle, 4096);
  job.region[1].offset = 4096;
  job.profile = profile.handle;
  job.profile_offset = 64;
  job.profile_entries = 2;
  job.deadline_ns = in_ms(60000);
  int64_t id = client->submit(context, job);
  ASSERT_GT(id, 0);
  avocet_accel_wait result{};
  ASSERT_EQ(client->wait(context, id, INT64_MAX, &result), 0);
  EXPECT_EQ(result.status, AVOCET_STATUS_OK);
  EXPECT_EQ(result.commands, 1u);
  EXPECT_GT(result.doorbell_cycle, 0u);
  EXPECT_GE(result.start_cycle, result.doorbell_cycle);
  EXPECT_GT(result.end_cycle, result.start_cycle);
  EXPECT_EQ(seen.job_id, static_cast<uint64_t>(id));
  EXPECT_EQ(seen.region[0].address, in.iova);
  EXPECT_EQ(seen.region[0].bytes, 4096u);
  EXPECT_EQ(seen.region[1].address, out.iova + 4096);
  EXPECT_EQ(seen.region[2].bytes, 0u);
  EXPECT_EQ(seen.profile, profile.iova + 64);
  EXPECT_EQ(seen.profile_entries, 2u);
  EXPECT_GT(seen.deadline_cycle, fake.cycle + 50000000000ull) << "a minute at 1 GHz";
  EXPECT_LT(seen.deadline_cycle, fake.cycle + 61000000000ull);
  EXPECT_EQ(seen.stream_bytes, copy_stream(0, 1, 0, 4096).size() * 4);
}

TEST_F(Queue, WrapsAroundAt65And133Jobs) {
  for (uint64_t total : {65, 133, 1000}) {
    std::vector<uint64_t> seen;
    fake.on_job([&](const avocet_job& job) {
      seen.push_back(job.job_id);
      return Ending{};
    });
    std::vector<uint64_t> ids;
    while (ids.size() < total) {
      int64_t id = client->submit(context, program);
      if (id == -EBUSY)
        ASSERT_EQ(client->status_of(context, ids[ids.size() - 32]), AVOCET_STATUS_OK);
      else
        ids.push_back(id);
    }
    ASSERT_EQ(client->status_of(context, ids.back()), AVOCET_STATUS_OK);
    EXPECT_EQ(seen, ids) << "each once, in order";
  }
}

TEST_F(Queue, ManyJobsInOneSubmit) {
  avocet_accel_job job{};
  job.program = program;
  std::vector<avocet_accel_job> jobs(64, job);
  ASSERT_EQ(client->submit(context, jobs), 0);
  for (size_t i = 1; i < jobs.size(); i++) EXPECT_EQ(jobs[i].job_id, jobs[i - 1].job_id + 1);
  for (const auto& j : jobs) EXPECT_EQ(client->status_of(context, j.job_id), AVOCET_STATUS_OK);
}

TEST_F(Queue, LargerJobStructuresOfFutureCallersWork) {
  struct Bigger {
    avocet_accel_job job;
    uint64_t future[20];
  };
  std::vector<Bigger> jobs(3, Bigger{});
  for (auto& j : jobs) j.job.program = program;
  avocet_accel_submit a{context, 0, 3, sizeof(Bigger), reinterpret_cast<uint64_t>(jobs.data())};
  ASSERT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), 0);
  EXPECT_EQ(client->status_of(context, jobs[2].job.job_id), AVOCET_STATUS_OK);
}

TEST_F(Queue, FullQueueIsBusyAndTakesAllOrNothing) {
  fake.on_job(Ending{.hold = true});
  avocet_accel_job job{};
  job.program = program;
  std::vector<avocet_accel_job> jobs(60, job), five(5, job), four(4, job);
  ASSERT_EQ(client->submit(context, jobs), 0);
  EXPECT_EQ(client->submit(context, five), -EBUSY);
  EXPECT_EQ(client->submit(context, four), 0);
  EXPECT_EQ(client->submit(context, program), -EBUSY);
  EXPECT_EQ(client->counters(context).jobs_submitted, 64u);
}

TEST_F(Queue, WaitPollsWithZeroAndTimesOut) {
  fake.on_job(Ending{.hold = true});
  int64_t job = client->submit(context, program);
  EXPECT_EQ(client->wait(context, job, 0), -ETIMEDOUT);
  EXPECT_EQ(client->wait(context, job, -5), -ETIMEDOUT);
  EXPECT_EQ(client->wait(context, job, 1), -ETIMEDOUT) << "long past";
  int64_t until = in_ms(30);
  EXPECT_EQ(client->wait(context, job, until), -ETIMEDOUT);
  EXPECT_GE(now_ns(), until);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.release();
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_OK);
  EXPECT_EQ(client->wait(context, job, 0), 0) << "a result can be asked for again";
}

TEST_F(Queue, OldResultsAreForgotten) {
  int64_t first = client->submit(context, program), last = first;
  for (int i = 0; i < 1023; i++) {
    ASSERT_GT(last = client->submit(context, program), 0);
    ASSERT_EQ(client->status_of(context, last), AVOCET_STATUS_OK);
  }
  EXPECT_EQ(client->wait(context, first, 0), 0);
  last = client->submit(context, program);
  ASSERT_EQ(client->status_of(context, last), AVOCET_STATUS_OK);
  EXPECT_EQ(client->wait(context, first, 0), -ENOENT);
}

TEST_F(Queue, AJobOfAnotherContextIsUnknown) {
  int64_t job = client->submit(context, program);
  EXPECT_EQ(client->wait(client->context(), job, 0), -ENOENT);
}

TEST_F(Queue, AFaultCostsItsContextAndNoOther) {
  uint32_t other = client->context(), other_program = client->program(other, empty_stream());
  std::atomic<uint64_t> guilty{0};
  std::mutex gate;
  fake.on_job([&](const avocet_job& job) {
    std::lock_guard lock(gate);
    return job.job_id == guilty ? Ending{AVOCET_STATUS_IOMMU_FAULT, 17, 0xBAD000} : Ending{};
  });
  std::vector<int64_t> mine, theirs;
  {
    std::lock_guard lock(gate);
    for (int i = 0; i < 6; i++) {
      mine.push_back(client->submit(context, program));
      theirs.push_back(client->submit(other, other_program));
    }
    guilty = mine[2];
  }
  avocet_accel_wait result{};
  ASSERT_EQ(client->wait(context, mine[2], INT64_MAX, &result), 0);
  EXPECT_EQ(result.status, AVOCET_STATUS_IOMMU_FAULT);
  EXPECT_EQ(result.position, 17u);
  EXPECT_EQ(result.address, 0xBAD000u);
  for (int i : {0, 1}) EXPECT_EQ(client->status_of(context, mine[i]), AVOCET_STATUS_OK);
  for (int i : {3, 4, 5}) EXPECT_EQ(client->status_of(context, mine[i]), AVOCET_STATUS_ABORTED);
  for (int64_t job : theirs) EXPECT_EQ(client->status_of(other, job), AVOCET_STATUS_OK);
  EXPECT_EQ(client->submit(context, program), -EBADFD);
  EXPECT_EQ(client->counters(context).faults, 1u);
  EXPECT_EQ(client->counters(other).faults, 0u);
  EXPECT_EQ(client->destroy(context), 0);
  context = client->context();
  EXPECT_EQ(client->status_of(context, client->submit(context, client->program(context, empty_stream()))),
            AVOCET_STATUS_OK);
}

TEST_F(Queue, AStreamErrorCostsItsJobOnly) {
  fake.on_job(Ending{AVOCET_STATUS_OUT_OF_RANGE, 3});
  EXPECT_EQ(client->status_of(context, client->submit(context, program)), AVOCET_STATUS_OUT_OF_RANGE);
  fake.on_job(Ending{});
  EXPECT_EQ(client->status_of(context, client->submit(context, program)), AVOCET_STATUS_OK);
}

TEST_F(Queue, ADeadlineMissedInTheQueue) {
  fake.on_job(Ending{.hold = true});
  client->submit(context, program);
  avocet_accel_job late{};
  late.program = program;
  late.deadline_ns = in_ms(1000);
  int64_t job = client->submit(context, late);
  ASSERT_GT(job, 0);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.cycle += 2000000000;  // two seconds of device time
  fake.release();
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_DEADLINE);
}

TEST_F(Queue, ContextsWithMoreJobsThanTheCompletionRingHolds) {
  std::vector<uint32_t> contexts, programs;
  std::vector<int64_t> last;
  avocet_accel_job job{};
  for (int i = 0; i < 10; i++) {
    contexts.push_back(client->context());
    programs.push_back(client->program(contexts[i], empty_stream()));
  }
  fake.device->parameters.check_interval_ms = fake.device->parameters.hang_timeout_ms = 1u << 30;
  fake.lose_interrupts = 1000000;  // nobody empties the ring
  for (int i = 0; i < 10; i++) {
    job.program = programs[i];
    std::vector<avocet_accel_job> jobs(64, job);
    ASSERT_EQ(client->submit(contexts[i], jobs), 0);
    last.push_back(jobs[63].job_id);
  }
  const avocet_shared_ring& ring = fake.device->completions.ring;
  while (avocet_shared_ring_tail(&ring) - avocet_shared_ring_head(&ring) < ring.count) std::this_thread::yield();
  EXPECT_EQ(client->counters().jobs_completed, 0u);
  fake.lose_interrupts = 0;
  avocet_reset_check(fake.device);
  for (int i = 0; i < 10; i++) EXPECT_EQ(client->status_of(contexts[i], last[i]), AVOCET_STATUS_OK);
  EXPECT_EQ(client->counters().jobs_completed, 640u);
}

TEST_F(Queue, CountersAddUp) {
  for (int i = 0; i < 5; i++) client->status_of(context, client->submit(context, program));
  auto mine = client->counters(context), all = client->counters();
  EXPECT_EQ(mine.jobs_submitted, 5u);
  EXPECT_EQ(mine.jobs_completed, 5u);
  EXPECT_EQ(mine.jobs_failed, 0u);
  EXPECT_GE(mine.busy_cycles, 500u);
  EXPECT_EQ(mine.memory_bytes, 4096u);
  EXPECT_EQ(mine.contexts, 0u) << "device only";
  EXPECT_EQ(all.jobs_completed, 5u);
  EXPECT_EQ(all.contexts, 1u);
  EXPECT_GT(all.interrupts, 0u);
  EXPECT_GT(all.device_cycles, 1000u);
  EXPECT_GT(all.firmware_heartbeat, 0u);
}

// ---- priorities ----

avocet_accel_job job_of(uint32_t program, uint32_t priority) {
  avocet_accel_job job{};
  job.program = program;
  job.priority = priority;
  return job;
}

TEST_F(Queue, PrioritiesHaveTheirOwnOrder) {
  std::vector<uint64_t> seen;
  fake.on_job([&](const avocet_job& job) {
    seen.push_back(job.job_id);
    return Ending{.hold = seen.size() == 1};
  });
  uint64_t first = client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  std::vector<avocet_accel_job> jobs{job_of(program, AVOCET_ACCEL_PRIORITY_LOW), job_of(program, AVOCET_ACCEL_PRIORITY_DEFAULT),
                                     job_of(program, AVOCET_ACCEL_PRIORITY_HIGH), job_of(program, AVOCET_ACCEL_PRIORITY_MEDIUM),
                                     job_of(program, AVOCET_ACCEL_PRIORITY_HIGH)};
  ASSERT_EQ(client->submit(context, jobs), 0);
  fake.release();
  for (const auto& job : jobs) EXPECT_EQ(client->status_of(context, job.job_id), AVOCET_STATUS_OK);
  EXPECT_EQ(seen, (std::vector<uint64_t>{first, jobs[2].job_id, jobs[4].job_id, jobs[1].job_id, jobs[3].job_id,
                                         jobs[0].job_id}));
  EXPECT_EQ(client->counters(context).jobs_completed, 6u);
}

TEST_F(Queue, AFullPriorityLeavesTheOthers) {
  fake.on_job(Ending{.hold = true});
  std::vector<avocet_accel_job> low(64, job_of(program, AVOCET_ACCEL_PRIORITY_LOW));
  ASSERT_EQ(client->submit(context, low), 0);
  std::vector<avocet_accel_job> both{job_of(program, AVOCET_ACCEL_PRIORITY_HIGH), low[0]};
  EXPECT_EQ(client->submit(context, both), -EBUSY) << "all or none";
  EXPECT_EQ(client->counters(context).jobs_submitted, 64u);
  fake.on_job(Ending{});
  int64_t high = client->submit(context, both[0]);
  ASSERT_GT(high, 0);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.release();
  EXPECT_EQ(client->status_of(context, high), AVOCET_STATUS_OK);
  EXPECT_EQ(client->status_of(context, low[63].job_id), AVOCET_STATUS_OK);
}

TEST_F(Queue, OtherBitsInAJobIdMakeItUnknown) {
  int64_t job = client->submit(context, program);
  ASSERT_EQ(client->status_of(context, job), AVOCET_STATUS_OK);
  for (uint64_t bit : {10u, 38u, 39u, 40u, 63u})
    EXPECT_EQ(client->wait(context, static_cast<uint64_t>(job) ^ uint64_t{1} << bit, 0), -ENOENT) << bit;
}

}  // namespace
}  // namespace avocet::test
