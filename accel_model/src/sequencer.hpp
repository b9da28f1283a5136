// SPDX-License-Identifier: Apache-2.0
// Runs one job: reads descriptor and stream, checks the whole stream before the first command (the device trusts nobody),
// hands the commands to the units' queues in order, drains, writes the profile, tells the management core. A preempted job
// is fetched again when it continues, and the commands that it had completed are passed over.
#pragma once

#include <array>
#include <functional>

#include "memory_port.hpp"
#include "stream_fetcher.hpp"
#include "unit.hpp"

namespace avocet::model {

class Sequencer : public sc_core::sc_module, public Process {
public:
  // `units` is indexed by unit id; absent ones are null. `ended` runs when a job is over and its registers are set.
  Sequencer(sc_core::sc_module_name name, Blocks &blocks, const std::array<Unit *, AVOCET_UNIT_COUNT> &units,
            std::function<void()> ended);

  // `restore`: continue the job that is saved at SEQ_SAVE.
  void start(bool restore);
  // At the next command boundary. Ignored when no job runs.
  void abort();
  // The same, and what the job needs to continue goes to SEQ_SAVE; status PREEMPTED unless it ended by itself.
  void preempt();
  uint32_t position() const { return position_; }
  bool busy() const { return busy_; }
  void show(Waves &waves);

private:
  void run();
  void end_what_was_reset();
  void stop();
  void run_job();
  bool is_skipped();
  bool fetch();
  bool read_descriptor(avocet_job *descriptor);
  bool take_part(avocet_job *descriptor);
  bool read_stream(const AddressSpace &space, const avocet_job &descriptor, std::vector<uint32_t> *words);
  uint32_t check_stream(const avocet_job &descriptor, const std::vector<uint32_t> &words);
  void dispatch();
  void dispatch_from(uint32_t first);
  bool decode(uint32_t word0);
  uint32_t first_position() const;
  bool dispatch_one(const uint32_t *words, std::array<uint32_t, AVOCET_UNIT_COUNT> *met);
  void drain();
  bool completed() const { return at_end_ && blocks_.job.progress() >= commands_; }
  void save(uint64_t stopped_at);
  bool restore();
  void spend_transfer(uint64_t bytes);
  void move_profile(bool write, uint64_t bytes, uint64_t walks);
  bool read_profile();
  void write_profile();
  void finish(uint64_t end_cycle);
  void show_completed() const;
  void note_slice(uint64_t start, uint64_t end, const char *name);

  Blocks &blocks_;
  const std::array<Unit *, AVOCET_UNIT_COUNT> &units_;
  std::function<void()> ended_;
  StreamFetcher stream_;
  MemoryPort port_; // for profiles
  uint64_t device_resets_ = 0; // seen so far
  bool start_ = false;
  bool busy_ = false;
  bool abort_ = false;
  bool preempt_ = false;
  bool restore_ = false;
  uint32_t position_ = 0; // of the last command dispatched
  uint32_t next_ = 0;     // behind it
  uint32_t commands_ = 0; // met so far, without WAITs
  bool at_end_ = false;   // END was met
  Fault fault_; // before the job's state exists, or after it ended
  struct {
    Wave busy, phase, job, context, position;
  } waves_;
};

} // namespace avocet::model
