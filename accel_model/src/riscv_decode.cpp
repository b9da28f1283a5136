// SPDX-License-Identifier: Apache-2.0
// One row for each 32-bit instruction. An instruction is looked up once and then kept, so the search may be slow.
#include "riscv_instruction.hpp"

namespace avocet::model {

namespace {

// Which fields there are; the formats of the specification, and the ones that deviate.
enum class Format : uint8_t { kR, kI, kS, kB, kU, kJ, kShift, kCsr, kNone };

struct Row {
  uint32_t match, mask;
  RiscvOp op;
  Format format;
};

using Op = RiscvOp;
constexpr uint32_t kOpcode = 0x0000007F, kFunct3 = 0x0000707F, kFunct7 = 0xFE00707F, kWhole = 0xFFFFFFFF;

constexpr Row kRows[] = {
    {0x00000037, kOpcode, Op::kLui, Format::kU},      {0x00000017, kOpcode, Op::kAuipc, Format::kU},
    {0x0000006F, kOpcode, Op::kJal, Format::kJ},      {0x00000067, kFunct3, Op::kJalr, Format::kI},
    {0x00000063, kFunct3, Op::kBeq, Format::kB},      {0x00001063, kFunct3, Op::kBne, Format::kB},
    {0x00004063, kFunct3, Op::kBlt, Format::kB},      {0x00005063, kFunct3, Op::kBge, Format::kB},
    {0x00006063, kFunct3, Op::kBltu, Format::kB},     {0x00007063, kFunct3, Op::kBgeu, Format::kB},
    {0x00000003, kFunct3, Op::kLb, Format::kI},       {0x00001003, kFunct3, Op::kLh, Format::kI},
    {0x00002003, kFunct3, Op::kLw, Format::kI},       {0x00004003, kFunct3, Op::kLbu, Format::kI},
    {0x00005003, kFunct3, Op::kLhu, Format::kI},      {0x00000023, kFunct3, Op::kSb, Format::kS},
    {0x00001023, kFunct3, Op::kSh, Format::kS},       {0x00002023, kFunct3, Op::kSw, Format::kS},
    {0x00000013, kFunct3, Op::kAddi, Format::kI},     {0x00002013, kFunct3, Op::kSlti, Format::kI},
    {0x00003013, kFunct3, Op::kSltiu, Format::kI},    {0x00004013, kFunct3, Op::kXori, Format::kI},
    {0x00006013, kFunct3, Op::kOri, Format::kI},      {0x00007013, kFunct3, Op::kAndi, Format::kI},
    {0x00001013, kFunct7, Op::kSlli, Format::kShift}, {0x00005013, kFunct7, Op::kSrli, Format::kShift},
    {0x40005013, kFunct7, Op::kSrai, Format::kShift}, {0x00000033, kFunct7, Op::kAdd, Format::kR},
    {0x40000033, kFunct7, Op::kSub, Format::kR},      {0x00001033, kFunct7, Op::kSll, Format::kR},
    {0x00002033, kFunct7, Op::kSlt, Format::kR},      {0x00003033, kFunct7, Op::kSltu, Format::kR},
    {0x00004033, kFunct7, Op::kXor, Format::kR},      {0x00005033, kFunct7, Op::kSrl, Format::kR},
    {0x40005033, kFunct7, Op::kSra, Format::kR},      {0x00006033, kFunct7, Op::kOr, Format::kR},
    {0x00007033, kFunct7, Op::kAnd, Format::kR},      {0x02000033, kFunct7, Op::kMul, Format::kR},
    {0x02001033, kFunct7, Op::kMulh, Format::kR},     {0x02002033, kFunct7, Op::kMulhsu, Format::kR},
    {0x02003033, kFunct7, Op::kMulhu, Format::kR},    {0x02004033, kFunct7, Op::kDiv, Format::kR},
    {0x02005033, kFunct7, Op::kDivu, Format::kR},     {0x02006033, kFunct7, Op::kRem, Format::kR},
    {0x02007033, kFunct7, Op::kRemu, Format::kR},     {0x0000000F, kFunct3, Op::kFence, Format::kNone},
    {0x0000100F, kFunct3, Op::kFenceI, Format::kNone},{0x00000073, kWhole, Op::kEcall, Format::kNone},
    {0x00100073, kWhole, Op::kEbreak, Format::kNone}, {0x30200073, kWhole, Op::kMret, Format::kNone},
    {0x10500073, kWhole, Op::kWfi, Format::kNone},    {0x00001073, kFunct3, Op::kCsrrw, Format::kCsr},
    {0x00002073, kFunct3, Op::kCsrrs, Format::kCsr},  {0x00003073, kFunct3, Op::kCsrrc, Format::kCsr},
    {0x00005073, kFunct3, Op::kCsrrwi, Format::kCsr}, {0x00006073, kFunct3, Op::kCsrrsi, Format::kCsr},
    {0x00007073, kFunct3, Op::kCsrrci, Format::kCsr},
};

uint32_t bits_of(uint32_t word, unsigned lsb, unsigned count) { return word >> lsb & ((1u << count) - 1); }

int32_t immediate(uint32_t word, Format format) {
  const auto sign = static_cast<uint32_t>(static_cast<int32_t>(word) >> 31);
  switch (format) {
  case Format::kI: return static_cast<int32_t>(word) >> 20;
  case Format::kS: return static_cast<int32_t>(sign << 11 | bits_of(word, 25, 6) << 5 | bits_of(word, 7, 5));
  case Format::kB:
    return static_cast<int32_t>(sign << 12 | bits_of(word, 7, 1) << 11 | bits_of(word, 25, 6) << 5 | bits_of(word, 8, 4) << 1);
  case Format::kU: return static_cast<int32_t>(word & 0xFFFFF000);
  case Format::kJ:
    return static_cast<int32_t>(sign << 20 | bits_of(word, 12, 8) << 12 | bits_of(word, 20, 1) << 11 |
                                bits_of(word, 21, 10) << 1);
  case Format::kShift: return static_cast<int32_t>(bits_of(word, 20, 5));
  case Format::kCsr: return static_cast<int32_t>(word >> 20);
  default: return 0;
  }
}

} // namespace

RiscvInstruction riscv_decode(uint32_t bits) {
  if (riscv_is_compressed(bits)) return riscv_decode_compressed(static_cast<uint16_t>(bits));
  for (const Row &row : kRows) {
    if ((bits & row.mask) != row.match) continue;
    RiscvInstruction instruction{row.op, kRiscvSink, 0, 0, immediate(bits, row.format), 0, 4};
    if (row.format == Format::kNone) return instruction;
    const bool has_rd = row.format != Format::kS && row.format != Format::kB;
    if (has_rd && bits_of(bits, 7, 5) != 0) instruction.rd = static_cast<uint8_t>(bits_of(bits, 7, 5));
    instruction.rs1 = static_cast<uint8_t>(bits_of(bits, 15, 5));
    instruction.rs2 = static_cast<uint8_t>(bits_of(bits, 20, 5));
    return instruction;
  }
  return {RiscvOp::kIllegal, kRiscvSink, 0, 0, 0, 0, 4};
}

} // namespace avocet::model
