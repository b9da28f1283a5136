// SPDX-License-Identifier: Apache-2.0
// Jobs that run on several cores at once: which cores have come how far. A core is known by the job that it works on, so what
// an earlier job left behind counts for nobody.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "avocet_isa.h"

namespace avocet::model {

class Gangs {
public:
  // `wake`: runs when another core of the gang comes to a BARRIER or ends.
  void connect(uint32_t core, std::function<void()> wake) { cores_[core].wake = std::move(wake); }

  // The core works on its part of the job from now. `members`: one bit for each core, its own among them; 0 = none but itself.
  void begin(uint32_t core, uint64_t job_id, uint32_t members);
  // It ended its part without a fault: nobody waits for it any more.
  void end(uint32_t core);
  // A reset.
  void forget(uint32_t core);

  // The core came to its next BARRIER; returns its number, from 1.
  uint32_t arrive(uint32_t core);
  // Whether all cores of the core's gang have come to BARRIER `number`, or ended.
  bool passed(uint32_t core, uint32_t number) const;

private:
  struct Core {
    std::function<void()> wake;
    uint64_t job_id = 0;
    uint32_t members = 0;
    uint32_t arrived = 0;
  };

  void wake_others(uint32_t core);

  std::array<Core, AVOCET_CORES_MAX> cores_;
};

} // namespace avocet::model
