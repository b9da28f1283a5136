// SPDX-License-Identifier: Apache-2.0
// Who gets at the banks of the SRAM. Words of `bank_bytes` are interleaved over the banks, and a bank serves one word per cycle.
// Priority: MAC array (it cannot be stalled), requantisation, vector unit, DMA fills; DMA copies pass through FIFOs in the
// gaps. A unit moves all words of a cycle together: when any of them meets a bank that a unit before it takes, all wait a
// cycle. Words are taken to lie on any bank alike, so with h of B banks taken, a unit of w words advances in
// ((B - h) / B)^w of the cycles, but never in fewer than one in eight, which the arbiter guarantees. Model "ideal": always.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "config.hpp"
#include "timebase.hpp"

namespace avocet::model {

class SramPorts {
public:
  enum User { kRequant, kVector, kDma, kUsers }; // by priority, behind the MAC array

  static constexpr uint64_t kFullRate = 1 << 16;

  SramPorts(Timebase &time, const Config &config)
      : time_(time), banked_(config.sram_model == "banked" && config.engine != "functional"), banks_(config.sram_banks),
        bank_bytes_(config.sram_bank_bytes) {}

  bool banked() const { return banked_; }
  // Fires when a user comes or goes.
  const sc_core::sc_event &changed() const { return changed_; }
  uint64_t words(uint64_t bytes) const { return (bytes + bank_bytes_ - 1) / bank_bytes_; }

  // The array takes `words` per cycle in [from, to); intervals come in order and may overlap.
  void array_takes(uint64_t from, uint64_t to, uint64_t words);
  void restart_array() { array_.clear(); }
  // While such an object lives, a command of the user takes `words` per cycle.
  class Use {
  public:
    Use(SramPorts &ports, User user, uint64_t words) : ports_(ports), user_(user), words_(words) { change(words_); }
    ~Use() { change(-words_); }
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;
    // In 1 / kFullRate of the full speed; until cycles_until_change() are over or changed() fires.
    uint64_t rate() const { return ports_.rate(user_, words_); }
    uint64_t cycles_until_change() const { return ports_.cycles_until_change(); }
    const sc_core::sc_event &changed() const { return ports_.changed(); }

  private:
    void change(uint64_t words) {
      ports_.taken_[user_] += words;
      ports_.changed_.notify(sc_core::SC_ZERO_TIME);
    }
    SramPorts &ports_;
    const User user_;
    const uint64_t words_;
  };

private:
  struct Interval {
    uint64_t from, to, words;
  };

  uint64_t rate(User user, uint64_t words) const;
  uint64_t cycles_until_change() const;

  Timebase &time_;
  const bool banked_;
  const uint64_t banks_, bank_bytes_;
  std::deque<Interval> array_; // not over yet
  std::array<uint64_t, kUsers> taken_{};
  sc_core::sc_event changed_;
};

} // namespace avocet::model
