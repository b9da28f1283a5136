// SPDX-License-Identifier: Apache-2.0
// Save areas: what a preempted job leaves in memory, and how it comes back. Only what the job wrote is kept: what it finds
// elsewhere in the scratchpad and the accumulators is undefined for any job.
#pragma once

#include "blocks.hpp"

namespace avocet::model {

// Room for a job that wrote everything.
uint64_t save_area_bytes(const Config &config);

// Where a job stopped.
struct Stop {
  uint32_t position; // of the last command dispatched
  uint64_t active_cycles;
};

// The units have drained. On failure *fault is set. *bytes: moved.
bool save_job(Blocks &blocks, uint64_t area, const Stop &stop, Fault *fault, uint64_t *bytes);
// The job's descriptor and stream are those of before. Fails with BUS_ERROR, or ILLEGAL_FIELD when this is not its area.
bool restore_job(Blocks &blocks, uint64_t area, Fault *fault, uint64_t *bytes);

} // namespace avocet::model
