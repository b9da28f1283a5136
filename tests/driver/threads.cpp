// SPDX-License-Identifier: Apache-2.0
// Many threads at once on one device: meant for ThreadSanitizer, and for counts that must add up without it.
#include "fixture.hpp"

namespace avocet::test {
namespace {

class Threads : public DriverTest {
 protected:
  void in_threads(int count, std::function<void(int)> body) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; i++) threads.emplace_back(body, i);
    for (auto& t : threads) t.join();
  }
};

TEST_F(Threads, EachWithItsContext) {
  in_threads(4, [this](int) {
    CoreClient mine(fake.device);
    uint32_t context = mine.context(), program = mine.program(context, copy_stream(0, 1, 0, 4096));
    for (int i = 0; i < 200; i++) {
      uint32_t in = mine.buffer(context, 4096), out = mine.buffer(context, 4096);
      int64_t job = mine.submit(context, copy_job(program, in, out, 4096));
      ASSERT_GT(job, 0);
      bool early = i % 2 != 0;
      if (early) { ASSERT_EQ(mine.close_buffer(in), 0); }
      ASSERT_EQ(mine.status_of(context, job), AVOCET_STATUS_OK);
      if (!early) { ASSERT_EQ(mine.close_buffer(in), 0); }
      ASSERT_EQ(mine.close_buffer(out), 0);
    }
  });
  EXPECT_EQ(client->counters().jobs_completed, 800u);
  EXPECT_EQ(client->counters().memory_bytes, 0u);
}

TEST_F(Threads, AllInOneContext) {
  uint32_t context = client->context(), program = client->program(context, empty_stream());
  std::atomic<int> done{0};
  in_threads(4, [&](int) {
    for (int i = 0; i < 300;) {
      int64_t job = client->submit(context, program);
      if (job == -EBUSY) continue;
      ASSERT_GT(job, 0);
      ASSERT_EQ(client->status_of(context, job), AVOCET_STATUS_OK);
      done++;
      i++;
    }
  });
  EXPECT_EQ(done, 1200);
  EXPECT_EQ(client->counters(context).jobs_completed, 1200u);
}

TEST_F(Threads, ContextsAreDestroyedWhileOthersUseThem) {
  for (int round = 0; round < 30; round++) {
    uint32_t context = client->context(), program = client->program(context, empty_stream());
    std::atomic<bool> go{false};
    in_threads(3, [&](int i) {
      while (!go && i != 0) std::this_thread::yield();
      if (i == 0) {
        go = true;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        EXPECT_EQ(client->destroy(context), 0);
        return;
      }
      for (int n = 0; n < 50; n++) {
        int64_t job = client->submit(context, program);
        if (job == -ENOENT) return;
        if (job < 0) continue;
        int64_t status = client->status_of(context, job);
        ASSERT_TRUE(status == AVOCET_STATUS_OK || status == AVOCET_STATUS_ABORTED || status == -ENOENT) << status;
      }
    });
    client->close_program(program);
  }
  EXPECT_EQ(client->counters().contexts, 0u);
}

TEST_F(Threads, DeviceGoesWhileJobsAreSubmitted) {
  avocet_device_get(fake.device);
  in_threads(3, [&](int i) {
    if (i == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      avocet_device_remove(fake.device);
      return;
    }
    avocet_file* file = nullptr;
    if (avocet_file_open(fake.device, &file) != 0) return;
    avocet_accel_context_create create{};
    for (int n = 0; n < 100; n++) {
      int error = avocet_ioctl_dispatch(file, AVOCET_ACCEL_CONTEXT_CREATE, reinterpret_cast<uint64_t>(&create));
      if (error == -ENODEV) break;
      ASSERT_EQ(error, 0);
      auto words = empty_stream();
      avocet_accel_program_create program = client->program_arguments(create.context, words);
      avocet_ioctl_dispatch(file, AVOCET_ACCEL_PROGRAM_CREATE, reinterpret_cast<uint64_t>(&program));
      avocet_accel_job job{};
      job.program = program.handle;
      avocet_accel_submit submit{create.context, 0, 1, sizeof job, reinterpret_cast<uint64_t>(&job)};
      error = avocet_ioctl_dispatch(file, AVOCET_ACCEL_SUBMIT, reinterpret_cast<uint64_t>(&submit));
      if (error == 0) {
        avocet_accel_wait wait{};
        wait.context = create.context;
        wait.job_id = job.job_id;
        wait.timeout_ns = INT64_MAX;
        ASSERT_EQ(avocet_ioctl_dispatch(file, AVOCET_ACCEL_WAIT, reinterpret_cast<uint64_t>(&wait)), 0);
        ASSERT_TRUE(wait.status == AVOCET_STATUS_OK || wait.status == AVOCET_STATUS_ABORTED);
      }
      avocet_accel_context_destroy destroy{create.context, 0};
      ASSERT_EQ(avocet_ioctl_dispatch(file, AVOCET_ACCEL_CONTEXT_DESTROY, reinterpret_cast<uint64_t>(&destroy)), 0);
    }
    avocet_file_close(file);
  });
}

