// SPDX-License-Identifier: Apache-2.0
// Buffers that several contexts and files share: export, import, and the order that their use imposes on jobs.
#include <avocet_isa.h>
#include <unistd.h>

#include <cerrno>

#include "kmd_test/descriptor.hpp"

namespace avocet::kmd {
namespace {

int import(const Client& client, uint32_t context, int fd, uint32_t flags, Buffer* buffer) {
  avocet_accel_buffer_import request{};
  request.context = context;
  request.fd = fd;
  request.flags = flags;
  const int error = client.ioctl(AVOCET_ACCEL_BUFFER_IMPORT, &request);
  *buffer = {request.handle, request.bytes, request.iova, request.mmap_offset};
  return error;
}

Buffer must_import(const Client& client, uint32_t context, int fd) {
  Buffer buffer;
  expect_ok(import(client, context, fd, 0, &buffer), "BUFFER_IMPORT");
  return buffer;
}

int wait_for(const Client& client, uint32_t handle, uint32_t flags, int64_t timeout_ns) {
  avocet_accel_buffer_wait wait{handle, flags, timeout_ns};
  return client.ioctl(AVOCET_ACCEL_BUFFER_WAIT, &wait);
}

const Case kCases[] = {
    {"sharing.same_memory", "what one file writes the other reads, through its own handle and mapping", [] {
       Client one, other;
       const Buffer buffer = one.buffer(one.context(), 5000);
       Mapping mapping(one, buffer);
       const Descriptor fd(export_buffer(one, buffer.handle));
       const Buffer imported = must_import(other, other.context(), fd.get());
       expect_equal(static_cast<int64_t>(imported.bytes), 8192, "bytes");
       Mapping theirs(other, imported);
       mapping[4999] = 0x31;
       expect_equal(theirs[4999], 0x31, "the byte");
     }},
    {"sharing.jobs_of_another_file", "a job writes an imported buffer, its owner sees the bytes", [] {
       Client one, other;
       CopyWork work(other);
       const Buffer target = one.buffer(one.context(), 5000);
       Mapping mapping(one, target), source(other, work.from());
       const Descriptor fd(export_buffer(one, target.handle));
       const Buffer imported = must_import(other, work.context(), fd.get());
       work.fill(4);
       avocet_accel_job job = work.job();
       job.region[1].handle = imported.handle;
       other.must_complete(work.context(), other.must_submit(work.context(), job));
       for (int i = 0; i < 5000; i++) expect_equal(mapping[i], source[i], "a byte");
     }},
    {"sharing.outlives_the_exporter", "handle, context and file of the exporter are closed, the import works", [] {
       Client other;
       CopyWork work(other);
       Buffer imported;
       {
         Client one;
         const Buffer buffer = one.buffer(one.context(), 5000);
         Mapping(one, buffer)[7] = 0x55;
         const Descriptor fd(export_buffer(one, buffer.handle));
         imported = must_import(other, work.context(), fd.get());
       }
       Mapping mapping(other, imported), target(other, work.to());
       expect_equal(mapping[7], 0x55, "the byte");
       avocet_accel_job job = work.job();
       job.region[0].handle = imported.handle;
       other.must_complete(work.context(), other.must_submit(work.context(), job));
       expect_equal(target[7], 0x55, "the copied byte");
     }},
    {"sharing.descriptor_keeps_the_memory", "imported after the exporter is gone", [] {
       Client other;
       Descriptor fd(-1);
       {
         Client one;
         const Buffer buffer = one.buffer(one.context(), 4096);
         Mapping(one, buffer)[1] = 9;
         fd = Descriptor(export_buffer(one, buffer.handle));
       }
       Mapping mapping(other, must_import(other, other.context(), fd.get()));
       expect_equal(mapping[1], 9, "the byte");
     }},
    {"sharing.export_of_an_unknown_handle", "ENOENT", [] {
       Client client;
       avocet_accel_buffer_export request{};
       for (const uint32_t handle : {0u, 99u, client.context()}) {
         request.handle = handle;
         expect_result(client.ioctl(AVOCET_ACCEL_BUFFER_EXPORT, &request), -ENOENT, "BUFFER_EXPORT");
       }
     }},
    {"sharing.export_with_flags_or_pad", "EINVAL, and no descriptor is left", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 4096);
       avocet_accel_buffer_export flags{}, pad{};
       flags.handle = pad.handle = buffer.handle;
       flags.flags = 1;
       pad.pad = 1;
       expect_result(client.ioctl(AVOCET_ACCEL_BUFFER_EXPORT, &flags), -EINVAL, "flags");
       expect_result(client.ioctl(AVOCET_ACCEL_BUFFER_EXPORT, &pad), -EINVAL, "pad");
     }},
    {"sharing.import_of_no_descriptor", "EBADF", [] {
       Client client;
       Buffer buffer;
       expect_result(import(client, client.context(), -1, 0, &buffer), -EBADF, "-1");
       expect_result(import(client, client.context(), 1 << 20, 0, &buffer), -EBADF, "2^20");
     }},
    {"sharing.import_of_another_descriptor", "a pipe is no buffer: EINVAL", [] {
       Client client;
       int ends[2];
       expect(pipe(ends) == 0, "a pipe");
       const Descriptor reading(ends[0]), writing(ends[1]);
       Buffer buffer;
       expect_result(import(client, client.context(), reading.get(), 0, &buffer), -EINVAL, "BUFFER_IMPORT");
     }},
    {"sharing.import_into_an_unknown_context", "ENOENT", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 4096);
       const Descriptor fd(export_buffer(client, buffer.handle));
       Buffer imported;
       expect_result(import(client, 31337, fd.get(), 0, &imported), -ENOENT, "BUFFER_IMPORT");
     }},
    {"sharing.read_only_stays_read_only", "an import cannot drop the flag: EACCES", [] {
       Client client;
       const uint32_t context = client.context();
       const Buffer constant = client.buffer(context, 4096, AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY);
       const Descriptor fd(export_buffer(client, constant.handle));
       Buffer imported;
       expect_result(import(client, context, fd.get(), 0, &imported), -EACCES, "without the flag");
       expect_ok(import(client, context, fd.get(), AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY, &imported), "with it");
     }},
    {"sharing.two_thousand_cycles", "export, import, close: no descriptor and no memory is left", [] {
       Client client;
       const uint32_t context = client.context();
       const int64_t descriptors = settled_descriptors(client), bytes = static_cast<int64_t>(client.counters().memory_bytes);
       for (int i = 0; i < 2000; i++) {
         const Buffer buffer = client.buffer(context, 4096);
         const Descriptor fd(export_buffer(client, buffer.handle));
         const Buffer imported = must_import(client, context, fd.get());
         expect_ok(client.close_buffer(buffer.handle), "BUFFER_CLOSE");
         expect_ok(client.close_buffer(imported.handle), "BUFFER_CLOSE of the import");
       }
       expect_equal(settled_descriptors(client), descriptors, "open descriptors");
       expect_equal(static_cast<int64_t>(client.counters().memory_bytes), bytes, "memory_bytes");
     }, ""},
    {"sharing.a_reader_waits_for_the_writer", "jobs of two contexts that share a buffer run in the order of their submits", [] {
       Client client;
       CopyWork writer(client), reader(client);
       const Descriptor fd(export_buffer(client, writer.to().handle));
       const Buffer imported = must_import(client, reader.context(), fd.get());
       avocet_accel_job job = reader.job();
       job.region[0].handle = imported.handle;
       for (uint32_t round = 0; round < 20; round++) {
         writer.fill(round);
         reader.fill(round);
         const uint64_t first = client.must_submit(writer.context(), writer.job());
         const uint64_t second = client.must_submit(reader.context(), job);
         const auto before = client.must_end(writer.context(), first), after = client.must_end(reader.context(), second);
         expect(before.end_cycle <= after.start_cycle, "the order");
         expect(reader.arrived(), "the writer's bytes");
       }
     }},
    {"sharing.wait_for_a_buffer", "BUFFER_WAIT: ETIMEDOUT while a job uses it, 0 afterwards", [] {
       Client client;
       CopyWork work(client);
       expect_ok(wait_for(client, work.to().handle, 0, 0), "an idle buffer");
       set_faults("doorbell-lost:count=all");
       const uint64_t id = client.must_submit(work.context(), work.job());
       expect_result(wait_for(client, work.to().handle, 0, 0), -ETIMEDOUT, "a poll of the target");
       expect_result(wait_for(client, work.from().handle, 0, 0), -ETIMEDOUT, "a poll of the source, to write it");
       expect_ok(wait_for(client, work.from().handle, AVOCET_ACCEL_BUFFER_WAIT_READ, 0), "of the source, to read it");
       set_faults("");
       client.must_submit_empty(work.context());
       expect_ok(wait_for(client, work.to().handle, 0, in_ms(kBoundMs)), "BUFFER_WAIT");
       client.must_complete(work.context(), id);
     }, ""},
    {"sharing.wait_for_a_buffer_refusals", "unknown handle ENOENT, unknown flags EINVAL", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 4096);
       expect_result(wait_for(client, 4711, 0, 0), -ENOENT, "handle 4711");
       expect_result(wait_for(client, buffer.handle, 0x80000000, 0), -EINVAL, "flags");
     }},
};

}  // namespace

std::span<const Case> sharing_cases() { return kCases; }

}  // namespace avocet::kmd
