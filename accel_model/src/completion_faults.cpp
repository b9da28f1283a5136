// SPDX-License-Identifier: Apache-2.0
// The completion ring seen from the side.
#include "completion_faults.hpp"

#include <atomic>
#include <cstddef>

namespace avocet::model {

CompletionFaults::CompletionFaults(sc_core::sc_module_name name, SharedBlocks &blocks) : sc_module(name), blocks_(blocks) {
  SC_HAS_PROCESS(CompletionFaults);
  SC_METHOD(publish);
  sensitive << publish_event_;
  dont_initialize();
}

void CompletionFaults::reset() {
  late_.reset();
  publish_event_.cancel();
}

bool CompletionFaults::look_at(uint64_t address, uint32_t value) {
  avocet_boot boot{};
  avocet_ring ring{};
  if (!blocks_.bus.read(blocks_.registers.get64(AVOCET_REG_BOOT_LO), &boot, sizeof boot)) return false;
  if (address != boot.completion_ring + offsetof(avocet_ring, tail)) return false;
  if (!blocks_.bus.read(boot.completion_ring, &ring, sizeof ring)) return false;
  const uint32_t first = late_.value_or(ring.tail);
  if (value - first > ring.entries || ring.entry_bytes != sizeof(avocet_completion)) return false;
  uint64_t delay = 0;
  for (uint32_t index = first; index != value; ++index) {
    if (auto strike = blocks_.faults.strikes(FaultKind::kCompletionCorrupt))
      corrupt(boot.completion_ring + sizeof ring + uint64_t{index & (ring.entries - 1)} * ring.entry_bytes, *strike);
    if (auto strike = blocks_.faults.strikes(FaultKind::kCompletionDelay)) delay = strike->value(FaultParameter::kCycles);
  }
  if (!late_ && delay == 0) return false;
  if (!late_) publish_event_.notify(Timebase::span(delay));
  late_ = value; // later ones wait behind the late one
  late_address_ = address;
  return true;
}

void CompletionFaults::corrupt(uint64_t entry, const FaultStrike &strike) {
  uint8_t *bytes = blocks_.bus.translate(entry, sizeof(avocet_completion), true);
  const uint64_t bit = strike.bit(sizeof(avocet_completion) * 8);
  if (bytes != nullptr) bytes[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
}

void CompletionFaults::publish() {
  uint8_t *bytes = late_ ? blocks_.bus.translate(late_address_, 4, true) : nullptr;
  if (bytes != nullptr)
    std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t *>(bytes)).store(*late_, std::memory_order_release);
  late_.reset();
}

} // namespace avocet::model