/// One chain of jobs through three threads, each with a context of its own over the same memory; a fourth comes and goes.
TEST_F(Threads, FencesAndSharedMemory) {
  CoreClient owner(fake.device);
  uint32_t home = owner.context();
  Descriptor shared(owner.export_buffer(owner.buffer(home, 4096)));
  std::mutex mutex;
  Descriptor last;  // fence of the last job in the chain
  std::atomic<int> chained{0};
  in_threads(4, [&](int thread) {
    for (int round = 0; round < 20; round++) {
      CoreClient mine(fake.device);
      uint32_t context = mine.context(), copy = mine.program(context, copy_stream(0, 1, 0, 64));
      uint32_t scratch = mine.buffer(context, 4096);
      avocet_accel_buffer_import import;
      ASSERT_EQ(mine.import_buffer(context, shared.get(), &import), 0);
      for (int i = 0; i < 10; i++) {
        auto job = copy_job(copy, scratch, import.handle, 4096);
        job.priority = i % 4;
        job.flags = AVOCET_ACCEL_JOB_OUT_FENCE;
        std::lock_guard lock(mutex);
        int32_t before = last.get();
        if (before >= 0 && thread != 3) {
          job.in_fences = reinterpret_cast<uint64_t>(&before);
          job.in_fence_count = 1;
        }
        std::vector<avocet_accel_job> jobs{job};
        ASSERT_EQ(mine.submit(context, jobs), 0);
        Descriptor fence(jobs[0].out_fence);
        if (thread == 3) continue;  // its jobs may be aborted: nobody waits for them
        last = std::move(fence);
        chained++;
      }
      if (thread == 3) continue;  // closes the file with jobs under way
      ASSERT_EQ(mine.wait_buffer(scratch, 0, in_ms(60000)), 0);
    }
  });
  EXPECT_EQ(chained, 600);
  EXPECT_TRUE(last.readable(60000));
  EXPECT_EQ(client->fence_status(last.get()), 1) << "none of the chain was lost";
}

class ThreadsAndResets : public DriverTest {
 protected:
  ThreadsAndResets() : DriverTest(quick_parameters()) {}
};

TEST_F(ThreadsAndResets, HealthyContextsSurviveANeighbourThatHangsTheDevice) {
  std::atomic<uint64_t> bad_context{0};
  fake.abort_works = fake.engine_reset_works = false;
  fake.on_job([&](const avocet_job& job) {
    return Ending{.hold = bad_context && job.job_id >> AVOCET_JOB_NAME_SHIFT == bad_context};
  });
  std::atomic<bool> stop{false};
  std::atomic<int> completed{0};
  std::vector<std::thread> healthy;
  for (int i = 0; i < 2; i++) {
    healthy.emplace_back([&] {
      CoreClient mine(fake.device);
      uint32_t context = mine.context(), program = mine.program(context, empty_stream());
      while (!stop) {
        int64_t job = mine.submit(context, program);
        ASSERT_GT(job, 0);
        ASSERT_EQ(mine.status_of(context, job), AVOCET_STATUS_OK);
        completed++;
      }
    });
  }
  for (int round = 0; round < 3; round++) {
    CoreClient bad(fake.device);
    uint32_t context = bad.context(), program = bad.program(context, empty_stream());
    int64_t job = bad.submit(context, program);
    ASSERT_EQ(bad.status_of(context, job), AVOCET_STATUS_OK);
    bad_context = static_cast<uint64_t>(job) >> AVOCET_JOB_NAME_SHIFT;
    job = bad.submit(context, program);
    while (!fake.holds_a_job()) std::this_thread::yield();  // no other one is in hardware now
    for (uint32_t resets = fake.reg(AVOCET_REG_GENERATION); fake.reg(AVOCET_REG_GENERATION) == resets;) fake.let_hang();
    ASSERT_EQ(bad.status_of(context, job), AVOCET_STATUS_HANG);
    EXPECT_EQ(bad.submit(context, program), -EBADFD);
    bad_context = 0;
  }
  int before = completed;
  while (completed < before + 10) std::this_thread::yield();
  stop = true;
  for (auto& t : healthy) t.join();
  EXPECT_EQ(client->counters().resets, 3u);
}

}  // namespace
}  // namespace avocet::test
