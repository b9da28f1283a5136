// SPDX-License-Identifier: Apache-2.0
// Messages of failed expectations.
#include "kmd_test/test_case.hpp"

#include <avocet_stream.h>

#include <cstring>

namespace avocet::kmd {
namespace {

std::string shown(int result) {
  if (result == 0) return "0";
  const char* name = result < 0 ? strerrorname_np(-result) : nullptr;
  return name ? std::string("-") + name : std::to_string(result);
}

}  // namespace

void fail(const std::string& what, const Location& where) {
  const char* file = std::strrchr(where.file_name(), '/');
  throw Failure(std::string(file ? file + 1 : where.file_name()) + ":" + std::to_string(where.line()) + ": " + what);
}

void expect(bool condition, const char* what, const Location& where) {
  if (!condition) fail(what, where);
}

void expect_equal(int64_t actual, int64_t expected, const char* what, const Location& where) {
  if (actual != expected)
    fail(std::string(what) + ": " + std::to_string(actual) + " instead of " + std::to_string(expected), where);
}

void expect_result(int actual, int expected, const char* what, const Location& where) {
  if (actual != expected) fail(std::string(what) + ": " + shown(actual) + " instead of " + shown(expected), where);
}

void expect_status(uint32_t actual, uint32_t expected, const char* what, const Location& where) {
  if (actual != expected)
    fail(std::string(what) + ": status " + avocet_status_text(actual) + " (" + std::to_string(actual) + ") instead of " +
             avocet_status_text(expected),
         where);
}

}  // namespace avocet::kmd
