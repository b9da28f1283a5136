// SPDX-License-Identifier: Apache-2.0
// Faults of a job: it ends with its error, its context is closed where the contract says so, and nobody else notices.
// The device numbers contexts from 1 in the order of creation.
#include <avocet_isa.h>

#include <cerrno>
#include <cstdio>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

/// A context that will fault (the device's first) and a healthy one.
struct Pair {
  Client client;
  CopyWork victim{client, 5000, 100}, healthy{client};

  avocet_accel_wait run_victim(const Location& where = Location::current()) {
    victim.fill(1);
    return client.must_end(victim.context(), client.must_submit(victim.context(), victim.job()), where);
  }
  /// The victim's job must end with this status; the healthy context works before and after.
  avocet_accel_wait expect_fault(const char* faults, uint32_t status, const Location& where = Location::current()) {
    healthy.run(1, where);
    set_faults(faults, where);
    const avocet_accel_wait result = run_victim(where);
    expect_status(result.status, status, "the faulting job", where);
    healthy.run(2, where);
    return result;
  }
  void expect_closed(const Location& where = Location::current()) {
    expect_result(client.submit(victim.context(), victim.job()), -EBADFD, "a later SUBMIT", where);
    expect_ok(client.destroy(victim.context()), "CONTEXT_DESTROY", where);
    set_faults("");
    CopyWork(client).run(3, where);
  }
};

std::string at(const char* format, uint64_t value) {
  char text[128];
  std::snprintf(text, sizeof text, format, static_cast<unsigned long long>(value));
  return text;
}

