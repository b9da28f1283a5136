// SPDX-License-Identifier: Apache-2.0
// Cases that share a process go to a few workers one after the other; the others get a process each. A crash or a case beyond the
// bound costs that case alone.
#include "kmd_test/suite.hpp"

#include <algorithm>
#include <cstdio>
#include <regex>

#include "input_error.hpp"
#include "kmd_test/isolated_process.hpp"
#include "report/worker_pool.hpp"

namespace avocet::kmd {
namespace {

constexpr unsigned kSecondsPerCase = 120;
constexpr unsigned kSharedWorkers = 2;
constexpr unsigned kIsolatedWorkers = 6;  // most of them sleep until a timeout

/// The subjects, in the order in which a driver grows.
std::vector<const Case*> all_cases() {
  std::vector<const Case*> all;
  for (const auto& subject :
       {device_cases(), query_cases(), context_cases(), buffer_cases(), mapping_cases(), program_cases(), submit_cases(),
        region_cases(), profile_cases(), wait_cases(), ring_cases(), priority_cases(), fence_cases(), sharing_cases(), power_cases(), counters_cases(), threads_cases(), process_cases(),
        fault_cases(), recovery_cases(), reset_cases(), removal_cases(), mode_cases()})
    for (const Case& one : subject) all.push_back(&one);
  return all;
}

/// How a case ended as text between processes: a letter and the reason.
std::string run_here(const Case& one) {
  try {
    one.run();
    return "P";
  } catch (const Skip& reason) {
    return std::string("S") + reason.what();
  } catch (const std::exception& error) {
    return std::string("F") + error.what();
  }
}

std::string run_isolated(const Case& one) {
  return run_in_a_process(
      [&] {
        set_environment(one.environment);
        return run_here(one);
      },
      [](const std::string& reason) { return "F" + reason; });
}

class Report {
 public:
  void add(const Case& one, const std::string& result) {
    const char kind = result.empty() ? 'F' : result[0];
    const std::string reason = result.empty() ? "" : ": " + result.substr(1);
    ++(kind == 'P' ? tally_.passed : kind == 'S' ? tally_.skipped : tally_.failed);
    std::printf("%s  %s%s\n", kind == 'P' ? "pass" : kind == 'S' ? "skip" : "FAIL", one.name, kind == 'P' ? "" : reason.c_str());
    std::fflush(stdout);
  }
  const Tally& tally() const { return tally_; }

 private:
  Tally tally_;
};

void run_pool(const std::vector<const Case*>& cases, unsigned workers, bool isolated, Report& report) {
  if (cases.empty()) return;
  tools::run_in_worker_processes(
      cases.size(), {.workers = workers, .seconds_per_job = kSecondsPerCase},
      [&](size_t i) { return isolated ? run_isolated(*cases[i]) : run_here(*cases[i]); },
      [&](size_t i, const std::string& result) { report.add(*cases[i], result); },
      [&](size_t i, const std::string& reason) { report.add(*cases[i], "F" + reason); });
}

}  // namespace

std::vector<const Case*> find_cases(const std::string& expression) {
  std::vector<const Case*> found = all_cases();
  try {
    const std::regex wanted(expression);
    std::erase_if(found, [&](const Case* one) { return !std::regex_search(one->name, wanted); });
  } catch (const std::regex_error&) {
    throw tools::InputError("--filter " + expression + ": not a regular expression");
  }
  if (found.empty()) throw tools::InputError("--filter " + expression + ": no case has such a name");
  return found;
}

Tally run_cases(const std::vector<const Case*>& cases) {
  std::vector<const Case*> shared, isolated;
  for (const Case* one : cases) (one->environment ? isolated : shared).push_back(one);
  Report report;
  run_pool(shared, kSharedWorkers, false, report);
  run_pool(isolated, kIsolatedWorkers, true, report);
  const Tally& tally = report.tally();
  std::printf("%zu passed, %zu failed, %zu skipped\n", tally.passed, tally.failed, tally.skipped);
  return tally;
}

}  // namespace avocet::kmd
