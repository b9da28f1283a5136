// SPDX-License-Identifier: Apache-2.0
// What a job can do wrong, on the engine of $AVOCET_ENGINE: each fault latches status, position and address, and the device
// serves the next job or, where the firmware gave the context up, comes back after a reset.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "random_program.hpp"

namespace avocet::test {
namespace {

class Faults : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(host_.open(), "");
    host_.boot();
    host_.region(0, 64 * 1024);
    host_.region(1, 64 * 1024);
  }

  avocet_cmd_dma_load load(uint32_t dram, uint32_t bytes) {
    avocet_cmd_dma_load c{};
    c.dram = dram;
    c.row_bytes = bytes;
    c.count0 = c.count1 = c.count2 = 1;
    return c;
  }

  void expect_latched(const avocet_completion &completion) {
    EXPECT_EQ(FakeHost::read(AVOCET_REG_FAULT_STATUS), completion.status);
    EXPECT_EQ(FakeHost::read(AVOCET_REG_FAULT_POSITION), completion.position);
    EXPECT_EQ(FakeHost::read(AVOCET_REG_FAULT_ADDRESS_LO), static_cast<uint32_t>(completion.address));
    EXPECT_TRUE(host_.interrupt_bits() & AVOCET_IRQ_STATUS_FAULT);
  }

  void expect_reset_helps() {
    uint32_t generation = FakeHost::read(AVOCET_REG_GENERATION);
    FakeHost::write(AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET);
    ASSERT_TRUE(FakeHost::wait_register(AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET, 0));
    EXPECT_EQ(FakeHost::read(AVOCET_REG_GENERATION), generation + 1);
    EXPECT_EQ(FakeHost::read(AVOCET_REG_FAULT_STATUS), unsigned{AVOCET_STATUS_OK});
    EXPECT_EQ(FakeHost::read(AVOCET_REG_FW_STATE), unsigned{AVOCET_FIRMWARE_STATE_OFF});
    host_.boot();
    host_.region(0, 64 * 1024);
    StreamBuilder stream;
    stream.add(load(0, 100));
    EXPECT_EQ(host_.run(stream.finish()).completion.status, unsigned{AVOCET_STATUS_OK});
  }

  FakeHost host_;
};

TEST_F(Faults, UnmappedPage) {
  host_.unmap(FakeHost::kRegionIova + 8192);
  StreamBuilder stream;
  stream.add(load(0, 100));
  uint32_t position = stream.position();
  stream.add(load(4096, 10000));
  avocet_completion c = host_.run(stream.finish()).completion;
  EXPECT_EQ(c.status, unsigned{AVOCET_STATUS_IOMMU_FAULT});
  EXPECT_EQ(c.position, position);
  EXPECT_EQ(c.address, FakeHost::kRegionIova + 8192);
  expect_latched(c);
  expect_reset_helps();
}

TEST_F(Faults, StoreToReadOnlyPage) {
  host_.region(2, 8192, false);
  StreamBuilder stream;
  avocet_cmd_dma_store store{};
  store.region = 2;
  store.row_bytes = 10;
  store.count0 = store.count1 = store.count2 = 1;
  stream.add(store);
  avocet_completion c = host_.run(stream.finish()).completion;
  EXPECT_EQ(c.status, unsigned{AVOCET_STATUS_IOMMU_FAULT});
  EXPECT_EQ(c.address, FakeHost::kRegionIova * 3);
  expect_reset_helps();
}

TEST_F(Faults, BusError) {
  uint8_t *region = host_.region(2, 4096);
  host_.broken_bus = FakeHost::kBus + static_cast<uint64_t>(region - host_.at(FakeHost::kBus));
  StreamBuilder stream;
  avocet_cmd_dma_load c = load(0, 16);
  c.region = 2;
  stream.add(c);
  avocet_completion completion = host_.run(stream.finish()).completion;
  EXPECT_EQ(completion.status, unsigned{AVOCET_STATUS_BUS_ERROR});
  host_.broken_bus = 0;
  expect_reset_helps();
}

TEST_F(Faults, CommandsBehindTheFaultDoNotRun) {
  host_.unmap(FakeHost::kRegionIova);
  StreamBuilder stream;
  stream.add(load(0, 16));
  avocet_cmd_dma_store store{};
  store.region = 1;
  store.row_bytes = 4096;
  store.count0 = store.count1 = store.count2 = 1;
  for (int i = 0; i < 40; ++i) stream.add(store);
  avocet_completion c = host_.run(stream.finish()).completion;
  EXPECT_EQ(c.status, unsigned{AVOCET_STATUS_IOMMU_FAULT});
  EXPECT_EQ(c.commands, 0u);
  expect_reset_helps();
}

struct BadStream {
  std::vector<uint32_t> words;
  uint32_t status;
  uint32_t position;
};

