// SPDX-License-Identifier: Apache-2.0
// Builds command streams: encodes commands, counts them per unit, and places WAITs for everything a unit was given so far.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "avocet_isa_tables.h"
#include "avocet_stream.h"

namespace avocet::test {

class StreamBuilder {
public:
  explicit StreamBuilder(uint32_t tag = 0) : tag_(tag) {}

  void set_tag(uint32_t tag) { tag_ = tag; }

#define AVOCET_TEST_ADD(NAME, name, opcode, words, unit)                                                               \
  void add(const avocet_cmd_##name &command) {                                                                         \
    uint32_t encoded[AVOCET_COMMAND_WORDS_MAX] = {};                                                                     \
    append(encoded, avocet_##name##_encode(&command, tag_, encoded));                                                  \
  }
  AVOCET_COMMANDS(AVOCET_TEST_ADD)
#undef AVOCET_TEST_ADD

  // `unit` waits until `producer` has done all it was given so far.
  void wait(uint32_t unit, uint32_t producer) {
    if (counts_[producer] == 0) return;
    add(avocet_cmd_wait{unit, producer, counts_[producer]});
  }
  // `unit` waits for every other unit.
  void wait_for_all(uint32_t unit) {
    for (uint32_t producer = 0; producer < AVOCET_UNIT_COUNT; ++producer)
      if (producer != unit) wait(unit, producer);
  }
  uint32_t count(uint32_t unit) const { return counts_[unit]; }
  uint32_t position() const { return static_cast<uint32_t>(words_.size()); }

  std::vector<uint32_t> finish() {
    add(avocet_cmd_end{});
    return words_;
  }

  void append(const uint32_t *encoded, uint32_t length) {
    words_.insert(words_.end(), encoded, encoded + length);
    uint32_t unit = avocet_command_unit(encoded);
    if (unit < AVOCET_UNIT_COUNT && avocet_command_opcode(encoded[0]) != AVOCET_OP_WAIT) ++counts_[unit];
  }

private:
  uint32_t tag_;
  std::vector<uint32_t> words_;
  std::array<uint32_t, AVOCET_UNIT_COUNT> counts_{};
};

} // namespace avocet::test
