// SPDX-License-Identifier: Apache-2.0
// RV32IM instructions for tests, encoded as the specification's formats say.
#pragma once

#include <cstdint>

namespace avocet::test {

constexpr uint32_t field(int64_t value, unsigned from, unsigned count, unsigned to) {
  return static_cast<uint32_t>(value >> from & ((int64_t{1} << count) - 1)) << to;
}
constexpr uint32_t r_type(uint32_t funct7, uint32_t funct3, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33;
}
constexpr uint32_t i_type(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, int32_t imm) {
  return field(imm, 0, 12, 20) | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr uint32_t s_type(uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t imm) {
  return field(imm, 5, 7, 25) | rs2 << 20 | rs1 << 15 | funct3 << 12 | field(imm, 0, 5, 7) | 0x23;
}
constexpr uint32_t b_type(uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t imm) {
  return field(imm, 12, 1, 31) | field(imm, 5, 6, 25) | rs2 << 20 | rs1 << 15 | funct3 << 12 | field(imm, 1, 4, 8) |
         field(imm, 11, 1, 7) | 0x63;
}
constexpr uint32_t addi(uint32_t rd, uint32_t rs1, int32_t imm) { return i_type(0x13, 0, rd, rs1, imm); }
constexpr uint32_t lui(uint32_t rd, uint32_t upper) { return upper << 12 | rd << 7 | 0x37; }
constexpr uint32_t auipc(uint32_t rd, uint32_t upper) { return upper << 12 | rd << 7 | 0x17; }
constexpr uint32_t jal(uint32_t rd, int32_t imm) {
  return field(imm, 20, 1, 31) | field(imm, 1, 10, 21) | field(imm, 11, 1, 20) | field(imm, 12, 8, 12) | rd << 7 | 0x6F;
}
constexpr uint32_t jalr(uint32_t rd, uint32_t rs1, int32_t imm) { return i_type(0x67, 0, rd, rs1, imm); }
constexpr uint32_t lw(uint32_t rd, uint32_t rs1, int32_t imm) { return i_type(0x03, 2, rd, rs1, imm); }
constexpr uint32_t sw(uint32_t rs2, uint32_t rs1, int32_t imm) { return s_type(2, rs1, rs2, imm); }
// funct3: 1 RW, 2 RS, 3 RC, 5 RWI, 6 RSI, 7 RCI; source: rs1 or the immediate.
constexpr uint32_t csr(uint32_t funct3, uint32_t rd, uint32_t number, uint32_t source) {
  return number << 20 | source << 15 | funct3 << 12 | rd << 7 | 0x73;
}
constexpr uint32_t csr_read(uint32_t rd, uint32_t number) { return csr(2, rd, number, 0); }
constexpr uint32_t csr_write(uint32_t number, uint32_t rs1) { return csr(1, 0, number, rs1); }
constexpr uint32_t kEcall = 0x00000073, kEbreak = 0x00100073, kMret = 0x30200073, kWfi = 0x10500073, kFence = 0x0FF0000F,
                   kFenceI = 0x0000100F, kNop = 0x00000013;

} // namespace avocet::test
