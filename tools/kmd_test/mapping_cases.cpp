// SPDX-License-Identifier: Apache-2.0
// mmap and munmap of buffers.
#include <avocet_isa.h>

#include <cerrno>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

void expect_refused(const Client& client, uint64_t offset, uint64_t bytes, int error, const char* what,
                    const Location& where = Location::current()) {
  errno = 0;
  void* address = avocet_mmap(client.file(), offset, bytes);
  expect(address == nullptr, what, where);
  expect_result(-errno, -error, what, where);
}

const Case kCases[] = {
    {"mapping.is_shared_with_the_device", "what the caller writes the device reads, and the other way", [] {
       Client client;
       CopyWork work(client, 20000);
       for (uint32_t round = 0; round < 5; round++) work.run(round);
     }},
    {"mapping.of_an_unknown_handle", "EINVAL", [] {
       Client client;
       expect_refused(client, 0x7777ull << 32, 4096, EINVAL, "handle 0x7777");
       expect_refused(client, 0, 4096, EINVAL, "offset 0");
       expect_refused(client, ~uint64_t{0}, 4096, EINVAL, "all ones");
     }},
    {"mapping.of_another_objects_handle", "a context's or program's handle as offset: EINVAL", [] {
       Client client;
       const uint32_t context = client.context();
       expect_refused(client, uint64_t{context} << 32, 4096, EINVAL, "a context");
       expect_refused(client, uint64_t{client.program(context, empty_stream())} << 32, 4096, EINVAL, "a program");
     }},
    {"mapping.at_an_offset_inside", "only the offset that BUFFER_CREATE gave: EINVAL", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 8192);
       expect_refused(client, buffer.mmap_offset + 4096, 4096, EINVAL, "the second page");
       expect_refused(client, buffer.mmap_offset + 1, 4096, EINVAL, "misaligned");
     }},
    {"mapping.longer_than_the_buffer", "EINVAL", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 4096);
       expect_refused(client, buffer.mmap_offset, 4097, EINVAL, "a byte more");
       expect_refused(client, buffer.mmap_offset, SIZE_MAX, EINVAL, "SIZE_MAX");
     }},
    {"mapping.of_no_bytes", "EINVAL", [] {
       Client client;
       expect_refused(client, client.buffer(client.context(), 4096).mmap_offset, 0, EINVAL, "0 bytes");
     }},
    {"mapping.of_a_buffer_without", "NO_MMAP: mmap_offset is all ones, and the handle's offset gives EACCES", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 4096, AVOCET_ACCEL_BUFFER_NO_MMAP);
       expect(buffer.mmap_offset == ~uint64_t{0}, "all ones");
       expect_refused(client, uint64_t{buffer.handle} << 32, 4096, EACCES, "mmap");
     }},
    {"mapping.on_a_closed_file", "EBADF", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 4096);
       const int file = client.file();
       expect_ok(client.close(), "close");
       errno = 0;
       expect(avocet_mmap(file, buffer.mmap_offset, 4096) == nullptr && errno == EBADF, "EBADF");
     }},
    {"mapping.twice", "two mappings of a buffer show the same memory", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 8192);
       Mapping one(client, buffer), other(client, buffer);
       expect(one.data() != other.data(), "two addresses");
       one[5000] = 0x42;
       expect_equal(other[5000], 0x42, "the byte");
     }},
    {"mapping.of_a_part", "the first page of several", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 3 * 4096);
       Mapping part(client, buffer, 4096), all(client, buffer);
       part[100] = 9;
       expect_equal(all[100], 9, "the byte");
     }},
    {"mapping.survives_close", "the memory stays while it is mapped", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 4096);
       Mapping mapping(client, buffer);
       mapping[1] = 7;
       expect_ok(client.close_buffer(buffer.handle), "BUFFER_CLOSE");
       for (int i = 0; i < 20; i++) client.buffer(client.context(), 4096);
       expect_equal(mapping[1], 7, "the byte");
     }},
    {"mapping.survives_its_context", "the memory stays while it is mapped", [] {
       Client client;
       const uint32_t context = client.context();
       Mapping mapping(client, client.buffer(context, 4096));
       mapping[1] = 7;
       expect_ok(client.destroy(context), "CONTEXT_DESTROY");
       expect_equal(mapping[1], 7, "the byte");
     }},
    {"mapping.survives_its_file", "the memory stays while it is mapped", [] {
       Client client, other;
       Mapping mapping(client, client.buffer(client.context(), 4096));
       mapping[1] = 7;
       expect_ok(client.close(), "close");
       CopyWork(other).run(1);
       expect_equal(mapping[1], 7, "the byte");
     }},
    {"mapping.munmap_of_another_size", "EINVAL, and the mapping stays", [] {
       Client client;
       Mapping mapping(client, client.buffer(client.context(), 8192));
       expect_result(avocet_munmap(mapping.data(), 4096), -EINVAL, "munmap of half");
       mapping[8191] = 1;
     }},
    {"mapping.munmap_twice", "EINVAL", [] {
       Client client;
       Mapping mapping(client, client.buffer(client.context(), 4096));
       uint8_t* const address = mapping.data();
       expect_ok(mapping.unmap(), "munmap");
       expect_result(avocet_munmap(address, 4096), -EINVAL, "munmap again");
     }},
    {"mapping.munmap_of_nonsense", "EINVAL", [] {
       int here = 0;
       expect_result(avocet_munmap(&here, 4096), -EINVAL, "munmap of the stack");
       expect_result(avocet_munmap(nullptr, 4096), -EINVAL, "munmap of NULL");
     }},
    {"mapping.unmapped_while_a_job_runs", "the job ends as if nothing had happened", [] {
       Client client;
       for (int i = 0; i < 20; i++) {
         const uint32_t context = client.context();
         const Buffer from = client.buffer(context, 5000), to = client.buffer(context, 5000);
         Mapping target(client, to);
         const uint32_t program = client.program(context, copy_stream(0, 1, 0, 5000));
         const uint64_t id = client.must_submit(context, copy_job(program, from.handle, to.handle, 5000));
         expect_ok(target.unmap(), "munmap");
         client.must_complete(context, id);
         expect_ok(client.destroy(context), "CONTEXT_DESTROY");
       }
     }},
};

}  // namespace

std::span<const Case> mapping_cases() { return kCases; }

}  // namespace avocet::kmd
