// SPDX-License-Identifier: Apache-2.0
// Counts what may fail and says when it does. Whoever can fail asks at one place; with no fault set that is one test of a flag.
// Rules are changed by any thread, occurrences are counted on the simulation thread.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "fault_rules.hpp"

namespace avocet::model {

// What a rule's filters look at; left out = concerns none.
struct FaultScene {
  std::optional<uint64_t> context{}, tag{}, unit{};
  std::optional<uint64_t> iova{}, address{}; // pages
};

// A rule that strikes now.
struct FaultStrike {
  FaultRule rule;
  uint64_t random = 0; // depends on seed, rule and the number of the strike alone

  uint64_t value(FaultParameter parameter) const { return rule.value(parameter); }
  bool on(FaultParameter parameter) const { return value(parameter) != 0; }
  // The bit parameter, else one by the seed, below `count`.
  uint64_t bit(uint64_t count) const { return rule[FaultParameter::kBit].value_or(random) % count; }
};

class FaultInjector {
public:
  // Replaces all rules; counts start anew. False and *complaint when the text is bad: then nothing changes.
  bool set(const std::string &text, std::string *complaint);
  void power_on() {
    gone_.store(false, std::memory_order_release);
    corrected_.store(0, std::memory_order_relaxed);
  }

  bool armed() const { return armed_.load(std::memory_order_relaxed); }
  // Another occurrence of what this kind counts. The rule that strikes, if one does.
  std::optional<FaultStrike> strikes(FaultKind kind, const FaultScene &scene = {});
  bool in_force(FaultKind kind) const;
  // How often the rule at this index of the specification struck, and its text; false behind the last.
  bool report(size_t index, std::string *text, uint64_t *struck) const;

  // Memory errors that an ECC corrected since power-on.
  uint64_t corrected() const { return corrected_.load(std::memory_order_relaxed); }
  void count_corrected() { corrected_.fetch_add(1, std::memory_order_relaxed); }

  // Unplugged: nobody answers.
  bool gone() const { return gone_.load(std::memory_order_acquire); }
  void unplug() { gone_.store(true, std::memory_order_release); }

private:
  struct Counted {
    FaultRule rule;
    uint64_t seen = 0, struck = 0;
  };

  std::atomic<bool> armed_{false};
  std::atomic<bool> gone_{false};
  std::atomic<uint64_t> corrected_{0};
  mutable std::mutex mutex_;
  std::vector<Counted> rules_;
  uint64_t seed_ = 1;
};

} // namespace avocet::model
