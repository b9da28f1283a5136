// SPDX-License-Identifier: Apache-2.0
// Exported and imported buffers: one memory, several handles, addresses and owners.
#include <fcntl.h>
#include <sys/eventfd.h>

#include "fixture.hpp"

namespace avocet::test {
namespace {

class Exports : public DriverTest {
 protected:
  uint8_t* memory(CoreClient& file, uint32_t handle) {
    avocet_buffer* buffer = nullptr;
    EXPECT_EQ(avocet_buffer_for_mmap(file.file(), file.info(handle).mmap_offset, 4096, &buffer), 0);
    uint8_t* data = buffer->mapping.pages->memory.cpu;
    avocet_object_put(&buffer->object);
    return data;
  }
  uint64_t bytes() { return client->counters().memory_bytes; }
  uint64_t swept() { return client->query<avocet_accel_memory>(AVOCET_ACCEL_QUERY_MEMORY).descriptors; }
};

TEST_F(Exports, AnImportedBufferIsTheSameMemory) {
  CoreClient reader(fake.device);
  uint32_t from = client->context(), to = reader.context();
  uint32_t buffer = client->buffer(from, 3 * 4096);
  Descriptor fd(client->export_buffer(buffer));
  ASSERT_GE(fd.get(), 0);
  avocet_accel_buffer_import a;
  ASSERT_EQ(reader.import_buffer(to, fd.get(), &a), 0);
  EXPECT_EQ(a.bytes, 3u * 4096);
  EXPECT_EQ(memory(reader, a.handle), memory(*client, buffer));
  EXPECT_EQ(reader.info(a.handle).iova, a.iova);
  EXPECT_EQ(reader.info(a.handle).context, to);
  EXPECT_EQ(bytes(), 3u * 4096) << "counted once";
  auto mine = client->query<avocet_accel_memory>(AVOCET_ACCEL_QUERY_MEMORY);
  auto theirs = reader.query<avocet_accel_memory>(AVOCET_ACCEL_QUERY_MEMORY);
  EXPECT_EQ(mine.file_bytes, 3u * 4096);
  EXPECT_EQ(theirs.file_bytes, 0u);
  EXPECT_EQ(theirs.file_buffers, 1u);
}

TEST_F(Exports, TheDeviceReachesItAtBothAddresses) {
  uint32_t from = client->context(), to = client->context();
  uint32_t pad = client->buffer(to, 4096);
  auto buffer = client->buffer_full(from, 4096);
  Descriptor fd(client->export_buffer(buffer.handle));
  avocet_accel_buffer_import a;
  ASSERT_EQ(client->import_buffer(to, fd.get(), &a), 0);
  EXPECT_NE(a.iova, buffer.iova) << "an address of its own";
  ASSERT_EQ(client->status_of(from, client->submit(from, client->program(from, empty_stream()))), AVOCET_STATUS_OK);
  void* first = fake.translate(buffer.iova);
  ASSERT_EQ(client->status_of(to, client->submit(to, client->program(to, empty_stream()))), AVOCET_STATUS_OK);
  EXPECT_EQ(fake.translate(a.iova), first);
  EXPECT_EQ(client->close_buffer(pad), 0);
}

TEST_F(Exports, MemoryLivesAsLongAsAnyOfItsOwners) {
  uint32_t from = client->context();
  uint32_t buffer = client->buffer(from, 4096);
  Descriptor fd(client->export_buffer(buffer));
  memory(*client, buffer)[7] = 77;
  EXPECT_EQ(client->close_buffer(buffer), 0);
  EXPECT_EQ(client->destroy(from), 0);
  EXPECT_EQ(bytes(), 4096u) << "the descriptor keeps it";
  CoreClient later(fake.device);
  uint32_t to = later.context();
  avocet_accel_buffer_import a;
  ASSERT_EQ(later.import_buffer(to, fd.get(), &a), 0);
  fd.close();
  EXPECT_EQ(swept(), 0u);
  EXPECT_EQ(memory(later, a.handle)[7], 77);
  EXPECT_EQ(bytes(), 4096u) << "the imported buffer keeps it";
  later.close();
  EXPECT_EQ(bytes(), 0u);
}

TEST_F(Exports, ADescriptorAloneKeepsMemoryUntilItIsClosed) {
  uint32_t context = client->context();
  uint32_t buffer = client->buffer(context, 4096);
  Descriptor fd(client->export_buffer(buffer)), copy(dup(fd.get()));
  EXPECT_EQ(client->close_buffer(buffer), 0);
  fd.close();
  EXPECT_EQ(swept(), 1u);
  EXPECT_EQ(bytes(), 4096u);
  copy.close();
  EXPECT_EQ(swept(), 0u);
  EXPECT_EQ(bytes(), 0u);
}

TEST_F(Exports, AClosedFileLeavesItsExportsUsable) {
  auto owner = std::make_unique<CoreClient>(fake.device);
  Descriptor fd(owner->export_buffer(owner->buffer(owner->context(), 4096)));
  owner.reset();
  avocet_accel_buffer_import a;
  ASSERT_EQ(client->import_buffer(client->context(), fd.get(), &a), 0);
  memory(*client, a.handle)[0] = 1;
}

TEST_F(Exports, TwiceIntoTheSameContext) {
  uint32_t context = client->context();
  auto buffer = client->buffer_full(context, 4096);
  Descriptor fd(client->export_buffer(buffer.handle));
  avocet_accel_buffer_import a, b;
  ASSERT_EQ(client->import_buffer(context, fd.get(), &a), 0);
  ASSERT_EQ(client->import_buffer(context, fd.get(), &b), 0);
  EXPECT_NE(a.iova, b.iova);
  EXPECT_NE(a.handle, b.handle);
  EXPECT_EQ(client->close_buffer(buffer.handle), 0);
  EXPECT_EQ(client->close_buffer(a.handle), 0);
  memory(*client, b.handle)[0] = 9;
}

TEST_F(Exports, RightsDoNotGrow) {
  uint32_t context = client->context();
  uint32_t buffer = client->buffer(context, 4096, AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY);
  Descriptor fd(client->export_buffer(buffer));
  avocet_accel_buffer_import a;
  EXPECT_EQ(client->import_buffer(context, fd.get(), &a), -EACCES);
  EXPECT_EQ(client->import_buffer(context, fd.get(), &a, AVOCET_ACCEL_BUFFER_NO_MMAP), -EACCES);
  ASSERT_EQ(client->import_buffer(context, fd.get(), &a, AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY), 0);
  uint32_t copy = client->program(context, copy_stream(0, 1, 0, 64)), scratch = client->buffer(context, 4096);
  EXPECT_EQ(client->submit(context, copy_job(copy, scratch, a.handle, 4096)), -EACCES);
}

TEST_F(Exports, Refusals) {
  uint32_t context = client->context(), buffer = client->buffer(context, 4096);
  avocet_accel_buffer_export e{};
  e.handle = buffer;
  e.flags = 1;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_EXPORT, &e), -EINVAL);
  e.flags = 0;
  e.pad = 1;
  EXPECT_EQ(client->ioctl(AVOCET_ACCEL_BUFFER_EXPORT, &e), -EINVAL);
  for (uint32_t handle : {0u, 99u, context, client->program(context, empty_stream())})
    EXPECT_EQ(client->export_buffer(handle), -ENOENT);

