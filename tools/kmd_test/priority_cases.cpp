// SPDX-License-Identifier: Apache-2.0
// Priorities: who goes first when several jobs wait.
#include <avocet_isa.h>

#include <algorithm>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

/// Jobs that are all queued before the first one starts.
struct Queue {
  Client client;
  CopyWork low{client}, high{client};
  std::vector<uint64_t> low_ids, high_ids;

  /// A context's first job of a priority makes the driver talk to the firmware: that comes before the doorbells are lost.
  Queue() {
    for (CopyWork* work : {&low, &high})
      for (const uint32_t priority : {AVOCET_ACCEL_PRIORITY_LOW, AVOCET_ACCEL_PRIORITY_MEDIUM, AVOCET_ACCEL_PRIORITY_HIGH}) {
        avocet_accel_job job = work->job();
        job.priority = priority;
        client.must_complete(work->context(), client.must_submit(work->context(), job));
      }
    set_faults("doorbell-lost:count=all");
  }
  void add(CopyWork& work, uint32_t priority, int count, std::vector<uint64_t>* ids) {
    avocet_accel_job job = work.job();
    job.priority = priority;
    job.flags = AVOCET_ACCEL_JOB_EXPLICIT;  // else those that write the same buffer keep their order
    for (int i = 0; i < count; i++) ids->push_back(client.must_submit(work.context(), job));
  }
  void release() {
    set_faults("");
    client.must_submit_empty(high.context());  // rings again
  }
  std::vector<uint64_t> starts(const CopyWork& work, const std::vector<uint64_t>& ids) {
    std::vector<uint64_t> cycles;
    for (const uint64_t id : ids) {
      const avocet_accel_wait result = client.must_end(work.context(), id);
      expect_status(result.status, AVOCET_STATUS_OK, "a job");
      cycles.push_back(result.start_cycle);
    }
    return cycles;
  }
};

const Case kCases[] = {
    {"priority.higher_goes_first", "a HIGH job submitted last starts before LOW ones of another context", [] {
       Queue q;
       q.add(q.low, AVOCET_ACCEL_PRIORITY_LOW, 10, &q.low_ids);
       q.add(q.high, AVOCET_ACCEL_PRIORITY_HIGH, 1, &q.high_ids);
       q.release();
       const auto low = q.starts(q.low, q.low_ids), high = q.starts(q.high, q.high_ids);
       expect(high[0] < low[0], "HIGH before the first LOW");
     }, ""},
    {"priority.within_a_context", "a context's HIGH job passes its own LOW ones", [] {
       Queue q;
       q.add(q.low, AVOCET_ACCEL_PRIORITY_LOW, 10, &q.low_ids);
       q.add(q.low, AVOCET_ACCEL_PRIORITY_HIGH, 1, &q.high_ids);
       q.release();
       const auto low = q.starts(q.low, q.low_ids), high = q.starts(q.low, q.high_ids);
       expect(high[0] < low.back(), "HIGH before the last LOW");
     }, ""},
    {"priority.default_is_medium", "between HIGH and LOW", [] {
       Queue q;
       std::vector<uint64_t> medium_ids;
       q.add(q.low, AVOCET_ACCEL_PRIORITY_LOW, 1, &q.low_ids);
       q.add(q.high, AVOCET_ACCEL_PRIORITY_DEFAULT, 1, &medium_ids);
       q.add(q.high, AVOCET_ACCEL_PRIORITY_HIGH, 1, &q.high_ids);
       q.release();
       const auto low = q.starts(q.low, q.low_ids), medium = q.starts(q.high, medium_ids), high = q.starts(q.high, q.high_ids);
       expect(high[0] < medium[0] && medium[0] < low[0], "HIGH, DEFAULT, LOW");
     }, ""},
    {"priority.equals_take_turns", "two contexts of equal priority: neither runs all its jobs before the other's", [] {
       Queue q;
       q.add(q.low, AVOCET_ACCEL_PRIORITY_MEDIUM, 20, &q.low_ids);
       q.add(q.high, AVOCET_ACCEL_PRIORITY_MEDIUM, 20, &q.high_ids);
       q.release();
       const auto one = q.starts(q.low, q.low_ids), other = q.starts(q.high, q.high_ids);
       expect(one[0] < other.back() && other[0] < one.back(), "interleaved");
       expect(std::is_sorted(one.begin(), one.end()) && std::is_sorted(other.begin(), other.end()), "each in its order");
     }, ""},
    {"priority.low_is_not_passed_over_for_ever", "behind sixty HIGH jobs of another context a LOW one starts before the last", [] {
       Queue q;
       q.add(q.low, AVOCET_ACCEL_PRIORITY_LOW, 1, &q.low_ids);
       q.add(q.high, AVOCET_ACCEL_PRIORITY_HIGH, 60, &q.high_ids);
       q.release();
       const auto low = q.starts(q.low, q.low_ids), high = q.starts(q.high, q.high_ids);
       expect(low[0] < high.back(), "before the last HIGH");
     }, ""},
    {"priority.queues_are_separate", "a full LOW queue does not keep HIGH jobs out", [] {
       Queue q;
       const int most = static_cast<int>(q.client.info().jobs_per_context);
       q.add(q.low, AVOCET_ACCEL_PRIORITY_LOW, most, &q.low_ids);
       q.add(q.low, AVOCET_ACCEL_PRIORITY_HIGH, 1, &q.high_ids);
       q.release();
       q.starts(q.low, q.low_ids);
       q.starts(q.low, q.high_ids);
     }, ""},
};

}  // namespace

std::span<const Case> priority_cases() { return kCases; }

}  // namespace avocet::kmd
