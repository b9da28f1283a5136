// SPDX-License-Identifier: Apache-2.0
// Fences: of jobs, before jobs, of resets; and waiting for buffers. They signal always, with an error when something went wrong.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include <memory>
#include <mutex>

#include "fixture.hpp"

namespace avocet::test {
namespace {

class Fences : public DriverTest {
 protected:
  explicit Fences(avocet_parameters parameters = avocet_default_parameters) : DriverTest(parameters) {
    context = client->context();
    other = client->context();
    empty = client->program(context, empty_stream());
    other_empty = client->program(other, empty_stream());
    fake.on_job([seen = seen](const avocet_job& job) {
      std::lock_guard lock(seen->mutex);
      seen->order.push_back(job.job_id);
      return Ending{.hold = seen->hold};
    });
  }

  avocet_accel_job with_fences(uint32_t program, std::vector<int32_t>* in, bool out) {
    avocet_accel_job job{};
    job.program = program;
    if (in && !in->empty()) {
      job.in_fences = reinterpret_cast<uint64_t>(in->data());
      job.in_fence_count = static_cast<uint32_t>(in->size());
    }
    if (out) job.flags = AVOCET_ACCEL_JOB_OUT_FENCE;
    return job;
  }
  struct Submitted {
    int64_t id;  // or -errno
    Descriptor fence;
  };
  Submitted submit_fenced(uint32_t context, uint32_t program, std::vector<int32_t> in = {}) {
    std::vector<avocet_accel_job> jobs{with_fences(program, &in, true)};
    int error = client->submit(context, jobs);
    if (error) return {error, Descriptor()};
    return {static_cast<int64_t>(jobs[0].job_id), Descriptor(jobs[0].out_fence)};
  }
  void set_hold(bool value) {
    std::lock_guard lock(mutex);
    hold = value;
  }
  std::vector<uint64_t> started() {
    std::lock_guard lock(mutex);
    return order;
  }
  /// Descriptors that the driver still knows.
  uint64_t known() { return client->query<avocet_accel_memory>(AVOCET_ACCEL_QUERY_MEMORY).descriptors; }

