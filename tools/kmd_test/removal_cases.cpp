// SPDX-License-Identifier: Apache-2.0
// A device that is unplugged: every call returns, every job ends, and a new one can be plugged in.
#include <avocet_isa.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

/// A device that is gone.
struct Gone {
  Client client;
  CopyWork work{client};
  Mapping mapping{client, work.from()};
  uint64_t id = 0;

  Gone() {
    set_faults("unplug:nth=1");
    id = client.must_submit(work.context(), work.job());
    client.must_end(work.context(), id);
  }
};

void expect_new_device() {
  if (avocet_sim_replug() != 0) fail(avocet_sim_error());
  const Client client;
  CopyWork work(client);
  for (uint32_t i = 0; i < 5; i++) work.run(i);
}

const Case kCases[] = {
    {"removal.job_in_flight_ends", "with an error, and WAIT returns", [] {
       Gone gone;
       expect_status(gone.client.must_end(gone.work.context(), gone.id).status, AVOCET_STATUS_ABORTED, "the job");
       expect_new_device();
     }, ""},
    {"removal.requests_give_enodev", "create, submit, query", [] {
       Gone gone;
       avocet_accel_context_create create{};
       expect_result(gone.client.ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &create), -ENODEV, "CONTEXT_CREATE");
       Buffer buffer;
       expect_result(gone.client.create_buffer(gone.work.context(), 1, 0, &buffer), -ENODEV, "BUFFER_CREATE");
       expect_result(gone.client.submit(gone.work.context(), gone.work.job()), -ENODEV, "SUBMIT");
       avocet_accel_query query{AVOCET_ACCEL_QUERY_INFO, 0, 0};
       expect_result(gone.client.ioctl(AVOCET_ACCEL_QUERY, &query), -ENODEV, "QUERY");
     }, ""},
    {"removal.open_gives_enodev", "while files opened before survive", [] {
       Gone gone;
       expect_result(avocet_open(), -ENODEV, "open");
       gone.mapping[0] = 1;
     }, ""},
    {"removal.what_is_left_can_be_given_up", "info, close and destroy still work", [] {
       Gone gone;
       avocet_accel_buffer_info info;
       expect_ok(gone.client.buffer_info(gone.work.from().handle, &info), "BUFFER_INFO");
       expect_ok(gone.client.close_buffer(gone.work.from().handle), "BUFFER_CLOSE");
       expect_ok(gone.client.close_program(gone.work.program()), "PROGRAM_CLOSE");
       expect_ok(gone.client.destroy(gone.work.context()), "CONTEXT_DESTROY");
       expect_ok(gone.mapping.unmap(), "munmap");
       expect_ok(gone.client.close(), "close");
     }, ""},
    {"removal.mappings_stay", "the caller's memory is there until it is unmapped", [] {
       Gone gone;
       gone.mapping[4096] = 0x12;
       expect_ok(gone.client.close(), "close");
       expect_new_device();
       expect_equal(gone.mapping[4096], 0x12, "the byte");
     }, ""},
    {"removal.old_files_stay_with_the_old_device", "after a new device is plugged in they still give ENODEV", [] {
       Gone gone;
       expect_new_device();
       avocet_accel_context_create create{};
       expect_result(gone.client.ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &create), -ENODEV, "CONTEXT_CREATE on the old file");
     }, ""},
    {"removal.during_submit", "four threads submit while the device goes: each gets ENODEV in the end", [] {
       Client client;
       CopyWork works[4] = {CopyWork(client), CopyWork(client), CopyWork(client), CopyWork(client)};
       set_faults("unplug:nth=60");
       std::atomic<int> good{0};
       std::vector<std::thread> threads;
       for (auto& work : works)
         threads.emplace_back([&] {
           const int64_t until = in_ms(kBoundMs);
           std::vector<uint64_t> ids;
           int error = 0;
           while ((error == 0 || error == -EBUSY) && now_ns() < until) {
             uint64_t id = 0;
             error = client.submit(work.context(), work.job(), &id);
             if (!error) ids.push_back(id);
             if (error == -EBUSY) client.wait(work.context(), ids.front(), in_ms(10));
           }
           bool ended = error == -ENODEV;
           for (const uint64_t id : ids) {
             const int result = client.wait(work.context(), id, until);
             ended = ended && (result == 0 || result == -ENOENT);  // ENOENT: more than 1024 jobs ago
           }
           good += ended;
         });
       for (auto& thread : threads) thread.join();
       expect_equal(good, 4, "threads whose jobs all ended and that got ENODEV");
     }, ""},
    {"removal.while_others_wait", "an endless WAIT returns when the device is pulled", [] {
       Client client;
       CopyWork work(client);
       set_faults("doorbell-lost:count=all");
       const uint64_t id = client.must_submit(work.context(), work.job());
       avocet_accel_wait result{};
       int error = -1;
       std::thread waiter([&] { error = client.wait(work.context(), id, INT64_MAX, &result); });
       timespec pause{0, 20000000};
       nanosleep(&pause, nullptr);
       const int replugged = avocet_sim_replug();
       waiter.join();
       expect_ok(replugged, "a new device");
       expect_ok(error, "WAIT");
       expect_status(result.status, AVOCET_STATUS_ABORTED, "the job");
     }, ""},
    {"removal.ten_times", "unplugged and plugged in again ten times", [] {
       for (int i = 0; i < 10; i++) {
         {
           Gone gone;
         }
         if (avocet_sim_replug() != 0) fail(avocet_sim_error());
       }
       expect_new_device();
     }, ""},
};

}  // namespace

std::span<const Case> removal_cases() { return kCases; }

}  // namespace avocet::kmd
