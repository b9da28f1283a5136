// SPDX-License-Identifier: Apache-2.0
// One job on several cores (AVOCET_CONFIG: four_cores.json): they meet at BARRIERs, end together, and fail together.
#include <cerrno>
#include <cstring>
#include <mutex>

#include "avocet_device.h"
#include "avocet_model.h"
#include "client.hpp"

namespace avocet::test {
namespace {

constexpr uint32_t kCores = 4, kShare = 4096, kBytes = kCores * kShare;
constexpr uint32_t kFrom = 0, kTo = 1, kBetween = 2;

/// What the model told of the parts of jobs.
struct Part {
  uint64_t job_id, start, end, waited;
  uint32_t core, status;
};
std::mutex parts_mutex;
std::vector<Part> parts;

std::vector<Part> parts_of(uint64_t job) {
  const std::lock_guard lock(parts_mutex);
  std::vector<Part> found;
  for (const Part& part : parts)
    if (part.job_id == job) found.push_back(part);
  return found;
}

/// Before any test opens the device.
const bool listening = [] {
  avocet_sim_listen(
      [](void*, const avocet_model_job* job) {
        const std::lock_guard lock(parts_mutex);
        parts.push_back({job->job_id, job->start_cycle, job->end_cycle, job->units[AVOCET_UNIT_DMA0].cycles[AVOCET_CYCLE_CORES],
                         job->core, job->status});
      },
      nullptr);
  return true;
}();

/// Copies its share `rounds` times to the buffer between; behind the barrier the next core's share goes to the end of the way.
std::vector<uint32_t> part_stream(uint32_t core, uint32_t rounds) {
  std::vector<uint32_t> words;
  const uint32_t own = core * kShare, next = (core + 1) % kCores * kShare;
  for (uint32_t i = 0; i < rounds; i++) {
    append(words, avocet_dma_load_encode, load_command(kFrom, own, 0, kShare), 0);
    append(words, avocet_dma_store_encode, store_command(kBetween, own, 0, kShare), 0);
  }
  append(words, avocet_barrier_encode, avocet_cmd_barrier{0}, 0);
  append(words, avocet_dma_load_encode, load_command(kBetween, next, 0, kShare), 1);
  append(words, avocet_dma_store_encode, store_command(kTo, own, 0, kShare), 1);
  words.push_back(empty_stream()[0]);
  return words;
}

/// Core 3 comes last to the barrier.
std::vector<uint32_t> gang_stream() {
  std::vector<uint32_t> words;
  for (uint32_t core = 0; core < kCores; core++)
    for (uint32_t word : part_stream(core, core == 3 ? 20 : 1)) words.push_back(word);
  return words;
}

class Gangs : public testing::Test {
 protected:
  Gangs() : client([this](unsigned long request, void* argument) { return avocet_ioctl(device_, request, argument); }) {
    EXPECT_TRUE(listening);
    device_ = avocet_open();
    EXPECT_GE(device_, 0) << avocet_sim_error();
  }
  ~Gangs() override {
    EXPECT_EQ(avocet_sim_set_faults(""), 0);
    avocet_close(device_);
  }

  int create(uint32_t context, const std::vector<uint32_t>& words, avocet_accel_program_create* made) {
    *made = client.program_arguments(context, words);
    made->flags = AVOCET_ACCEL_PROGRAM_GANG;
    return client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, made);
  }

