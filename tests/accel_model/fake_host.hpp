// SPDX-License-Identifier: Apache-2.0
// A host for the model's tests: bus memory, page tables, rings, and just enough of a driver to boot the firmware and run jobs.
// One context; one job at a time, and others beside it in rings of other priorities. Of every job, or piece of a preempted one, the cycles of every unit must add up, or wait() throws.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "avocet_isa.h"
#include "avocet_model.h"

namespace avocet::test {

// What the device told of a job's cycles.
struct JobCycles {
  uint64_t job_id = 0, start_cycle = 0, end_cycle = 0;
  uint32_t status = 0;
  std::vector<avocet_model_counters> units;                // by unit id
  std::vector<std::vector<avocet_model_counters>> layers; // by tag and unit id
  avocet_model_energy energy{};
  std::vector<avocet_model_energy> layer_energy; // by tag
};

struct JobResult {
  avocet_completion completion;
  std::vector<avocet_profile> profile;
  JobCycles cycles;
};

class FakeHost {
public:
  static constexpr uint64_t kBus = 0x4000'0000'0000; // bus address of memory_[0]
  static constexpr uint64_t kRegionIova = 0x1000'0000; // regions lie at multiples of this

  FakeHost();
  ~FakeHost();

  // Powers the model on with the engine of $AVOCET_ENGINE (default timed); "" or the error.
  std::string open(const char *config = nullptr);
  std::string open(const char *config, const char *engine);
  void close();

  // Boots the firmware and creates the context.
  void boot();
  bool give_save_areas = false; // before boot: jobs can be preempted
  uint64_t save_area() const { return save_; } // bus address, of LOW; MEDIUM's follows
  // Allocates region `index` of `bytes`, mapped for the context.
  uint8_t *region(uint32_t index, uint64_t bytes, bool writable = true);
  JobResult run(const std::vector<uint32_t> &stream, uint32_t profile_entries = 0);
  // The same in steps: map and copy everything; tell the device; wait.
  void prepare(const std::vector<uint32_t> &stream, uint32_t profile_entries = 0);
  void ring();
  void submit(const std::vector<uint32_t> &stream, uint32_t profile_entries = 0);
  JobResult wait();
  void invalidate();
  // A ring beside that of MEDIUM; a job for it, whose stream gets a place of its own; into the ring with it.
  void open_ring(uint32_t priority);
  avocet_job describe(const std::vector<uint32_t> &stream, uint32_t place);
  void push(uint32_t priority, const avocet_job &job); // also in on_slice
  avocet_completion next_completion();

  static uint32_t read(uint32_t offset) { return avocet_model_read(offset); }
  static void write(uint32_t offset, uint32_t value) { avocet_model_write(offset, value); }
  // Polls until the register has the value; false after ten seconds.
  static bool wait_register(uint32_t offset, uint32_t mask, uint32_t value);

  // Host memory: zeroed pages; returns the bus address.
  uint64_t allocate(uint64_t bytes);
  uint8_t *at(uint64_t bus) { return memory_.data() + (bus - kBus); }
  void map(uint64_t iova, uint64_t bus, uint64_t bytes, bool writable);
  void unmap(uint64_t iova);

  uint64_t interrupts() const { return interrupts_; }
  uint32_t interrupt_bits() const { return interrupt_bits_; } // all that the usual handler ever saw and cleared
  std::vector<avocet_model_slice> slices; // filled when record_slices was set before open
  bool record_slices = false;
  std::function<void(const avocet_model_slice &)> on_slice; // set before open; on the simulation thread
  std::vector<JobCycles> pieces; // all that the device told of jobs, when keep_pieces
  bool keep_pieces = false;
  std::function<void()> on_interrupt; // instead of the usual handler
  uint64_t broken_bus = 0;            // page at this bus address answers with a bus error

protected:
  static constexpr uint32_t kContext = 1; // the one that boot() creates

  uint64_t make_ring(uint32_t entries, uint32_t entry_bytes);
  uint64_t page_table() const { return table_; }
  // Sends an admin message and waits for its answer, which must be the next completion.
  avocet_completion send(uint32_t type, uint64_t argument0, uint64_t argument1, uint32_t context = kContext);
  // The same without waiting.
  void post(uint32_t type, uint64_t argument0, uint64_t argument1, uint32_t context = kContext);
  void handle_interrupt();

private:
  static void *translate(void *opaque, uint64_t address, uint64_t bytes, bool write);
  static void interrupt(void *opaque);
  static void slice(void *opaque, const avocet_model_slice *slice);
  static void job(void *opaque, const avocet_model_job *job);
  void ring_doorbell(uint64_t ring_bus, const avocet_job &job);

  std::vector<uint8_t> memory_;
  std::atomic<uint64_t> used_{0}; // the device looks while a test allocates
  uint64_t boot_ = 0, image_ = 0, admin_ = 0, completion_ = 0, log_ = 0, jobs_ = 0, table_ = 0, save_ = 0;
  uint64_t rings_[AVOCET_PRIORITY_COUNT] = {};
  avocet_region regions_[AVOCET_REGIONS] = {};
  uint64_t profile_bus_ = 0, stream_bus_ = 0, stream_bytes_ = 0;
  uint32_t profile_entries_ = 0;
  uint64_t job_id_ = 0;
  JobCycles job_cycles_; // of the last job that ended
  std::string wrong_cycles_;
  avocet_job job_ = {};
  std::mutex mutex_;
  std::condition_variable arrived_;
  bool completions_pending_ = false;
  std::atomic<uint64_t> interrupts_{0};
  std::atomic<uint32_t> interrupt_bits_{0};
  bool open_ = false;
};

// The engine under test: $AVOCET_ENGINE, or timed.
std::string engine_under_test();

} // namespace avocet::test
