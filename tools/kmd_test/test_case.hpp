// SPDX-License-Identifier: Apache-2.0
// A case of the conformance suite, and how it says that something is not as expected.
#pragma once

#include <cstdint>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>

namespace avocet::kmd {

struct Case {
  const char* name;  // subject.what_is_expected
  const char* doc;   // one line
  void (*run)();
  /// A process of its own with these variables ("NAME=value NAME=value"); null: shares one with other cases.
  const char* environment = nullptr;
};

/// The case has failed.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The case does not apply here.
struct Skip : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Location = std::source_location;

[[noreturn]] void fail(const std::string& what, const Location& where = Location::current());
void expect(bool condition, const char* what, const Location& where = Location::current());
void expect_equal(int64_t actual, int64_t expected, const char* what, const Location& where = Location::current());
/// The result of a call: 0 or -errno.
void expect_result(int actual, int expected, const char* what, const Location& where = Location::current());
inline void expect_ok(int actual, const char* what, const Location& where = Location::current()) {
  expect_result(actual, 0, what, where);
}
/// Status of a job; names come from the contract.
void expect_status(uint32_t actual, uint32_t expected, const char* what, const Location& where = Location::current());

// ---- the cases, by subject ----

std::span<const Case> device_cases();
std::span<const Case> query_cases();
std::span<const Case> context_cases();
std::span<const Case> buffer_cases();
std::span<const Case> mapping_cases();
std::span<const Case> program_cases();
std::span<const Case> submit_cases();
std::span<const Case> region_cases();
std::span<const Case> profile_cases();
std::span<const Case> wait_cases();
std::span<const Case> ring_cases();
std::span<const Case> priority_cases();
std::span<const Case> fence_cases();
std::span<const Case> sharing_cases();
std::span<const Case> power_cases();
std::span<const Case> reset_cases();
std::span<const Case> counters_cases();
std::span<const Case> fault_cases();
std::span<const Case> recovery_cases();
std::span<const Case> removal_cases();
std::span<const Case> process_cases();
std::span<const Case> threads_cases();
std::span<const Case> mode_cases();

}  // namespace avocet::kmd
