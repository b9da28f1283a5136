// SPDX-License-Identifier: Apache-2.0
// Fences: descriptors that signal with a job, and jobs that wait for them.
#include <avocet_isa.h>
#include <unistd.h>

#include <cerrno>

#include "kmd_test/client.hpp"
#include "kmd_test/descriptor.hpp"

namespace avocet::kmd {
namespace {

/// Two contexts; nothing starts before release().
struct Held {
  Client client;
  CopyWork one{client}, other{client};

  Held() { set_faults("doorbell-lost:count=all"); }
  void release() const {
    set_faults("");
    client.must_submit_empty(one.context());  // rings again
  }
};

avocet_accel_job with_fences(avocet_accel_job job, const std::vector<int32_t>& fences) {
  job.in_fences = reinterpret_cast<uint64_t>(fences.data());
  job.in_fence_count = static_cast<uint32_t>(fences.size());
  return job;
}

/// Submits with an out-fence.
Descriptor submit_with_fence(const Client& client, uint32_t context, avocet_accel_job job, uint64_t* id = nullptr) {
  job.flags |= AVOCET_ACCEL_JOB_OUT_FENCE;
  job.out_fence = -1;
  std::vector<avocet_accel_job> jobs{job};
  expect_ok(client.submit(context, &jobs), "SUBMIT");
  if (id) *id = jobs[0].job_id;
  expect(jobs[0].out_fence >= 0, "a descriptor");
  return Descriptor(jobs[0].out_fence);
}

const Case kCases[] = {
    {"fence.signals_with_its_job", "readable and status 1 once the job has ended", [] {
       Client client;
       CopyWork work(client);
       work.fill(1);
       const Descriptor fence = submit_with_fence(client, work.context(), work.job());
       expect(fence.readable(kBoundMs), "readable within the bound");
       expect(work.arrived(), "the copied bytes");
       expect_equal(fence_status(client, fence.get()), 1, "status");
     }},
    {"fence.has_a_time", "when it signalled", [] {
       Client client;
       CopyWork work(client);
       const int64_t before = now_ns();
       const Descriptor fence = submit_with_fence(client, work.context(), work.job());
       expect(fence.readable(kBoundMs), "readable");
       avocet_accel_fence_info info{};
       info.fd = fence.get();
       expect_ok(client.ioctl(AVOCET_ACCEL_FENCE_INFO, &info), "FENCE_INFO");
       expect(static_cast<int64_t>(info.time_ns) >= before && static_cast<int64_t>(info.time_ns) <= now_ns(), "between then and now");
     }},
    {"fence.not_before_its_job", "status 0 and not readable while the job has not ended", [] {
       Held held;
       uint64_t id = 0;
       const Descriptor fence = submit_with_fence(held.client, held.one.context(), held.one.job(), &id);
       expect(!fence.readable(20), "not readable");
       expect_equal(fence_status(held.client, fence.get()), 0, "status");
       held.release();
       expect(fence.readable(kBoundMs), "readable");
       held.client.must_complete(held.one.context(), id);
     }, ""},
    {"fence.of_a_job_that_failed", "EIO", [] {
       Client client;
       CopyWork work(client);
       set_faults("iommu-fault:context=1");
       const Descriptor fence = submit_with_fence(client, work.context(), work.job());
       expect(fence.readable(kBoundMs), "readable");
       expect_result(fence_status(client, fence.get()), -EIO, "status");
     }, ""},
    {"fence.of_a_job_that_was_aborted", "destroying the context signals with ECANCELED", [] {
       Held held;
       const Descriptor fence = submit_with_fence(held.client, held.one.context(), held.one.job());
       expect_ok(held.client.destroy(held.one.context()), "CONTEXT_DESTROY");
       expect(fence.readable(kBoundMs), "readable");
       expect_result(fence_status(held.client, fence.get()), -ECANCELED, "status");
     }, "AVOCET_ADMIN_TIMEOUT_MS=1000"},
    {"fence.outlives_its_file", "closing the file signals the fences of its jobs", [] {
       Held held;
       Client other;
       const Descriptor fence = submit_with_fence(held.client, held.one.context(), held.one.job());
       set_faults("");
       expect_ok(held.client.close(), "close");
       expect(fence.readable(kBoundMs), "readable");
       expect(fence_status(other, fence.get()) != 0, "signalled");
     }, ""},
    {"fence.of_a_device_that_goes", "signals with an error", [] {
       Client client;
       CopyWork work(client);
       set_faults("unplug");
       uint64_t id = 0;
       const Descriptor fence = submit_with_fence(client, work.context(), work.job(), &id);
       client.must_end(work.context(), id);  // whoever waits notices
       expect(fence.readable(kBoundMs), "readable");
     }, ""},
    {"fence.holds_a_job_back", "a job starts after the job whose fence it waits for has ended", [] {
       Held held;
       uint64_t first = 0;
       const Descriptor fence = submit_with_fence(held.client, held.one.context(), held.one.job(), &first);
       const std::vector<int32_t> fences{fence.get()};
       const uint64_t second = held.client.must_submit(held.other.context(), with_fences(held.other.job(), fences));
       held.release();
       const avocet_accel_wait before = held.client.must_end(held.one.context(), first);
       const avocet_accel_wait after = held.client.must_end(held.other.context(), second);
       expect_status(after.status, AVOCET_STATUS_OK, "the waiting job");
       expect(before.end_cycle <= after.start_cycle, "the order");
     }, ""},
    {"fence.that_has_signalled", "a job that waits for it runs at once", [] {
       Client client;
       CopyWork work(client);
       const Descriptor fence = submit_with_fence(client, work.context(), work.job());
       expect(fence.readable(kBoundMs), "readable");
       const std::vector<int32_t> fences{fence.get(), fence.get()};
       work.fill(2);
       client.must_complete(work.context(), client.must_submit(work.context(), with_fences(work.job(), fences)));
       expect(work.arrived(), "the copied bytes");
     }},
    {"fence.with_an_error", "a job that waits for it ends as ABORTED without having run", [] {
       Client client;
       CopyWork victim(client), work(client);
       set_faults("iommu-fault:context=1");
       const Descriptor fence = submit_with_fence(client, victim.context(), victim.job());
       const std::vector<int32_t> fences{fence.get()};
       work.fill(3);
       const auto result = client.must_end(work.context(), client.must_submit(work.context(), with_fences(work.job(), fences)));
       expect_status(result.status, AVOCET_STATUS_ABORTED, "the waiting job");
       expect(!work.arrived(), "nothing was copied");
       work.run(4);
     }, ""},
    {"fence.may_be_closed", "the job still waits, and still signals", [] {
       Held held;
       uint64_t second = 0;
       {
         const Descriptor fence = submit_with_fence(held.client, held.one.context(), held.one.job());
         const std::vector<int32_t> fences{fence.get()};
         second = held.client.must_submit(held.other.context(), with_fences(held.other.job(), fences));
       }
       held.release();
       held.client.must_complete(held.other.context(), second);
     }, ""},
    {"fence.duplicated", "a copy of the descriptor is the same fence", [] {
       Client client;
       CopyWork work(client);
       Descriptor copy(-1);
       {
         const Descriptor fence = submit_with_fence(client, work.context(), work.job());
         copy = Descriptor(dup(fence.get()));
       }
       expect(copy.readable(kBoundMs), "readable");
       expect_equal(fence_status(client, copy.get()), 1, "status");
     }},
    {"fence.sixty_four", "fences_per_job are taken, one more is EINVAL", [] {
       Client client;
       CopyWork work(client);
       const Descriptor fence = submit_with_fence(client, work.context(), work.job());
       std::vector<int32_t> fences(AVOCET_ACCEL_FENCES_MAX, fence.get());
       client.must_complete(work.context(), client.must_submit(work.context(), with_fences(work.job(), fences)));
       fences.push_back(fence.get());
       expect_result(client.submit(work.context(), with_fences(work.job(), fences)), -EINVAL, "65 fences");
       avocet_accel_job job = with_fences(work.job(), fences);
       job.in_fence_count = 0xFFFFFFFF;
       expect_result(client.submit(work.context(), job), -EINVAL, "2^32 - 1 fences");
     }},
    {"fence.not_a_descriptor", "EBADF", [] {
       Client client;
       CopyWork work(client);
       for (const int32_t wrong : {-1, 1 << 20}) {
         const std::vector<int32_t> fences{wrong};
         expect_result(client.submit(work.context(), with_fences(work.job(), fences)), -EBADF, "SUBMIT");
         avocet_accel_fence_info info{};
         info.fd = wrong;
         expect_result(client.ioctl(AVOCET_ACCEL_FENCE_INFO, &info), -EBADF, "FENCE_INFO");
       }
     }},
    {"fence.another_kind_of_descriptor", "a pipe or an exported buffer is no fence: EINVAL", [] {
       Client client;
       CopyWork work(client);
       int ends[2];
       expect(pipe(ends) == 0, "a pipe");
       const Descriptor reading(ends[0]), writing(ends[1]), buffer(export_buffer(client, work.from().handle));
       for (const int wrong : {reading.get(), buffer.get()}) {
         const std::vector<int32_t> fences{wrong};
         expect_result(client.submit(work.context(), with_fences(work.job(), fences)), -EINVAL, "SUBMIT");
         avocet_accel_fence_info info{};
         info.fd = wrong;
         expect_result(client.ioctl(AVOCET_ACCEL_FENCE_INFO, &info), -EINVAL, "FENCE_INFO");
       }
     }},
    {"fence.list_nowhere", "EFAULT", [] {
       Client client;
       CopyWork work(client);
       avocet_accel_job job = work.job();
       job.in_fences = 16;
       job.in_fence_count = 1;
       expect_result(client.submit(work.context(), job), -EFAULT, "SUBMIT");
     }},
    {"fence.info_with_flags", "EINVAL", [] {
       Client client;
       CopyWork work(client);
       const Descriptor fence = submit_with_fence(client, work.context(), work.job());
       avocet_accel_fence_info info{};
       info.fd = fence.get();
       info.flags = 1;
       expect_result(client.ioctl(AVOCET_ACCEL_FENCE_INFO, &info), -EINVAL, "FENCE_INFO");
     }},
    {"fence.refused_submit_leaves_no_descriptor", "an error in the last job: none of the others' fences stays", [] {
       Client client;
       CopyWork work(client);
       avocet_accel_job job = work.job();
       job.flags = AVOCET_ACCEL_JOB_OUT_FENCE;
       std::vector<avocet_accel_job> jobs(5, job);
       jobs[4].program = 4711;
       const int64_t before = settled_descriptors(client);
       for (int i = 0; i < 50; i++) expect_result(client.submit(work.context(), &jobs), -ENOENT, "SUBMIT");
       expect_equal(settled_descriptors(client), before, "open descriptors");
     }, ""},
    {"fence.two_thousand_leak_nothing", "out-fences and in-fences of two thousand jobs", [] {
       Client client;
       CopyWork work(client);
       const int64_t before = settled_descriptors(client);
       Descriptor last = submit_with_fence(client, work.context(), work.job());
       for (int i = 0; i < 2000; i++) {
         const std::vector<int32_t> fences{last.get()};
         uint64_t id = 0;
         Descriptor next = submit_with_fence(client, work.context(), with_fences(work.job(), fences), &id);
         client.must_complete(work.context(), id);
         last = std::move(next);
       }
       last = Descriptor(-1);
       expect_equal(settled_descriptors(client), before, "open descriptors");
     }, ""},
    {"fence.chain_through_two_contexts", "forty jobs, each waits for the one before in the other context", [] {
       Client client;
       CopyWork one(client), other(client);
       one.fill(6);
       other.fill(7);
       Descriptor last = submit_with_fence(client, one.context(), one.job());
       for (int i = 0; i < 40; i++) {
         CopyWork& work = i % 2 ? one : other;
         const std::vector<int32_t> fences{last.get()};
         last = submit_with_fence(client, work.context(), with_fences(work.job(), fences));
       }
       expect(last.readable(kBoundMs), "the last one signals");
       expect_equal(fence_status(client, last.get()), 1, "status");
       expect(one.arrived() && other.arrived(), "the copied bytes");
     }},
    {"fence.context_of_a_waiting_job_destroyed", "its own fence signals with ECANCELED, nobody waits for ever", [] {
       Held held;
       const Descriptor first = submit_with_fence(held.client, held.one.context(), held.one.job());
       const std::vector<int32_t> fences{first.get()};
       const Descriptor second = submit_with_fence(held.client, held.other.context(), with_fences(held.other.job(), fences));
       set_faults("");
       expect_ok(held.client.destroy(held.other.context()), "CONTEXT_DESTROY");
       expect(second.readable(kBoundMs), "readable");
       expect(fence_status(held.client, second.get()) != 0, "signalled");
       held.client.must_submit_empty(held.one.context());
       expect(first.readable(kBoundMs), "the first signals as well");
     }, ""},
};

}  // namespace

std::span<const Case> fence_cases() { return kCases; }

}  // namespace avocet::kmd
