// SPDX-License-Identifier: Apache-2.0
// Reset, the outer loop, fetching, traps and interrupts.
#include "riscv_hart.hpp"

#include <algorithm>
#include <cstring>

#include "riscv_csr.hpp"

namespace avocet::model {

RiscvHart::RiscvHart(uint32_t memory_base, uint32_t memory_bytes, RiscvOutside &outside, const RiscvCosts &costs)
    : base_(memory_base), outside_(outside), costs_(costs), memory_(memory_bytes), decoded_(memory_bytes / 2),
      decoded_first_(decoded_.size()) {}

void RiscvHart::reset(uint32_t pc) {
  x_.fill(0);
  pc_ = pc & ~1u;
  cycles_ = instructions_ = cycle_offset_ = instruction_offset_ = 0;
  mstatus_ = kMstatusMpp;
  mie_ = mip_ = mtvec_ = mscratch_ = mepc_ = mcause_ = mtval_ = 0;
  in_exception_ = locked_up_ = waiting_ = stop_asked_ = false;
  forget_decoded();
}

void RiscvHart::forget_decoded() {
  for (size_t i = decoded_first_; i < decoded_end_; ++i) decoded_[i] = {};
  decoded_first_ = decoded_.size();
  decoded_end_ = 0;
}

RiscvHart::Stop RiscvHart::run(uint64_t cycles) {
  const uint64_t until = cycles_ + cycles;
  while (cycles_ < until) {
    if (stop_asked_) break;
    if (locked_up_) return Stop::kLockedUp;
    if (waiting_ && !interrupt_enabled_and_pending()) return Stop::kWaiting;
    waiting_ = false;
    take_interrupt();
    execute(until);
  }
  if (!stop_asked_) return locked_up_ ? Stop::kLockedUp : Stop::kBudget;
  stop_asked_ = false;
  return Stop::kAsked;
}

// The decoded instruction at pc; nullptr when (part of) it is outside the memory.
RiscvInstruction *RiscvHart::fetch(uint32_t pc) {
  if (!in_memory(pc, 2)) return nullptr;
  const size_t index = (pc - base_) / 2;
  RiscvInstruction &slot = decoded_[index];
  if (slot.op != RiscvOp::kUndecoded) return &slot;
  uint32_t bits = 0;
  std::memcpy(&bits, &memory_[pc - base_], 2);
  if (!riscv_is_compressed(bits)) {
    if (!in_memory(pc, 4)) return nullptr;
    std::memcpy(&bits, &memory_[pc - base_], 4);
  }
  slot = riscv_decode(bits);
  slot.cycles = cost(slot.op);
  decoded_first_ = std::min(decoded_first_, index);
  decoded_end_ = std::max(decoded_end_, index + 1);
  return &slot;
}

uint16_t RiscvHart::cost(RiscvOp op) const {
  if (op >= RiscvOp::kFence) return costs_.system;
  if (op >= RiscvOp::kDiv) return costs_.divide;
  if (op >= RiscvOp::kMul) return costs_.multiply;
  if (op >= RiscvOp::kAddi) return costs_.alu;
  if (op >= RiscvOp::kSb) return costs_.store;
  if (op >= RiscvOp::kLb) return costs_.load;
  if (op >= RiscvOp::kBeq) return costs_.branch;
  if (op >= RiscvOp::kJal) return costs_.jump;
  return costs_.alu;
}

void RiscvHart::raise(uint32_t cause, uint32_t value) {
  if (in_exception_) locked_up_ = true;
  in_exception_ = true;
  enter_trap(cause, value);
}

void RiscvHart::enter_trap(uint32_t cause, uint32_t value) {
  mepc_ = pc_;
  mcause_ = cause;
  mtval_ = value;
  mstatus_ = kMstatusMpp | ((mstatus_ & kMstatusMie) != 0 ? kMstatusMpie : 0u);
  pc_ = mtvec_ & ~3u;
  const bool vectored = (mtvec_ & 1) != 0;
  if (vectored && (cause & kCauseInterrupt) != 0) pc_ += 4 * (cause & ~kCauseInterrupt);
  cycles_ += costs_.system;
}

void RiscvHart::take_interrupt() {
  const uint32_t ready = mip_ & mie_;
  if (ready == 0 || (mstatus_ & kMstatusMie) == 0) return;
  // In this order, says the specification.
  for (uint32_t number : {11u, 3u, 7u})
    if ((ready >> number & 1) != 0) return enter_trap(kCauseInterrupt | number, 0);
}

} // namespace avocet::model
