// SPDX-License-Identifier: Apache-2.0
// Every reason for which a request is refused, one test each; and that a refusal leaves nothing behind.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "fixture.hpp"

namespace avocet::test {
namespace {

class Refusal : public DriverTest {
 protected:
  Refusal() {
    context = client->context();
    input = client->buffer(context, 8192);
    output = client->buffer(context, 8192);
    copy = client->program(context, copy_stream(0, 1, 0, 4096));
    job = copy_job(copy, input, output, 4096);
  }
  ~Refusal() override {
    EXPECT_EQ(fake.jobs_started, 0u) << "a refused job must not start";
    EXPECT_GT(client->submit(context, copy_job(copy, input, output, 4096)), 0) << "a refusal must leave the context usable";
  }

  /// SUBMIT of the changed job.
  int64_t submit() { return client->submit(context, job); }
  avocet_accel_submit submit_arguments(std::vector<avocet_accel_job>& jobs) {
    avocet_accel_submit a{};
    a.context = context;
    a.job_count = static_cast<uint32_t>(jobs.size());
    a.job_struct_size = sizeof(avocet_accel_job);
    a.jobs = reinterpret_cast<uint64_t>(jobs.data());
    return a;
  }

  uint32_t context, input, output, copy;
  avocet_accel_job job;
};

// ---- requests ----

TEST_F(Refusal, UnknownRequest) {
  uint64_t nothing[32] = {};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_IOWR(11, avocet_accel_submit), nothing), -ENOTTY);
  EXPECT_EQ(client->ioctl(0, nothing), -ENOTTY);
  EXPECT_EQ(client->ioctl(~0ul, nothing), -ENOTTY);
}
TEST_F(Refusal, RequestWithAnotherSize) {
  avocet_accel_submit a{};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_IOWR(8, uint64_t), &a), -ENOTTY);
}
TEST_F(Refusal, ArgumentNowhere) {
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_QUERY, nullptr), -EFAULT);
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, reinterpret_cast<void*>(~0ull - 8)), -EFAULT);
}

// ---- QUERY, COUNTERS ----

TEST_F(Refusal, QueryOfUnknownType) {
  avocet_accel_query a{7, 0, 0};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_QUERY, &a), -EINVAL);
}
TEST_F(Refusal, QueryIntoNowhere) {
  avocet_accel_query a{AVOCET_ACCEL_QUERY_INFO, 96, 8};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_QUERY, &a), -EFAULT);
}
TEST_F(Refusal, CountersOfUnknownContext) {
  avocet_accel_counters_get a{99, 0, 0};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_COUNTERS, &a), -ENOENT);
}

// ---- contexts ----

TEST_F(Refusal, ContextFlags) {
  avocet_accel_context_create a{1, 0};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &a), -EINVAL);
}
TEST_F(Refusal, ContextDestroyPad) {
  avocet_accel_context_destroy a{context, 1};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_CONTEXT_DESTROY, &a), -EINVAL);
}
TEST_F(Refusal, ContextDestroyUnknown) {
  EXPECT_EQ(client->destroy(77), -ENOENT);
  EXPECT_EQ(client->destroy(0), -ENOENT);
  EXPECT_EQ(client->destroy(input), -ENOENT) << "a buffer is no context";
}
TEST_F(Refusal, MoreContextsThanTheDeviceHas) {
  std::vector<uint32_t> all;
  for (unsigned i = 1; i < AVOCET_CONTEXTS_MAX - 1; i++) all.push_back(client->context());
  avocet_accel_context_create a{};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &a), -ENOSPC);
  EXPECT_EQ(client->destroy(all[5]), 0);
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &a), 0);
}

// ---- buffers ----