  struct Work {
    uint32_t context = 0;
    avocet_accel_program_create program{};
    avocet_accel_buffer_create from{}, between{}, to{}, profile{};
    uint8_t *source = nullptr, *middle = nullptr, *target = nullptr;
    const avocet_profile* records = nullptr;
  };
  Work prepare(const std::vector<uint32_t>& words) {
    Work work;
    work.context = client.context();
    EXPECT_EQ(create(work.context, words, &work.program), 0) << work.program.status << " at " << work.program.position;
    for (auto* buffer : {&work.from, &work.between, &work.to, &work.profile}) *buffer = client.buffer_full(work.context, kBytes);
    const auto map = [&](const avocet_accel_buffer_create& buffer) {
      return static_cast<uint8_t*>(avocet_mmap(device_, buffer.mmap_offset, kBytes));
    };
    work.source = map(work.from);
    work.middle = map(work.between);
    work.target = map(work.to);
    work.records = reinterpret_cast<const avocet_profile*>(map(work.profile));
    for (uint32_t i = 0; i < kBytes; i++) work.source[i] = static_cast<uint8_t>(i * 7 + i / 251);
    return work;
  }
  avocet_accel_job job_of(const Work& work) {
    avocet_accel_job job{};
    job.program = work.program.handle;
    job.region[kFrom] = {work.from.handle, AVOCET_ACCEL_REGION_READ, 0, kBytes};
    job.region[kTo] = {work.to.handle, AVOCET_ACCEL_REGION_WRITE, 0, kBytes};
    job.region[kBetween] = {work.between.handle, AVOCET_ACCEL_REGION_READ | AVOCET_ACCEL_REGION_WRITE, 0, kBytes};
    job.profile = work.profile.handle;
    job.profile_entries = work.program.tags;
    return job;
  }
  uint64_t submit(const Work& work) {
    std::memset(work.middle, 0, kBytes);
    std::memset(work.target, 0, kBytes);
    const int64_t id = client.submit(work.context, job_of(work));
    EXPECT_GT(id, 0);
    return static_cast<uint64_t>(id);
  }
  avocet_accel_wait wait(const Work& work, uint64_t job) {
    avocet_accel_wait result{};
    EXPECT_EQ(client.wait(work.context, job, in_ms(60000), &result), 0);
    return result;
  }
  bool has_rotated(const Work& work) {
    return client.query<avocet_accel_info>(AVOCET_ACCEL_QUERY_INFO).engine == AVOCET_ENGINE_TIMING ||
           (std::memcmp(work.target, work.source + kShare, kBytes - kShare) == 0 &&
            std::memcmp(work.target + kBytes - kShare, work.source, kShare) == 0);
  }

