// SPDX-License-Identifier: Apache-2.0
// The device node and requests as such.
#include <sys/mman.h>

#include <cerrno>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

const Case kCases[] = {
    {"device.opens", "a file is a handle of at least 0, and closes", [] {
       Client client;
       expect(client.file() >= 0, "the handle");
       expect_ok(client.close(), "close");
     }},
    {"device.many_files", "a hundred open files, each usable", [] {
       std::vector<std::unique_ptr<Client>> clients;
       for (int i = 0; i < 100; i++) clients.push_back(std::make_unique<Client>());
       for (const auto& client : clients) expect_ok(client->destroy(client->context()), "CONTEXT_DESTROY");
     }},
    {"device.close_twice", "the second close gives EBADF", [] {
       Client client;
       const int file = client.file();
       expect_ok(client.close(), "close");
       expect_result(avocet_close(file), -EBADF, "close again");
     }},
    {"device.close_of_nonsense", "handles that never were give EBADF", [] {
       expect_result(avocet_close(-1), -EBADF, "close of -1");
       expect_result(avocet_close(1 << 30), -EBADF, "close of 2^30");
     }},
    {"device.request_on_a_closed_file", "EBADF", [] {
       Client client;
       const int file = client.file();
       expect_ok(client.close(), "close");
       avocet_accel_context_create create{};
       expect_result(avocet_ioctl(file, AVOCET_ACCEL_CONTEXT_CREATE, &create), -EBADF, "ioctl");
     }},
    {"device.unknown_request", "a number behind the last gives ENOTTY", [] {
       Client client;
       uint64_t argument[64] = {};
       expect_result(client.ioctl(AVOCET_ACCEL_IOWR(100, avocet_accel_wait), argument), -ENOTTY, "number 100");
       expect_result(client.ioctl(0, argument), -ENOTTY, "request 0");
       expect_result(client.ioctl(~0ul, argument), -ENOTTY, "all ones");
     }},
    {"device.request_of_another_size", "a known number with another structure size gives ENOTTY", [] {
       Client client;
       uint64_t argument[64] = {};
       expect_result(client.ioctl(AVOCET_ACCEL_QUERY + (8ul << 16), argument), -ENOTTY, "8 bytes more");
       expect_result(client.ioctl(AVOCET_ACCEL_WAIT - (8ul << 16), argument), -ENOTTY, "8 bytes less");
     }},
    {"device.request_of_another_type", "another driver's letter gives ENOTTY", [] {
       Client client;
       uint64_t argument[64] = {};
       expect_result(client.ioctl(AVOCET_ACCEL_QUERY ^ (1ul << 8), argument), -ENOTTY, "type 'e'");
     }},
    {"device.request_of_another_direction", "a known number with other direction bits gives ENOTTY", [] {
       Client client;
       uint64_t argument[64] = {};
       expect_result(client.ioctl(AVOCET_ACCEL_QUERY ^ (3ul << 30), argument), -ENOTTY, "_IO");
     }},
    {"device.null_argument", "EFAULT", [] {
       Client client;
       expect_result(client.ioctl(AVOCET_ACCEL_CONTEXT_CREATE, nullptr), -EFAULT, "CONTEXT_CREATE of NULL");
       expect_result(client.ioctl(AVOCET_ACCEL_WAIT, nullptr), -EFAULT, "WAIT of NULL");
     }},
    {"device.argument_in_unmapped_memory", "EFAULT, not a crash", [] {
       Client client;
       void* page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       expect(page != MAP_FAILED, "a page");
       expect_result(client.ioctl(AVOCET_ACCEL_CONTEXT_CREATE, page), -EFAULT, "CONTEXT_CREATE");
       munmap(page, 4096);
     }, "AVOCET_CHECK_POINTERS=1"},
    {"device.argument_in_read_only_memory", "EFAULT, and nothing stays behind", [] {
       Client client;
       auto* page = static_cast<uint8_t*>(mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
       expect(page != MAP_FAILED, "a page");
       expect_result(client.ioctl(AVOCET_ACCEL_CONTEXT_CREATE, page), -EFAULT, "CONTEXT_CREATE");
       munmap(page, 4096);
       CopyWork(client).run(1);
     }, "AVOCET_CHECK_POINTERS=1"},
    {"device.handles_belong_to_their_file", "another file's handles are unknown", [] {
       Client one, other;
       const uint32_t context = one.context();
       expect_result(other.destroy(context), -ENOENT, "CONTEXT_DESTROY through the other file");
       expect_ok(one.destroy(context), "CONTEXT_DESTROY");
     }},
};

}  // namespace

std::span<const Case> device_cases() { return kCases; }

}  // namespace avocet::kmd
