// SPDX-License-Identifier: Apache-2.0
// Processes: fork with mapped buffers, exit with jobs under way.
#include <avocet_isa.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "kmd_test/client.hpp"

/// A leak checker, where one is linked, asks this when a process ends: what jobs under way hold is on stacks of coroutines, where
/// it does not look.
static bool ends_with_jobs = false;
extern "C" __attribute__((visibility("default"))) int __lsan_is_turned_off() { return ends_with_jobs; }

namespace avocet::kmd {
namespace {

/// Runs `body` in a child of fork; its exit status. Bounded.
template <typename Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    alarm(kBoundMs / 1000);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) fail("the child ended by signal " + std::to_string(WTERMSIG(status)));
  return WEXITSTATUS(status);
}

const Case kCases[] = {
    {"process.child_of_fork_has_no_device", "open and requests give ENODEV there, and the parent goes on", [] {
       Client client;
       CopyWork work(client);
       work.run(1);
       const int status = in_child([&] {
         avocet_accel_context_create create{};
         if (avocet_open() != -ENODEV) return 1;
         if (client.ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &create) != -ENODEV) return 2;
         return 0;
       });
       expect_equal(status, 0, "the child");
       work.run(2);
     }, ""},
    {"process.fork_of_a_mapped_buffer", "parent and child share its memory, whoever writes", [] {
       Client client;
       Mapping mapping(client, client.buffer(client.context(), 4096));
       mapping[0] = 1;
       const int status = in_child([&] {
         if (mapping[0] != 1) return 1;
         mapping[1] = 2;
         return 0;
       });
       expect_equal(status, 0, "the child");
       expect_equal(mapping[1], 2, "what the child wrote");
     }, ""},
    {"process.unmap_in_the_child", "the parent's mapping and jobs are untouched", [] {
       Client client;
       CopyWork work(client);
       Mapping mapping(client, work.from());
       const int status = in_child([&] { return avocet_munmap(mapping.data(), work.from().bytes) == 0 ? 0 : 1; });
       expect_equal(status, 0, "the child");
       mapping[0] = 1;
       work.run(3);
     }, ""},
    {"process.remap_after_fork", "the parent unmaps and maps again while a child still has the old mapping", [] {
       Client client;
       const Buffer buffer = client.buffer(client.context(), 8192);
       auto mapping = std::make_unique<Mapping>(client, buffer);
       (*mapping)[10] = 3;
       int ready[2], go[2];
       expect(pipe(ready) == 0 && pipe(go) == 0, "pipes");
       const pid_t child = fork();
       if (child == 0) {
         alarm(kBoundMs / 1000);
         char byte = 0;
         if (write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1) _exit(1);
         _exit((*mapping)[10] == 4 ? 0 : 2);
       }
       char byte = 0;
       expect(child > 0 && read(ready[0], &byte, 1) == 1, "the child");
       expect_ok(mapping->unmap(), "munmap");
       Mapping again(client, buffer);
       expect_equal(again[10], 3, "the byte in the new mapping");
       again[10] = 4;
       expect(write(go[1], &byte, 1) == 1, "the pipe");
       int status = 0;
       waitpid(child, &status, 0);
       for (const int end : {ready[0], ready[1], go[0], go[1]}) close(end);
       expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child sees it through the old one");
     }, ""},
    {"process.fork_while_jobs_run", "twenty children come and go, every job completes", [] {
       Client client;
       CopyWork work(client);
       for (uint32_t i = 0; i < 20; i++) {
         work.fill(i);
         const uint64_t id = client.must_submit(work.context(), work.job());
         expect_equal(in_child([] { return 0; }), 0, "the child");
         client.must_complete(work.context(), id);
         expect(work.arrived(), "the copied bytes");
       }
     }, ""},
    {"process.exit_with_jobs_in_flight", "exit() returns in bounded time", [] {
       const int status = in_child([] {
         auto* client = new Client;  // never closed
         auto* work = new CopyWork(*client, 5000);
         std::vector<avocet_accel_job> jobs(60, work->job());
         if (client->submit(work->context(), &jobs) != 0) return 2;
         ends_with_jobs = true;
         std::exit(42);
       });
       expect_equal(status, 42, "the child");
     }, ""},
};

}  // namespace

std::span<const Case> process_cases() { return kCases; }

}  // namespace avocet::kmd