  avocet_accel_buffer_import a;
  Descriptor fd(client->export_buffer(buffer)), event(eventfd(0, 0)), null(open("/dev/null", O_RDONLY)),
      fence(client->reset_fence(0));
  EXPECT_EQ(client->import_buffer(context, fd.get(), &a, 4), -EINVAL);
  EXPECT_EQ(client->import_buffer(0, fd.get(), &a), -ENOENT);
  EXPECT_EQ(client->import_buffer(buffer, fd.get(), &a), -ENOENT);
  EXPECT_EQ(client->import_buffer(context, -1, &a), -EBADF);
  for (const Descriptor* d : {&event, &null, &fence}) EXPECT_EQ(client->import_buffer(context, d->get(), &a), -EINVAL);
  int number = fd.get();
  fd.close();
  EXPECT_EQ(client->import_buffer(context, number, &a), -EBADF) << "closed";
  Descriptor other(open("/dev/null", O_RDONLY));
  EXPECT_EQ(client->import_buffer(context, number, &a), -EINVAL) << "the number means something else now";
}

TEST_F(Exports, ManyExportsLeakNothing) {
  uint32_t context = client->context(), buffer = client->buffer(context, 4096);
  for (int i = 0; i < 10000; i++) {
    Descriptor fd(client->export_buffer(buffer));
    ASSERT_GE(fd.get(), 0) << i;
  }
  EXPECT_EQ(swept(), 0u);
  EXPECT_EQ(client->close_buffer(buffer), 0);
  EXPECT_EQ(bytes(), 0u);
}

}  // namespace
}  // namespace avocet::test
