// SPDX-License-Identifier: Apache-2.0
// The registers as one NPU core sees them: SEQ_* and NPU_* are its own, which stand a stride behind those of the core before it.
#pragma once

#include "register_bank.hpp"

namespace avocet::model {

class NpuRegisters {
public:
  NpuRegisters(RegisterBank &bank, uint32_t core) : bank_(bank), core_(core) {}

  uint32_t get(uint32_t offset) const { return bank_.get(place(offset)); }
  void set(uint32_t offset, uint32_t value) { bank_.set(place(offset), value); }
  uint64_t get64(uint32_t offset_lo) const { return bank_.get64(place(offset_lo)); }
  void set64(uint32_t offset_lo, uint64_t value) { bank_.set64(place(offset_lo), value); }
  void publish_cycle(uint64_t cycle) { bank_.publish_cycle(cycle); }

private:
  uint32_t place(uint32_t offset) const { return offset + core_ * RegisterBank::stride(offset); }

  RegisterBank &bank_;
  const uint32_t core_;
};

} // namespace avocet::model
