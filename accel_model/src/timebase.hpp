// SPDX-License-Identifier: Apache-2.0
// Device time and reset. One SystemC time unit is one device cycle, so times are exact whatever the clock. A reset wakes every
// process; the wait it sits in throws ResetSignal, which the process's outermost loop catches.
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

namespace avocet::model {

struct ResetSignal {};

class Process;

class Timebase {
public:
  uint64_t now() const { return sc_core::sc_time_stamp().value() - power_on_; }
  static sc_core::sc_time span(uint64_t cycles) { return sc_core::sc_time::from_value(cycles); }

  // Cycle counts restart at zero.
  void power_on() { power_on_ = sc_core::sc_time_stamp().value(); }

  // Ends whatever the processes are doing, in the next delta cycle.
  void reset();
  uint64_t epoch() const { return epoch_; }
  const sc_core::sc_event &reset_event() const { return reset_event_; }
  void add(Process *process) { processes_.push_back(process); }

private:
  uint64_t power_on_ = 0;
  uint64_t epoch_ = 0;
  sc_core::sc_event reset_event_{"reset"};
  std::vector<Process *> processes_;
};

// What an SC_THREAD of the device derives from: the only ways in which it waits.
class Process {
public:
  explicit Process(Timebase &time) : time_(time) { time.add(this); }
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;

  // Makes wait_until look at its condition again.
  void wake() { wake_.notify(sc_core::SC_ZERO_TIME); }

protected:
  ~Process() = default;

  // Called at the head of the outermost loop: resets up to here are dealt with.
  void begin() { epoch_ = time_.epoch(); }

  void wait_cycles(uint64_t cycles) {
    if (cycles == 0) return;
    sc_core::wait(Timebase::span(cycles), time_.reset_event());
    check();
  }

  // Until the cycles are over or the event fires.
  void wait_cycles_or(uint64_t cycles, const sc_core::sc_event &event) {
    sc_core::wait(Timebase::span(cycles), time_.reset_event() | event);
    check();
  }

  template <typename Condition> void wait_until(Condition condition) {
    check();
    while (!condition()) {
      sc_core::wait(wake_);
      check();
    }
  }

  // For code that exceptions must not pass through: the caller looks at reset_pending itself.
  void wait_quietly(uint64_t cycles) { sc_core::wait(Timebase::span(cycles), time_.reset_event()); }
  void wait_quietly() { sc_core::wait(wake_); }
  bool reset_pending() const { return epoch_ != time_.epoch(); }

  Timebase &time_;

private:
  void check() const {
    if (reset_pending()) throw ResetSignal{};
  }

  sc_core::sc_event wake_;
  uint64_t epoch_ = 0;
};

inline void Timebase::reset() {
  ++epoch_;
  reset_event_.notify(sc_core::SC_ZERO_TIME);
  for (Process *process : processes_) process->wake();
}

} // namespace avocet::model
