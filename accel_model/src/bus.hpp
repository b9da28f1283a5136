// SPDX-License-Identifier: Apache-2.0
// The device's way to host memory and to the timeline: thin wrappers around the callbacks of avocet_model_host.
#pragma once

#include <cstdint>
#include <cstring>

#include "avocet_model.h"
#include "fault_injector.hpp"

namespace avocet::model {

class Bus {
public:
  explicit Bus(FaultInjector &faults) : faults_(faults) {}

  void attach(const avocet_model_host &host) { host_ = host; }
  void detach() { host_ = {}; }

  // Host pointer of the bytes, or nullptr: bus error.
  uint8_t *translate(uint64_t address, uint64_t bytes, bool write) const {
    if (host_.translate == nullptr || bytes == 0 || address + bytes < address) return nullptr;
    if (faults_.armed() && faults_.strikes(FaultKind::kBusError, {.address = address})) return nullptr;
    return static_cast<uint8_t *>(host_.translate(host_.opaque, address, bytes, write));
  }

  // Aligned words go whole and in order, as on a real bus: the host's processors use what is beside them, and rings, meanwhile.
  [[nodiscard]] bool read(uint64_t address, void *data, uint64_t bytes) const {
    const uint8_t *from = translate(address, bytes, false);
    if (from == nullptr) return false;
    auto *to = static_cast<uint8_t *>(data);
    if (address % sizeof(uint32_t) == 0)
      for (; bytes >= sizeof(uint32_t); bytes -= sizeof(uint32_t), from += sizeof(uint32_t), to += sizeof(uint32_t)) {
        const uint32_t word = __atomic_load_n(reinterpret_cast<const uint32_t *>(from), __ATOMIC_ACQUIRE);
        std::memcpy(to, &word, sizeof word);
      }
    std::memcpy(to, from, bytes);
    return true;
  }

  [[nodiscard]] bool write(uint64_t address, const void *data, uint64_t bytes) const {
    uint8_t *to = translate(address, bytes, true);
    if (to == nullptr) return false;
    const auto *from = static_cast<const uint8_t *>(data);
    if (address % sizeof(uint32_t) == 0)
      for (; bytes >= sizeof(uint32_t); bytes -= sizeof(uint32_t), from += sizeof(uint32_t), to += sizeof(uint32_t)) {
        uint32_t word;
        std::memcpy(&word, from, sizeof word);
        __atomic_store_n(reinterpret_cast<uint32_t *>(to), word, __ATOMIC_RELEASE);
      }
    std::memcpy(to, from, bytes);
    return true;
  }

  void interrupt() const {
    if (host_.interrupt != nullptr) host_.interrupt(host_.opaque);
  }

  bool has_timeline() const { return host_.slice != nullptr; }
  void slice(const avocet_model_slice &slice) const {
    if (host_.slice != nullptr) host_.slice(host_.opaque, &slice);
  }

  bool has_access_listener() const { return host_.access != nullptr; }
  void access(const avocet_model_access &access) const { host_.access(host_.opaque, &access); }

  bool has_job_listener() const { return host_.job != nullptr; }
  void job(const avocet_model_job &job) const {
    if (host_.job != nullptr) host_.job(host_.opaque, &job);
  }

private:
  FaultInjector &faults_;
  avocet_model_host host_{};
};

} // namespace avocet::model