TEST_F(Refusal, BufferOfNoBytes) {
  avocet_accel_buffer_create a{};
  a.context = context;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_CREATE, &a), -EINVAL);
}
TEST_F(Refusal, BufferPadAndFlags) {
  avocet_accel_buffer_create a{};
  a.context = context;
  a.bytes = 4096;
  a.pad = 1;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_CREATE, &a), -EINVAL);
  a.pad = 0;
  a.flags = 4;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_CREATE, &a), -EINVAL);
}
TEST_F(Refusal, BufferInUnknownContext) {
  avocet_accel_buffer_create a{};
  a.bytes = 4096;
  for (uint32_t handle : {0u, 99u, input, copy}) {
    a.context = handle;
    EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_CREATE, &a), -ENOENT);
  }
}
TEST_F(Refusal, BufferLargerThanTheAddressSpace) {
  avocet_accel_buffer_create a{};
  a.context = context;
  for (uint64_t bytes : {0x100000000ull, 0xFFFFFFFFFFFFF000ull, 0xFFFFFFFFFFFFFFFFull, 0x8000000000000000ull}) {
    a.bytes = bytes;
    EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_CREATE, &a), -ENOSPC);
  }
}
TEST_F(Refusal, AddressSpaceFull) {
  avocet_accel_buffer_create a{};
  a.context = context;
  a.bytes = 0x60000000;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_CREATE, &a), 0);
  uint32_t first = a.handle;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_CREATE, &a), 0);
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_CREATE, &a), -ENOSPC);
  EXPECT_EQ(client->close_buffer(first), 0);
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_CREATE, &a), 0);
}
TEST_F(Refusal, BufferInfoAndCloseOfUnknownHandles) {
  avocet_accel_buffer_info a{};
  for (uint32_t handle : {0u, 99u, 0xFFFFFFFFu, context, copy}) {
    a.handle = handle;
    EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_INFO, &a), -ENOENT) << handle;
    EXPECT_EQ(client->close_buffer(handle), -ENOENT) << handle;
  }
}
TEST_F(Refusal, BufferClosedTwice) {
  uint32_t handle = client->buffer(context, 1);
  EXPECT_EQ(client->close_buffer(handle), 0);
  EXPECT_EQ(client->close_buffer(handle), -ENOENT);
}
TEST_F(Refusal, BufferClosePad) {
  avocet_accel_buffer_close a{input, 1};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_CLOSE, &a), -EINVAL);
}
TEST_F(Refusal, MmapOfWrongOffsetsAndSizes) {
  uint64_t offset = client->info(input).mmap_offset;
  avocet_buffer* buffer;
  for (uint64_t at : std::initializer_list<uint64_t>{0, offset + 4096, offset + (uint64_t{50} << 32), ~uint64_t{0}, client->info(input).iova})
    EXPECT_EQ(avocet_buffer_for_mmap(client->file(), at, 4096, &buffer), -EINVAL) << at;
  EXPECT_EQ(avocet_buffer_for_mmap(client->file(), offset, 8193, &buffer), -EINVAL);
  EXPECT_EQ(avocet_buffer_for_mmap(client->file(), offset, 0, &buffer), -EINVAL);
  uint32_t hidden = client->buffer(context, 4096, AVOCET_ACCEL_BUFFER_NO_MMAP);
  EXPECT_EQ(client->info(hidden).mmap_offset, ~0ull);
  EXPECT_EQ(avocet_buffer_for_mmap(client->file(), uint64_t{hidden} << 32, 4096, &buffer), -EACCES);
}

// ---- programs ----

class ProgramRefusal : public Refusal {
 protected:
  int create(const std::vector<uint32_t>& words, uint32_t* status = nullptr, uint32_t* position = nullptr) {
    auto a = client->program_arguments(context, words);
    int error = client->ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &a);
    if (status) *status = a.status;
    if (position) *position = a.position;
    return error;
  }
};

