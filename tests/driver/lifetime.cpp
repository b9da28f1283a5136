// SPDX-License-Identifier: Apache-2.0
// Who keeps what alive: handles, mappings, unfinished jobs, contexts, files, the device.
#include "fixture.hpp"

namespace avocet::test {
namespace {

class Lifetime : public DriverTest {
 protected:
  uint64_t memory() { return client->counters().memory_bytes; }
  Ending hold() { return {.hold = true}; }
};

TEST_F(Lifetime, BufferIsZeroedPagesWithAnAddressOfItsOwn) {
  uint32_t context = client->context();
  auto a = client->buffer_full(context, 1), b = client->buffer_full(context, 4097);
  auto ia = client->info(a.handle), ib = client->info(b.handle);
  EXPECT_EQ(ia.bytes, 4096u);
  EXPECT_EQ(ib.bytes, 8192u);
  EXPECT_EQ(ia.context, context);
  EXPECT_EQ(ia.iova, a.iova);
  EXPECT_EQ(ia.mmap_offset, a.mmap_offset);
  EXPECT_GE(a.iova, 0x10000u);
  EXPECT_GE(b.iova, a.iova + 2 * 4096) << "a guard page between buffers";
  EXPECT_EQ(memory(), 3 * 4096u);
  avocet_buffer* buffer;
  ASSERT_EQ(avocet_buffer_for_mmap(client->file(), b.mmap_offset, 8192, &buffer), 0);
  for (int i = 0; i < 8192; i++) ASSERT_EQ(buffer->mapping.pages->memory.cpu[i], 0);
  memset(buffer->mapping.pages->memory.cpu, 0xAA, 8192);
  avocet_object_put(&buffer->object);
  EXPECT_EQ(client->close_buffer(b.handle), 0);
  auto again = client->buffer_full(context, 8192);
  ASSERT_EQ(avocet_buffer_for_mmap(client->file(), again.mmap_offset, 8192, &buffer), 0);
  for (int i = 0; i < 8192; i++) ASSERT_EQ(buffer->mapping.pages->memory.cpu[i], 0) << "an earlier owner's data";
  avocet_object_put(&buffer->object);
}

TEST_F(Lifetime, HandlesAreNotUsedAgainAtOnce) {
  uint32_t context = client->context();
  uint32_t first = client->buffer(context, 4096);
  EXPECT_EQ(client->close_buffer(first), 0);
  EXPECT_NE(client->buffer(context, 4096), first);
}

TEST_F(Lifetime, MappingOutlivesHandleContextAndFile) {
  uint32_t context = client->context();
  auto a = client->buffer_full(context, 4096);
  avocet_buffer* buffer;
  ASSERT_EQ(avocet_buffer_for_mmap(client->file(), a.mmap_offset, 4096, &buffer), 0);
  EXPECT_EQ(client->close_buffer(a.handle), 0);
  buffer->mapping.pages->memory.cpu[5] = 55;
  EXPECT_EQ(client->destroy(context), 0);
  buffer->mapping.pages->memory.cpu[6] = 66;
  EXPECT_EQ(memory(), 4096u);
  client->close();
  EXPECT_EQ(buffer->mapping.pages->memory.cpu[5] + buffer->mapping.pages->memory.cpu[6], 121);
  avocet_object_put(&buffer->object);
  client = std::make_unique<CoreClient>(fake.device);
  EXPECT_EQ(memory(), 0u);
}

TEST_F(Lifetime, BuffersAndProgramOfAJobInFlightStay) {
  fake.on_job(hold());
  uint32_t context = client->context();
  uint32_t in = client->buffer(context, 4096), out = client->buffer(context, 4096);
  uint32_t program = client->program(context, copy_stream(0, 1, 0, 4096));
  uint64_t out_iova = client->info(out).iova;
  int64_t job = client->submit(context, copy_job(program, in, out, 4096));
  ASSERT_GT(job, 0);
  while (!fake.holds_a_job()) std::this_thread::yield();
  EXPECT_EQ(client->info(out).busy, 1u);
  EXPECT_EQ(client->close_buffer(in), 0);
  EXPECT_EQ(client->close_buffer(out), 0);
  EXPECT_EQ(client->close_program(program), 0);
  EXPECT_NE(fake.translate(out_iova, true), nullptr) << "the job still writes there";
  fake.release();
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_OK);
  EXPECT_EQ(memory(), 0u) << "the next request releases them";
  EXPECT_EQ(fake.translate(out_iova), nullptr);
}

TEST_F(Lifetime, AClosedBufferIsOutOfTheDevicesReach) {
  uint32_t context = client->context();
  uint32_t program = client->program(context, empty_stream());
  auto a = client->buffer_full(context, 4096);
  EXPECT_EQ(client->status_of(context, client->submit(context, program)), AVOCET_STATUS_OK);
  EXPECT_NE(fake.translate(a.iova), nullptr);
  uint32_t before = fake.invalidations;
  EXPECT_EQ(client->close_buffer(a.handle), 0);
  EXPECT_EQ(fake.translate(a.iova), nullptr);
  EXPECT_EQ(fake.invalidations, before + 1) << "its translations may be cached";
  auto b = client->buffer_full(context, 4096);
  before = fake.invalidations;
  EXPECT_EQ(client->close_buffer(b.handle), 0);
  EXPECT_EQ(fake.invalidations, before) << "no job ran since: nothing can be cached";
}

TEST_F(Lifetime, ContextsDoNotSeeEachOther) {
  std::vector<uint64_t> iovas;
  uint32_t first = client->context(), second = client->context();
  auto a = client->buffer_full(first, 4096), b = client->buffer_full(first, 4096), c = client->buffer_full(second, 4096);
  EXPECT_EQ(client->status_of(first, client->submit(first, client->program(first, empty_stream()))), 0);
  void* through_first = fake.translate(a.iova);
  ASSERT_NE(through_first, nullptr);
  EXPECT_NE(fake.translate(b.iova), nullptr);
  EXPECT_EQ(client->status_of(second, client->submit(second, client->program(second, empty_stream()))), 0);
  EXPECT_EQ(a.iova, c.iova) << "equal addresses, different memory";
  EXPECT_NE(fake.translate(c.iova), nullptr);
  EXPECT_NE(fake.translate(c.iova), through_first);
}

TEST_F(Lifetime, ReadOnlyBuffersAndProgramsCannotBeWrittenByTheDevice) {
  uint64_t stream = 0;
  fake.on_job([&](const avocet_job& job) {
    stream = job.stream;
    return Ending{};
  });
  uint32_t context = client->context();
  auto a = client->buffer_full(context, 4096, AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY);
  EXPECT_EQ(client->status_of(context, client->submit(context, client->program(context, empty_stream()))), 0);
  EXPECT_NE(fake.translate(a.iova), nullptr);
  EXPECT_EQ(fake.translate(a.iova, true), nullptr);
  EXPECT_NE(fake.translate(stream), nullptr);
  EXPECT_EQ(fake.translate(stream, true), nullptr);
}

TEST_F(Lifetime, AProgramIsTheCallersCopyAtCreation) {
  std::vector<uint32_t> seen;
  fake.on_job([&](const avocet_job& job) {
    for (uint32_t i = 0; i < job.stream_bytes; i += 4)
      seen.push_back(*static_cast<uint32_t*>(fake.translate(job.stream + i)));
    return Ending{};
  });
  uint32_t context = client->context();
  auto words = copy_stream(0, 1, 0, 64);
  const auto original = words;
  uint32_t in = client->buffer(context, 64);
  uint32_t program = client->program(context, words);
  std::fill(words.begin(), words.end(), 0);
  EXPECT_EQ(client->status_of(context, client->submit(context, copy_job(program, in, in, 64))), AVOCET_STATUS_OK);
  EXPECT_EQ(seen, original);
}

TEST_F(Lifetime, ProgramTellsHowItUsesItsRegions) {
  uint32_t context = client->context();
  auto words = copy_stream(2, 5, 100, 28);
  auto a = client->program_arguments(context, words);
  ASSERT_EQ(client->ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &a), 0);
  EXPECT_EQ(a.tags, 2u);
  for (uint32_t i = 0; i < AVOCET_ACCEL_REGIONS; i++) {
    EXPECT_EQ(a.region_bytes[i], i == 2 || i == 5 ? 128u : 0u);
    const uint32_t reads = AVOCET_ACCEL_REGION_READ, writes = AVOCET_ACCEL_REGION_WRITE;
    EXPECT_EQ(a.region_flags[i], i == 2 ? reads : i == 5 ? writes : 0u);
  }
}

