// SPDX-License-Identifier: Apache-2.0
// Compressed instructions: a row for each, with the operation it stands for. Reserved encodings are illegal; hints do nothing,
// as their result goes to x0.
#include <cstddef>

#include "riscv_instruction.hpp"

namespace avocet::model {

namespace {

// How registers and immediate are laid out; `3` marks three-bit registers x8 to x15.
enum class Form : uint8_t {
  kAddi4spn, // rd3 = sp + scaled
  kLoad3,    // rd3, rs1_3, word offset
  kStore3,   // rs1_3, rs2_3, word offset
  kImm,      // rd is also rs1, signed six bits
  kLoadImm,  // rd, signed six bits
  kJumpLink, // x1, offset
  kJump,     // offset
  kAddi16sp, // sp, scaled
  kLui,      // rd, upper
  kShift3,   // rd3 is also rs1
  kImm3,     // rd3 is also rs1, signed six bits
  kRegs3,    // rd3 is also rs1, rs2_3
  kBranch3,  // rs1_3 against x0, offset
  kShift,    // rd is also rs1
  kLoadSp,   // rd, sp, word offset
  kJumpReg,  // rs1
  kMove,     // rd, rs2
  kCallReg,  // x1, rs1
  kRegs,     // rd is also rs1, rs2
  kStoreSp,  // sp, rs2, word offset
  kBare,
};

struct Row {
  uint16_t match, mask;
  RiscvOp op;
  Form form;
};

using Op = RiscvOp;

// The first row that matches counts.
constexpr Row kRows[] = {
    {0x0000, 0xFFE3, Op::kIllegal, Form::kBare}, // C.ADDI4SPN of nothing; all zero is defined as illegal
    {0x0000, 0xE003, Op::kAddi, Form::kAddi4spn},
    {0x4000, 0xE003, Op::kLw, Form::kLoad3},
    {0xC000, 0xE003, Op::kSw, Form::kStore3},
    {0x0001, 0xE003, Op::kAddi, Form::kImm}, // C.NOP with rd 0
    {0x2001, 0xE003, Op::kJal, Form::kJumpLink},
    {0x4001, 0xE003, Op::kAddi, Form::kLoadImm},
    {0x6001, 0xF07F, Op::kIllegal, Form::kBare}, // C.LUI and C.ADDI16SP of nothing
    {0x6101, 0xEF83, Op::kAddi, Form::kAddi16sp},
    {0x6001, 0xE003, Op::kLui, Form::kLui},
    {0x8001, 0xFC03, Op::kSrli, Form::kShift3}, // bit 12 set: a distance beyond 31
    {0x8401, 0xFC03, Op::kSrai, Form::kShift3},
    {0x8801, 0xEC03, Op::kAndi, Form::kImm3},
    {0x8C01, 0xFC63, Op::kSub, Form::kRegs3},
    {0x8C21, 0xFC63, Op::kXor, Form::kRegs3},
    {0x8C41, 0xFC63, Op::kOr, Form::kRegs3},
    {0x8C61, 0xFC63, Op::kAnd, Form::kRegs3},
    {0xA001, 0xE003, Op::kJal, Form::kJump},
    {0xC001, 0xE003, Op::kBeq, Form::kBranch3},
    {0xE001, 0xE003, Op::kBne, Form::kBranch3},
    {0x0002, 0xF003, Op::kSlli, Form::kShift},
    {0x4002, 0xEF83, Op::kIllegal, Form::kBare}, // C.LWSP to x0
    {0x4002, 0xE003, Op::kLw, Form::kLoadSp},
    {0x8002, 0xFFFF, Op::kIllegal, Form::kBare}, // C.JR to x0
    {0x8002, 0xF07F, Op::kJalr, Form::kJumpReg},
    {0x8002, 0xF003, Op::kAdd, Form::kMove},
    {0x9002, 0xFFFF, Op::kEbreak, Form::kBare},
    {0x9002, 0xF07F, Op::kJalr, Form::kCallReg},
    {0x9002, 0xF003, Op::kAdd, Form::kRegs},
    {0xC002, 0xE003, Op::kSw, Form::kStoreSp},
};

// One piece of an immediate: `count` bits from `lsb` of the instruction to `to` of the value.
struct Piece {
  uint8_t lsb, count, to;
};

template <size_t kCount> uint32_t gather(uint16_t bits, const Piece (&pieces)[kCount]) {
  uint32_t value = 0;
  for (const Piece &piece : pieces) value |= (bits >> piece.lsb & ((1u << piece.count) - 1)) << piece.to;
  return value;
}

int32_t sign_extend(uint32_t value, unsigned width) {
  return static_cast<int32_t>(value << (32 - width)) >> (32 - width);
}

constexpr Piece kSix[] = {{2, 5, 0}, {12, 1, 5}};
constexpr Piece kAddi4spn[] = {{6, 1, 2}, {5, 1, 3}, {11, 2, 4}, {7, 4, 6}};
constexpr Piece kWord3[] = {{6, 1, 2}, {10, 3, 3}, {5, 1, 6}};
constexpr Piece kAddi16sp[] = {{6, 1, 4}, {2, 1, 5}, {5, 1, 6}, {3, 2, 7}, {12, 1, 9}};
constexpr Piece kJump[] = {{3, 3, 1}, {11, 1, 4}, {2, 1, 5}, {7, 1, 6}, {6, 1, 7}, {9, 2, 8}, {8, 1, 10}, {12, 1, 11}};
constexpr Piece kBranch[] = {{3, 2, 1}, {10, 2, 3}, {2, 1, 5}, {5, 2, 6}, {12, 1, 8}};
constexpr Piece kLoadSp[] = {{4, 3, 2}, {12, 1, 5}, {2, 2, 6}};
constexpr Piece kStoreSp[] = {{9, 4, 2}, {7, 2, 6}};

int32_t immediate(uint16_t bits, Form form) {
  switch (form) {
  case Form::kAddi4spn: return static_cast<int32_t>(gather(bits, kAddi4spn));
  case Form::kLoad3:
  case Form::kStore3: return static_cast<int32_t>(gather(bits, kWord3));
  case Form::kImm:
  case Form::kLoadImm:
  case Form::kImm3: return sign_extend(gather(bits, kSix), 6);
  case Form::kShift3:
  case Form::kShift: return static_cast<int32_t>(gather(bits, kSix));
  case Form::kLui: return sign_extend(gather(bits, kSix), 6) * 4096;
  case Form::kAddi16sp: return sign_extend(gather(bits, kAddi16sp), 10);
  case Form::kJumpLink:
  case Form::kJump: return sign_extend(gather(bits, kJump), 12);
  case Form::kBranch3: return sign_extend(gather(bits, kBranch), 9);
  case Form::kLoadSp: return static_cast<int32_t>(gather(bits, kLoadSp));
  case Form::kStoreSp: return static_cast<int32_t>(gather(bits, kStoreSp));
  default: return 0;
  }
}

struct Registers {
  uint8_t rd, rs1, rs2;
};

constexpr uint8_t kLink = 1, kStack = 2;

Registers registers(uint16_t bits, Form form) {
  const auto full1 = static_cast<uint8_t>(bits >> 7 & 31), full2 = static_cast<uint8_t>(bits >> 2 & 31);
  const auto short1 = static_cast<uint8_t>(8 + (bits >> 7 & 7)), short2 = static_cast<uint8_t>(8 + (bits >> 2 & 7));
  switch (form) {
  case Form::kAddi4spn: return {short2, kStack, 0};
  case Form::kLoad3: return {short2, short1, 0};
  case Form::kStore3: return {0, short1, short2};
  case Form::kImm:
  case Form::kShift: return {full1, full1, 0};
  case Form::kLoadImm:
  case Form::kLui: return {full1, 0, 0};
  case Form::kJumpLink: return {kLink, 0, 0};
  case Form::kAddi16sp: return {kStack, kStack, 0};
  case Form::kShift3:
  case Form::kImm3: return {short1, short1, 0};
  case Form::kRegs3: return {short1, short1, short2};
  case Form::kBranch3: return {0, short1, 0};
  case Form::kLoadSp: return {full1, kStack, 0};
  case Form::kJumpReg: return {0, full1, 0};
  case Form::kMove: return {full1, 0, full2};
  case Form::kCallReg: return {kLink, full1, 0};
  case Form::kRegs: return {full1, full1, full2};
  case Form::kStoreSp: return {0, kStack, full2};
  default: return {0, 0, 0};
  }
}

} // namespace

RiscvInstruction riscv_decode_compressed(uint16_t bits) {
  for (const Row &row : kRows) {
    if ((bits & row.mask) != row.match) continue;
    Registers fields = registers(bits, row.form);
    if (fields.rd == 0) fields.rd = kRiscvSink;
    return {row.op, fields.rd, fields.rs1, fields.rs2, immediate(bits, row.form), 0, 2};
  }
  return {RiscvOp::kIllegal, kRiscvSink, 0, 0, 0, 0, 2};
}

} // namespace avocet::model
