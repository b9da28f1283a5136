// SPDX-License-Identifier: Apache-2.0
// Numbered jobs in forked processes: a crash or a hang costs the one job that was running, and a new process goes on.
#pragma once

#include <csignal>
#include <cstddef>
#include <functional>
#include <string>

namespace avocet::tools {

struct WorkerPoolOptions {
  unsigned workers = 1;
  unsigned seconds_per_job = 60;
  bool process_per_job = false;  // for jobs that leave a process unfit for the next
  /// Becomes non-zero (in a signal handler): jobs that run are finished, no others begun. Workers ignore SIGINT and SIGTERM
  /// then, and die with this process.
  const volatile std::sig_atomic_t* stop = nullptr;
};

/// Runs `work(job)` for each job in [0, count) in child processes and calls `done(job, result)` here for each, in the
/// order of completion. `crashed(job, reason)` takes the place of `done` when the process died in that job.
/// The caller must not have started threads or used the API before. Throws std::system_error.
void run_in_worker_processes(size_t count, const WorkerPoolOptions& options,
                             const std::function<std::string(size_t)>& work,
                             const std::function<void(size_t, const std::string&)>& done,
                             const std::function<void(size_t, const std::string&)>& crashed);

}  // namespace avocet::tools
