// SPDX-License-Identifier: Apache-2.0
// The management core as the device sees it: run and hold, events, timer, sleep, and what an access costs; a CoreProcessor runs
// the firmware on its SC_THREAD. No exception may pass through the firmware's C frames: a held core lets its calls fail.
#pragma once

#include <memory>

#include "blocks.hpp"
#include "completion_faults.hpp"
#include "core_processor.hpp"
#include "interrupts.hpp"

namespace avocet::model {

// Registers as the management core reaches them.
class CoreRegisters {
public:
  virtual uint32_t core_read(uint32_t offset) = 0;
  virtual void core_write(uint32_t offset, uint32_t value) = 0;

protected:
  ~CoreRegisters() = default;
};

class ManagementCore : public sc_core::sc_module, public Process {
public:
  ManagementCore(sc_core::sc_module_name name, SharedBlocks &blocks, Interrupts &interrupts,
                 CompletionFaults &completion_faults, CoreRegisters &registers);

  // CONTROL.RUN.
  void set_run(bool run);
  bool asleep() const { return asleep_; }

  // CORE_EVENTS and CORE_TIMER.
  void raise(uint32_t events);
  void clear(uint32_t events) { events_ &= ~events; }
  uint32_t events() const { return events_; }
  void set_timer(uint64_t cycles);

  // The rest is for the processor, on the core's thread.

  // In reset or about to be: the firmware must return.
  bool held() const { return held_ || reset_pending(); }
  const Config &config() const { return blocks_.config; }
  const Bus &bus() const { return blocks_.bus; }
  uint64_t now() const { return time_.now(); }

  // Time passes, unless the core is held.
  void spend(uint64_t cycles);
  void spend_memory(uint64_t bytes);
  // Free of time; a held core reads 0 and writes nothing.
  uint32_t read_register(uint32_t offset) { return held() ? 0 : registers_.core_read(offset); }
  void write_register(uint32_t offset, uint32_t value) {
    if (!held()) registers_.core_write(offset, value);
  }
  // Until the condition holds or the core is held; events, the timer and the watchdog make it look again.
  template <typename Condition> void sleep_until(Condition condition) {
    while (!condition() && !held()) {
      sleep(true);
      wait_quietly();
    }
    sleep(false);
    if (blocks_.faults.armed() && !held() && crashes()) stay_down();
  }
  // Counts down `cycles`, then watchdog_rang(); 0 = off. Either way it has not rung any more.
  void set_watchdog(uint64_t cycles);
  bool watchdog_rang() const { return watchdog_rang_; }

  // An aligned word of host memory, which is shared with host threads: single words are atomic (load acquires, store releases),
  // everything else is ordered by them. False: not aligned, or bus error.
  bool load_shared(uint64_t address, uint32_t *value) const;
  bool store_shared(uint64_t address, uint32_t value);

private:
  void run();
  void timer_ran_out() { raise(AVOCET_CORE_EVENTS_TIMER); }
  void watchdog_ran_out();
  void sleep(bool asleep);
  uint32_t *shared_word(uint64_t address, bool write) const;
  bool crashes();
  void stay_down();

  SharedBlocks &blocks_;
  Interrupts &interrupts_;
  CompletionFaults &completion_faults_;
  CoreRegisters &registers_;
  const std::unique_ptr<CoreProcessor> processor_;
  sc_core::sc_event timer_, watchdog_;
  bool watchdog_rang_ = false;
  uint32_t events_ = 0;
  bool run_ = false;
  bool held_ = false; // RUN was 0 since this firmware started: it must return
  bool asleep_ = true;
  uint64_t awake_since_ = 0;
};

} // namespace avocet::model
