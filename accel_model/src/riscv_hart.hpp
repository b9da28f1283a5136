// SPDX-License-Identifier: Apache-2.0
// An RV32IMC hart with machine mode alone: registers, traps, interrupts, memory of its own and a cache of decoded
// instructions. It knows nothing of SystemC; what lies outside its memory is behind RiscvOutside.
//
// Misaligned loads and stores trap. An exception while one is being handled (before its MRET) locks the hart up until the next
// reset. Whatever the program does, the host's memory is safe and run() returns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "riscv_instruction.hpp"

namespace avocet::model {

// Cycles of an instruction by class; the time of what it reaches outside comes on top.
struct RiscvCosts {
  uint16_t alu = 1, load = 1, store = 1;
  uint16_t branch = 1; // not taken
  uint16_t taken = 1;  // more for a branch that is taken
  uint16_t jump = 1;
  uint16_t multiply = 1, divide = 1;
  uint16_t system = 1; // CSRs, fences, MRET, WFI; entering a trap
};

// Whole words outside the hart's memory, at aligned addresses. False: access fault. May call the hart's set_pending, stall and
// stop.
class RiscvOutside {
public:
  virtual bool load(uint32_t address, uint32_t *value) = 0;
  virtual bool store(uint32_t address, uint32_t value) = 0;

protected:
  ~RiscvOutside() = default;
};

// Bits of mip and mie, and the machine interrupts' numbers.
enum : uint32_t { kRiscvTimerInterrupt = 1u << 7, kRiscvExternalInterrupt = 1u << 11 };

class RiscvHart {
public:
  RiscvHart(uint32_t memory_base, uint32_t memory_bytes, RiscvOutside &outside, const RiscvCosts &costs);

  // Everything but the memory as after power-on.
  void reset(uint32_t pc);

  enum class Stop { kBudget, kWaiting, kLockedUp, kAsked };
  // Runs for at least `cycles` unless something else ends it: kWaiting after a WFI with no enabled interrupt pending, kLockedUp
  // after a double trap, kAsked after stop().
  Stop run(uint64_t cycles);
  void stop() { stop_asked_ = true; }

  // Interrupt lines, bits of mip.
  void set_pending(uint32_t lines) { mip_ = lines; }
  // What a WFI waits for.
  bool interrupt_enabled_and_pending() const { return (mip_ & mie_) != 0; }

  // Cycles and instructions since reset.
  uint64_t cycles() const { return cycles_; }
  uint64_t instructions() const { return instructions_; }
  // Time that passed outside: an access, or sleep.
  void stall(uint64_t cycles) { cycles_ += cycles; }

  // Decoded instructions are forgotten; whoever changes memory() and wants it executed calls this, as a program does with FENCE.I.
  void forget_decoded();
  std::vector<uint8_t> &memory() { return memory_; }
  // Whether [address, address + bytes) is inside the memory.
  bool in_memory(uint32_t address, uint32_t bytes) const {
    return address - base_ < memory_.size() && bytes <= memory_.size() - (address - base_);
  }

  uint32_t pc() const { return pc_; }
  uint32_t x(unsigned index) const { return x_[index]; }
  void set_x(unsigned index, uint32_t value) {
    if (index != 0) x_[index] = value;
  }
  // What stopped it: valid after kLockedUp, and after any trap. mcause, mepc, mtval.
  uint32_t cause() const { return mcause_; }
  uint32_t exception_pc() const { return mepc_; }
  uint32_t exception_value() const { return mtval_; }

private:
  // riscv_execute.cpp: runs instructions that neither leave the memory nor touch the hart's modes.
  void execute(uint64_t until);
  // riscv_system.cpp: one instruction of any other kind.
  void execute_rare(const RiscvInstruction &instruction);
  bool access_csr(const RiscvInstruction &instruction);
  bool read_csr(uint32_t number, uint32_t *value) const;
  void write_csr(uint32_t number, uint32_t value);
  bool access_memory(const RiscvInstruction &instruction);

  RiscvInstruction *fetch(uint32_t pc);
  uint16_t cost(RiscvOp op) const;
  void raise(uint32_t cause, uint32_t value);
  void take_interrupt();
  void enter_trap(uint32_t cause, uint32_t value);

  const uint32_t base_;
  RiscvOutside &outside_;
  const RiscvCosts costs_;
  std::vector<uint8_t> memory_;
  std::vector<RiscvInstruction> decoded_; // one for each halfword of the memory
  size_t decoded_first_, decoded_end_ = 0;

  std::array<uint32_t, 33> x_{}; // and the sink
  uint32_t pc_ = 0;
  uint64_t cycles_ = 0, instructions_ = 0;
  uint64_t cycle_offset_ = 0, instruction_offset_ = 0; // of mcycle and minstret, which can be written
  uint32_t mstatus_ = 0, mie_ = 0, mip_ = 0, mtvec_ = 0, mscratch_ = 0, mepc_ = 0, mcause_ = 0, mtval_ = 0;
  bool in_exception_ = false, locked_up_ = false, waiting_ = false, stop_asked_ = false;
};

} // namespace avocet::model
