// SPDX-License-Identifier: Apache-2.0
// More jobs than a ring has entries: wrap-around, order, several contexts.
#include <avocet_isa.h>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

/// `count` verified copies, `batch` in each SUBMIT; each must end with the right bytes, in order.
void run_jobs(uint32_t count, uint32_t batch, const Location& where = Location::current()) {
  Client client;
  CopyWork work(client, 3000);
  uint64_t last_end = 0, last_id = 0;
  for (uint32_t done = 0; done < count;) {
    const uint32_t now = std::min(batch, count - done);
    work.fill(done);
    std::vector<avocet_accel_job> jobs(now, work.job());
    expect_result(client.submit(work.context(), &jobs), 0, "SUBMIT", where);
    for (const auto& job : jobs) {
      const avocet_accel_wait result = client.must_end(work.context(), job.job_id, where);
      expect_status(result.status, AVOCET_STATUS_OK, "a job", where);
      expect(job.job_id > last_id && result.start_cycle >= last_end, "jobs end in their order", where);
      last_id = job.job_id;
      last_end = result.end_cycle;
    }
    expect(work.arrived(), "the copied bytes", where);
    done += now;
  }
  expect_equal(static_cast<int64_t>(client.counters(work.context()).jobs_completed), count, "jobs_completed", where);
}

const Case kCases[] = {
    {"ring.wraps_at_65_jobs", "one at a time", [] { run_jobs(65, 1); }},
    {"ring.wraps_at_133_jobs", "one at a time", [] { run_jobs(133, 1); }},
    {"ring.wraps_at_65_jobs_in_batches", "seven in each SUBMIT", [] { run_jobs(65, 7); }},
    {"ring.wraps_at_133_jobs_in_batches", "sixty in each SUBMIT", [] { run_jobs(133, 60); }},
    {"ring.whole_rings", "ten times as many as a context can have", [] { run_jobs(640, 64); }},
    {"ring.completion_ring_wraps", "more jobs of eight contexts than the completion ring has entries", [] {
       Client client;
       std::vector<std::unique_ptr<CopyWork>> works;
       for (int i = 0; i < 8; i++) works.push_back(std::make_unique<CopyWork>(client, 64));
       for (uint32_t round = 0; round < 2; round++) {
         std::vector<std::vector<avocet_accel_job>> jobs;
         for (const auto& work : works) {
           work->fill(round);
           jobs.emplace_back(50, work->job());
           expect_ok(client.submit(work->context(), &jobs.back()), "SUBMIT");
         }
         for (size_t i = 0; i < works.size(); i++) {
           for (const auto& job : jobs[i]) client.must_complete(works[i]->context(), job.job_id);
           expect(works[i]->arrived(), "the copied bytes");
         }
       }
     }},
    {"ring.two_contexts_at_once", "both wrap around, interleaved, each with its own bytes", [] {
       Client client;
       CopyWork one(client, 3000), other(client, 3000);
       for (uint32_t i = 0; i < 140; i++) {
         one.fill(i);
         other.fill(1000 + i);
         const uint64_t first = client.must_submit(one.context(), one.job());
         const uint64_t second = client.must_submit(other.context(), other.job());
         client.must_complete(one.context(), first);
         client.must_complete(other.context(), second);
         expect(one.arrived() && other.arrived(), "the copied bytes");
       }
     }},
    {"ring.a_job_that_writes_what_the_next_reads", "jobs of a context run one after the other", [] {
       Client client;
       const uint32_t context = client.context();
       constexpr int kChain = 40;
       std::vector<Buffer> buffers;
       for (int i = 0; i <= kChain; i++) buffers.push_back(client.buffer(context, 4096));
       const uint32_t program = client.program(context, copy_stream(0, 1, 0, 4096));
       Mapping first(client, buffers[0]), last(client, buffers[kChain]);
       for (int i = 0; i < 4096; i++) first[i] = static_cast<uint8_t>(i * 3);
       std::vector<avocet_accel_job> jobs;
       for (int i = 0; i < kChain; i++) jobs.push_back(copy_job(program, buffers[i].handle, buffers[i + 1].handle, 4096));
       expect_ok(client.submit(context, &jobs), "SUBMIT");
       client.must_complete(context, jobs.back().job_id);
       for (int i = 0; i < 4096; i++) expect_equal(last[i], static_cast<uint8_t>(i * 3), "a byte");
     }},
};

}  // namespace

std::span<const Case> ring_cases() { return kCases; }

}  // namespace avocet::kmd
