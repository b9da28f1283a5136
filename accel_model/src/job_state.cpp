// SPDX-License-Identifier: Apache-2.0
// The job in hardware.
#include "job_state.hpp"

#include <algorithm>
#include <numeric>

namespace avocet::model {

void JobState::begin(const AddressSpace &space, const avocet_job &descriptor, std::vector<uint32_t> words,
                     uint64_t start_cycle, uint32_t tags) {
  space_ = space;
  descriptor_ = descriptor;
  words_ = std::move(words);
  start_cycle_ = start_cycle;
  completed_ = {};
  progress_ = 0;
  active_cycles_ = 0;
  paused_ = false;
  fault_ = {};
  counters_.assign(tags, avocet_profile{});
  running_ = true;
}

void JobState::restore(const uint32_t (&completed)[AVOCET_UNIT_COUNT], uint64_t active_cycles) {
  std::copy(std::begin(completed), std::end(completed), completed_.begin());
  progress_ = std::accumulate(completed_.begin(), completed_.end(), 0u);
  active_cycles_ = active_cycles;
}

void JobState::forget() {
  running_ = false;
  words_ = {};
  counters_ = {};
}

void JobState::note_interval(uint32_t tag, uint64_t start, uint64_t end) {
  avocet_profile &counters = this->counters(tag);
  start -= start_cycle_;
  // A command that ends in the job's first cycle must not look like one that did not occur.
  end = std::max<uint64_t>(end - start_cycle_, 1);
  if (counters.last_cycle == 0 || start < counters.first_cycle) counters.first_cycle = start;
  counters.last_cycle = std::max(counters.last_cycle, end);
}

} // namespace avocet::model
