// SPDX-License-Identifier: Apache-2.0
// Instructions beyond the fast loop: accesses outside the hart's memory or misaligned, CSRs, fences, MRET, WFI, and what is no
// instruction.
#include <atomic>
#include <cstring>

#include "riscv_csr.hpp"
#include "riscv_hart.hpp"

namespace avocet::model {

using Op = RiscvOp;

void RiscvHart::execute_rare(const RiscvInstruction &instruction) {
  const RiscvInstruction i = instruction; // forget_decoded may take the original away
  uint32_t next = pc_ + i.bytes;
  cycles_ += i.cycles;
  switch (i.op) {
  case Op::kFence: std::atomic_thread_fence(std::memory_order_seq_cst); break; // host threads share the bus memory
  case Op::kFenceI: forget_decoded(); break;
  case Op::kWfi: waiting_ = true; break;
  case Op::kMret:
    next = mepc_;
    mstatus_ = kMstatusMpp | kMstatusMpie | ((mstatus_ & kMstatusMpie) != 0 ? kMstatusMie : 0u);
    in_exception_ = false;
    break;
  case Op::kEcall: return raise(kCauseCall, 0);
  case Op::kEbreak: return raise(kCauseBreakpoint, pc_);
  case Op::kCsrrw:
  case Op::kCsrrs:
  case Op::kCsrrc:
  case Op::kCsrrwi:
  case Op::kCsrrsi:
  case Op::kCsrrci:
    if (!access_csr(i)) break;
    [[fallthrough]];
  case Op::kIllegal: {
    uint32_t bits = 0;
    std::memcpy(&bits, &memory_[pc_ - base_], i.bytes);
    return raise(kCauseIllegal, bits);
  }
  default:
    if (!access_memory(i)) return; // trapped
    break;
  }
  pc_ = next;
  ++instructions_;
}

// ---- loads and stores ----

// False: it trapped.
bool RiscvHart::access_memory(const RiscvInstruction &i) {
  const uint32_t address = x_[i.rs1] + static_cast<uint32_t>(i.imm);
  const bool is_store = i.op >= Op::kSb;
  uint32_t size = 4;
  if (i.op == Op::kLb || i.op == Op::kLbu || i.op == Op::kSb) size = 1;
  if (i.op == Op::kLh || i.op == Op::kLhu || i.op == Op::kSh) size = 2;
  if (address % size != 0) {
    raise(is_store ? kCauseStoreMisaligned : kCauseLoadMisaligned, address);
    return false;
  }
  uint32_t value = 0;
  const bool done = size == 4 && (is_store ? outside_.store(address, x_[i.rs2]) : outside_.load(address, &value));
  if (!done)
    raise(is_store ? kCauseStore : kCauseLoad, address);
  else if (!is_store)
    x_[i.rd] = value;
  return done;
}

// ---- control and status registers ----

// True: illegal.
bool RiscvHart::access_csr(const RiscvInstruction &i) {
  const auto number = static_cast<uint32_t>(i.imm);
  const bool immediate = i.op >= Op::kCsrrwi;
  const bool replaces = i.op == Op::kCsrrw || i.op == Op::kCsrrwi;
  const bool sets = i.op == Op::kCsrrs || i.op == Op::kCsrrsi;
  const bool writes = replaces || i.rs1 != 0;
  const bool read_only = number >> 10 == 3;
  uint32_t old = 0;
  if (!read_csr(number, &old) || (writes && read_only)) return true;
  const uint32_t operand = immediate ? i.rs1 : x_[i.rs1];
  if (writes) write_csr(number, replaces ? operand : sets ? old | operand : old & ~operand);
  x_[i.rd] = old;
  return false;
}

// False: there is no such register.
bool RiscvHart::read_csr(uint32_t number, uint32_t *value) const {
  const uint64_t cycle = cycles_ + cycle_offset_, retired = instructions_ + instruction_offset_;
  switch (number) {
  case kMstatus: *value = mstatus_; return true;
  case kMisa: *value = kMisaValue; return true;
  case kMie: *value = mie_; return true;
  case kMtvec: *value = mtvec_; return true;
  case kMscratch: *value = mscratch_; return true;
  case kMepc: *value = mepc_; return true;
  case kMcause: *value = mcause_; return true;
  case kMtval: *value = mtval_; return true;
  case kMip: *value = mip_; return true;
  case kMcycle:
  case kCycle: *value = static_cast<uint32_t>(cycle); return true;
  case kMcycleh:
  case kCycleh: *value = static_cast<uint32_t>(cycle >> 32); return true;
  case kMinstret:
  case kInstret: *value = static_cast<uint32_t>(retired); return true;
  case kMinstreth:
  case kInstreth: *value = static_cast<uint32_t>(retired >> 32); return true;
  case kMstatush:
  case kMvendorid:
  case kMarchid:
  case kMimpid:
  case kMhartid:
  case kMconfigptr: *value = 0; return true;
  default: return false;
  }
}

namespace {

// The counter with one half replaced.
uint64_t with_half(uint64_t counter, bool high, uint32_t half) {
  return high ? (counter & UINT32_MAX) | uint64_t{half} << 32 : (counter & ~uint64_t{UINT32_MAX}) | half;
}

} // namespace

// Bits that mean nothing here keep their value.
void RiscvHart::write_csr(uint32_t number, uint32_t value) {
  const uint64_t cycle = cycles_ + cycle_offset_, retired = instructions_ + instruction_offset_;
  switch (number) {
  case kMstatus: mstatus_ = kMstatusMpp | (value & (kMstatusMie | kMstatusMpie)); break;
  case kMie: mie_ = value & kMieBits; break;
  case kMtvec: mtvec_ = value & ~2u; break;
  case kMscratch: mscratch_ = value; break;
  case kMepc: mepc_ = value & ~1u; break;
  case kMcause: mcause_ = value; break;
  case kMtval: mtval_ = value; break;
  case kMcycle:
  case kMcycleh: cycle_offset_ = with_half(cycle, number == kMcycleh, value) - cycles_; break;
  case kMinstret: // this instruction does not count
  case kMinstreth: instruction_offset_ = with_half(retired, number == kMinstreth, value) - instructions_ - 1; break;
  default: break;
  }
}

} // namespace avocet::model
