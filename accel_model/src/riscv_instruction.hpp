// SPDX-License-Identifier: Apache-2.0
// Instructions of RV32IMC with Zicsr and Zifencei, decoded. A compressed instruction decodes to the operation it stands for.
#pragma once

#include <cstdint>

namespace avocet::model {

enum class RiscvOp : uint8_t {
  kUndecoded, // nothing was looked up here yet
  kIllegal,
  kLui, kAuipc, kJal, kJalr,
  kBeq, kBne, kBlt, kBge, kBltu, kBgeu,
  kLb, kLh, kLw, kLbu, kLhu, kSb, kSh, kSw,
  kAddi, kSlti, kSltiu, kXori, kOri, kAndi, kSlli, kSrli, kSrai,
  kAdd, kSub, kSll, kSlt, kSltu, kXor, kSrl, kSra, kOr, kAnd,
  kMul, kMulh, kMulhsu, kMulhu, kDiv, kDivu, kRem, kRemu,
  kFence, kFenceI, kEcall, kEbreak, kMret, kWfi,
  kCsrrw, kCsrrs, kCsrrc, kCsrrwi, kCsrrsi, kCsrrci,
};

struct RiscvInstruction {
  RiscvOp op = RiscvOp::kUndecoded;
  uint8_t rd = 0;  // kRiscvSink when the result goes nowhere
  uint8_t rs1 = 0; // of kCsrr?i: the immediate
  uint8_t rs2 = 0;
  int32_t imm = 0;     // of kCsr*: the CSR's number; of a shift: the distance
  uint16_t cycles = 0; // filled in by the hart
  uint8_t bytes = 0;   // 2 or 4
};

// Where results for x0 go.
inline constexpr uint8_t kRiscvSink = 32;

inline bool riscv_is_compressed(uint32_t bits) { return (bits & 3) != 3; }

// bits: 32 bits at the instruction's address; a compressed instruction looks at the low half alone. Never kUndecoded.
RiscvInstruction riscv_decode(uint32_t bits);
// The compressed half of it.
RiscvInstruction riscv_decode_compressed(uint16_t bits);

} // namespace avocet::model
