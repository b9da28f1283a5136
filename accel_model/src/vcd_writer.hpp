// SPDX-License-Identifier: Apache-2.0
// A value change dump (IEEE 1364), written while the simulation goes on. Changes may come in any order as long as their time is not
// settled; of several for one signal and cycle the last one counts. Nothing of the host is in the file, so equal runs give equal
// files.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace avocet::model {

// Of a VCD's clock: the unit of its times, the largest in which a cycle is a whole number, else femtoseconds.
struct VcdTimescale {
  explicit VcdTimescale(uint64_t clock_khz);
  // Rounded down where a cycle is not a whole number; errors do not add up.
  uint64_t time_of(uint64_t cycle) const;

  const char *text; // "1 ns"
  uint64_t units;   // in 10^12 fs
  uint64_t clock_khz;
};

class VcdWriter {
public:
  using Signal = uint32_t;
  static constexpr uint64_t kUnknown = UINT64_MAX;

  explicit VcdWriter(uint64_t clock_khz) : timescale_(clock_khz) {}
  ~VcdWriter();
  VcdWriter(const VcdWriter &) = delete;
  VcdWriter &operator=(const VcdWriter &) = delete;

  // 0, or why the file cannot be made.
  int open(const std::string &path);
  // Before begin. `scope`: names with dots between them; all of one scope in a row. Up to 64 bits, at first 0.
  Signal declare(const std::string &scope, const std::string &name, unsigned bits);
  // A signal whose values are words, strings without blanks that outlive the writer.
  Signal declare_words(const std::string &scope, const std::string &name, const char *initial);
  void begin();

  void change(Signal signal, uint64_t cycle, uint64_t value) {
    if (file_ != nullptr) pending_.push_back({cycle, value, signal});
  }
  void change(Signal signal, uint64_t cycle, const char *word) { change(signal, cycle, reinterpret_cast<uintptr_t>(word)); }
  size_t pending() const { return pending_.size(); }
  // No change of a time before `cycle` comes any more.
  void settle(uint64_t cycle);
  // Completes the file, which ends at `cycle`; 0, or the first error in writing. Later changes are ignored.
  int finish(uint64_t cycle);

private:
  struct Declared {
    std::string scope, name, code;
    unsigned bits; // 0: words
    uint64_t value, next;
    bool touched = false;
  };
  struct Change {
    uint64_t cycle, value;
    Signal signal;
  };

  Signal add(const std::string &scope, const std::string &name, unsigned bits, uint64_t initial);
  void write_declarations();
  void write_changes(uint64_t cycle);
  void write_value(const Declared &signal);
  void put(const std::string &text);
  void close();

  const VcdTimescale timescale_;
  std::FILE *file_ = nullptr;
  int error_ = 0;
  std::vector<Declared> signals_;
  std::vector<Change> pending_;
  std::vector<Signal> touched_; // in the cycle that is being written
  uint64_t written_ = 0;        // last time in the file
  std::string text_;
};

} // namespace avocet::model
