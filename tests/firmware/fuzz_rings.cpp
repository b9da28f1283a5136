// SPDX-License-Identifier: Apache-2.0
// libFuzzer on the firmware's rings: the input's bytes decide what a broken driver and a broken sequencer do next. A crash, a
// sanitizer's report, a hang, an unanswered message or a firmware that stopped is a finding.
#include <cstdio>
#include <cstdlib>

#include "random_driver.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace avocet::test;
  size_t at = 0;
  auto next = [&](uint32_t low, uint32_t high) {
    const uint64_t range = uint64_t{high} - low + 1;
    uint64_t value = 0;
    for (uint64_t reach = 1; reach < range && at < size; reach <<= 8) value = value << 8 | data[at++];
    return low + static_cast<uint32_t>(value % range);
  };
  RandomDriver driver(next);
  driver.faults = true;
  const int steps = static_cast<int>(size / 2);
  driver.run([&] { if (at < size) driver.garbage(); }, steps < 300 ? steps : 300, 300);
  if (const std::string complaint = driver.complaint(); !complaint.empty()) {
    std::fprintf(stderr, "%s\n", complaint.c_str());
    std::abort();
  }
  return 0;
}
