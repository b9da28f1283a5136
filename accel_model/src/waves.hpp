// SPDX-License-Identifier: Apache-2.0
// The dump of the device's main signals (VCD). A block holds a Wave for each signal that it shows, and tells it every change; while
// no dump is written a Wave is empty and does nothing. SystemC's own trace files do not fit: what a unit did in a cycle is
// known when its command has ended, and time restarts at power-on.
#pragma once

#include <cstdint>
#include <string>

#include "vcd_writer.hpp"

namespace avocet::model {

class Timebase;
class Waves;

class Wave {
public:
  Wave() = default;
  Wave(Waves &waves, VcdWriter::Signal signal) : waves_(&waves), signal_(signal) {}

  explicit operator bool() const { return waves_ != nullptr; }
  // From now on, or from a cycle on that is not settled. A number, or a word where it was declared as one.
  template <typename Value> void set(Value value) const;
  template <typename Value> void set_at(uint64_t cycle, Value value) const;

private:
  Waves *waves_ = nullptr;
  VcdWriter::Signal signal_ = 0;
};

class Waves {
public:
  static constexpr uint64_t kUnknown = VcdWriter::kUnknown;

  Waves(const Timebase &time, uint64_t clock_khz) : time_(time), writer_(clock_khz) {}

  // 0 or an errno. Then signals, then begin.
  int open(const std::string &path) { return writer_.open(path); }
  Wave number(const std::string &scope, const std::string &name, unsigned bits) {
    return Wave(*this, writer_.declare(scope, name, bits));
  }
  Wave word(const std::string &scope, const std::string &name, const char *initial) {
    return Wave(*this, writer_.declare_words(scope, name, initial));
  }
  void begin() { writer_.begin(); }

  // The device's cycles are about to start again; in the dump time goes on.
  void restart();
  // Something waits to be settled, enough for it to be worth while.
  bool crowded() const { return writer_.pending() > 50000; }
  // What is before this cycle is known.
  void settle(uint64_t cycle) { writer_.settle(base_ + cycle); }
  // The dump ends now. 0 or an errno, of the first error in writing.
  int finish();

  uint64_t now() const;
  template <typename Value> void change(VcdWriter::Signal signal, uint64_t cycle, Value value) {
    writer_.change(signal, base_ + cycle, value);
  }

private:
  const Timebase &time_;
  VcdWriter writer_;
  uint64_t base_ = 0; // of cycle 0 in the dump
};

template <typename Value> void Wave::set(Value value) const {
  if (waves_ != nullptr) waves_->change(signal_, waves_->now(), value);
}

template <typename Value> void Wave::set_at(uint64_t cycle, Value value) const {
  if (waves_ != nullptr) waves_->change(signal_, cycle, value);
}

} // namespace avocet::model
