// SPDX-License-Identifier: Apache-2.0
// Hand-assembled streams through avocet_device.h on the model; the engine comes from the environment. Expected values are plain
// arithmetic of this file.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <thread>

#include "avocet_device.h"
#include "client.hpp"

namespace avocet::test {
namespace {

/// Multiplication by one in the contract's scaling: 0.5 as Q0.31, shifted left by one.
constexpr int32_t kHalf = 1 << 30;

/// Loads a and b (regions 0 and 1), adds them, stores the sum (region 2); three layers.
std::vector<uint32_t> add_stream(uint32_t bytes) {
  std::vector<uint32_t> words;
  uint32_t b = (bytes + 63) / 64 * 64, sum = 2 * b;
  auto load = load_command(0, 0, 0, bytes);
  append(words, avocet_dma_load_encode, load, 0);
  load = load_command(1, 0, b, bytes);
  load.channel = 1;
  append(words, avocet_dma_load_encode, load, 0);
  for (uint32_t channel : {0u, 1u}) {
    avocet_cmd_wait wait{};
    wait.unit = AVOCET_UNIT_VECTOR;
    wait.producer = AVOCET_UNIT_DMA0 + channel;
    wait.count = 1;
    append(words, avocet_wait_encode, wait, 1);
  }
  avocet_cmd_add add{};
  add.a = 0;
  add.b = b;
  add.ofm = sum;
  add.row_bytes = bytes;
  add.y_count = 1;
  add.a_multiplier = add.b_multiplier = add.out_multiplier = kHalf;
  add.a_shift = add.b_shift = add.out_shift = 1;
  add.clamp_min = -100;
  add.clamp_max = 120;
  append(words, avocet_add_encode, add, 1);
  avocet_cmd_wait wait{};
  wait.unit = AVOCET_UNIT_DMA0;
  wait.producer = AVOCET_UNIT_VECTOR;
  wait.count = 1;
  append(words, avocet_wait_encode, wait, 2);
  append(words, avocet_dma_store_encode, store_command(2, 0, sum, bytes), 2);
  words.push_back(empty_stream()[0]);
  return words;
}

class EndToEnd : public testing::Test, public Client {
 protected:
  EndToEnd() : Client([this](unsigned long request, void* argument) { return avocet_ioctl(device_, request, argument); }) {
    device_ = avocet_open();
    EXPECT_GE(device_, 0) << avocet_sim_error();
  }
  ~EndToEnd() override { avocet_close(device_); }

  int8_t* map(const avocet_accel_buffer_create& buffer, uint64_t bytes) {
    void* address = avocet_mmap(device_, buffer.mmap_offset, bytes);
    EXPECT_NE(address, nullptr);
    return static_cast<int8_t*>(address);
  }

  avocet_accel_info query() {
    avocet_accel_info info{};
    avocet_accel_query query{AVOCET_ACCEL_QUERY_INFO, sizeof info, reinterpret_cast<uint64_t>(&info)};
    EXPECT_EQ(ioctl(AVOCET_ACCEL_QUERY, &query), 0);
    return info;
  }
  uint32_t engine() { return query().engine; }

