// SPDX-License-Identifier: Apache-2.0
// Contexts: create, destroy, how many.
#include <avocet_isa.h>

#include <cerrno>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

int create(const Client& client, uint32_t* context) {
  avocet_accel_context_create create{};
  const int error = client.ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &create);
  *context = create.context;
  return error;
}

/// Contexts until the device has no more.
std::vector<uint32_t> take_all(const Client& client) {
  std::vector<uint32_t> contexts;
  for (;;) {
    uint32_t context = 0;
    const int error = create(client, &context);
    if (error == -ENOSPC) return contexts;
    expect_ok(error, "CONTEXT_CREATE");
    contexts.push_back(context);
    expect(contexts.size() < 100000, "an end");
  }
}

const Case kCases[] = {
    {"context.create_and_destroy", "a handle that is not 0", [] {
       Client client;
       expect_ok(client.destroy(client.context()), "CONTEXT_DESTROY");
     }},
    {"context.unknown_flags", "EINVAL", [] {
       Client client;
       avocet_accel_context_create create{};
       create.flags = 0x80000000;
       expect_result(client.ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &create), -EINVAL, "CONTEXT_CREATE");
     }},
    {"context.destroy_with_pad", "EINVAL, and the context stays", [] {
       Client client;
       avocet_accel_context_destroy destroy{};
       destroy.context = client.context();
       destroy.pad = 1;
       expect_result(client.ioctl(AVOCET_ACCEL_CONTEXT_DESTROY, &destroy), -EINVAL, "CONTEXT_DESTROY");
       client.must_complete(destroy.context, client.must_submit_empty(destroy.context));
     }},
    {"context.destroy_unknown", "ENOENT", [] {
       Client client;
       expect_result(client.destroy(0), -ENOENT, "handle 0");
       expect_result(client.destroy(12345), -ENOENT, "handle 12345");
       expect_result(client.destroy(0xFFFFFFFF), -ENOENT, "handle 2^32 - 1");
     }},
    {"context.destroy_twice", "ENOENT", [] {
       Client client;
       const uint32_t context = client.context();
       expect_ok(client.destroy(context), "CONTEXT_DESTROY");
       expect_result(client.destroy(context), -ENOENT, "CONTEXT_DESTROY again");
     }},
    {"context.destroy_of_a_buffer", "a buffer's handle is no context: ENOENT", [] {
       Client client;
       const uint32_t context = client.context();
       expect_result(client.destroy(client.buffer(context, 1).handle), -ENOENT, "CONTEXT_DESTROY");
     }},
    {"context.as_many_as_told", "contexts_max contexts, then ENOSPC", [] {
       Client client;
       expect_equal(static_cast<int64_t>(take_all(client).size()), client.info().contexts_max, "contexts");
     }, ""},
    {"context.place_is_given_again", "after ENOSPC and a destroy there is room for one, which works", [] {
       Client client;
       const std::vector<uint32_t> contexts = take_all(client);
       expect_ok(client.destroy(contexts[contexts.size() / 2]), "CONTEXT_DESTROY");
       CopyWork(client).run(3);
     }, ""},
    {"context.closing_a_file_gives_its_contexts_back", "all of them", [] {
       size_t first, second;
       {
         Client client;
         first = take_all(client).size();
       }
       {
         Client client;
         second = take_all(client).size();
       }
       expect_equal(static_cast<int64_t>(second), static_cast<int64_t>(first), "contexts");
     }, ""},
    {"context.thousand_cycles", "create and destroy a thousand times", [] {
       Client client;
       const uint64_t before = client.counters().contexts;
       for (int i = 0; i < 1000; i++) expect_ok(client.destroy(client.context()), "CONTEXT_DESTROY");
       expect_equal(static_cast<int64_t>(client.counters().contexts), static_cast<int64_t>(before), "contexts");
     }},
    {"context.destroy_with_jobs_in_flight", "a hundred times, with a full queue; the next context works", [] {
       Client client;
       for (int i = 0; i < 100; i++) {
         const uint32_t context = client.context();
         const uint32_t program = client.program(context, copy_stream(0, 1, 0, 4096));
         const uint32_t from = client.buffer(context, 4096).handle, to = client.buffer(context, 4096).handle;
         std::vector<avocet_accel_job> jobs(20, copy_job(program, from, to, 4096));
         expect_ok(client.submit(context, &jobs), "SUBMIT");
         expect_ok(client.destroy(context), "CONTEXT_DESTROY");
         expect_ok(client.close_program(program), "PROGRAM_CLOSE");
         expect_ok(client.close_buffer(from), "BUFFER_CLOSE");
         expect_ok(client.close_buffer(to), "BUFFER_CLOSE");
       }
       CopyWork(client).run(1);
     }},
    {"context.requests_after_destroy", "submit, wait, buffers and programs of a destroyed context: ENOENT", [] {
       Client client;
       const uint32_t context = client.context();
       avocet_accel_job job{};
       job.program = client.program(context, empty_stream());
       const uint64_t id = client.must_submit(context, job);
       expect_ok(client.destroy(context), "CONTEXT_DESTROY");
       expect_result(client.submit(context, job), -ENOENT, "SUBMIT");
       expect_result(client.wait(context, id, 0), -ENOENT, "WAIT");
       Buffer buffer;
       expect_result(client.create_buffer(context, 1, 0, &buffer), -ENOENT, "BUFFER_CREATE");
       const Words words = empty_stream();
       auto create = client.program_request(context, words);
       expect_result(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), -ENOENT, "PROGRAM_CREATE");
     }},
    {"context.has_an_address_space_of_its_own", "two contexts give their first buffers the same device address", [] {
       Client client;
       const uint32_t one = client.context(), other = client.context();
       expect_equal(static_cast<int64_t>(client.buffer(one, 4096).iova), static_cast<int64_t>(client.buffer(other, 4096).iova),
                    "device address");
     }},
};

}  // namespace

std::span<const Case> context_cases() { return kCases; }

}  // namespace avocet::kmd