TEST_F(Lifetime, DestroyedContextAbortsItsJobsAndForgetsThem) {
  fake.on_job(hold());
  uint32_t context = client->context(), other = client->context();
  uint32_t program = client->program(context, empty_stream());
  std::vector<int64_t> jobs;
  for (int i = 0; i < 10; i++) jobs.push_back(client->submit(context, program));
  int64_t status = 0;
  std::thread waiter([&] { status = client->status_of(context, jobs[9]); });
  while (!fake.holds_a_job()) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(client->destroy(context), 0);
  waiter.join();
  EXPECT_EQ(status, AVOCET_STATUS_ABORTED);
  EXPECT_EQ(client->wait(context, jobs[0], 0), -ENOENT);
  EXPECT_EQ(client->submit(context, program), -ENOENT);
  auto counters = client->counters();
  EXPECT_EQ(counters.jobs_failed, 10u);
  EXPECT_EQ(counters.contexts, 1u);
  fake.on_job(Ending{});
  EXPECT_EQ(client->status_of(other, client->submit(other, client->program(other, empty_stream()))), AVOCET_STATUS_OK);
}

TEST_F(Lifetime, BuffersOfADestroyedContextLoseTheirUse) {
  uint32_t first = client->context();
  uint32_t buffer = client->buffer(first, 4096);
  EXPECT_EQ(client->destroy(first), 0);
  EXPECT_EQ(client->info(buffer).bytes, 4096u);
  uint32_t second = client->context();
  uint32_t program = client->program(second, copy_stream(0, 1, 0, 64));
  EXPECT_EQ(client->submit(second, copy_job(program, buffer, buffer, 64)), -EINVAL);
  EXPECT_EQ(client->close_buffer(buffer), 0);
}

