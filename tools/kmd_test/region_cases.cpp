// SPDX-License-Identifier: Apache-2.0
// The buffers of a job: handles, bounds, directions.
#include <avocet_isa.h>

#include <cerrno>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

constexpr uint32_t kBytes = 5000;

struct Job {
  Client client;
  CopyWork work{client, kBytes};
  avocet_accel_job job = work.job();

  void expect_refused(int error, const char* what, const Location& where = Location::current()) {
    expect_result(client.submit(work.context(), job), -error, what, where);
  }
  void expect_runs(const Location& where = Location::current()) {
    work.fill(9);
    client.must_complete(work.context(), client.must_submit(work.context(), job), where);
    expect(work.arrived(), "the copied bytes", where);
  }
};

const Case kCases[] = {
    {"region.unknown_buffer", "ENOENT", [] {
       Job j;
       j.job.region[0].handle = 4711;
       j.expect_refused(ENOENT, "handle 4711");
       j.job.region[0].handle = 0xFFFFFFFF;
       j.expect_refused(ENOENT, "handle 2^32 - 1");
     }},
    {"region.program_as_buffer", "a command stream is nobody's data: EINVAL", [] {
       Job j;
       j.job.region[0].handle = j.work.program();
       j.expect_refused(EINVAL, "read");
       j.job = j.work.job();
       j.job.region[1].handle = j.work.program();
       j.expect_refused(EINVAL, "written");
     }},
    {"region.context_as_buffer", "EINVAL", [] {
       Job j;
       j.job.region[0].handle = j.work.context();
       j.expect_refused(EINVAL, "a context");
     }},
    {"region.buffer_of_another_context", "EINVAL", [] {
       Job j;
       j.job.region[0].handle = j.client.buffer(j.client.context(), kBytes).handle;
       j.expect_refused(EINVAL, "a buffer of another context");
     }},
    {"region.buffer_of_another_file", "ENOENT", [] {
       Job j;
       Client other;
       const uint32_t context = other.context();
       uint32_t handle = 0;
       for (int i = 0; i < 50; i++) handle = other.buffer(context, kBytes).handle;
       j.job.region[0].handle = handle;
       j.expect_refused(ENOENT, "a buffer of another file");
     }},
    {"region.that_the_stream_never_uses", "EINVAL", [] {
       Job j;
       j.job.region[5] = j.job.region[0];
       j.expect_refused(EINVAL, "region 5");
     }},
    {"region.missing", "EINVAL", [] {
       Job j;
       j.job.region[1] = {};
       j.expect_refused(EINVAL, "without region 1");
     }},
    {"region.absent_with_values", "handle 0 with a size, offset or flags: EINVAL", [] {
       Job j;
       j.job.region[7].bytes = 1;
       j.expect_refused(EINVAL, "bytes");
       j.job.region[7] = {};
       j.job.region[7].offset = 1;
       j.expect_refused(EINVAL, "offset");
       j.job.region[7] = {};
       j.job.region[7].flags = 1;
       j.expect_refused(EINVAL, "flags");
     }},
    {"region.unknown_flags", "EINVAL", [] {
       Job j;
       j.job.region[0].flags |= 0x80000000;
       j.expect_refused(EINVAL, "flags");
     }},
    {"region.without_flags", "EINVAL", [] {
       Job j;
       j.job.region[0].flags = 0;
       j.expect_refused(EINVAL, "flags 0");
     }},
    {"region.beyond_its_buffer", "the rounded size is the limit: one byte more is EINVAL", [] {
       Job j;
       j.job.region[0].bytes = 8192;
       j.expect_runs();
       j.job.region[0].bytes = 8193;
       j.expect_refused(EINVAL, "bytes");
       j.job.region[0].bytes = kBytes;
       j.job.region[0].offset = 8192 - kBytes + 1;
       j.expect_refused(EINVAL, "offset");
     }},
    {"region.end_that_overflows", "offset + bytes beyond 64 bits: EINVAL", [] {
       Job j;
       j.job.region[0].offset = ~uint64_t{0} - 10;
       j.expect_refused(EINVAL, "offset");
       j.job.region[0].offset = 4096;
       j.job.region[0].bytes = ~uint64_t{0};
       j.expect_refused(EINVAL, "bytes");
     }},
    {"region.of_no_bytes", "EINVAL", [] {
       Job j;
       j.job.region[0].bytes = 0;
       j.expect_refused(EINVAL, "0 bytes");
     }},
    {"region.smaller_than_the_stream_reaches", "EOVERFLOW, one byte is enough", [] {
       Job j;
       j.job.region[0].bytes = kBytes - 1;
       j.expect_refused(EOVERFLOW, "read");
       j.job = j.work.job();
       j.job.region[1].bytes = kBytes - 1;
       j.expect_refused(EOVERFLOW, "written");
     }},
    {"region.written_without_the_flag", "EACCES", [] {
       Job j;
       j.job.region[1].flags = AVOCET_ACCEL_REGION_READ;
       j.expect_refused(EACCES, "region 1");
     }},
    {"region.read_without_the_flag", "EACCES", [] {
       Job j;
       j.job.region[0].flags = AVOCET_ACCEL_REGION_WRITE;
       j.expect_refused(EACCES, "region 0");
     }},
    {"region.written_in_a_read_only_buffer", "EACCES", [] {
       Job j;
       j.job.region[1].handle =
           j.client.buffer(j.work.context(), kBytes, AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY).handle;
       j.expect_refused(EACCES, "a read-only buffer");
       j.job.region[1].flags |= AVOCET_ACCEL_REGION_READ;
       j.expect_refused(EACCES, "with both flags");
     }},
    {"region.read_in_a_read_only_buffer", "runs", [] {
       Job j;
       const Buffer constant = j.client.buffer(j.work.context(), kBytes, AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY);
       Mapping mapping(j.client, constant), target(j.client, j.work.to());
       mapping[77] = 0x99;
       j.job.region[0].handle = constant.handle;
       j.client.must_complete(j.work.context(), j.client.must_submit(j.work.context(), j.job));
       expect_equal(target[77], 0x99, "the byte");
     }},
    {"region.at_an_offset", "the job sees the part of the buffer from the offset on", [] {
       Job j;
       const Buffer large = j.client.buffer(j.work.context(), 5 * 4096);
       Mapping mapping(j.client, large), target(j.client, j.work.to());
       for (uint32_t i = 0; i < kBytes; i++) mapping[4096 + 17 + i] = static_cast<uint8_t>(i);
       j.job.region[0] = {large.handle, AVOCET_ACCEL_REGION_READ, 4096 + 17, kBytes};
       j.client.must_complete(j.work.context(), j.client.must_submit(j.work.context(), j.job));
       for (uint32_t i = 0; i < kBytes; i++) expect_equal(target[i], static_cast<uint8_t>(i), "a byte");
     }},
    {"region.two_in_one_buffer", "halves of one buffer as source and target", [] {
       Job j;
       const Buffer both = j.client.buffer(j.work.context(), 4 * 4096);
       Mapping mapping(j.client, both);
       mapping[4999] = 0x33;
       j.job.region[0] = {both.handle, AVOCET_ACCEL_REGION_READ, 0, kBytes};
       j.job.region[1] = {both.handle, AVOCET_ACCEL_REGION_WRITE, 8192, kBytes};
       j.client.must_complete(j.work.context(), j.client.must_submit(j.work.context(), j.job));
       expect_equal(mapping[8192 + 4999], 0x33, "the byte");
     }},
    {"region.bytes_around_stay", "a job writes not one byte in front of or behind its region", [] {
       Job j;
       const Buffer large = j.client.buffer(j.work.context(), 4 * 4096);
       Mapping mapping(j.client, large);
       for (uint32_t i = 0; i < 4 * 4096; i++) mapping[i] = 0xC3;
       j.work.fill(4);
       j.job.region[1] = {large.handle, AVOCET_ACCEL_REGION_WRITE, 1001, kBytes};
       j.client.must_complete(j.work.context(), j.client.must_submit(j.work.context(), j.job));
       for (uint32_t i = 0; i < 4 * 4096; i++)
         if (i < 1001 || i >= 1001 + kBytes) expect_equal(mapping[i], 0xC3, "a byte outside");
     }},
};

}  // namespace

std::span<const Case> region_cases() { return kCases; }

}  // namespace avocet::kmd
