// SPDX-License-Identifier: Apache-2.0
// Meeting of cores.
#include "gangs.hpp"

namespace avocet::model {

void Gangs::begin(uint32_t core, uint64_t job_id, uint32_t members) {
  cores_[core].job_id = job_id;
  cores_[core].members = members;
  cores_[core].arrived = 0;
}

void Gangs::end(uint32_t core) {
  cores_[core].arrived = UINT32_MAX;
  wake_others(core);
}

void Gangs::forget(uint32_t core) { begin(core, 0, 0); }

uint32_t Gangs::arrive(uint32_t core) {
  const uint32_t number = ++cores_[core].arrived;
  wake_others(core);
  return number;
}

bool Gangs::passed(uint32_t core, uint32_t number) const {
  const Core &self = cores_[core];
  for (uint32_t other = 0; other < AVOCET_CORES_MAX; ++other) {
    if (other == core || !(self.members >> other & 1)) continue;
    if (cores_[other].job_id != self.job_id || cores_[other].arrived < number) return false;
  }
  return true;
}

void Gangs::wake_others(uint32_t core) {
  for (uint32_t other = 0; other < AVOCET_CORES_MAX; ++other)
    if (other != core && (cores_[core].members >> other & 1) && cores_[other].wake) cores_[other].wake();
}

} // namespace avocet::model
