// SPDX-License-Identifier: Apache-2.0
// A whole random job on a powered-on device, its result and the reference's.
#pragma once

#include "fake_host.hpp"
#include "random_commands.hpp"
#include "reference.hpp"
#include "stream_builder.hpp"

namespace avocet::test {

// From the capability registers.
Hardware hardware_of_device();

class ProgramRunner {
public:
  ProgramRunner(FakeHost &host, uint32_t seed);

  RandomCommands &random() { return random_; }
  const Hardware &hardware() const { return hardware_; }

  // Loads the input part of the SRAM, fills the output part, overwrites all accumulators.
  void begin(StreamBuilder *stream);
  // MATMULs with and without gaps between them, WAITs here and there, everything else beside; with begin. Tags 0 to 4.
  StreamBuilder random_stream(uint32_t steps);
  // Stores the whole SRAM to region 1 when all is done, and runs the job on the reference.
  std::vector<uint32_t> finish(StreamBuilder *stream);
  // The same on the device, too.
  JobResult run(StreamBuilder *stream, uint32_t profile_entries = 0);

  // After run: equal?
  bool sram_matches() const;
  bool region_matches(uint32_t region) const;
  uint32_t first_difference() const; // SRAM address
  uint32_t sram_checksum() const;

private:
  FakeHost &host_;
  Hardware hardware_;
  RandomCommands random_;
  Reference reference_;
  uint8_t *regions_[3];

public:
  static constexpr uint32_t kInput = 0, kSramImage = 1, kScratch = 2;
  static constexpr uint32_t kScratchBytes = 256 * 1024;
};

} // namespace avocet::test