TEST_F(Lifetime, ClosingAFileEndsItsJobsOnly) {
  fake.on_job(hold());
  CoreClient other(fake.device);
  uint32_t mine = client->context(), theirs = other.context();
  ASSERT_GT(client->submit(mine, client->program(mine, empty_stream())), 0);
  int64_t job = other.submit(theirs, other.program(theirs, empty_stream()));
  while (!fake.holds_a_job()) std::this_thread::yield();
  client->buffer(mine, 1 << 20);
  client->close();
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.release();
  EXPECT_EQ(other.status_of(theirs, job), AVOCET_STATUS_OK);
  client = std::make_unique<CoreClient>(fake.device);
  EXPECT_EQ(client->counters().contexts, 1u);
}

TEST_F(Lifetime, ManyBufferCyclesLeakNothing) {
  uint32_t context = client->context();
  uint64_t first = client->buffer_full(context, 4096).iova;
  for (int i = 0; i < 70000; i++) {
    auto a = client->buffer_full(context, 4096 * (1 + i % 3));
    ASSERT_EQ(a.iova, first + 2 * 4096) << "cycle " << i;
    ASSERT_EQ(client->close_buffer(a.handle), 0);
  }
  EXPECT_EQ(memory(), 4096u);
}

TEST_F(Lifetime, ThousandContextsLeakNothing) {
  for (int i = 0; i < 1000; i++) {
    uint32_t context = client->context();
    client->buffer(context, 4096);
    ASSERT_EQ(client->destroy(context), 0);
  }
  EXPECT_EQ(client->counters().contexts, 0u);
}

TEST_F(Lifetime, UnpluggedDevice) {
  fake.on_job(hold());
  uint32_t context = client->context();
  uint32_t program = client->program(context, empty_stream()), buffer = client->buffer(context, 4096);
  int64_t job = client->submit(context, program);
  int64_t status = 0;
  std::thread waiter([&] { status = client->status_of(context, job); });
  while (!fake.holds_a_job()) std::this_thread::yield();
  fake.gone = true;
  avocet_device_get(fake.device);
  avocet_device_remove(fake.device);
  waiter.join();
  EXPECT_EQ(status, AVOCET_STATUS_ABORTED) << "its fence signals";
  EXPECT_EQ(client->submit(context, program), -ENODEV);
  avocet_accel_context_create create{};
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &create), -ENODEV);
  avocet_file* file;
  EXPECT_EQ(avocet_file_open(fake.device, &file), -ENODEV);
  EXPECT_EQ(client->status_of(context, job), AVOCET_STATUS_ABORTED) << "an open file survives";
  EXPECT_EQ(client->close_buffer(buffer), 0);
  EXPECT_EQ(client->destroy(context), 0);
}

}  // namespace
}  // namespace avocet::test
