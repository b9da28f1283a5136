// SPDX-License-Identifier: Apache-2.0
// Sync fences as file descriptors: readable once signalled. Ours are one end of a socket pair, into which the result
// code of the execution is put and never taken out; others (sync files, eventfds, pipes) are taken as they are.
#pragma once

#include <optional>

#include "deadline.hpp"

namespace avocet::runtime {

/// A fence and the end that signals it; both close on exec. False, with errno, when there are no descriptors left.
bool make_fence(int* fence, int* signal_end);

/// Signals with a result code and closes `signal_end`.
void signal_fence(int signal_end, int code);

/// Waits for a fence: its result code (OP_FAILED for an error of one that is not ours), nothing when the deadline comes
/// first.
std::optional<int> wait_fence(int fence, const Deadline& deadline);

/// The result code of a signalled fence, nothing of one that is not signalled yet.
std::optional<int> poll_fence(int fence);

}  // namespace avocet::runtime
