// SPDX-License-Identifier: Apache-2.0
// Faults that are ordered for a command: a unit that is stuck, a memory whose bits flip while the command reads it.
#include "unit.hpp"

#include <algorithm>

namespace avocet::model {

// True: the command does not run.
bool Unit::injected(const Command &command) {
  wrong_read_.reset();
  const FaultScene scene{.context = blocks_.job.space().context, .tag = command.tag, .unit = id_};
  if (auto strike = blocks_.faults.strikes(FaultKind::kUnitStuck, scene)) {
    const bool lets_go = strike->on(FaultParameter::kAbort);
    ignores_reset_ = !strike->on(FaultParameter::kReset);
    // Preemption waits for the command like anybody; a reset ends it, too.
    wait_until([&] { return lets_go && blocks_.job.fault().status != AVOCET_STATUS_OK; });
    ignores_reset_ = false;
    return true;
  }
  avocet_access accesses[AVOCET_ACCESSES_MAX];
  const uint32_t count = avocet_command_accesses(command.words, accesses);
  const auto reads = [&](uint8_t space) {
    return std::find_if(accesses, accesses + count, [space](const avocet_access &access) {
      return access.space == space && (access.mode & AVOCET_MODE_READ) != 0;
    });
  };
  if (const avocet_access *access = reads(AVOCET_SPACE_SRAM); access != accesses + count)
    if (auto strike = blocks_.faults.strikes(FaultKind::kSramFlip, scene)) return memory_error(command, *access, *strike);
  if (const avocet_access *access = reads(AVOCET_SPACE_DRAM); access != accesses + count)
    if (auto strike = blocks_.faults.strikes(FaultKind::kDramFlip, scene)) return memory_error(command, *access, *strike);
  return false;
}

// The word that the command reads first in a place that the seed chooses.
bool Unit::memory_error(const Command &command, const avocet_access &access, const FaultStrike &strike) {
  const bool sram = access.space == AVOCET_SPACE_SRAM;
  const uint64_t at = strike.random % std::max<uint64_t>(access.extent, 1), bits = strike.value(FaultParameter::kBits);
  if (strike.on(FaultParameter::kEcc)) {
    if (bits > 1) {
      const uint64_t base = sram ? 0 : blocks_.job.descriptor().region[access.region].address;
      fail(command, AVOCET_STATUS_ECC_ERROR, base + access.address + at);
      return true;
    }
    blocks_.faults.count_corrected();
    return false;
  }
  if (!sram) {
    wrong_read_ = strike;
    return false;
  }
  // Behind what earlier commands of the unit still write.
  const uint64_t address = std::min<uint64_t>(access.address + at, blocks_.config.sram_bytes() - 1);
  effect_at(command, time_.now(), [this, address, bits, first = strike.bit(8)] {
    for (uint64_t i = 0; i < bits; ++i) blocks_.sram[address] ^= static_cast<uint8_t>(1u << ((first + i) % 8));
  });
  return false;
}

} // namespace avocet::model