TEST_F(Faults, BadStreamsAreRefusedWhole) {
  const uint32_t end = avocet_command_header(AVOCET_OP_END, 1, 0);
  StreamBuilder out_of_range;
  out_of_range.add(load(65535, 2));
  StreamBuilder beyond_sram;
  avocet_cmd_dma_load far = load(0, 16);
  far.sram = FakeHost::read(AVOCET_REG_SRAM_BYTES) - 8;
  beyond_sram.add(far);
  StreamBuilder waits;
  waits.add(avocet_cmd_wait{AVOCET_UNIT_MAC, AVOCET_UNIT_DMA0, 1});
  const BadStream cases[] = {
      {{0, end}, AVOCET_STATUS_ILLEGAL_OPCODE, 0},
      {{~0u, end}, AVOCET_STATUS_ILLEGAL_OPCODE, 0},
      {{avocet_command_header(AVOCET_OP_DMA_LOAD, 13, 0), 0}, AVOCET_STATUS_ILLEGAL_LENGTH, 0},
      {out_of_range.finish(), AVOCET_STATUS_OUT_OF_RANGE, 0},
      {beyond_sram.finish(), AVOCET_STATUS_OUT_OF_RANGE, 0},
      {waits.finish(), AVOCET_STATUS_ILLEGAL_WAIT, 0},
      {{end, end}, AVOCET_STATUS_NO_END, 1},
  };
  for (const BadStream &bad : cases) {
    avocet_completion c = host_.run(bad.words).completion;
    EXPECT_EQ(c.status, bad.status) << "word 0 = " << std::hex << bad.words[0];
    EXPECT_EQ(c.position, bad.position);
    EXPECT_EQ(c.commands, 0u);
  }
  // Nobody but the stream is broken: the context goes on.
  EXPECT_EQ(host_.run({end}).completion.status, unsigned{AVOCET_STATUS_OK});
}

TEST_F(Faults, RandomWordsNeverStopTheDevice) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    StreamBuilder stream;
    RandomCommands commands(hardware_of_device(), random());
    stream.add(commands.pool());
    stream.add(commands.matmul());
    stream.add(commands.add());
    stream.add(commands.depthwise());
    std::vector<uint32_t> words = stream.finish();
    for (int i = 0; i < 3; ++i) words[random() % words.size()] ^= 1u << random() % 32;
    host_.run(words); // whatever its status, it ends
  }
  EXPECT_EQ(host_.run({avocet_command_header(AVOCET_OP_END, 1, 0)}).completion.status, unsigned{AVOCET_STATUS_OK});
}

// Legal by every bound, as nothing moves, but 2^48 rows long.
TEST_F(Faults, EndlessCommandsAreRefused) {
  StreamBuilder stream;
  avocet_cmd_dma_load c = load(0, 1);
  c.count0 = c.count1 = c.count2 = 65536;
  stream.add(c);
  avocet_completion completion = host_.run(stream.finish()).completion;
  EXPECT_EQ(completion.status, unsigned{AVOCET_STATUS_HANG});
  expect_reset_helps();
}

TEST_F(Faults, ResetInTheMiddleOfAJob) {
  StreamBuilder stream;
  avocet_cmd_dma_load c = load(0, 64);
  c.count0 = 60000;
  c.count1 = 100;
  for (int i = 0; i < 1000; ++i) stream.add(c);
  host_.submit(stream.finish());
  FakeHost::write(AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET);
  ASSERT_TRUE(FakeHost::wait_register(AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET, 0));
  expect_reset_helps();
}

// ---- a core that is reset alone ----

// Boots again without a reset of the device: the context that a hang closed is gone, whatever a core still holds is not.
void boot_again(FakeHost &host) {
  FakeHost::write(AVOCET_REG_CONTROL, 0);
  ASSERT_TRUE(FakeHost::wait_register(AVOCET_REG_FW_STATE, ~0u, AVOCET_FIRMWARE_STATE_OFF));
  host.boot();
}

TEST(CoreReset, FreesAUnitThatAnAbortDoesNotAndLeavesNothingBehind) {
  for (const char *unit : {"mac", "requant", "vector", "dma0"}) {
    SCOPED_TRACE(unit);
    FakeHost host;
    ASSERT_EQ(host.open(), "");
    host.boot();
    char error[256] = "";
    const std::string faults = "unit-stuck:nth=2,abort=off,unit=" + std::string(unit);
    ASSERT_EQ(avocet_model_set_faults(faults.c_str(), error, sizeof error), 0) << error;
    ProgramRunner stuck(host, 11);
    StreamBuilder stream = stuck.random_stream(60);
    EXPECT_EQ(stuck.run(&stream).completion.status, unsigned{AVOCET_STATUS_HANG});
    EXPECT_EQ(FakeHost::read(AVOCET_REG_NPU_RESETS), 1u);
    EXPECT_EQ(FakeHost::read(AVOCET_REG_NPU_STATE), 0u);
    EXPECT_EQ(FakeHost::read(AVOCET_REG_FW_STATE), unsigned{AVOCET_FIRMWARE_STATE_READY});
    ASSERT_EQ(avocet_model_set_faults("", error, sizeof error), 0) << error;
    boot_again(host);
    ProgramRunner next(host, 12);
    StreamBuilder after = next.random_stream(60);
    EXPECT_EQ(next.run(&after).completion.status, unsigned{AVOCET_STATUS_OK});
    EXPECT_TRUE(next.sram_matches()) << "at " << next.first_difference();
    EXPECT_EQ(FakeHost::read(AVOCET_REG_GENERATION), 0u);
  }
}

