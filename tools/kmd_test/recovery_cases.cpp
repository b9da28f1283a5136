// SPDX-License-Identifier: Apache-2.0
// What gets lost between driver and device, and a device that has to be reset: jobs always end, and the next ones run.
#include <avocet_isa.h>

#include <cerrno>
#include <cstdio>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

#define QUICK "AVOCET_HANG_TIMEOUT_MS=400"

/// The suite's copies with a fault set once everything is there.
struct Scene {
  Client client;
  CopyWork work{client}, other{client};

  /// Every job must complete, with the right bytes, whatever gets lost.
  void expect_harmless(const char* faults, uint32_t jobs, const Location& where = Location::current()) {
    set_faults(faults, where);
    for (uint32_t i = 0; i < jobs; i++) work.run(i, where);
    expect(avocet_sim_faults_struck(0) > 0, "the fault has struck", where);
    set_faults("", where);
    other.run(77, where);
    expect_equal(client.info().generation, 0, "device resets", where);
  }
  /// A job gets stuck, another context's is queued behind it. So many resets of a core and of the device free it.
  void expect_stuck_job(const char* faults, int64_t engine_resets, int64_t resets, const Location& where = Location::current()) {
    set_faults(faults, where);
    other.fill(3);
    const uint64_t stuck = client.must_submit(work.context(), work.job());
    const uint64_t behind = client.must_submit(other.context(), other.job());
    expect_status(client.must_end(work.context(), stuck, where).status, AVOCET_STATUS_HANG, "the stuck job", where);
    client.must_complete(other.context(), behind, where);
    expect(other.arrived(), "the neighbour's bytes", where);
    expect_equal(client.engine_resets(), engine_resets, "engine_resets", where);
    expect_equal(client.info().generation, resets, "device resets", where);
    expect_result(client.submit(work.context(), work.job()), -EBADFD, "SUBMIT to the faulted context", where);
    expect_works_again(where);
  }
  avocet_accel_wait run(const Location& where = Location::current()) {
    work.fill(5);
    return client.must_end(work.context(), client.must_submit(work.context(), work.job()), where);
  }
  void expect_works_again(const Location& where = Location::current()) {
    set_faults("", where);
    other.run(78, where);
    CopyWork(client).run(79, where);
  }
};