  /// What the sequencer sees, which may start a job when the test is over.
  struct Seen {
    std::mutex mutex;
    bool hold = false;
    std::vector<uint64_t> order;
  };
  const std::shared_ptr<Seen> seen = std::make_shared<Seen>();
  std::mutex& mutex = seen->mutex;
  bool& hold = seen->hold;
  std::vector<uint64_t>& order = seen->order;
  uint32_t context, other, empty, other_empty;
};

// ---- out-fences ----

TEST_F(Fences, OutFenceIsReadableWhenTheJobHasEnded) {
  set_hold(true);
  auto job = submit_fenced(context, empty);
  ASSERT_GT(job.id, 0);
  while (!fake.holds_a_job()) std::this_thread::yield();
  EXPECT_FALSE(job.fence.readable());
  EXPECT_EQ(client->fence_status(job.fence.get()), 0);
  fake.release();
  EXPECT_TRUE(job.fence.readable(60000));
  EXPECT_EQ(client->fence_status(job.fence.get()), 1);
  EXPECT_TRUE(job.fence.readable()) << "and stays readable";
}

TEST_F(Fences, OutFenceTellsHowAJobFailed) {
  for (auto [status, error] : std::vector<std::pair<uint32_t, int32_t>>{{AVOCET_STATUS_OUT_OF_RANGE, -EIO},
                                                                       {AVOCET_STATUS_ABORTED, -ECANCELED},
                                                                       {AVOCET_STATUS_IOMMU_FAULT, -EIO}}) {
    fake.on_job(Ending{status});
    auto job = submit_fenced(context, empty);
    ASSERT_TRUE(job.fence.readable(60000));
    EXPECT_EQ(client->fence_status(job.fence.get()), error) << status;
  }
}

TEST_F(Fences, OutFenceOfADestroyedContext) {
  set_hold(true);
  auto running = submit_fenced(context, empty), queued = submit_fenced(context, empty);
  while (!fake.holds_a_job()) std::this_thread::yield();
  EXPECT_EQ(client->destroy(context), 0);
  for (auto* fence : {&running.fence, &queued.fence}) {
    EXPECT_TRUE(fence->readable());
    EXPECT_EQ(client->fence_status(fence->get()), -ECANCELED);
  }
}

TEST_F(Fences, OutFenceOfADeviceThatGoes) {
  set_hold(true);
  auto job = submit_fenced(context, empty);
  avocet_device_lost(fake.device);
  EXPECT_TRUE(job.fence.readable());
  EXPECT_EQ(client->fence_status(job.fence.get()), -ENODEV);
}

TEST_F(Fences, OutFenceOutlivesItsFile) {
  CoreClient gone(fake.device);
  uint32_t mine = gone.context();
  set_hold(true);
  avocet_accel_job job = with_fences(gone.program(mine, empty_stream()), nullptr, true);
  std::vector<avocet_accel_job> jobs{job};
  ASSERT_EQ(gone.submit(mine, jobs), 0);
  Descriptor fence(jobs[0].out_fence);
  gone.close();
  EXPECT_TRUE(fence.readable());
  EXPECT_EQ(client->fence_status(fence.get()), -ECANCELED);
}

TEST_F(Fences, ARefusedSubmitLeavesNoDescriptor) {
  uint64_t before = known();
  std::vector<avocet_accel_job> jobs(3, with_fences(empty, nullptr, true));
  jobs[2].program = 999;
  EXPECT_EQ(client->submit(context, jobs), -ENOENT);
  EXPECT_EQ(known(), before);
  for (int i : {0, 1}) EXPECT_EQ(fcntl(jobs[i].out_fence, F_GETFD), -1) << "closed again";
}

TEST_F(Fences, ClosedFencesAreForgotten) {
  uint64_t before = known();
  for (int i = 0; i < 5000; i++) {
    auto job = submit_fenced(context, empty);
    ASSERT_GT(job.id, 0) << i;
    ASSERT_EQ(client->status_of(context, job.id), AVOCET_STATUS_OK);
  }
  EXPECT_EQ(known(), before);
}

TEST_F(Fences, CopiesOfADescriptorAreTheSameFence) {
  set_hold(true);
  auto job = submit_fenced(context, empty);
  Descriptor copy(dup(job.fence.get()));
  job.fence.close();
  EXPECT_EQ(client->fence_status(copy.get()), 0);
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.release();
  EXPECT_TRUE(copy.readable(60000));
}

TEST_F(Fences, TooManyDescriptors) {
  rlimit before{}, few{};
  getrlimit(RLIMIT_NOFILE, &before);
  few = before;
  few.rlim_cur = 64;
  setrlimit(RLIMIT_NOFILE, &few);
  std::vector<Submitted> jobs;
  do {
    jobs.push_back(submit_fenced(context, empty));
    if (jobs.back().id > 0) {
      EXPECT_EQ(client->status_of(context, jobs.back().id), AVOCET_STATUS_OK);
    }
  } while (jobs.back().id > 0 && jobs.size() < 100);
  EXPECT_EQ(jobs.back().id, -EMFILE);
  jobs.clear();
  auto again = submit_fenced(context, empty);
  EXPECT_GT(again.id, 0) << "the closed ones made room";
  setrlimit(RLIMIT_NOFILE, &before);
}

// ---- in-fences ----

TEST_F(Fences, AJobWaitsForAFenceOfAnotherContext) {
  set_hold(true);
  auto first = submit_fenced(context, empty);
  while (!fake.holds_a_job()) std::this_thread::yield();
  set_hold(false);
  auto second = submit_fenced(other, other_empty, {first.fence.get()});
  auto third = submit_fenced(other, other_empty);
  uint32_t third_context = client->context();
  ASSERT_GT(second.id, 0);
  EXPECT_FALSE(second.fence.readable());
  fake.release();
  EXPECT_TRUE(third.fence.readable(60000));
  EXPECT_EQ(started(), (std::vector<uint64_t>{static_cast<uint64_t>(first.id), static_cast<uint64_t>(second.id),
                                              static_cast<uint64_t>(third.id)}));
  EXPECT_EQ(client->destroy(third_context), 0);
}

TEST_F(Fences, AnotherContextGoesOnWhileOneWaits) {
  set_hold(true);
  auto first = submit_fenced(context, empty);
  while (!fake.holds_a_job()) std::this_thread::yield();
  auto waiting = submit_fenced(other, other_empty, {first.fence.get()});
  uint32_t third = client->context(), third_empty = client->program(third, empty_stream());
  auto free = submit_fenced(third, third_empty);
  set_hold(false);
  fake.release();
  EXPECT_EQ(client->status_of(third, free.id), AVOCET_STATUS_OK);
  EXPECT_EQ(client->status_of(other, waiting.id), AVOCET_STATUS_OK);
}

TEST_F(Fences, ASignalledFenceHoldsNothingUp) {
  auto first = submit_fenced(context, empty);
  ASSERT_TRUE(first.fence.readable(60000));
  auto second = submit_fenced(other, other_empty, {first.fence.get(), first.fence.get()});
  EXPECT_EQ(client->status_of(other, second.id), AVOCET_STATUS_OK);
}

TEST_F(Fences, AnErrorAbortsWhoWaitedForIt) {
  set_hold(true);
  auto first = submit_fenced(context, empty);
  while (!fake.holds_a_job()) std::this_thread::yield();
  auto second = submit_fenced(other, other_empty, {first.fence.get()});
  auto third = submit_fenced(context, empty, {second.fence.get()});
  set_hold(false);
  fake.release({AVOCET_STATUS_OUT_OF_RANGE});
  EXPECT_EQ(client->status_of(other, second.id), AVOCET_STATUS_ABORTED);
  EXPECT_EQ(client->status_of(context, third.id), AVOCET_STATUS_ABORTED) << "and who waited for that";
  EXPECT_EQ(client->fence_status(third.fence.get()), -ECANCELED);
  EXPECT_EQ(started().size(), 1u) << "neither has run";
  auto late = submit_fenced(other, other_empty, {third.fence.get()});
  EXPECT_EQ(client->status_of(other, late.id), AVOCET_STATUS_ABORTED) << "also one that comes after the error";
  EXPECT_EQ(client->status_of(other, submit_fenced(other, other_empty).id), AVOCET_STATUS_OK);
}

TEST_F(Fences, AContextThatGoesReleasesOthers) {
  set_hold(true);
  auto first = submit_fenced(context, empty);
  while (!fake.holds_a_job()) std::this_thread::yield();
  set_hold(false);
  auto waiting = submit_fenced(other, other_empty, {first.fence.get()});
  EXPECT_EQ(client->destroy(context), 0);
  EXPECT_EQ(client->status_of(other, waiting.id), AVOCET_STATUS_ABORTED);
}

TEST_F(Fences, AWaitingJobsContextGoes) {
  set_hold(true);
  auto first = submit_fenced(context, empty);
  while (!fake.holds_a_job()) std::this_thread::yield();
  auto waiting = submit_fenced(other, other_empty, {first.fence.get()});
  EXPECT_EQ(client->destroy(other), 0);
  EXPECT_EQ(client->fence_status(waiting.fence.get()), -ECANCELED);
  fake.release();
  EXPECT_EQ(client->status_of(context, first.id), AVOCET_STATUS_OK);
}

TEST_F(Fences, ManyFencesBeforeOneJob) {
  set_hold(true);
  std::vector<Submitted> before;
  std::vector<int32_t> fences;
  for (int i = 0; i < AVOCET_ACCEL_FENCES_MAX; i++) {
    before.push_back(submit_fenced(context, empty));
    ASSERT_GT(before.back().id, 0);
    fences.push_back(before.back().fence.get());
  }
  auto last = submit_fenced(other, other_empty, fences);
  while (!fake.holds_a_job()) std::this_thread::yield();
  EXPECT_FALSE(last.fence.readable());
  set_hold(false);
  fake.release();
  EXPECT_EQ(client->status_of(other, last.id), AVOCET_STATUS_OK);
  EXPECT_EQ(started().back(), static_cast<uint64_t>(last.id));
}

TEST_F(Fences, AJobStructureOf1_0HasNoFences) {
  struct alignas(8) Old {
    uint8_t bytes[AVOCET_ACCEL_JOB_BYTES_1_0];
  };
  avocet_accel_job job{};
  job.program = empty;
  Old old[2];
  memcpy(&old[0], &job, sizeof old[0]);
  memcpy(&old[1], &job, sizeof old[1]);
  avocet_accel_submit a{context, 0, 2, sizeof(Old), reinterpret_cast<uint64_t>(old)};
  ASSERT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), 0);
  uint64_t id;
  memcpy(&id, old[1].bytes + offsetof(avocet_accel_job, job_id), sizeof id);
  EXPECT_EQ(client->status_of(context, id), AVOCET_STATUS_OK);
}

