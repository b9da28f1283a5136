// SPDX-License-Identifier: Apache-2.0
// Values of all registers, from the contract's table. Any thread reads without a lock; the simulation thread alone changes
// values, except for what prepare_write shows early.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "avocet_isa_tables.h"

namespace avocet::model {

struct Config;

class RegisterBank {
public:
  RegisterBank();

  // As the host sees it: all ones outside the window, unaligned, or where there is no register; 0 for write-only registers and
  // the management core's own.
  uint32_t host_read(uint32_t offset) const;
  // Host threads, before the write is posted: values that the writer must be able to read back at once.
  void prepare_write(uint32_t offset, uint32_t value);

  uint32_t get(uint32_t offset) const { return values_[offset / 4].load(std::memory_order_acquire); }
  void set(uint32_t offset, uint32_t value) { values_[offset / 4].store(value, std::memory_order_release); }
  // For CONTROL, in which host threads set a bit early.
  void set_bits(uint32_t offset, uint32_t bits) { values_[offset / 4].fetch_or(bits, std::memory_order_acq_rel); }
  void clear_bits(uint32_t offset, uint32_t bits) { values_[offset / 4].fetch_and(~bits, std::memory_order_acq_rel); }
  uint64_t get64(uint32_t offset_lo) const { return get(offset_lo) | static_cast<uint64_t>(get(offset_lo + 4)) << 32; }
  void set64(uint32_t offset_lo, uint64_t value) {
    set(offset_lo, static_cast<uint32_t>(value));
    set(offset_lo + 4, static_cast<uint32_t>(value >> 32));
  }

  bool is_register(uint32_t offset) const;
  // Distance of this register from that of the next core; 0: there is one for all.
  static constexpr uint32_t stride(uint32_t offset) {
    if (offset >= kSequencers && offset < kSequencers + AVOCET_CORES_MAX * AVOCET_SEQ_STRIDE) return AVOCET_SEQ_STRIDE;
    if (offset >= kNpus && offset < kNpus + AVOCET_CORES_MAX * AVOCET_NPU_STRIDE) return AVOCET_NPU_STRIDE;
    return 0;
  }
  // Core and offset of the same register of core 0.
  static constexpr uint32_t core_of(uint32_t offset) {
    return stride(offset) == 0 ? 0 : (offset - (offset >= kSequencers ? kSequencers : kNpus)) / stride(offset);
  }
  static constexpr uint32_t first_of(uint32_t offset) { return offset - core_of(offset) * stride(offset); }
  // enum avocet_register_access; the offset must be a register's.
  uint8_t access(uint32_t offset) const { return access_[offset / 4]; }

  // Capabilities from the configuration; everything else becomes 0 except GENERATION, NPU_RESETS and CYCLE.
  void reset(const Config &config);

  void publish_cycle(uint64_t cycle) { cycle_.store(cycle, std::memory_order_release); }

private:
  static constexpr uint32_t kWords = AVOCET_REGISTER_BYTES / 4;
  static constexpr uint8_t kHole = 0xFF;
  static constexpr uint32_t kSequencers = AVOCET_REG_SEQ_CONTEXT, kNpus = AVOCET_REG_NPU_STATE;

  std::array<std::atomic<uint32_t>, kWords> values_{};
  std::array<uint8_t, kWords> access_;
  std::atomic<uint64_t> cycle_{0};
};

} // namespace avocet::model
