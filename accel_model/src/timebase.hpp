// SPDX-License-Identifier: Apache-2.0
// Device time and reset. One SystemC time unit is one device cycle, so times are exact whatever the clock. A reset line wakes the
// processes on it; the wait that each sits in throws ResetSignal, which the process's outermost loop catches. The management core
// is on the device's line, each NPU core has its own, and a reset of the device pulls all.
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

namespace avocet::model {

struct ResetSignal {};

class Process;

class ResetLine {
public:
  // Ends whatever the processes are doing, in the next delta cycle.
  void pull();
  uint64_t pulls() const { return pulls_; }
  const sc_core::sc_event &event() const { return event_; }
  void add(Process *process) { processes_.push_back(process); }

private:
  uint64_t pulls_ = 0;
  sc_core::sc_event event_;
  std::vector<Process *> processes_;
};

class Timebase {
public:
  Timebase() { add(&device_); }

  uint64_t now() const { return sc_core::sc_time_stamp().value() - power_on_; }
  static sc_core::sc_time span(uint64_t cycles) { return sc_core::sc_time::from_value(cycles); }

  // Cycle counts restart at zero.
  void power_on() { power_on_ = sc_core::sc_time_stamp().value(); }

  // Pulls all lines.
  void reset() {
    for (ResetLine *line : lines_) line->pull();
  }
  // So often.
  uint64_t resets() const { return device_.pulls(); }
  ResetLine &device_line() { return device_; }
  void add(ResetLine *line) { lines_.push_back(line); }

private:
  uint64_t power_on_ = 0;
  ResetLine device_;
  std::vector<ResetLine *> lines_;
};

// What an SC_THREAD of the device derives from: the only ways in which it waits.
class Process {
public:
  Process(Timebase &time, ResetLine &line) : time_(time), line_(line) { line.add(this); }
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;

  // Makes wait_until look at its condition again.
  void wake() { wake_.notify(sc_core::SC_ZERO_TIME); }

protected:
  ~Process() = default;

  // Called at the head of the outermost loop: resets up to here are dealt with.
  void begin() { pulls_ = line_.pulls(); }

  void wait_cycles(uint64_t cycles) {
    if (cycles == 0) return;
    sc_core::wait(Timebase::span(cycles), line_.event());
    check();
  }

  // Until the cycles are over or the event fires.
  void wait_cycles_or(uint64_t cycles, const sc_core::sc_event &event) {
    sc_core::wait(Timebase::span(cycles), line_.event() | event);
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
  void wait_quietly(uint64_t cycles) { sc_core::wait(Timebase::span(cycles), line_.event()); }
  void wait_quietly() { sc_core::wait(wake_); }
  bool reset_pending() const { return pulls_ != line_.pulls(); }

  Timebase &time_;

private:
  friend class MemoryPort; // waits in its owner

  void check() const {
    if (reset_pending()) throw ResetSignal{};
  }

  ResetLine &line_;
  sc_core::sc_event wake_;
  uint64_t pulls_ = 0;
};

inline void ResetLine::pull() {
  ++pulls_;
  event_.notify(sc_core::SC_ZERO_TIME);
  for (Process *process : processes_) process->wake();
}

} // namespace avocet::model