// ---- refusals ----

TEST_F(Fences, RefusedInFences) {
  auto signalled = submit_fenced(context, empty);
  std::vector<int32_t> fds(AVOCET_ACCEL_FENCES_MAX + 1, signalled.fence.get());
  EXPECT_EQ(submit_fenced(context, empty, fds).id, -EINVAL);
  Descriptor event(eventfd(0, 0)), buffer(client->export_buffer(client->buffer(context, 4096))),
      reset(client->reset_fence(0)), nothing(open("/dev/null", O_RDONLY));
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  Descriptor in(pipes[0]), out(pipes[1]);
  for (const Descriptor* d : {&event, &buffer, &reset, &nothing, &in, &out})
    EXPECT_EQ(submit_fenced(context, empty, {d->get()}).id, -EINVAL);
  EXPECT_EQ(submit_fenced(context, empty, {-1}).id, -EBADF);
  EXPECT_EQ(submit_fenced(context, empty, {1 << 20}).id, -EBADF);
  avocet_accel_job job = with_fences(empty, nullptr, false);
  job.in_fences = reinterpret_cast<uint64_t>(fds.data());
  EXPECT_EQ(client->submit(context, job), -EINVAL) << "an array of none";
  job.in_fences = 16;
  job.in_fence_count = 1;
  EXPECT_EQ(client->submit(context, job), -EFAULT);
}

