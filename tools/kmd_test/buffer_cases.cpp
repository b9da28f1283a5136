// SPDX-License-Identifier: Apache-2.0
// Buffers: sizes, addresses, lifetime.
#include <avocet_isa.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "kmd_test/descriptor.hpp"

namespace avocet::kmd {
namespace {

/// Lines that heaps may take beside: a sanitizer's keeps more than the C library's.
#ifdef __SANITIZE_ADDRESS__
constexpr int64_t kHeapMappings = 100;
#else
constexpr int64_t kHeapMappings = 2;
#endif

int64_t mappings() {
  std::ifstream maps("/proc/self/maps");
  int64_t count = 0;
  for (std::string line; std::getline(maps, line);) count++;
  return count;
}

int create(const Client& client, uint32_t context, uint64_t bytes, uint32_t flags, uint32_t pad) {
  avocet_accel_buffer_create create{};
  create.context = context;
  create.bytes = bytes;
  create.flags = flags;
  create.pad = pad;
  return client.ioctl(AVOCET_ACCEL_BUFFER_CREATE, &create);
}

/// Creates, maps, writes, unmaps and closes.
void cycle(const Client& client, uint32_t context, bool map) {
  const Buffer buffer = client.buffer(context, 4096);
  if (map) Mapping(client, buffer)[0] = 1;
  expect_ok(client.close_buffer(buffer.handle), "BUFFER_CLOSE");
}

const Case kCases[] = {
    {"buffer.is_rounded_to_pages", "INFO tells the rounded size and the address", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 4097);
       avocet_accel_buffer_info info;
       expect_ok(client.buffer_info(buffer.handle, &info), "BUFFER_INFO");
       expect_equal(static_cast<int64_t>(info.bytes), 8192, "bytes");
       expect_equal(static_cast<int64_t>(info.iova), static_cast<int64_t>(buffer.iova), "iova");
       expect_equal(static_cast<int64_t>(info.mmap_offset), static_cast<int64_t>(buffer.mmap_offset), "mmap_offset");
       expect_equal(info.busy, 0, "busy");
     }},
    {"buffer.is_zero_filled", "also where the memory had another owner before", [] {
       Client client;
       const uint32_t context = client.context();
       for (int round = 0; round < 3; round++) {
         const Buffer buffer = client.buffer(context, 100000);
         Mapping mapping(client, buffer);
         for (int i = 0; i < 100000; i++) expect_equal(mapping[i], 0, "a byte");
         std::fill(mapping.data(), mapping.data() + 100000, uint8_t{0x5A});
         expect_ok(mapping.unmap(), "munmap");
         expect_ok(client.close_buffer(buffer.handle), "BUFFER_CLOSE");
       }
     }},
    {"buffer.of_no_bytes", "EINVAL", [] {
       Client client;
       expect_result(create(client, client.context(), 0, 0, 0), -EINVAL, "BUFFER_CREATE");
     }},
    {"buffer.pad", "EINVAL", [] {
       Client client;
       expect_result(create(client, client.context(), 1, 0, 1), -EINVAL, "BUFFER_CREATE");
     }},
    {"buffer.unknown_flags", "EINVAL", [] {
       Client client;
       expect_result(create(client, client.context(), 1, 0x40000000, 0), -EINVAL, "BUFFER_CREATE");
     }},
    {"buffer.in_an_unknown_context", "ENOENT", [] {
       Client client;
       expect_result(create(client, 777, 1, 0, 0), -ENOENT, "BUFFER_CREATE");
       expect_result(create(client, client.buffer(client.context(), 1).handle, 1, 0, 0), -ENOENT, "with a buffer's handle");
     }},
    {"buffer.larger_than_the_address_space", "refused with ENOSPC or ENOMEM, also where rounding would overflow", [] {
       Client client;
       const uint32_t context = client.context();
       for (const uint64_t bytes : {uint64_t{1} << 32, uint64_t{1} << 40, ~uint64_t{0}, ~uint64_t{0} - 4094}) {
         const int error = create(client, context, bytes, 0, 0);
         expect(error == -ENOSPC || error == -ENOMEM, "BUFFER_CREATE gives ENOSPC or ENOMEM");
       }
       CopyWork(client).run(1);
     }},
    {"buffer.address_space_full", "ENOSPC; a closed buffer makes room", [] {
       Client client;
       const uint32_t context = client.context();
       const Buffer first = client.buffer(context, 0x60000000);
       client.buffer(context, 0x60000000);
       expect_result(create(client, context, 0x60000000, 0, 0), -ENOSPC, "the third");
       expect_ok(client.close_buffer(first.handle), "BUFFER_CLOSE");
       client.buffer(context, 0x60000000);
     }},
    {"buffer.addresses_do_not_overlap", "device addresses are page aligned, in range and disjoint", [] {
       Client client;
       const uint32_t context = client.context();
       const avocet_accel_info info = client.info();
       std::vector<Buffer> buffers;
       for (uint64_t i = 0; i < 200; i++) buffers.push_back(client.buffer(context, 1 + i * 997 % 20000));
       std::sort(buffers.begin(), buffers.end(), [](const Buffer& a, const Buffer& b) { return a.iova < b.iova; });
       for (size_t i = 0; i < buffers.size(); i++) {
         expect_equal(static_cast<int64_t>(buffers[i].iova % info.page_bytes), 0, "alignment");
         expect(buffers[i].iova >= info.iova_begin && buffers[i].iova + buffers[i].bytes <= info.iova_end, "in range");
         if (i > 0) expect(buffers[i - 1].iova + buffers[i - 1].bytes <= buffers[i].iova, "disjoint");
       }
     }},
    {"buffer.info_of_an_unknown_handle", "ENOENT", [] {
       Client client;
       avocet_accel_buffer_info info;
       for (const uint32_t handle : {0u, 99u, 0xFFFFFFFFu})
         expect_result(client.buffer_info(handle, &info), -ENOENT, "BUFFER_INFO");
     }},
    {"buffer.info_of_a_context", "another object's handle: ENOENT", [] {
       Client client;
       avocet_accel_buffer_info info;
       expect_result(client.buffer_info(client.context(), &info), -ENOENT, "BUFFER_INFO");
     }},
    {"buffer.close_of_an_unknown_handle", "ENOENT", [] {
       Client client;
       for (const uint32_t handle : {0u, 99u, 0xFFFFFFFFu})
         expect_result(client.close_buffer(handle), -ENOENT, "BUFFER_CLOSE");
     }},
    {"buffer.close_twice", "ENOENT", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 1);
       expect_ok(client.close_buffer(buffer.handle), "BUFFER_CLOSE");
       expect_result(client.close_buffer(buffer.handle), -ENOENT, "BUFFER_CLOSE again");
     }},
    {"buffer.close_with_pad", "EINVAL, and the buffer stays", [] {
       Client client;
       avocet_accel_buffer_close close{client.buffer(client.context(), 1).handle, 7};
       expect_result(client.ioctl(AVOCET_ACCEL_BUFFER_CLOSE, &close), -EINVAL, "BUFFER_CLOSE");
       expect_ok(client.close_buffer(close.handle), "BUFFER_CLOSE");
     }},
    {"buffer.close_of_a_program", "another object's handle: ENOENT", [] {
       Client client;
       const uint32_t context = client.context();
       expect_result(client.close_buffer(client.program(context, empty_stream())), -ENOENT, "a program");
       expect_result(client.close_buffer(context), -ENOENT, "a context");
     }},
    {"buffer.use_after_close", "a closed buffer in a job, INFO and mmap are refused", [] {
       Client client;
       CopyWork work(client);
       const Buffer closed = client.buffer(work.context(), 8192);
       expect_ok(client.close_buffer(closed.handle), "BUFFER_CLOSE");
       avocet_accel_job job = work.job();
       job.region[0].handle = closed.handle;
       expect_result(client.submit(work.context(), job), -ENOENT, "SUBMIT");
       avocet_accel_buffer_info info;
       expect_result(client.buffer_info(closed.handle, &info), -ENOENT, "BUFFER_INFO");
       expect(avocet_mmap(client.file(), closed.mmap_offset, 4096) == nullptr && errno == EINVAL, "mmap gives EINVAL");
     }},
    {"buffer.jobs_keep_their_buffers", "closed right behind SUBMIT, the job completes with the right bytes", [] {
       Client client;
       for (uint32_t round = 0; round < 50; round++) {
         const uint32_t context = client.context();
         const Buffer from = client.buffer(context, 5000), to = client.buffer(context, 5000);
         Mapping source(client, from), target(client, to);
         for (uint32_t i = 0; i < 5000; i++) source[i] = static_cast<uint8_t>(i * 7 + round);
         const uint32_t program = client.program(context, copy_stream(0, 1, 0, 5000));
         const uint64_t id = client.must_submit(context, copy_job(program, from.handle, to.handle, 5000));
         expect_ok(client.close_buffer(from.handle), "BUFFER_CLOSE");
         expect_ok(client.close_buffer(to.handle), "BUFFER_CLOSE");
         client.must_complete(context, id);
         for (uint32_t i = 0; i < 5000; i++) expect_equal(target[i], static_cast<uint8_t>(i * 7 + round), "a byte");
         expect_ok(client.destroy(context), "CONTEXT_DESTROY");
       }
     }},
    {"buffer.busy_ends_with_the_job", "busy is 0 once the job was waited for", [] {
       Client client;
       CopyWork work(client);
       work.run(5);
       avocet_accel_buffer_info info;
       expect_ok(client.buffer_info(work.to().handle, &info), "BUFFER_INFO");
       expect_equal(info.busy, 0, "busy");
     }},
    {"buffer.outlives_its_context", "INFO and CLOSE still work after the context is gone", [] {
       Client client;
       const uint32_t context = client.context();
       const Buffer buffer = client.buffer(context, 1);
       expect_ok(client.destroy(context), "CONTEXT_DESTROY");
       avocet_accel_buffer_info info;
       expect_ok(client.buffer_info(buffer.handle, &info), "BUFFER_INFO");
       expect_ok(client.close_buffer(buffer.handle), "BUFFER_CLOSE");
     }},
    {"buffer.of_a_destroyed_context_in_a_job", "EINVAL in a job of another context", [] {
       Client client;
       const uint32_t gone = client.context();
       const Buffer buffer = client.buffer(gone, 8192);
       expect_ok(client.destroy(gone), "CONTEXT_DESTROY");
       CopyWork work(client);
       avocet_accel_job job = work.job();
       job.region[0].handle = buffer.handle;
       expect_result(client.submit(work.context(), job), -EINVAL, "SUBMIT");
     }},
    {"buffer.memory_is_counted", "memory_bytes grows by the rounded size and falls again", [] {
       Client client;
       const uint32_t context = client.context();
       const int64_t before = static_cast<int64_t>(client.counters(context).memory_bytes);
       const Buffer buffer = client.buffer(context, 5000);
       expect_equal(static_cast<int64_t>(client.counters(context).memory_bytes) - before, 8192, "with the buffer");
       expect_ok(client.close_buffer(buffer.handle), "BUFFER_CLOSE");
       expect_equal(static_cast<int64_t>(client.counters(context).memory_bytes), before, "without it");
     }},
    {"buffer.seventy_thousand_cycles", "no file descriptor, mapping or byte of device memory is left behind", [] {
       Client client;
       const uint32_t context = client.context();
       cycle(client, context, true);
       const int64_t fds = open_descriptors(), maps = mappings();
       const int64_t bytes = static_cast<int64_t>(client.counters().memory_bytes);
       for (int i = 0; i < 70000; i++) cycle(client, context, i % 8 == 0);
       expect_equal(open_descriptors(), fds, "open files");
       expect(mappings() <= maps + kHeapMappings, "mappings");
       expect_equal(static_cast<int64_t>(client.counters().memory_bytes), bytes, "memory_bytes");
     }, ""},
};

}  // namespace

std::span<const Case> buffer_cases() { return kCases; }

}  // namespace avocet::kmd