  int device_ = -1;
  Client client;
};

TEST_F(Gangs, MeetAtABarrier) {
  const Work work = prepare(gang_stream());
  for (int round = 0; round < 2; round++) {  // nothing is left of the first time
    const uint64_t id = submit(work);
    const avocet_accel_wait result = wait(work, id);
    EXPECT_EQ(result.status, AVOCET_STATUS_OK);
    EXPECT_TRUE(has_rotated(work));
    EXPECT_EQ(result.commands, 3 * 5 + 43u);
    const std::vector<Part> told = parts_of(id);
    ASSERT_EQ(told.size(), kCores);
    uint64_t last_start = 0, slowest = 0;
    uint32_t cores = 0;
    for (const Part& part : told) {
      cores |= 1u << part.core;
      last_start = std::max(last_start, part.start);
      if (part.core == 3) slowest = part.waited;
    }
    EXPECT_EQ(cores, 0xFu);
    for (const Part& part : told) {
      EXPECT_GT(part.end, last_start) << "side by side";
      EXPECT_GE(part.start, result.start_cycle);
      if (part.core != 3) { EXPECT_GT(part.waited, slowest) << "the others wait for the last"; }
    }
  }
}

TEST_F(Gangs, TakeTheSameCyclesEveryTime) {
  const Work work = prepare(gang_stream());
  wait(work, submit(work));  // fills the TLB
  const avocet_accel_wait first = wait(work, submit(work)), second = wait(work, submit(work));
  EXPECT_EQ(first.end_cycle - first.start_cycle, second.end_cycle - second.start_cycle);
}

TEST_F(Gangs, EveryCoreHasItsProfile) {
  const Work work = prepare(gang_stream());
  ASSERT_EQ(work.program.tags, 2u);
  EXPECT_EQ(wait(work, submit(work)).status, AVOCET_STATUS_OK);
  for (uint32_t core = 0; core < kCores; core++) {
    EXPECT_EQ(work.records[core * 2].dram_read_bytes, (core == 3 ? 20 : 1) * kShare) << core;
    EXPECT_EQ(work.records[core * 2 + 1].dram_write_bytes, kShare) << core;
  }
  avocet_accel_job job = job_of(work);
  job.profile_entries = kBytes / sizeof(avocet_profile) / kCores;
  EXPECT_GT(client.submit(work.context, job), 0) << "just fits";
  job.profile_entries++;
  EXPECT_EQ(client.submit(work.context, job), -EINVAL);
}

TEST_F(Gangs, TakeTheCoresTheyNeedAndLeaveTheOthers) {
  std::vector<uint32_t> two;
  for (uint32_t core = 0; core < 2; core++)
    for (uint32_t word : part_stream(core, 10)) two.push_back(word);
  std::vector<Work> all;
  std::vector<uint64_t> ids;
  for (int i = 0; i < 2; i++) all.push_back(prepare(two));
  for (int i = 0; i < 2; i++) all.push_back(prepare(gang_stream()));
  for (int round = 0; round < 5; round++)
    for (const Work& work : all) ids.push_back(submit(work));
  for (size_t i = 0; i < ids.size(); i++) EXPECT_EQ(wait(all[i % all.size()], ids[i]).status, AVOCET_STATUS_OK);
  for (uint64_t id : ids) {
    const std::vector<Part> mine = parts_of(id);
    ASSERT_TRUE(mine.size() == 2 || mine.size() == 4);
    for (uint64_t other : ids)
      for (const Part& part : parts_of(other))
        for (const Part& own : mine) {
          const bool apart = part.end <= own.start || own.end <= part.start;
          EXPECT_TRUE(other == id || part.core != own.core || apart) << "a core has one job";
        }
  }
}

TEST_F(Gangs, AFaultOfOneCoreEndsTheJobAndItsContextAlone) {
  const Work healthy = prepare(gang_stream()), work = prepare(gang_stream());
  char fault[96];
  std::snprintf(fault, sizeof fault, "iommu-fault:context=2,iova=0x%llx", // the device numbers contexts in their order
                static_cast<unsigned long long>(work.from.iova + 2 * kShare));
  ASSERT_EQ(avocet_sim_set_faults(fault), 0) << avocet_sim_error();
  const uint64_t id = submit(work), other = submit(healthy);
  const avocet_accel_wait result = wait(work, id);
  EXPECT_EQ(result.status, AVOCET_STATUS_IOMMU_FAULT);
  EXPECT_EQ(result.address, work.from.iova + 2 * kShare);
  EXPECT_EQ(result.position, part_stream(0, 1).size() + part_stream(1, 1).size()) << "the first word of core 2's stream";
  for (const Part& part : parts_of(id))
    EXPECT_EQ(part.status, static_cast<uint32_t>(part.core == 2 ? AVOCET_STATUS_IOMMU_FAULT : AVOCET_STATUS_ABORTED));
  EXPECT_EQ(client.submit(work.context, job_of(work)), -EBADFD);
  EXPECT_EQ(wait(healthy, other).status, AVOCET_STATUS_OK);
  EXPECT_TRUE(has_rotated(healthy));
}

TEST_F(Gangs, AHangOfOneCoreIsFoundThoughTheOthersWait) {
  const Work healthy = prepare(gang_stream()), work = prepare(gang_stream());
  ASSERT_EQ(avocet_sim_set_faults("unit-stuck:nth=9,context=2"), 0) << avocet_sim_error();
  const uint64_t id = submit(work);
  EXPECT_EQ(wait(work, id).status, AVOCET_STATUS_HANG);
  const uint64_t other = submit(healthy);
  EXPECT_EQ(wait(healthy, other).status, AVOCET_STATUS_OK);
  EXPECT_TRUE(has_rotated(healthy));
}

TEST_F(Gangs, ACoreThatEndsIsNotWaitedFor) {
  std::vector<uint32_t> words = empty_stream();
  for (uint32_t word : part_stream(1, 1)) words.push_back(word);
  const Work work = prepare(words);
  EXPECT_EQ(wait(work, submit(work)).status, AVOCET_STATUS_OK);
}

TEST_F(Gangs, Refusals) {
  const uint32_t context = client.context();
  avocet_accel_program_create made{};
  std::vector<uint32_t> words(5, empty_stream()[0]);
  EXPECT_EQ(create(context, words, &made), -EINVAL);
  EXPECT_EQ(made.status, AVOCET_STATUS_NO_END);
  EXPECT_EQ(made.position, 4u) << "the fifth stream";
  words.resize(4);
  EXPECT_EQ(create(context, words, &made), 0);
  made = client.program_arguments(context, words);
  EXPECT_EQ(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &made), -EINVAL) << "without the flag";
  EXPECT_EQ(made.status, AVOCET_STATUS_NO_END);
  EXPECT_EQ(made.position, 1u);
  words[2] = 0xFFFFFFFF;
  EXPECT_EQ(create(context, words, &made), -EINVAL);
  EXPECT_EQ(made.status, AVOCET_STATUS_ILLEGAL_OPCODE);
  EXPECT_EQ(made.position, 2u);
}

}  // namespace
}  // namespace avocet::test