TEST_F(Fences, RefusedFenceInfo) {
  avocet_accel_fence_info a{};
  a.fd = -1;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_FENCE_INFO, &a), -EBADF);
  Descriptor event(eventfd(0, 0));
  a.fd = event.get();
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_FENCE_INFO, &a), -EINVAL);
  auto job = submit_fenced(context, empty);
  a = {.fd = job.fence.get(), .flags = 1, .status = 0, .pad = 0, .time_ns = 0};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_FENCE_INFO, &a), -EINVAL);
  a.flags = 0;
  a.pad = 1;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_FENCE_INFO, &a), -EINVAL);
}

// ---- implicit synchronisation ----

class Sharing : public Fences {
 protected:
  Sharing() {
    mine = client->buffer(context, 4096);
    Descriptor fd(client->export_buffer(mine));
    avocet_accel_buffer_import a;
    EXPECT_EQ(client->import_buffer(other, fd.get(), &a), 0);
    theirs = a.handle;
    scratch = client->buffer(context, 4096);
    other_scratch = client->buffer(other, 4096);
    copy = client->program(context, copy_stream(0, 1, 0, 64));
    other_copy = client->program(other, copy_stream(0, 1, 0, 64));
  }
  int64_t write_mine() { return client->submit(context, copy_job(copy, scratch, mine, 4096)); }
  int64_t read_mine() { return client->submit(context, copy_job(copy, mine, scratch, 4096)); }
  int64_t read_theirs(uint32_t flags = 0) {
    auto job = copy_job(other_copy, theirs, other_scratch, 4096);
    job.flags = flags;
    return client->submit(other, job);
  }
  int64_t write_theirs() { return client->submit(other, copy_job(other_copy, other_scratch, theirs, 4096)); }
  /// A held job of a third context in front of everything, so that all that is submitted now is queued.
  void block() {
    uint32_t third = client->context(), program = client->program(third, empty_stream());
    set_hold(true);
    ASSERT_GT(client->submit(third, program), 0);
    while (!fake.holds_a_job()) std::this_thread::yield();
    set_hold(false);
    std::lock_guard lock(mutex);
    order.clear();
  }
  void expect_order(std::vector<int64_t> jobs) {
    fake.release();
    EXPECT_TRUE(client->wait_buffer(mine, 0, in_ms(60000)) == 0);
    EXPECT_EQ(client->wait_buffer(other_scratch, 0, in_ms(60000)), 0);
    EXPECT_EQ(started(), std::vector<uint64_t>(jobs.begin(), jobs.end()));
  }
  uint32_t mine, theirs, scratch, other_scratch, copy, other_copy;
};

