// SPDX-License-Identifier: Apache-2.0
// A hart for tests: 64 KiB of memory and a word-wide outside that records.
#pragma once

#include <cstring>
#include <initializer_list>
#include <map>
#include <vector>

#include "riscv_encoders.hpp"
#include "riscv_hart.hpp"

namespace avocet::test {

using model::RiscvCosts;
using model::RiscvHart;

class Machine : public model::RiscvOutside {
public:
  static constexpr uint32_t kBase = 0x20000000, kBytes = 65536, kHandler = kBase + 0x4000, kOutside = 0x50000000;

  Machine(const Machine &) = delete; // the hart knows where it is
  explicit Machine(const RiscvCosts &costs = {}) : hart(kBase, kBytes, *this, costs) { restart(); }

  bool load(uint32_t address, uint32_t *value) override {
    loads.push_back(address);
    auto found = words.find(address);
    if (found == words.end()) return false;
    *value = found->second;
    return true;
  }
  bool store(uint32_t address, uint32_t value) override {
    if (words.find(address) == words.end()) return false;
    words[address] = value;
    return true;
  }

  void restart() { hart.reset(kBase); }
  // Words at an address, executable.
  void put(uint32_t address, std::initializer_list<uint32_t> program) {
    for (uint32_t word : program) {
      std::memcpy(&hart.memory()[address - kBase], &word, 4);
      address += 4;
    }
    hart.forget_decoded();
  }
  uint32_t word(uint32_t address) const {
    uint32_t value;
    std::memcpy(&value, &const_cast<RiscvHart &>(hart).memory()[address - kBase], 4);
    return value;
  }
  // As many instructions as there are words: put at the start, each one step. Registers stay as they are.
  void run(std::initializer_list<uint32_t> program) {
    put(kBase, program);
    for (size_t i = 0; i < program.size(); ++i) step();
  }
  RiscvHart::Stop step() { return hart.run(1); }

  std::map<uint32_t, uint32_t> words; // what is outside
  std::vector<uint32_t> loads;
  RiscvHart hart;
};

} // namespace avocet::test
