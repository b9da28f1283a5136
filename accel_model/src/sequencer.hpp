// SPDX-License-Identifier: Apache-2.0
// Runs one job: reads descriptor and stream, checks the whole stream before the first command (the device trusts nobody),
// hands the commands to the units' queues in order, drains, writes the profile, tells the management core.
#pragma once

#include <array>
#include <functional>

#include "unit.hpp"

namespace avocet::model {

class Sequencer : public sc_core::sc_module, public Process {
public:
  // `units` is indexed by unit id; absent ones are null. `ended` runs when a job is over and its registers are set.
  Sequencer(sc_core::sc_module_name name, Blocks &blocks, const std::array<Unit *, AVOCET_UNIT_COUNT> &units,
            std::function<void()> ended);

  void start();
  // At the next command boundary. Ignored when no job runs.
  void abort();
  uint32_t position() const { return position_; }

private:
  void run();
  void run_job();
  bool is_skipped();
  bool fetch();
  bool read_descriptor(avocet_job *descriptor);
  bool read_stream(const AddressSpace &space, const avocet_job &descriptor, std::vector<uint32_t> *words);
  uint32_t check_stream(const avocet_job &descriptor, const std::vector<uint32_t> &words);
  void dispatch();
  void drain();
  void write_profile();
  void finish(uint64_t end_cycle);
  void note_slice(uint64_t start, uint64_t end, const char *name);

  Blocks &blocks_;
  const std::array<Unit *, AVOCET_UNIT_COUNT> &units_;
  std::function<void()> ended_;
  bool start_ = false;
  bool busy_ = false;
  bool abort_ = false;
  uint32_t position_ = 0;
  Fault fault_; // before the job's state exists, or after it ended
};

} // namespace avocet::model