TEST_F(Sharing, AReaderWaitsForTheWriterInAnotherContext) {
  block();
  int64_t a = write_mine(), b = write_mine(), c = read_theirs();
  expect_order({a, b, c});
}

TEST_F(Sharing, AWriterWaitsForReaders) {
  block();
  int64_t a = read_mine(), b = read_mine(), c = write_theirs();
  expect_order({a, b, c});
}

TEST_F(Sharing, ReadersDoNotWaitForEachOther) {
  block();
  int64_t a = read_mine(), b = read_mine(), c = read_theirs();
  expect_order({a, c, b});
}

TEST_F(Sharing, ExplicitJobsWaitForTheirFencesAlone) {
  block();
  int64_t a = write_mine(), b = write_mine(), c = read_theirs(AVOCET_ACCEL_JOB_EXPLICIT);
  expect_order({a, c, b});
}

TEST_F(Sharing, ChainsAcrossContexts) {
  block();
  std::vector<int64_t> jobs;
  for (int i = 0; i < 20; i++) jobs.push_back(i % 2 ? write_theirs() : write_mine());
  expect_order(jobs);
}

TEST_F(Sharing, AFailedWriterDoesNotStopAReader) {
  block();
  fake.on_job([&](const avocet_job& job) {
    std::lock_guard lock(mutex);
    order.push_back(job.job_id);
    return Ending{.status = order.size() == 1 ? AVOCET_STATUS_OUT_OF_RANGE : AVOCET_STATUS_OK};
  });
  int64_t a = write_mine(), b = read_theirs();
  expect_order({a, b});
  EXPECT_EQ(client->status_of(other, b), AVOCET_STATUS_OK) << "its memory is what it is";
}

// ---- waiting for buffers ----

TEST_F(Sharing, BufferWaitKnowsReadersAndWriters) {
  EXPECT_EQ(client->wait_buffer(mine, 0, 0), 0) << "idle";
  set_hold(true);
  ASSERT_GT(read_mine(), 0);
  EXPECT_EQ(client->wait_buffer(mine, 0, 0), -ETIMEDOUT);
  EXPECT_EQ(client->wait_buffer(theirs, 0, 0), -ETIMEDOUT) << "through any handle of the memory";
  EXPECT_EQ(client->wait_buffer(theirs, AVOCET_ACCEL_BUFFER_WAIT_READ, 0), 0) << "it is only read";
  EXPECT_EQ(client->wait_buffer(scratch, AVOCET_ACCEL_BUFFER_WAIT_READ, in_ms(10)), -ETIMEDOUT) << "it is written";
  while (!fake.holds_a_job()) std::this_thread::yield();
  std::thread release([&] { fake.release(); });
  EXPECT_EQ(client->wait_buffer(mine, 0, INT64_MAX), 0);
  release.join();
  EXPECT_EQ(client->wait_buffer(scratch, 0, in_ms(60000)), 0);
}

TEST_F(Sharing, BufferWaitIsNotHeldUpByLaterJobs) {
  set_hold(true);
  int64_t first = read_mine();
  while (!fake.holds_a_job()) std::this_thread::yield();
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ASSERT_GT(read_mine(), 0);
    fake.release();
  });
  EXPECT_EQ(client->wait_buffer(mine, 0, INT64_MAX), 0);
  EXPECT_EQ(client->wait(context, first, 0), 0);
  EXPECT_EQ(client->wait_buffer(mine, 0, 0), -ETIMEDOUT) << "the second is still held";
  later.join();
}

TEST_F(Sharing, RefusedBufferWaits) {
  EXPECT_EQ(client->wait_buffer(0, 0, 0), -ENOENT);
  EXPECT_EQ(client->wait_buffer(context, 0, 0), -ENOENT);
  EXPECT_EQ(client->wait_buffer(copy, 0, 0), -ENOENT);
  EXPECT_EQ(client->wait_buffer(mine, 2, 0), -EINVAL);
}

}  // namespace
}  // namespace avocet::test
