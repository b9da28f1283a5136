// SPDX-License-Identifier: Apache-2.0
// The management core: runs the firmware, built natively, on an SC_THREAD. Every access to a register or to memory costs its
// configured cycles. No exception may pass through the firmware's C frames: a held core lets its calls fail
// instead, and wait_events returns 0.
#pragma once

#include "avocet_firmware.h"
#include "blocks.hpp"
#include "completion_faults.hpp"
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
  ManagementCore(sc_core::sc_module_name name, Blocks &blocks, Interrupts &interrupts,
                 CompletionFaults &completion_faults, CoreRegisters &registers);

  // CONTROL.RUN.
  void set_run(bool run);
  bool asleep() const { return asleep_; }

  // CORE_EVENTS and CORE_TIMER.
  void raise(uint32_t events);
  void clear(uint32_t events) { events_ &= ~events; }
  uint32_t events() const { return events_; }
  void set_timer(uint64_t cycles);

private:
  void run();
  void timer_ran_out() { raise(AVOCET_CORE_EVENTS_TIMER); }
  void sleep(bool asleep);
  bool held() const { return held_ || reset_pending(); }
  void spend(uint64_t cycles);
  void spend_memory(uint64_t bytes);
  uint32_t wait_events();
  bool crashes();
  static ManagementCore &self(void *opaque) { return *static_cast<ManagementCore *>(opaque); }
  avocet_firmware_port make_port();

  Blocks &blocks_;
  Interrupts &interrupts_;
  CompletionFaults &completion_faults_;
  CoreRegisters &registers_;
  avocet_firmware firmware_{};
  const avocet_firmware_port port_;
  sc_core::sc_event timer_;
  uint32_t events_ = 0;
  bool run_ = false;
  bool held_ = false; // RUN was 0 since this firmware started: it must return
  bool asleep_ = true;
  uint64_t awake_since_ = 0;
};

} // namespace avocet::model
