// SPDX-License-Identifier: Apache-2.0
// The model as its host meets it: registers, interrupts, power, sleeping, host threads.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <thread>

#include <sys/resource.h>

#include "random_program.hpp"

namespace avocet::test {
namespace {

const std::vector<uint32_t> kEmptyJob = {avocet_command_header(AVOCET_OP_END, 1, 0)};

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

TEST(Host, RegistersTellTheConfiguration) {
  FakeHost host;
  EXPECT_EQ(FakeHost::read(AVOCET_REG_ID), ~0u) << "a device without power is not there";
  ASSERT_EQ(host.open(), "");
  EXPECT_EQ(FakeHost::read(AVOCET_REG_ID), AVOCET_MAGIC);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_VERSION), AVOCET_VERSION);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_GENERATION), 0u);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_ARRAY_ROWS), 16u);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_SRAM_BYTES), 384u * 1024);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_DRAM_MILLIBYTES_PER_CYCLE), 8000u);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_CLOCK_KHZ), 1000000u);
  EXPECT_EQ(FakeHost::read(AVOCET_REGISTER_BYTES), ~0u);
  EXPECT_EQ(FakeHost::read(2), ~0u);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_CORE_EVENTS), 0u) << "the management core's own";
  FakeHost::write(AVOCET_REG_BOOT_LO, 0x12345678);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_BOOT_LO), 0x12345678u);
  FakeHost::write(AVOCET_REG_ID, 0);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_ID), AVOCET_MAGIC);
}

TEST(Host, OpensOnceAndAgainWithTheSameSettingsOnly) {
  FakeHost host, other;
  ASSERT_EQ(host.open(), "");
  EXPECT_EQ(other.open().substr(0, 3), std::to_string(-EBUSY));
  host.boot();
  host.run(kEmptyJob);
  host.close();
  EXPECT_EQ(FakeHost::read(AVOCET_REG_ID), ~0u);
  EXPECT_EQ(other.open(nullptr, engine_under_test() == "timed" ? "functional" : "timed").substr(0, 3),
            std::to_string(-EBUSY));
  ASSERT_EQ(other.open(), "");
  EXPECT_EQ(FakeHost::read(AVOCET_REG_GENERATION), 0u);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_CYCLE_LO), 0u);
  other.boot();
  EXPECT_EQ(other.run(kEmptyJob).completion.status, unsigned{AVOCET_STATUS_OK});
}

TEST(Host, CloseInTheMiddleOfAJob) {
  for (int i = 0; i < 5; ++i) {
    FakeHost host;
    ASSERT_EQ(host.open(), "");
    host.boot();
    ProgramRunner runner(host, 1);
    StreamBuilder stream;
    runner.begin(&stream);
    for (int n = 0; n < 300; ++n) stream.add(runner.random().matmul());
    host.submit(stream.finish());
    std::this_thread::sleep_for(std::chrono::microseconds(300 * i));
    host.close();
    uint64_t interrupts = host.interrupts();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(host.interrupts(), interrupts) << "a callback after close";
  }
}

TEST(Host, CyclesAreTheSameAfterEachPowerOn) {
  std::vector<uint64_t> first;
  for (int round = 0; round < 3; ++round) {
    FakeHost host;
    ASSERT_EQ(host.open(), "");
    host.boot();
    std::vector<uint64_t> cycles;
    for (int i = 0; i < 20; ++i) {
      avocet_completion c = host.run(kEmptyJob).completion;
      cycles.insert(cycles.end(), {c.doorbell_cycle, c.start_cycle, c.end_cycle});
    }
    if (round == 0)
      first = cycles;
    else
      EXPECT_EQ(cycles, first);
  }
}

TEST(Host, IdleDeviceSleepsAndItsTimeStands) {
  FakeHost host;
  ASSERT_EQ(host.open(), "");
  host.boot();
  host.run(kEmptyJob);
  bool idle = false; // in the end: on a busy machine the device's thread may have a little left to do
  for (int round = 0; round < 20 && !idle; ++round) {
    const double seconds = processor_seconds();
    const uint32_t cycle = FakeHost::read(AVOCET_REG_CYCLE_LO);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    idle = FakeHost::read(AVOCET_REG_CYCLE_LO) == cycle && processor_seconds() - seconds < 0.02;
  }
  EXPECT_TRUE(idle) << "time goes on, or a thread spins";
}

