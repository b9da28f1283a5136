// SPDX-License-Identifier: Apache-2.0
// Threads of the library: named, and with all signals blocked, because signals are the program's business.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace avocet::runtime {

/// Throws std::system_error when the system has no more threads. Names have at most 15 characters.
template <typename Body>
std::thread start_thread(const char* name, Body body) {
  struct BlockedSignals {
    BlockedSignals() {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &before);
    }
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    sigset_t before;
  } blocked;
  std::thread thread(std::move(body));
  pthread_setname_np(thread.native_handle(), name);
  return thread;
}

}  // namespace avocet::runtime