const Case kCases[] = {
    {"recovery.interrupt_lost_on_the_first_job", "the job completes without a reset", [] {
       Scene().expect_harmless("irq-lost:nth=1", 2);
     }, ""},
    {"recovery.interrupt_lost_on_the_third_job", "the job completes without a reset", [] {
       Scene().expect_harmless("irq-lost:nth=3", 4);
     }, ""},
    {"recovery.interrupts_lost_in_a_row", "each job completes without a reset", [] {
       Scene().expect_harmless("irq-lost:nth=1,count=3", 4);
     }, ""},
    {"recovery.interrupt_lost_with_a_full_queue", "sixty jobs complete though the interrupt of one is lost", [] {
       Scene s;
       set_faults("irq-lost:nth=2");
       std::vector<avocet_accel_job> jobs(60, s.work.job());
       expect_ok(s.client.submit(s.work.context(), &jobs), "SUBMIT");
       for (const auto& job : jobs) s.client.must_complete(s.work.context(), job.job_id);
       s.expect_works_again();
     }, ""},
    {"recovery.interrupts_go_on_behind_a_lost_one", "what stood in for it cleared its bit: the next jobs interrupt again", [] {
       Scene s;
       set_faults("irq-lost:nth=1");
       s.work.run(1);
       set_faults("");
       const uint64_t before = s.client.counters().interrupts;
       for (uint32_t i = 0; i < 20; i++) s.work.run(i);
       expect(s.client.counters().interrupts > before, "interrupts");
     }, ""},
    {"recovery.interrupt_twice", "a handler that runs twice changes nothing", [] {
       Scene().expect_harmless("irq-duplicate:count=all", 20);
     }, ""},
    {"recovery.doorbell_lost", "the driver rings again, no reset", [] {
       Scene().expect_harmless("doorbell-lost:nth=1", 2);
     }, "AVOCET_HANG_TIMEOUT_MS=2000"},
    {"recovery.completion_visible_late", "an entry behind its interrupt is found", [] {
       Scene().expect_harmless("completion-delay:nth=2,cycles=100000", 3);
     }, ""},
    {"recovery.completion_of_an_unknown_type", "nonsense in the completion ring is not followed; the job ends", [] {
       Scene s;
       set_faults("completion-corrupt:bit=20");  // of the type
       expect(s.run().status != AVOCET_STATUS_OK, "an error");
       expect(s.client.info().generation > 0, "a reset");
       s.expect_works_again();
     }, QUICK},
    {"recovery.completion_of_another_job", "a wrong job id is not followed; the job ends", [] {
       Scene s;
       set_faults("completion-corrupt:bit=130");  // of the job id
       expect(s.run().status != AVOCET_STATUS_OK, "an error");
       s.expect_works_again();
     }, QUICK},
    {"recovery.completion_of_another_context", "a wrong context is not followed; the job ends", [] {
       Scene s;
       set_faults("completion-corrupt:bit=70");  // of the context
       expect(s.run().status != AVOCET_STATUS_OK, "an error");
       s.expect_works_again();
     }, QUICK},
    {"recovery.unknown_status", "a status nobody knows means an error and a reset", [] {
       Scene s;
       set_faults("completion-corrupt:bit=50");  // of the status
       expect(s.run().status != AVOCET_STATUS_OK, "an error");
       s.expect_works_again();
     }, QUICK},
    {"recovery.unit_that_lets_go_of_an_abort", "no reset of anything: HANG, and the neighbour's queued jobs run", [] {
       Scene().expect_stuck_job("unit-stuck:context=1", 0, 0);
     }, ""},
    {"recovery.unit_that_a_reset_of_its_core_frees", "the core alone is reset: HANG, and the neighbour's queued jobs run", [] {
       Scene().expect_stuck_job("unit-stuck:abort=off,context=1", 1, 0);
     }, ""},
    {"recovery.unit_that_does_not_let_go", "the device is reset: HANG, and the neighbour's queued jobs run", [] {
       Scene().expect_stuck_job("unit-stuck:abort=off,reset=off,context=1", 0, 1);
     }, QUICK},
    {"recovery.ten_resets_of_a_core", "ten contexts whose jobs get stuck, one after the other: the device is never reset", [] {
       Scene s;
       set_faults("unit-stuck:abort=off,context=3,count=all");
       for (uint32_t round = 0; round < 10; round++) {
         CopyWork work(s.client);  // the device's context 3, every time
         const uint64_t stuck = s.client.must_submit(work.context(), work.job());
         s.other.run(round);
         expect_status(s.client.must_end(work.context(), stuck).status, AVOCET_STATUS_HANG, "the stuck job");
         expect_ok(s.client.destroy(work.context()), "CONTEXT_DESTROY");
       }
       expect_equal(s.client.engine_resets(), 10, "engine_resets");
       expect_equal(s.client.info().generation, 0, "device resets");
       s.expect_works_again();
     }, ""},
    {"recovery.wait_on_a_job_that_is_reset", "a waiter from before the reset gets the job's end, with its generation", [] {
       Scene s;
       set_faults("unit-stuck:abort=off,reset=off,context=1");
       const uint64_t id = s.client.must_submit(s.work.context(), s.work.job());
       avocet_accel_wait result{};
       expect_ok(s.client.wait(s.work.context(), id, INT64_MAX, &result), "WAIT");
       expect(result.status != AVOCET_STATUS_OK, "an error");
       expect_equal(s.client.counters().resets, 1, "resets");
       s.expect_works_again();
     }, QUICK},
    {"recovery.firmware_halts", "reset; what had not started runs, and later jobs do", [] {
       Scene s;
       set_faults("firmware-crash:halt=on");
       const avocet_accel_wait result = s.run();
       if (result.status == AVOCET_STATUS_OK) expect(s.work.arrived(), "the copied bytes");
       expect_equal(s.client.info().generation, 1, "device resets");
       s.expect_works_again();
     }, QUICK},
    {"recovery.firmware_falls_silent", "noticed by its heartbeat: reset, jobs that had not started run", [] {
       Scene s;
       set_faults("firmware-crash:nth=1");  // at the doorbell: the job has not started
       const avocet_accel_wait result = s.run();
       expect_status(result.status, AVOCET_STATUS_OK, "the job that had not started");
       expect(s.work.arrived(), "the copied bytes");
       expect_equal(result.generation, 1, "its generation");
       s.expect_works_again();
     }, QUICK},
    {"recovery.firmware_falls_silent_in_a_job", "the job in hardware ends with an error, others run", [] {
       Scene s;
       set_faults("firmware-crash:nth=2");  // at the job's end: taken and not completed
       expect(s.run().status != AVOCET_STATUS_OK, "an error");
       s.expect_works_again();
     }, QUICK},
    {"recovery.firmware_silent_for_a_message", "CONTEXT_CREATE comes back, with a context or an error", [] {
       Scene s;
       set_faults("firmware-crash:nth=1");
       avocet_accel_context_create create{};
       const int error = s.client.ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &create);
       expect(error == 0 || error == -EIO || error == -ETIMEDOUT, "0, EIO or ETIMEDOUT");
       s.expect_works_again();
     }, QUICK " AVOCET_ADMIN_TIMEOUT_MS=400"},
    {"recovery.stale_heartbeat_of_an_idle_device", "no reason for a reset", [] {
       Scene s;
       set_faults("heartbeat-stale");
       timespec pause{0, 600000000};
       nanosleep(&pause, nullptr);
       s.work.run(1);
       expect_equal(s.client.info().generation, 0, "device resets");
       s.expect_works_again();
     }, QUICK},
    {"recovery.firmware_of_another_major_at_power_on", "the device does not open, and says why", [] {
       expect_result(avocet_open(), -EPROTO, "open");
       expect(std::string(avocet_sim_error()).size() > 10, "a sentence");
     }, "AVOCET_FAULTS=firmware-version"},
    {"recovery.firmware_of_another_major_after_a_reset", "EIO from then on, jobs end; never a wait without end", [] {
       Scene s;
       set_faults("firmware-crash:halt=on;firmware-version:count=all");
       const avocet_accel_wait result = s.run();
       expect(result.status != AVOCET_STATUS_OK, "an error");
       avocet_accel_context_create create{};
       const int error = s.client.ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &create);
       expect(error == -EIO || error == -ENODEV, "EIO");
       expect_ok(avocet_sim_replug(), "a new device");
       const Client fresh;
       CopyWork(fresh).run(1);
     }, QUICK},
    {"recovery.ten_resets", "ten faults that need a reset, one after the other: all that is left works", [] {
       Scene s;
       for (uint32_t round = 0; round < 10; round++) {
         set_faults("firmware-crash:halt=on");
         CopyWork work(s.client);
         work.fill(round);
         const auto result = s.client.must_end(work.context(), s.client.must_submit(work.context(), work.job()));
         if (result.status == AVOCET_STATUS_OK) expect(work.arrived(), "the copied bytes");
         set_faults("");
         s.other.run(round);
         expect_ok(s.client.destroy(work.context()), "CONTEXT_DESTROY");
       }
       s.expect_works_again();
     }, QUICK},
    {"recovery.a_firmware_that_always_crashes", "recovery is bounded: the job ends with an error", [] {
       Scene s;
       set_faults("firmware-crash:halt=on,count=all");
       expect(s.run().status != AVOCET_STATUS_OK, "an error");
       set_faults("");
       if (avocet_sim_replug() != 0) fail(avocet_sim_error());
       const Client fresh;
       CopyWork(fresh).run(1);
     }, QUICK},
};

}  // namespace

std::span<const Case> recovery_cases() { return kCases; }

}  // namespace avocet::kmd