  int device_ = -1;
};

TEST_F(EndToEnd, AddsTwoTensors) {
  constexpr uint32_t kBytes = 10007;
  uint32_t context = this->context(), program = this->program(context, add_stream(kBytes));
  auto a = buffer_full(context, kBytes), b = buffer_full(context, kBytes), sum = buffer_full(context, kBytes),
       profile = buffer_full(context, 3 * sizeof(avocet_profile));
  int8_t *pa = map(a, kBytes), *pb = map(b, kBytes), *ps = map(sum, kBytes);
  auto* counters = reinterpret_cast<avocet_profile*>(map(profile, 3 * sizeof(avocet_profile)));
  std::mt19937 random(1);
  for (uint32_t i = 0; i < kBytes; i++) {
    pa[i] = static_cast<int8_t>(random());
    pb[i] = static_cast<int8_t>(random());
  }
  avocet_accel_job job{};
  job.program = program;
  job.region[0] = {a.handle, AVOCET_ACCEL_REGION_READ, 0, kBytes};
  job.region[1] = {b.handle, AVOCET_ACCEL_REGION_READ, 0, kBytes};
  job.region[2] = {sum.handle, AVOCET_ACCEL_REGION_WRITE, 0, kBytes};
  job.profile = profile.handle;
  job.profile_entries = 3;
  uint64_t cycles[3];
  for (uint64_t& duration : cycles) {
    std::memset(ps, 0, kBytes);
    int64_t id = submit(context, job);
    ASSERT_GT(id, 0);
    avocet_accel_wait result{};
    ASSERT_EQ(wait(context, id, in_ms(60000), &result), 0);
    ASSERT_EQ(result.status, AVOCET_STATUS_OK) << "at word " << result.position;
    for (uint32_t i = 0; i < kBytes; i++) ASSERT_EQ(ps[i], std::clamp(pa[i] + pb[i], -100, 120)) << i;
    EXPECT_EQ(result.commands, 4u);
    EXPECT_LE(result.doorbell_cycle, result.start_cycle);
    duration = result.end_cycle - result.start_cycle;
  }
  EXPECT_EQ(cycles[1], cycles[2]) << "the same job takes the same time, once its translations are cached";
  EXPECT_EQ(counters[0].dram_read_bytes, 2u * kBytes);
  EXPECT_EQ(counters[2].dram_write_bytes, kBytes);
  if (engine() == AVOCET_ENGINE_TIMED) { EXPECT_GE(counters[1].vector_cycles, kBytes / 64); }
  for (int i = 0; i < 3; i++) EXPECT_GT(counters[i].last_cycle, 0u);
  EXPECT_EQ(avocet_munmap(pa, kBytes), 0);
  EXPECT_EQ(avocet_munmap(pb, kBytes), 0);
  EXPECT_EQ(avocet_munmap(ps, kBytes), 0);
  EXPECT_EQ(avocet_munmap(counters, 3 * sizeof(avocet_profile)), 0);
}

/// Many small copies through one corner of the SRAM; long enough to be stopped in its middle.
std::vector<uint32_t> long_copy_stream(uint32_t copies, uint32_t bytes) {
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < copies; i++) {
    append(words, avocet_dma_load_encode, load_command(0, i * bytes, 0, bytes));
    append(words, avocet_dma_store_encode, store_command(1, i * bytes, 0, bytes));
  }
  words.push_back(empty_stream()[0]);
  return words;
}

/// Whatever is stopped by whom: everybody's bytes are right. Jobs of high priority use the same SRAM.
TEST_F(EndToEnd, PrioritiesAndPreemptionLeaveTheBytesAlone) {
  constexpr uint32_t kCopies = 2000, kBytes = 64, kAll = kCopies * kBytes;
  uint32_t context = this->context(), program = this->program(context, long_copy_stream(kCopies, kBytes));
  auto in = buffer_full(context, kAll), out = buffer_full(context, kAll);
  int8_t *from = map(in, kAll), *to = map(out, kAll);
  std::mt19937 random(2);
  for (uint32_t i = 0; i < kAll; i++) from[i] = static_cast<int8_t>(random());
  uint32_t urgent = this->context(), short_program = this->program(urgent, copy_stream(0, 1, 0, kBytes));
  auto small_in = buffer_full(urgent, kBytes), small_out = buffer_full(urgent, kBytes);
  int8_t *small_from = map(small_in, kBytes), *small_to = map(small_out, kBytes);
  std::fill_n(small_from, kBytes, int8_t{77});
  avocet_accel_job low = copy_job(program, in.handle, out.handle, kAll);
  low.priority = AVOCET_ACCEL_PRIORITY_LOW;
  avocet_accel_job high = copy_job(short_program, small_in.handle, small_out.handle, kBytes);
  high.priority = AVOCET_ACCEL_PRIORITY_HIGH;
  for (int round = 0; round < 4; round++) {
    std::fill_n(to, kAll, int8_t{0});
    int64_t long_job = submit(context, low);
    for (int i = 0; i < 3; i++) {
      std::fill_n(small_to, kBytes, int8_t{0});
      ASSERT_EQ(status_of(urgent, submit(urgent, high)), AVOCET_STATUS_OK);
      EXPECT_EQ(std::memcmp(small_from, small_to, kBytes), 0);
    }
    ASSERT_EQ(status_of(context, long_job), AVOCET_STATUS_OK);
    EXPECT_EQ(std::memcmp(from, to, kAll), 0) << "round " << round;
  }
  for (auto [address, bytes] : {std::pair{from, kAll}, {to, kAll}, {small_from, kBytes}, {small_to, kBytes}})
    EXPECT_EQ(avocet_munmap(address, bytes), 0);
}

TEST_F(EndToEnd, QueryTellsTheConfiguration) {
  avocet_accel_info info = query();
  EXPECT_EQ(info.array_rows, 16u);
  EXPECT_EQ(info.sram_bytes, 384u * 1024);
  EXPECT_EQ(info.dram_millibytes_per_cycle, 8000u);
  ASSERT_NE(avocet_sim_config(), nullptr);
  EXPECT_NE(std::strstr(avocet_sim_config(), "avocet_256"), nullptr) << avocet_sim_config();
}

TEST_F(EndToEnd, JobsOfTwoContextsAcrossSeveralRingLengths) {
  constexpr uint32_t kBytes = 256;
  struct Side {
    uint32_t context, program;
    avocet_accel_buffer_create in, out;
    int8_t *from, *to;
    int64_t last;
  } sides[2];
  for (auto& s : sides) {
    s.context = context();
    s.program = program(s.context, copy_stream(0, 1, 0, kBytes));
    s.in = buffer_full(s.context, kBytes);
    s.out = buffer_full(s.context, kBytes);
    s.from = map(s.in, kBytes);
    s.to = map(s.out, kBytes);
    std::memset(s.from, &s == sides ? 11 : 22, kBytes);
  }
  for (int i = 0; i < 133; i++) {
    for (auto& s : sides) {
      int64_t id;
      while ((id = submit(s.context, copy_job(s.program, s.in.handle, s.out.handle, kBytes))) == -EBUSY)
        ASSERT_EQ(status_of(s.context, s.last), AVOCET_STATUS_OK);
      ASSERT_GT(id, 0);
      s.last = id;
    }
  }
  for (auto& s : sides) {
    EXPECT_EQ(status_of(s.context, s.last), AVOCET_STATUS_OK);
    EXPECT_EQ(counters(s.context).jobs_completed, 133u);
    for (uint32_t i = 0; i < kBytes; i++) ASSERT_EQ(s.to[i], &s == sides ? 11 : 22);
    EXPECT_EQ(avocet_munmap(s.from, kBytes), 0);
    EXPECT_EQ(avocet_munmap(s.to, kBytes), 0);
  }
}

TEST_F(EndToEnd, MappingsAreTheCallers) {
  uint32_t context = this->context();
  auto buffer = buffer_full(context, 10000);
  int8_t *first = map(buffer, 12288), *second = map(buffer, 4096);
  EXPECT_NE(first, second);
  first[17] = 17;
  EXPECT_EQ(second[17], 17) << "two views of one memory";
  EXPECT_EQ(avocet_munmap(first, 4096), -EINVAL) << "not the size that was mapped";
  EXPECT_EQ(avocet_munmap(first + 4096, 4096), -EINVAL);
  EXPECT_EQ(avocet_munmap(first, 10000), 0) << "sizes are rounded to pages";
  EXPECT_EQ(avocet_munmap(first, 10000), -EINVAL);
  EXPECT_EQ(close_buffer(buffer.handle), 0);
  EXPECT_EQ(second[17], 17) << "a mapping keeps the memory";
  EXPECT_EQ(avocet_munmap(second, 4096), 0);
  EXPECT_EQ(counters().memory_bytes, 0u);
  EXPECT_EQ(avocet_mmap(device_, buffer.mmap_offset, 4096), nullptr);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(avocet_mmap(999, 0, 4096), nullptr);
  EXPECT_EQ(errno, EBADF);
}

TEST_F(EndToEnd, FilesAreHandles) {
  int second = avocet_open();
  ASSERT_GE(second, 0);
  EXPECT_NE(second, device_);
  EXPECT_EQ(avocet_close(second), 0);
  EXPECT_EQ(avocet_close(second), -EBADF);
  EXPECT_EQ(avocet_close(-1), -EBADF);
  avocet_accel_context_create create{};
  EXPECT_EQ(avocet_ioctl(second, AVOCET_ACCEL_CONTEXT_CREATE, &create), -EBADF);
}

TEST_F(EndToEnd, DestroyWithJobsInFlight) {
  constexpr uint32_t kBytes = 128 * 1024;
  for (int round = 0; round < 20; round++) {
    uint32_t context = this->context(), program = this->program(context, copy_stream(0, 1, 0, kBytes));
    uint32_t in = buffer(context, kBytes), out = buffer(context, kBytes);
    int64_t last = 0;
    for (int i = 0; i < 32; i++) last = submit(context, copy_job(program, in, out, kBytes));
    ASSERT_GT(last, 0);
    int64_t status = 0;
    std::thread waiter([&] { status = status_of(context, last); });
    ASSERT_EQ(destroy(context), 0);
    waiter.join();
    ASSERT_TRUE(status == AVOCET_STATUS_OK || status == AVOCET_STATUS_ABORTED || status == -ENOENT) << status;
    close_buffer(in);
    close_buffer(out);
    close_program(program);
  }
  EXPECT_EQ(counters().resets, 0u);
  EXPECT_EQ(counters().contexts, 0u);
  EXPECT_EQ(counters().memory_bytes, 0u);
}

TEST_F(EndToEnd, FourThreads) {
  constexpr uint32_t kBytes = 1000;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([this, t] {
      uint32_t context = this->context(), program = this->program(context, copy_stream(0, 1, 0, kBytes));
      auto in = buffer_full(context, kBytes), out = buffer_full(context, kBytes);
      int8_t *from = map(in, kBytes), *to = map(out, kBytes);
      for (int i = 0; i < 200; i++) {
        std::memset(from, t * 31 + i, kBytes);
        int64_t id = submit(context, copy_job(program, in.handle, out.handle, kBytes));
        ASSERT_GT(id, 0);
        ASSERT_EQ(status_of(context, id), AVOCET_STATUS_OK);
        ASSERT_EQ(std::memcmp(from, to, kBytes), 0);
      }
      EXPECT_EQ(avocet_munmap(from, kBytes), 0);
      EXPECT_EQ(avocet_munmap(to, kBytes), 0);
      EXPECT_EQ(destroy(context), 0);
    });
  }
  for (auto& thread : threads) thread.join();
}

// No bar here: what it took is for the reader.
TEST_F(EndToEnd, HowLongAnEmptyJobTakes) {
  uint32_t context = this->context(), program = this->program(context, empty_stream());
  std::vector<int64_t> ns;
  for (int i = 0; i < 2000; i++) {
    int64_t start = now_ns();
    int64_t id = submit(context, program);
    ASSERT_GT(id, 0);
    ASSERT_EQ(status_of(context, id), AVOCET_STATUS_OK);
    ns.push_back(now_ns() - start);
  }
  std::sort(ns.begin(), ns.end());
  RecordProperty("median_ns", std::to_string(ns[ns.size() / 2]));
  std::printf("empty job: median %.1f us, 90 %% below %.1f us\n", static_cast<double>(ns[ns.size() / 2]) / 1000,
              static_cast<double>(ns[ns.size() * 9 / 10]) / 1000);
}

}  // namespace
}  // namespace avocet::test
