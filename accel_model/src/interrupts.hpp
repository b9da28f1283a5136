// SPDX-License-Identifier: Apache-2.0
// IRQ_STATUS, IRQ_MASK and the interrupt line. The host's handler is called when the line's latency has passed AND the management
// core sleeps: what the host does next, on its own clock, then cannot overtake the firmware's tail, and cycle counts repeat.
#pragma once

#include "bus.hpp"
#include "register_bank.hpp"
#include "timebase.hpp"
#include "waves.hpp"

namespace avocet::model {

class Interrupts : public sc_core::sc_module {
public:
  Interrupts(sc_core::sc_module_name name, Timebase &time, RegisterBank &registers, const Bus &bus,
             FaultInjector &faults, uint64_t latency);

  void raise(uint32_t bits);
  void clear(uint32_t bits);
  void set_mask(uint32_t mask);
  void reset();

  void show(Waves &waves, const std::string &scope) { line_ = waves.number(scope, "interrupt", 1); }

  // The management core fell asleep (or is held in reset), or woke.
  void core_sleeps(bool asleep);
  // A core that never sleeps must not keep the host from hearing: called at the end of each piece of simulation.
  void deliver_overdue();

private:
  void evaluate();
  void deliver();
  void hand_over();

  Timebase &time_;
  RegisterBank &registers_;
  const Bus &bus_;
  FaultInjector &faults_;
  const uint64_t latency_;
  sc_core::sc_event deliver_event_;
  uint32_t lines_ = 0; // unmasked pending bits when last evaluated
  bool pending_ = false;
  uint64_t due_ = 0;
  bool core_asleep_ = true;
  Wave line_;
};

} // namespace avocet::model
