// SPDX-License-Identifier: Apache-2.0
// A crash, an exit or a hang in a worker process costs its own job and no other.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <map>

#include "report/worker_pool.hpp"

namespace avocet::tools {
namespace {

TEST(WorkerPool, RunsEveryJobOnce) {
  std::map<size_t, std::string> results;
  run_in_worker_processes(
      100, {.workers = 3, .seconds_per_job = 30}, [](size_t job) { return std::string(job * 3000, 'x'); },
      [&](size_t job, const std::string& result) { EXPECT_TRUE(results.emplace(job, result).second); },
      [&](size_t job, const std::string& reason) { FAIL() << job << reason; });
  ASSERT_EQ(results.size(), 100u);
  EXPECT_EQ(results[99].size(), 99u * 3000);
}

TEST(WorkerPool, ACrashCostsOneJob) {
  std::map<size_t, std::string> results, crashes;
  run_in_worker_processes(
      20, {.workers = 2, .seconds_per_job = 1},
      [](size_t job) {
        if (job == 4) raise(SIGKILL);
        if (job == 7) _exit(9);
        if (job == 19) {
          for (;;) pause();
        }
        return std::string("ok");
      },
      [&](size_t job, const std::string& result) { results[job] = result; },
      [&](size_t job, const std::string& reason) { crashes[job] = reason; });
  EXPECT_EQ(results.size(), 17u);
  ASSERT_EQ(crashes.size(), 3u);
  EXPECT_EQ(crashes[4], "crashed: signal 9 (Killed)");
  EXPECT_EQ(crashes[7], "the process ended with status 9");
  EXPECT_EQ(crashes[19], "no result within 1 s");
}

TEST(WorkerPool, NoJobsIsNoWork) {
  run_in_worker_processes(
      0, {.workers = 2, .seconds_per_job = 1}, [](size_t) { return std::string(); },
      [](size_t, const std::string&) { FAIL(); }, [](size_t, const std::string&) { FAIL(); });
}

}  // namespace
}  // namespace avocet::tools