TEST_F(ProgramRefusal, Flags) {
  auto words = empty_stream();
  auto a = client->program_arguments(context, words);
  for (uint32_t flags : {2u, 3u, 0x80000000u}) {
    a.flags = flags;
    EXPECT_EQ(client->ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &a), -EINVAL);
  }
}
TEST_F(ProgramRefusal, Sizes) {
  auto words = empty_stream();
  auto a = client->program_arguments(context, words);
  for (uint64_t bytes : {0ull, 2ull, 3ull, 0x4000004ull, ~0ull, ~3ull}) {
    a.bytes = bytes;
    EXPECT_EQ(client->ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &a), -EINVAL) << bytes;
    EXPECT_EQ(a.status, AVOCET_STATUS_OK);
  }
}
TEST_F(ProgramRefusal, UnknownContext) {
  auto words = empty_stream();
  auto a = client->program_arguments(input, words);
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &a), -ENOENT);
}
TEST_F(ProgramRefusal, StreamNowhere) {
  auto words = empty_stream();
  auto a = client->program_arguments(context, words);
  a.stream = 16;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &a), -EFAULT);
}
TEST_F(ProgramRefusal, StreamEndsInUnmappedMemory) {
  long page = sysconf(_SC_PAGESIZE);
  auto* two = static_cast<uint8_t*>(
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(two, MAP_FAILED);
  munmap(two + page, page);
  avocet_accel_program_create a{};
  a.context = context;
  a.stream = reinterpret_cast<uint64_t>(two + page - 8);
  a.bytes = 16;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &a), -EFAULT);
  munmap(two, page);
}
TEST_F(ProgramRefusal, UnknownOpcode) {
  uint32_t status, position;
  EXPECT_EQ(create({avocet_command_header(0xEE, 1, 0)}, &status, &position), -EINVAL);
  EXPECT_EQ(status, AVOCET_STATUS_ILLEGAL_OPCODE);
  EXPECT_EQ(position, 0u);
}
TEST_F(ProgramRefusal, ErrorsHaveTheirPosition) {
  auto words = copy_stream(0, 1, 0, 64);
  uint32_t status, position;
  words.back() = 0;
  EXPECT_EQ(create(words, &status, &position), -EINVAL);
  EXPECT_EQ(status, AVOCET_STATUS_ILLEGAL_OPCODE);
  EXPECT_EQ(position, words.size() - 1);
}
TEST_F(ProgramRefusal, NoEnd) {
  auto words = copy_stream(0, 1, 0, 64);
  words.pop_back();
  uint32_t status;
  EXPECT_EQ(create(words, &status), -EINVAL);
  EXPECT_EQ(status, AVOCET_STATUS_NO_END);
}
TEST_F(ProgramRefusal, CommandCutByTheStreamsEnd) {
  auto words = copy_stream(0, 1, 0, 64);
  words.resize(words.size() - 3);
  uint32_t status;
  EXPECT_EQ(create(words, &status), -EINVAL);
  EXPECT_EQ(status, AVOCET_STATUS_ILLEGAL_LENGTH);
}
TEST_F(ProgramRefusal, RegionBeyondTheLast) {
  uint32_t status;
  EXPECT_EQ(create(copy_stream(8, 1, 0, 64), &status), -EINVAL);
  EXPECT_NE(status, AVOCET_STATUS_OK);
}
TEST_F(ProgramRefusal, MoreThanTheSramHolds) {
  uint32_t status;
  EXPECT_EQ(create(copy_stream(0, 1, 0, 384 * 1024 + 1), &status), -EINVAL);
  EXPECT_EQ(status, AVOCET_STATUS_OUT_OF_RANGE);
}
TEST_F(ProgramRefusal, CloseOfUnknownHandles) {
  for (uint32_t handle : {0u, 99u, context, input}) EXPECT_EQ(client->close_program(handle), -ENOENT);
  avocet_accel_program_close a{copy, 1};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_PROGRAM_CLOSE, &a), -EINVAL);
}

// ---- SUBMIT ----