TEST(Host, MaskedInterruptsWait) {
  FakeHost host;
  ASSERT_EQ(host.open(), "");
  host.boot();
  host.prepare(kEmptyJob);
  FakeHost::write(AVOCET_REG_IRQ_MASK, 0);
  uint64_t before = host.interrupts();
  host.ring();
  ASSERT_TRUE(FakeHost::wait_register(AVOCET_REG_IRQ_STATUS, AVOCET_IRQ_STATUS_COMPLETION, AVOCET_IRQ_STATUS_COMPLETION));
  EXPECT_EQ(host.interrupts(), before);
  FakeHost::write(AVOCET_REG_IRQ_MASK, AVOCET_IRQ_STATUS_COMPLETION);
  EXPECT_EQ(host.wait().completion.status, unsigned{AVOCET_STATUS_OK});
  EXPECT_TRUE(FakeHost::wait_register(AVOCET_REG_IRQ_STATUS, AVOCET_IRQ_STATUS_COMPLETION, 0)) << "the handler cleared it";
  EXPECT_EQ(host.interrupts(), before + 1);
}

TEST(Host, RunBitStopsAndStartsTheFirmware) {
  FakeHost host;
  ASSERT_EQ(host.open(), "");
  host.boot();
  FakeHost::write(AVOCET_REG_CONTROL, 0);
  EXPECT_TRUE(FakeHost::wait_register(AVOCET_REG_FW_STATE, ~0u, AVOCET_FIRMWARE_STATE_OFF));
  host.boot();
  EXPECT_EQ(host.run(kEmptyJob).completion.status, unsigned{AVOCET_STATUS_OK});
}

TEST(Host, RefusedBootIsTold) {
  FakeHost host;
  ASSERT_EQ(host.open(), "");
  FakeHost::write(AVOCET_REG_CONTROL, AVOCET_CONTROL_RUN); // no image
  EXPECT_TRUE(FakeHost::wait_register(AVOCET_REG_FW_STATE, ~0u, AVOCET_FIRMWARE_STATE_FAILED));
  EXPECT_NE(FakeHost::read(AVOCET_REG_FW_ERROR), 0u);
}

TEST(Host, ReadsFromManyThreadsWhileJobsRun) {
  FakeHost host;
  ASSERT_EQ(host.open(), "");
  host.boot();
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i)
    readers.emplace_back([&stop] {
      uint32_t last = 0;
      while (!stop) {
        EXPECT_EQ(FakeHost::read(AVOCET_REG_ID), AVOCET_MAGIC);
        uint32_t cycle = FakeHost::read(AVOCET_REG_CYCLE_LO);
        EXPECT_GE(cycle, last);
        last = cycle;
        FakeHost::write(AVOCET_REG_DOORBELL, 1); // a hint too many
        std::this_thread::yield();
      }
    });
  for (int i = 0; i < 50; ++i) EXPECT_EQ(host.run(kEmptyJob).completion.status, unsigned{AVOCET_STATUS_OK});
  stop = true;
  for (std::thread &reader : readers) reader.join();
}

TEST(Host, SlicesCoverTheCommands) {
  FakeHost host;
  host.record_slices = true;
  ASSERT_EQ(host.open(), "");
  host.boot();
  ProgramRunner runner(host, 3);
  StreamBuilder stream(5);
  runner.begin(&stream);
  avocet_completion c = runner.run(&stream, 6).completion;
  ASSERT_EQ(c.status, unsigned{AVOCET_STATUS_OK});
  host.close();
  uint32_t commands = 0, jobs = 0, firmware = 0;
  for (const avocet_model_slice &slice : host.slices) {
    EXPECT_LE(slice.start_cycle, slice.end_cycle);
    commands += slice.track < AVOCET_UNIT_COUNT && slice.tag == 5 && slice.job_id == c.job_id;
    jobs += slice.track == AVOCET_TRACK_SEQUENCER && slice.end_cycle == c.end_cycle && slice.start_cycle == c.start_cycle;
    firmware += slice.track == AVOCET_TRACK_FIRMWARE;
  }
  EXPECT_EQ(commands, c.commands);
  EXPECT_EQ(jobs, 1u);
  EXPECT_GE(firmware, 2u);
}

// exit() with a job running must neither hang nor crash.
TEST(HostDeathTest, ExitWhileAJobRuns) {
  testing::FLAGS_gtest_death_test_style = "threadsafe"; // the child is started anew
  // What the job holds is on stacks of coroutines, where a leak checker does not look.
  setenv("ASAN_OPTIONS", "detect_leaks=0", 0);
  EXPECT_EXIT(
      {
        auto *host = new FakeHost;
        if (!host->open().empty()) std::abort();
        host->boot();
        ProgramRunner runner(*host, 1);
        StreamBuilder stream;
        runner.begin(&stream);
        for (int n = 0; n < 2000; ++n) stream.add(runner.random().matmul());
        host->submit(stream.finish());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::exit(7);
      },
      testing::ExitedWithCode(7), "");
}

} // namespace
} // namespace avocet::test