const Case kCases[] = {
    {"fault.iommu", "IOMMU_FAULT with the device address and the command; the context is closed, a new one works", [] {
       Pair p;
       const uint64_t page = p.victim.to().iova + 4096;
       const auto result = p.expect_fault(at("iommu-fault:context=1,iova=0x%llx", page).c_str(), AVOCET_STATUS_IOMMU_FAULT);
       expect_equal(static_cast<int64_t>(result.address), static_cast<int64_t>(page), "the fault's address");
       expect_equal(result.position, AVOCET_DMA_LOAD_WORDS, "its command");
       p.expect_closed();
     }, ""},
    {"fault.iommu_while_the_stream_is_read", "IOMMU_FAULT before any command runs", [] {
       Pair p;
       const auto result = p.expect_fault("iommu-fault:nth=1,context=1", AVOCET_STATUS_IOMMU_FAULT);
       expect_equal(result.commands, 0, "commands");
       p.expect_closed();
     }, ""},
    {"fault.bus_error", "BUS_ERROR with the device address; the context is closed, a new one works", [] {
       Pair p;
       const auto result =
           p.expect_fault(at("bus-error:context=1,iova=0x%llx", p.victim.from().iova).c_str(), AVOCET_STATUS_BUS_ERROR);
       expect_equal(static_cast<int64_t>(result.address), static_cast<int64_t>(p.victim.from().iova), "the fault's address");
       p.expect_closed();
     }, ""},
    {"fault.hang", "a unit that stands still: HANG; the context is closed, a new one works", [] {
       Pair p;
       p.expect_fault("unit-stuck:context=1", AVOCET_STATUS_HANG);
       p.expect_closed();
       expect_equal(p.client.info().generation, 0, "device resets");
     }, ""},
    {"fault.ecc_uncorrectable_in_sram", "ECC_ERROR; the context goes on", [] {
       Pair p;
       p.expect_fault("sram-flip:context=1,bits=2", AVOCET_STATUS_ECC_ERROR);
       set_faults("");
       p.victim.run(5);
     }, ""},
    {"fault.ecc_uncorrectable_in_dram", "ECC_ERROR with the device address; the context goes on", [] {
       Pair p;
       const auto result = p.expect_fault("dram-flip:context=1,bits=3", AVOCET_STATUS_ECC_ERROR);
       expect(result.address >= p.victim.from().iova && result.address < p.victim.from().iova + 5000, "the fault's address");
       set_faults("");
       p.victim.run(5);
     }, ""},
    {"fault.ecc_corrected", "one bit is corrected and counted: right bytes, status OK", [] {
       Pair p;
       set_faults("sram-flip:context=1;dram-flip:context=1");
       p.victim.run(8);
       expect_equal(static_cast<int64_t>(avocet_sim_ecc_corrected()), 2, "corrected errors");
     }, ""},
    {"fault.sram_without_ecc", "one wrong bit goes on: status OK, one byte wrong", [] {
       Pair p;
       const auto result = p.expect_fault("sram-flip:context=1,ecc=off", AVOCET_STATUS_OK);
       expect(!p.victim.arrived(), "a wrong byte");
       expect_equal(result.commands, 2, "commands");
       set_faults("");
       p.victim.run(5);
     }, ""},
    {"fault.dram_without_ecc", "one wrong bit goes on: status OK, one byte wrong", [] {
       Pair p;
       p.expect_fault("dram-flip:context=1,ecc=off", AVOCET_STATUS_OK);
       expect(!p.victim.arrived(), "a wrong byte");
       set_faults("");
       p.victim.run(5);
     }, ""},
    {"fault.jobs_behind_it_are_aborted", "queued jobs of the context end as ABORTED, each", [] {
       Pair p;
       set_faults("iommu-fault:nth=1,context=1");
       std::vector<avocet_accel_job> jobs(30, p.victim.job());
       expect_ok(p.client.submit(p.victim.context(), &jobs), "SUBMIT");
       expect_status(p.client.must_end(p.victim.context(), jobs[0].job_id).status, AVOCET_STATUS_IOMMU_FAULT, "the first");
       for (size_t i = 1; i < jobs.size(); i++)
         expect_status(p.client.must_end(p.victim.context(), jobs[i].job_id).status, AVOCET_STATUS_ABORTED, "one behind it");
       p.healthy.run(1);
       p.expect_closed();
     }, ""},
    {"fault.is_counted", "jobs_failed and faults of the context and of the device", [] {
       Pair p;
       p.expect_fault("iommu-fault:nth=1,context=1", AVOCET_STATUS_IOMMU_FAULT);
       const avocet_accel_counters own = p.client.counters(p.victim.context()), all = p.client.counters();
       expect_equal(static_cast<int64_t>(own.jobs_failed), 1, "jobs_failed of the context");
       expect_equal(static_cast<int64_t>(own.faults), 1, "faults of the context");
       expect_equal(static_cast<int64_t>(all.faults), 1, "faults of the device");
       expect_equal(static_cast<int64_t>(p.client.counters(p.healthy.context()).jobs_failed), 0, "of the healthy one");
     }, ""},
    {"fault.one_context_faults_for_ever", "a hundred contexts fault in a row while a healthy one runs verified jobs", [] {
       Client client;
       CopyWork healthy(client);  // the device's context 1
       set_faults("iommu-fault:context=2,count=all");
       for (uint32_t round = 0; round < 100; round++) {
         const uint32_t context = client.context();  // context 2, every time
         const Buffer buffer = client.buffer(context, 4096);
         const uint32_t program = client.program(context, copy_stream(0, 1, 0, 4096));
         std::vector<avocet_accel_job> jobs(5, copy_job(program, buffer.handle, buffer.handle, 4096));
         expect_ok(client.submit(context, &jobs), "SUBMIT");
         healthy.run(round);
         expect_status(client.must_end(context, jobs[0].job_id).status, AVOCET_STATUS_IOMMU_FAULT, "the faulting job");
         for (int i = 1; i < 5; i++) expect(client.must_end(context, jobs[i].job_id).status != AVOCET_STATUS_OK, "an error");
         healthy.run(round + 1000);
         expect_ok(client.destroy(context), "CONTEXT_DESTROY");
       }
       expect_equal(client.info().generation, 0, "device resets");
     }, ""},
    {"fault.a_context_hangs_again_and_again", "the device is never lost, neighbours see nothing", [] {
       Client client;
       CopyWork healthy(client);
       set_faults("unit-stuck:context=2,count=all");
       for (uint32_t round = 0; round < 3; round++) {
         CopyWork hanging(client);
         const uint64_t id = client.must_submit(hanging.context(), hanging.job());
         healthy.run(round);
         expect_status(client.must_end(hanging.context(), id).status, AVOCET_STATUS_HANG, "the hanging job");
         expect_ok(client.destroy(hanging.context()), "CONTEXT_DESTROY");
       }
     }, ""},
};

}  // namespace

std::span<const Case> fault_cases() { return kCases; }

}  // namespace avocet::kmd