TEST_F(Refusal, SubmitFlags) {
  std::vector<avocet_accel_job> jobs{job};
  auto a = submit_arguments(jobs);
  a.flags = 1;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), -EINVAL);
}
TEST_F(Refusal, SubmitOfNoJob) {
  std::vector<avocet_accel_job> jobs{job};
  auto a = submit_arguments(jobs);
  a.job_count = 0;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), -EINVAL);
}
TEST_F(Refusal, SubmitOfTooManyJobs) {
  std::vector<avocet_accel_job> jobs(65, job);
  auto a = submit_arguments(jobs);
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), -EINVAL);
  a.job_count = 0xFFFFFFFF;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), -EINVAL);
}
TEST_F(Refusal, JobStructTooSmall) {
  std::vector<avocet_accel_job> jobs{job};
  auto a = submit_arguments(jobs);
  a.job_struct_size = AVOCET_ACCEL_JOB_BYTES_1_0 - 8;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), -EINVAL);
  a.job_struct_size = 0;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), -EINVAL);
  a.job_struct_size = 0x80000000;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), -EINVAL);
}
TEST_F(Refusal, JobStructOfAFutureCallerUsesWhatWeDoNotKnow) {
  struct {
    avocet_accel_job job;
    uint64_t future[20];
  } bigger{job, {}};
  bigger.future[19] = 1;
  avocet_accel_submit a{context, 0, 1, sizeof bigger, reinterpret_cast<uint64_t>(&bigger)};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), -E2BIG);
}
TEST_F(Refusal, JobsNowhere) {
  avocet_accel_submit a{context, 0, 1, sizeof(avocet_accel_job), 64};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), -EFAULT);
  a.jobs = ~0ull - 16;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), -EFAULT);
}
TEST_F(Refusal, JobsInReadOnlyMemory) {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  memcpy(page, &job, sizeof job);
  mprotect(page, 4096, PROT_READ);
  avocet_accel_submit a{context, 0, 1, sizeof(avocet_accel_job), reinterpret_cast<uint64_t>(page)};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_SUBMIT, &a), -EFAULT) << "its id could not be returned";
  munmap(page, 4096);
}
TEST_F(Refusal, SubmitToUnknownContext) {
  EXPECT_EQ(client->submit(99, job), -ENOENT);
  EXPECT_EQ(client->submit(0, job), -ENOENT);
  EXPECT_EQ(client->submit(input, job), -ENOENT);
}
TEST_F(Refusal, JobPriority) {
  job.priority = AVOCET_ACCEL_PRIORITY_HIGH + 1;
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, JobFlags) {
  for (uint32_t flag = 4; flag != 0; flag <<= 1) {
    job.flags = flag;
    EXPECT_EQ(submit(), -EINVAL) << flag;
  }
}
TEST_F(Refusal, JobPad) {
  job.pad = 1;
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, JobWithUnknownProgram) {
  job.program = 99;
  EXPECT_EQ(submit(), -ENOENT);
  job.program = 0;
  EXPECT_EQ(submit(), -ENOENT);
}
TEST_F(Refusal, JobWithABufferAsProgram) {
  job.program = input;
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, JobWithAProgramOfAnotherContext) {
  job.program = client->program(client->context(), copy_stream(0, 1, 0, 4096));
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, JobWithAClosedProgram) {
  uint32_t closed = client->program(context, copy_stream(0, 1, 0, 4096));
  EXPECT_EQ(client->close_program(closed), 0);
  job.program = closed;
  EXPECT_EQ(submit(), -ENOENT);
}
TEST_F(Refusal, RegionWithUnknownBuffer) {
  job.region[0].handle = 99;
  EXPECT_EQ(submit(), -ENOENT);
}
TEST_F(Refusal, RegionWithAClosedBuffer) {
  uint32_t closed = client->buffer(context, 8192);
  EXPECT_EQ(client->close_buffer(closed), 0);
  job.region[0].handle = closed;
  EXPECT_EQ(submit(), -ENOENT);
}
TEST_F(Refusal, RegionWithAProgramAsBuffer) {
  job.region[0].handle = copy;
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, RegionWithAContextAsBuffer) {
  job.region[0].handle = context;
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, RegionWithABufferOfAnotherContext) {
  job.region[0].handle = client->buffer(client->context(), 8192);
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, RegionWithABufferOfAnotherFile) {
  CoreClient other(fake.device);
  for (int i = 0; i < 20; i++) other.context();
  job.region[0].handle = other.buffer(other.context(), 8192);
  EXPECT_EQ(submit(), -ENOENT);
}
TEST_F(Refusal, RegionTheStreamNeverUses) {
  job.region[5] = job.region[0];
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, RegionTheStreamUsesIsMissing) {
  job.region[1] = {};
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, AbsentRegionWithValues) {
  job.region[5].offset = 1;
  EXPECT_EQ(submit(), -EINVAL);
  job.region[5] = {0, AVOCET_ACCEL_REGION_READ, 0, 0};
  EXPECT_EQ(submit(), -EINVAL);
  job.region[5] = {0, 0, 0, 1};
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, RegionFlags) {
  job.region[0].flags = 0;
  EXPECT_EQ(submit(), -EINVAL);
  job.region[0].flags = 4 | AVOCET_ACCEL_REGION_READ;
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, RegionBeyondItsBuffer) {
  job.region[0].offset = 8192 - 4095;
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, RegionWhoseEndOverflows) {
  job.region[0].offset = ~0ull - 4095;
  EXPECT_EQ(submit(), -EINVAL);
  job.region[0].offset = 1;
  job.region[0].bytes = ~0ull;
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, RegionOfNoBytes) {
  job.region[0].bytes = 0;
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, RegionSmallerThanTheStreamReaches) {
  job.region[1].bytes = 4095;
  EXPECT_EQ(submit(), -EOVERFLOW);
}
TEST_F(Refusal, WrittenRegionWithoutTheFlag) {
  job.region[1].flags = AVOCET_ACCEL_REGION_READ;
  EXPECT_EQ(submit(), -EACCES);
}
TEST_F(Refusal, ReadRegionWithoutTheFlag) {
  job.region[0].flags = AVOCET_ACCEL_REGION_WRITE;
  EXPECT_EQ(submit(), -EACCES);
}
TEST_F(Refusal, WrittenRegionInAReadOnlyBuffer) {
  job.region[1].handle = client->buffer(context, 8192, AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY);
  EXPECT_EQ(submit(), -EACCES);
}
TEST_F(Refusal, ProfileWithoutABuffer) {
  job.profile_entries = 1;
  EXPECT_EQ(submit(), -EINVAL);
  job.profile_entries = 0;
  job.profile_offset = 8;
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, ProfileBounds) {
  job.profile = output;
  EXPECT_EQ(submit(), -EINVAL) << "no entries";
  job.profile_entries = 129;  // 64 bytes each
  EXPECT_EQ(submit(), -EINVAL);
  job.profile_entries = 128;
  job.profile_offset = 8;
  EXPECT_EQ(submit(), -EINVAL);
  job.profile_entries = 1;
  job.profile_offset = 4;
  EXPECT_EQ(submit(), -EINVAL) << "misaligned";
  job.profile_entries = 65536;
  job.profile_offset = 0;
  EXPECT_EQ(submit(), -EINVAL);
  job.profile_entries = 1;
  job.profile_offset = ~7ull;
  EXPECT_EQ(submit(), -EINVAL);
}
TEST_F(Refusal, ProfileIntoAReadOnlyBuffer) {
  job.profile = client->buffer(context, 8192, AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY);
  job.profile_entries = 2;
  EXPECT_EQ(submit(), -EACCES);
}
TEST_F(Refusal, DeadlineThatHasPassed) {
  job.deadline_ns = 1;
  EXPECT_EQ(submit(), -ETIME);
}
TEST_F(Refusal, OneBadJobOfManyQueuesNone) {
  std::vector<avocet_accel_job> jobs(5, job);
  jobs[4].region[0].handle = 99;
  EXPECT_EQ(client->submit(context, jobs), -ENOENT);
  EXPECT_EQ(client->counters().jobs_submitted, 0u);
  for (const auto& j : jobs) EXPECT_EQ(j.job_id, 0u);
  EXPECT_EQ(client->info(input).busy, 0u);
}

// ---- WAIT ----

TEST_F(Refusal, WaitFlags) {
  avocet_accel_wait a{};
  a.context = context;
  a.flags = 1;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_WAIT, &a), -EINVAL);
}
TEST_F(Refusal, WaitForUnknownJobs) {
  EXPECT_EQ(client->wait(context, 0, 0), -ENOENT);
  EXPECT_EQ(client->wait(context, 1, 0), -ENOENT);
  EXPECT_EQ(client->wait(context, ~0ull, 0), -ENOENT);
  EXPECT_EQ(client->wait(99, 1, 0), -ENOENT);
}

}  // namespace
}  // namespace avocet::test