TEST(CoreReset, HasNoEffectOnAUnitThatIgnoresIt) {
  FakeHost host;
  ASSERT_EQ(host.open(), "");
  host.boot();
  host.region(0, 4096);
  char error[256] = "";
  ASSERT_EQ(avocet_model_set_faults("unit-stuck:abort=off,reset=off", error, sizeof error), 0) << error;
  StreamBuilder stream;
  avocet_cmd_dma_fill fill{};
  fill.row_bytes = 64;
  fill.count0 = fill.count1 = 1;
  stream.add(fill);
  host.submit(stream.finish());
  EXPECT_TRUE(FakeHost::wait_register(AVOCET_REG_FW_STATE, ~0u, AVOCET_FIRMWARE_STATE_HALTED)) << "abort, reset, nothing helps";
  EXPECT_EQ(FakeHost::read(AVOCET_REG_NPU_STATE), 1u);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_NPU_RESETS), 0u);
  FakeHost::write(AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET);
  ASSERT_TRUE(FakeHost::wait_register(AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET, 0));
  EXPECT_EQ(FakeHost::read(AVOCET_REG_NPU_STATE), 0u);
}

class TwoCores : public FakeHost {
public:
  TwoCores() {
    const std::string file = testing::TempDir() + "two_cores_" + engine_under_test() + ".json";
    std::ofstream(file) << R"({"name": "two_cores", "cores": 2})";
    on_slice = [this](const avocet_model_slice &slice) {
      if (slice.core == 1 && slice.track < AVOCET_UNIT_COUNT && ++slices_ == 20 && at_half_) at_half_();
    };
    EXPECT_EQ(open(file.c_str()), "");
    boot();
    open_ring(AVOCET_PRIORITY_LOW);
    open_ring(AVOCET_PRIORITY_HIGH);
    region(0, 64 * 1024);
  }

  // Cycles of a job of high priority; when `reset` is a job, core 0 is reset under it half way.
  uint64_t run_long_job(uint64_t reset) {
    StreamBuilder stream;
    avocet_cmd_dma_load load{};
    load.row_bytes = 64;
    load.count0 = 500;
    load.count1 = load.count2 = 1;
    load.dram_stride0 = load.sram_stride0 = 64;
    for (int i = 0; i < 40; ++i) stream.add(load);
    const avocet_job job = describe(stream.finish(), 1);
    at_half_ = reset == 0 ? std::function<void()>() : [this, reset] { post(AVOCET_MESSAGE_TYPE_RESET_ENGINE, 0, reset); };
    push(AVOCET_PRIORITY_HIGH, job);
    uint64_t cycles = 0;
    for (int left = reset == 0 ? 1 : 3; left > 0; --left) {
      const avocet_completion c = next_completion();
      (c.type == AVOCET_COMPLETION_TYPE_MESSAGE ? answer : c.job_id == reset ? other : own) = c.status;
      if (c.type == AVOCET_COMPLETION_TYPE_JOB && c.job_id == job.job_id) cycles = c.end_cycle - c.start_cycle;
    }
    return cycles;
  }

  uint32_t own = ~0u, other = ~0u, answer = ~0u; // how they ended

private:
  uint32_t slices_ = 0;
  std::function<void()> at_half_;
};

void reset_a_core_beside_another() {
  TwoCores host;
  host.run_long_job(0); // the TLB has everything from now on
  const uint64_t alone = host.run_long_job(0);
  char error[256] = "";
  ASSERT_EQ(avocet_model_set_faults("unit-stuck:abort=off,tag=7", error, sizeof error), 0) << error;
  StreamBuilder stream(7);
  avocet_cmd_dma_fill fill{};
  fill.row_bytes = 64;
  fill.count0 = fill.count1 = 1;
  stream.add(fill);
  const avocet_job stuck = host.describe(stream.finish(), 2);
  host.push(AVOCET_PRIORITY_LOW, stuck);
  ASSERT_TRUE(FakeHost::wait_register(AVOCET_REG_NPU_STATE, 1, 1));
  EXPECT_EQ(host.run_long_job(stuck.job_id), alone);
  EXPECT_EQ(host.own, unsigned{AVOCET_STATUS_OK});
  EXPECT_EQ(host.other, unsigned{AVOCET_STATUS_HANG});
  EXPECT_EQ(host.answer, unsigned{AVOCET_STATUS_OK});
  EXPECT_EQ(FakeHost::read(AVOCET_REG_NPU_RESETS), 1u);
  EXPECT_EQ(FakeHost::read(AVOCET_REG_NPU_RESETS + AVOCET_NPU_STRIDE), 0u);
}

// In a process of its own, which builds a device of two cores.
TEST(CoreResetDeathTest, CostsTheOtherCoreNotACycle) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        reset_a_core_beside_another();
        std::exit(testing::Test::HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace avocet::test
