// SPDX-License-Identifier: Apache-2.0
// Which earlier commands of other units a command must not overtake. Every byte range remembers its last writer and its
// readers since; a vector clock for each unit tells which completions the unit has already waited for, directly or
// through the units that it waited for, so that no WAIT is emitted twice.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "avocet_stream.h"

namespace avocet::compiler {

class Hazards {
 public:
  struct Wait {
    uint32_t producer = 0, count = 0;
  };

  /// The WAITs that must stand before this command in its unit's queue. Afterwards the command counts as issued.
  std::vector<Wait> issue(const uint32_t* words);

 private:
  using Clock = std::array<uint32_t, AVOCET_UNIT_COUNT>;  // commands completed, per unit

  struct Range {
    uint64_t end = 0;
    uint32_t writer = AVOCET_UNIT_COUNT, writer_count = 0;  // AVOCET_UNIT_COUNT: none
    Clock readers{};                                        // last reader of each unit since then
  };
  using Space = std::map<uint64_t, Range>;  // disjoint ranges by their first byte

  Space& space(const avocet_access& access) {
    return spaces_[access.space == AVOCET_SPACE_DRAM ? 2u + access.region : access.space == AVOCET_SPACE_ACC];
  }
  static void split(Space& space, uint64_t at);
  static void collect(const Space& space, uint64_t begin, uint64_t end, bool write, Clock* needed);
  static void merge(Space& space, uint64_t begin, uint64_t end);
  static void note(Space& space, uint64_t begin, uint64_t end, bool write, uint32_t unit, uint32_t count);

  std::array<Space, 2 + AVOCET_REGIONS> spaces_;
  std::array<Clock, AVOCET_UNIT_COUNT> known_{};
  std::array<std::vector<Clock>, AVOCET_UNIT_COUNT> issued_;  // a unit's knowledge when it began its n-th command
};

}  // namespace avocet::compiler
