// SPDX-License-Identifier: Apache-2.0
// Jobs on a device of several cores (AVOCET_CONFIG: four_cores.json), through avocet_device.h: side by side, sharing the memory.
#include <algorithm>
#include <cstring>

#include "avocet_device.h"
#include "client.hpp"

namespace avocet::test {
namespace {

constexpr uint32_t kBytes = 100000;
constexpr uint32_t kClients = 4;

struct Ended {
  uint64_t start, end;
};

class Cores : public testing::Test {
 protected:
  Cores() : client_([this](unsigned long request, void* argument) { return avocet_ioctl(device_, request, argument); }) {
    device_ = avocet_open();
    EXPECT_GE(device_, 0) << avocet_sim_error();
  }
  ~Cores() override { avocet_close(device_); }

  /// A context with a job that copies `kBytes` `times` over; its bytes are `seed`'s.
  struct Work {
    uint32_t context = 0, program = 0;
    avocet_accel_buffer_create from{}, to{};
    uint8_t *source = nullptr, *target = nullptr;
  };
  Work prepare(uint8_t seed, uint32_t times) {
    Work work;
    work.context = client_.context();
    std::vector<uint32_t> words;
    for (uint32_t i = 0; i < times; i++) {
      append(words, avocet_dma_load_encode, load_command(0, 0, 0, kBytes), 0);
      append(words, avocet_dma_store_encode, store_command(1, 0, 0, kBytes), 1);
    }
    words.push_back(empty_stream()[0]);
    work.program = client_.program(work.context, words);
    work.from = client_.buffer_full(work.context, kBytes);
    work.to = client_.buffer_full(work.context, kBytes);
    work.source = static_cast<uint8_t*>(avocet_mmap(device_, work.from.mmap_offset, kBytes));
    work.target = static_cast<uint8_t*>(avocet_mmap(device_, work.to.mmap_offset, kBytes));
    for (uint32_t i = 0; i < kBytes; i++) work.source[i] = static_cast<uint8_t>(i * 7 + seed);
    std::memset(work.target, 0, kBytes);
    return work;
  }

  int64_t submit(const Work& work) {
    avocet_accel_job job{};
    job.program = work.program;
    job.region[0] = {work.from.handle, AVOCET_ACCEL_REGION_READ, 0, kBytes};
    job.region[1] = {work.to.handle, AVOCET_ACCEL_REGION_WRITE, 0, kBytes};
    return client_.submit(work.context, job);
  }

  /// The device hears of none before all are in their rings: their doorbells are lost, that of an empty job is not.
  std::vector<int64_t> submit_at_once(const std::vector<Work>& work) {
    const uint32_t last = client_.context(), program = client_.program(last, empty_stream());
    EXPECT_EQ(avocet_sim_set_faults("doorbell-lost:count=all"), 0) << avocet_sim_error();
    std::vector<int64_t> jobs;
    for (const Work& one : work) jobs.push_back(submit(one));
    EXPECT_EQ(avocet_sim_set_faults(""), 0);
    EXPECT_GT(client_.submit(last, program), 0);
    return jobs;
  }

  Ended wait(const Work& work, int64_t job) {
    avocet_accel_wait arguments{};
    arguments.context = work.context;
    arguments.job_id = static_cast<uint64_t>(job);
    arguments.timeout_ns = INT64_MAX;
    EXPECT_EQ(client_.ioctl(AVOCET_ACCEL_WAIT, &arguments), 0);
    EXPECT_EQ(arguments.status, AVOCET_STATUS_OK);
    EXPECT_EQ(std::memcmp(work.source, work.target, kBytes), 0);
    return {arguments.start_cycle, arguments.end_cycle};
  }

