// SPDX-License-Identifier: Apache-2.0
// Threads of the CPU path. One job at a time: a second caller, a nested call, or a call while there is one processor
// runs on its own thread. Threads are made at the first job worth it, sleep between jobs and end with the library.
#pragma once

#include "operations/operation.hpp"

namespace avocet::runtime {

/// Threads including the caller's, for jobs started from now on; 0 = one per processor.
void set_pool_threads(unsigned threads);
unsigned pool_threads();

/// The ParallelFor of the seam. Exceptions of `body` come out of the call.
const ParallelFor& pool_parallel_for();

}  // namespace avocet::runtime
