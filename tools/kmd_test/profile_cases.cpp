// SPDX-License-Identifier: Apache-2.0
// The profile that a job can ask for.
#include <avocet_isa.h>

#include <cerrno>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

struct Job {
  Client client;
  CopyWork work{client};
  Buffer profile = client.buffer(work.context(), 4096);
  avocet_accel_job job = work.job();

  Job() {
    job.profile = profile.handle;
    job.profile_entries = 2;
  }
  void expect_refused(int error, const char* what, const Location& where = Location::current()) {
    expect_result(client.submit(work.context(), job), -error, what, where);
  }
};

constexpr uint32_t kFits = 4096 / sizeof(avocet_profile);

const Case kCases[] = {
    {"profile.counts_the_bytes", "a record for each tag, with what the device moved", [] {
       Job j;
       Mapping mapping(j.client, j.profile);
       j.client.must_complete(j.work.context(), j.client.must_submit(j.work.context(), j.job));
       const auto* records = reinterpret_cast<const avocet_profile*>(mapping.data());
       expect_equal(static_cast<int64_t>(records[0].dram_read_bytes), 5000, "read");
       expect_equal(static_cast<int64_t>(records[1].dram_write_bytes), 5000, "written");
       expect(records[1].last_cycle > 0, "a last cycle");
     }},
    {"profile.without_a_buffer", "entries or an offset without a handle: EINVAL", [] {
       Job j;
       j.job.profile = 0;
       j.expect_refused(EINVAL, "entries");
       j.job.profile_entries = 0;
       j.job.profile_offset = 8;
       j.expect_refused(EINVAL, "an offset");
     }},
    {"profile.of_no_entries", "EINVAL", [] {
       Job j;
       j.job.profile_entries = 0;
       j.expect_refused(EINVAL, "0 entries");
     }},
    {"profile.more_entries_than_tags", "EINVAL", [] {
       Job j;
       for (const uint32_t entries : {65536u, 0xFFFFFFFFu}) {
         j.job.profile_entries = entries;
         j.expect_refused(EINVAL, "entries");
       }
     }},
    {"profile.beyond_its_buffer", "what just fits runs, one record more is EINVAL", [] {
       Job j;
       j.job.profile_entries = kFits;
       j.client.must_complete(j.work.context(), j.client.must_submit(j.work.context(), j.job));
       j.job.profile_entries = kFits + 1;
       j.expect_refused(EINVAL, "a record more");
       j.job.profile_entries = kFits;
       j.job.profile_offset = 8;
       j.expect_refused(EINVAL, "8 bytes further");
       j.job.profile_entries = 1;
       j.job.profile_offset = ~uint64_t{7};
       j.expect_refused(EINVAL, "an end that overflows");
     }},
    {"profile.misaligned", "EINVAL unless the offset is a multiple of 8", [] {
       Job j;
       for (const uint64_t offset : {1, 2, 4, 12}) {
         j.job.profile_offset = offset;
         j.expect_refused(EINVAL, "offset");
       }
     }},
    {"profile.unknown_buffer", "ENOENT", [] {
       Job j;
       j.job.profile = 4711;
       j.expect_refused(ENOENT, "handle 4711");
     }},
    {"profile.program_as_buffer", "EINVAL", [] {
       Job j;
       j.job.profile = j.work.program();
       j.expect_refused(EINVAL, "a program");
     }},
    {"profile.buffer_of_another_context", "EINVAL", [] {
       Job j;
       j.job.profile = j.client.buffer(j.client.context(), 4096).handle;
       j.expect_refused(EINVAL, "another context's buffer");
     }},
    {"profile.in_a_read_only_buffer", "EACCES", [] {
       Job j;
       j.job.profile = j.client.buffer(j.work.context(), 4096, AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY).handle;
       j.expect_refused(EACCES, "a read-only buffer");
     }},
};

}  // namespace

std::span<const Case> profile_cases() { return kCases; }

}  // namespace avocet::kmd