  int device_ = -1;
  Client client_;
};

TEST_F(Cores, AreReported) {
  avocet_accel_info info{};
  avocet_accel_query query{AVOCET_ACCEL_QUERY_INFO, sizeof info, reinterpret_cast<uint64_t>(&info)};
  ASSERT_EQ(client_.ioctl(AVOCET_ACCEL_QUERY, &query), 0);
  EXPECT_EQ(info.cores, 4u);
}

TEST_F(Cores, JobsOfDifferentContextsRunSideBySide) {
  std::vector<Work> work;
  for (uint8_t i = 0; i < kClients; i++) work.push_back(prepare(i, 40));
  const Ended alone = wait(work[0], submit(work[0]));
  std::memset(work[0].target, 0, kBytes);
  const std::vector<int64_t> jobs = submit_at_once(work);
  std::vector<Ended> ended;
  for (uint32_t i = 0; i < kClients; i++) ended.push_back(wait(work[i], jobs[i]));
  uint64_t last_start = 0, first_end = UINT64_MAX, length = 0;
  for (const Ended& one : ended) {
    last_start = std::max(last_start, one.start);
    first_end = std::min(first_end, one.end);
    length = std::max(length, one.end - one.start);
  }
  EXPECT_LT(last_start, first_end) << "all four ran at once";
  // One channel takes half of the memory's bandwidth at most: four of them compete for it.
  EXPECT_GT(length, (alone.end - alone.start) * 3 / 2);
}

TEST_F(Cores, JobsOfOneContextAndPriorityKeepTheirOrder) {
  const Work work = prepare(9, 2);
  std::vector<int64_t> jobs;
  for (int i = 0; i < 12; i++) jobs.push_back(submit(work));
  uint64_t before = 0;
  for (int64_t job : jobs) {
    const Ended ended = wait(work, job);
    EXPECT_GE(ended.start, before);
    before = ended.end;
  }
}

TEST_F(Cores, AFaultCostsItsOwnContextAlone) {
  std::vector<Work> work;
  for (uint8_t i = 0; i < kClients; i++) work.push_back(prepare(i, 20));
  const uint32_t bad = client_.context();
  const uint32_t program = client_.program(bad, copy_stream(0, 1, 0, 4096));
  const uint32_t buffer = client_.buffer(bad, 4096);
  avocet_accel_job job{};
  job.program = program;
  job.region[0] = {buffer, AVOCET_ACCEL_REGION_READ, 0, 4096};
  job.region[1] = {buffer, AVOCET_ACCEL_REGION_WRITE, 0, 4096};
  ASSERT_EQ(avocet_sim_set_faults("iommu-fault:nth=1,context=5"), 0) << avocet_sim_error();
  std::vector<int64_t> jobs;
  for (const Work& one : work) jobs.push_back(submit(one));
  const int64_t faulting = client_.submit(bad, job);
  for (uint32_t i = 0; i < kClients; i++) wait(work[i], jobs[i]);
  avocet_accel_wait arguments{};
  arguments.context = bad;
  arguments.job_id = static_cast<uint64_t>(faulting);
  arguments.timeout_ns = INT64_MAX;
  EXPECT_EQ(client_.ioctl(AVOCET_ACCEL_WAIT, &arguments), 0);
  EXPECT_EQ(arguments.status, AVOCET_STATUS_IOMMU_FAULT);
  EXPECT_EQ(client_.submit(bad, job), -EBADFD);
  EXPECT_EQ(avocet_sim_set_faults(""), 0);
}

TEST_F(Cores, AResetOfOneCoreCostsItsJobAlone) {
  std::vector<Work> work;
  for (uint8_t i = 0; i < kClients; i++) work.push_back(prepare(i, 20));
  const Work bad = prepare(9, 1);  // the device's context 5
  avocet_accel_reset reset{};
  avocet_accel_query query{AVOCET_ACCEL_QUERY_RESET, sizeof reset, reinterpret_cast<uint64_t>(&reset)};
  ASSERT_EQ(client_.ioctl(AVOCET_ACCEL_QUERY, &query), 0);
  const uint64_t before = reset.engine_resets;
  ASSERT_EQ(avocet_sim_set_faults("unit-stuck:abort=off,context=5"), 0) << avocet_sim_error();
  const int64_t stuck = submit(bad);
  std::vector<int64_t> jobs;
  for (int round = 0; round < 3; round++)  // beside it, on the cores that are left
    for (const Work& one : work) jobs.push_back(submit(one));
  EXPECT_EQ(client_.status_of(bad.context, static_cast<uint64_t>(stuck)), AVOCET_STATUS_HANG);
  for (size_t i = 0; i < jobs.size(); i++) wait(work[i % kClients], jobs[i]);
  ASSERT_EQ(client_.ioctl(AVOCET_ACCEL_QUERY, &query), 0);
  EXPECT_EQ(reset.engine_resets, before + 1);
  EXPECT_EQ(reset.generation, 0u);
  EXPECT_EQ(avocet_sim_set_faults(""), 0);
  const std::vector<int64_t> again = submit_at_once(work);
  uint64_t last_start = 0, first_end = UINT64_MAX;
  for (uint32_t i = 0; i < kClients; i++) {
    const Ended one = wait(work[i], again[i]);
    last_start = std::max(last_start, one.start);
    first_end = std::min(first_end, one.end);
  }
  EXPECT_LT(last_start, first_end) << "all four cores work";
}

}  // namespace
}  // namespace avocet::test
