// SPDX-License-Identifier: Apache-2.0
// Every instruction of RV32IM by itself: results from the specification's definitions, written out.
#include <gtest/gtest.h>

#include "riscv_machine.hpp"

namespace avocet::test {
namespace {

constexpr uint32_t kMin = 0x80000000, kMax = 0x7FFFFFFF, kMinus1 = 0xFFFFFFFF;

struct Arithmetic {
  const char *name;
  uint32_t funct7, funct3, a, b, result;
};

class RegisterRegister : public testing::TestWithParam<Arithmetic> {};

TEST_P(RegisterRegister, Computes) {
  const Arithmetic &row = GetParam();
  Machine m;
  m.hart.set_x(5, row.a);
  m.hart.set_x(6, row.b);
  m.run({r_type(row.funct7, row.funct3, 7, 5, 6)});
  EXPECT_EQ(m.hart.x(7), row.result) << row.name;
  EXPECT_EQ(m.hart.x(5), row.a);
  EXPECT_EQ(m.hart.x(6), row.b);
  EXPECT_EQ(m.hart.pc(), Machine::kBase + 4);
  m.restart();
  m.hart.set_x(5, row.a);
  m.hart.set_x(6, row.b);
  m.run({r_type(row.funct7, row.funct3, 5, 5, 6)}); // the result over the first operand
  EXPECT_EQ(m.hart.x(5), row.result) << row.name;
}

const Arithmetic kArithmetic[] = {
    {"add", 0, 0, 1, 2, 3}, {"add", 0, 0, kMax, 1, kMin}, {"add", 0, 0, kMinus1, 1, 0},
    {"sub", 32, 0, 1, 2, kMinus1}, {"sub", 32, 0, kMin, 1, kMax}, {"sub", 32, 0, 7, 7, 0},
    {"sll", 0, 1, 1, 31, kMin}, {"sll", 0, 1, 0x12345678, 32, 0x12345678}, {"sll", 0, 1, 3, 0xFFFFFFE1, 6},
    {"slt", 0, 2, kMin, kMax, 1}, {"slt", 0, 2, kMax, kMin, 0}, {"slt", 0, 2, 5, 5, 0},
    {"sltu", 0, 3, kMin, kMax, 0}, {"sltu", 0, 3, 0, kMinus1, 1}, {"sltu", 0, 3, 5, 5, 0},
    {"xor", 0, 4, 0xFF00FF00, 0x0FF00FF0, 0xF0F0F0F0}, {"or", 0, 6, 0xFF00FF00, 0x0FF00FF0, 0xFFF0FFF0},
    {"and", 0, 7, 0xFF00FF00, 0x0FF00FF0, 0x0F000F00},
    {"srl", 0, 5, kMin, 31, 1}, {"srl", 0, 5, kMin, 33, 0x40000000},
    {"sra", 32, 5, kMin, 31, kMinus1}, {"sra", 32, 5, kMin, 33, 0xC0000000}, {"sra", 32, 5, kMax, 30, 1},
    {"mul", 1, 0, 7, kMinus1, 0xFFFFFFF9}, {"mul", 1, 0, 0x10000, 0x10000, 0}, {"mul", 1, 0, 12345, 6789, 83810205},
    {"mulh", 1, 1, kMin, kMin, 0x40000000}, {"mulh", 1, 1, kMinus1, kMinus1, 0}, {"mulh", 1, 1, kMinus1, 1, kMinus1},
    {"mulh", 1, 1, kMax, kMin, 0xC0000000},
    {"mulhsu", 1, 2, kMinus1, kMinus1, kMinus1}, {"mulhsu", 1, 2, kMin, kMinus1, kMin}, {"mulhsu", 1, 2, 1, kMinus1, 0},
    {"mulhu", 1, 3, kMinus1, kMinus1, 0xFFFFFFFE}, {"mulhu", 1, 3, kMin, 2, 1}, {"mulhu", 1, 3, 0x10000, 0x10000, 1},
    {"div", 1, 4, 20, 6, 3}, {"div", 1, 4, 0xFFFFFFEC, 6, 0xFFFFFFFD}, {"div", 1, 4, 20, 0xFFFFFFFA, 0xFFFFFFFD},
    {"div", 1, 4, 5, 0, kMinus1}, {"div", 1, 4, 0, 0, kMinus1}, {"div", 1, 4, kMin, kMinus1, kMin},
    {"divu", 1, 5, kMin, 3, 0x2AAAAAAA}, {"divu", 1, 5, 7, 0, kMinus1}, {"divu", 1, 5, kMin, kMinus1, 0},
    {"rem", 1, 6, 20, 6, 2}, {"rem", 1, 6, 0xFFFFFFEC, 6, 0xFFFFFFFE}, {"rem", 1, 6, 20, 0xFFFFFFFA, 2},
    {"rem", 1, 6, 5, 0, 5}, {"rem", 1, 6, kMin, 0, kMin}, {"rem", 1, 6, kMin, kMinus1, 0},
    {"remu", 1, 7, kMin, 3, 2}, {"remu", 1, 7, 7, 0, 7}, {"remu", 1, 7, kMin, kMinus1, kMin},
};
INSTANTIATE_TEST_SUITE_P(Rows, RegisterRegister, testing::ValuesIn(kArithmetic),
                         [](const auto &info) { return std::string(info.param.name) + "_" + std::to_string(info.index); });

struct Immediate {
  const char *name;
  uint32_t funct3, a;
  int32_t imm; // of a right arithmetic shift: with bit 10 set
  uint32_t result;
};

class RegisterImmediate : public testing::TestWithParam<Immediate> {};

TEST_P(RegisterImmediate, Computes) {
  const Immediate &row = GetParam();
  Machine m;
  m.hart.set_x(9, row.a);
  m.run({i_type(0x13, row.funct3, 10, 9, row.imm)});
  EXPECT_EQ(m.hart.x(10), row.result) << row.name;
}

const Immediate kImmediates[] = {
    {"addi", 0, 5, -6, kMinus1}, {"addi", 0, 0, 2047, 2047}, {"addi", 0, kMin, -2048, 0x7FFFF800},
    {"slti", 2, kMin, -1, 1}, {"slti", 2, 0, -1, 0}, {"sltiu", 3, 5, -1, 1}, {"sltiu", 3, kMinus1, -1, 0},
    {"xori", 4, 0x12345678, -1, 0xEDCBA987}, {"ori", 6, 0x100, 0x0F, 0x10F}, {"andi", 7, kMinus1, -2048, 0xFFFFF800},
    {"slli", 1, 1, 31, kMin}, {"slli", 1, 3, 0, 3}, {"srli", 5, kMin, 31, 1}, {"srai", 5, kMin, 0x400 | 31, kMinus1},
    {"srai", 5, 0x40000000, 0x400 | 30, 1},
};
INSTANTIATE_TEST_SUITE_P(Rows, RegisterImmediate, testing::ValuesIn(kImmediates),
                         [](const auto &info) { return std::string(info.param.name) + "_" + std::to_string(info.index); });

struct Branch {
  const char *name;
  uint32_t funct3, a, b;
  bool taken;
};

class Branches : public testing::TestWithParam<Branch> {};

TEST_P(Branches, GoWhereTheyShould) {
  const Branch &row = GetParam();
  for (int32_t offset : {-4096, -2, 2, 8, 1024, 4094}) {
    Machine m;
    const uint32_t at = Machine::kBase + 0x2000;
    m.put(at, {b_type(row.funct3, 11, 12, offset)});
    m.hart.reset(at);
    m.hart.set_x(11, row.a);
    m.hart.set_x(12, row.b);
    m.step();
    EXPECT_EQ(m.hart.pc(), row.taken ? at + static_cast<uint32_t>(offset) : at + 4) << row.name << " " << offset;
  }
}

const Branch kBranches[] = {
    {"beq", 0, 1, 1, true}, {"beq", 0, 1, 2, false}, {"bne", 1, 1, 2, true}, {"bne", 1, 1, 1, false},
    {"blt", 4, kMin, kMax, true}, {"blt", 4, kMax, kMin, false}, {"blt", 4, 3, 3, false},
    {"bge", 5, kMin, kMax, false}, {"bge", 5, kMax, kMin, true}, {"bge", 5, 3, 3, true},
    {"bltu", 6, kMin, kMax, false}, {"bltu", 6, kMax, kMin, true}, {"bltu", 6, 3, 3, false},
    {"bgeu", 7, kMin, kMax, true}, {"bgeu", 7, kMax, kMin, false}, {"bgeu", 7, 3, 3, true},
};
INSTANTIATE_TEST_SUITE_P(Rows, Branches, testing::ValuesIn(kBranches),
                         [](const auto &info) { return std::string(info.param.name) + "_" + std::to_string(info.index); });

TEST(Jumps, LinkAndLand) {
  Machine m;
  for (int32_t offset : {-0x4000, -2, 4, 0x6000, 0x7FFE}) {
    const uint32_t at = Machine::kBase + 0x8000;
    m.put(at, {jal(1, offset)});
    m.hart.reset(at);
    m.step();
    EXPECT_EQ(m.hart.x(1), at + 4);
    EXPECT_EQ(m.hart.pc(), at + static_cast<uint32_t>(offset));
  }
  m.restart();
  m.hart.set_x(3, Machine::kBase + 0x101);
  m.run({jalr(3, 3, 8)}); // the link over the target's register, and bit 0 dropped
  EXPECT_EQ(m.hart.pc(), Machine::kBase + 0x108);
  EXPECT_EQ(m.hart.x(3), Machine::kBase + 4);
  m.restart();
  m.hart.set_x(3, Machine::kBase + 0x100);
  m.run({jalr(0, 3, -2048 + 2000)});
  EXPECT_EQ(m.hart.pc(), Machine::kBase + 0x100 - 48);
  EXPECT_EQ(m.hart.x(0), 0u);
}

TEST(Upper, ImmediateAndPc) {
  Machine m;
  m.run({lui(4, 0xFFFFF), auipc(5, 0x12345), auipc(6, 0x80000)});
  EXPECT_EQ(m.hart.x(4), 0xFFFFF000u);
  EXPECT_EQ(m.hart.x(5), Machine::kBase + 4 + 0x12345000u);
  EXPECT_EQ(m.hart.x(6), Machine::kBase + 8 + 0x80000000u);
}

TEST(RegisterZero, StaysZero) {
  Machine m;
  m.hart.set_x(1, 77);
  m.words[Machine::kOutside] = 99;
  m.hart.set_x(2, Machine::kOutside);
  m.run({addi(0, 1, 1), lui(0, 5), r_type(0, 0, 0, 1, 1), lw(0, 2, 0), csr(1, 0, 0x340, 1), addi(5, 0, 0), r_type(1, 0, 6, 0, 1)});
  EXPECT_EQ(m.hart.x(0), 0u);
  EXPECT_EQ(m.hart.x(5), 0u);
  EXPECT_EQ(m.hart.x(6), 0u);
  EXPECT_EQ(m.loads.size(), 1u) << "a load to x0 still loads";
}

TEST(Memory, SizesAndSigns) {
  Machine m;
  const uint32_t data = Machine::kBase + 0x100;
  m.put(data, {0x8081F2F3, 0x11223344});
  m.hart.set_x(8, data + 4);
  m.run({i_type(3, 0, 10, 8, -4), i_type(3, 4, 11, 8, -4), i_type(3, 1, 12, 8, -4), i_type(3, 5, 13, 8, -4), lw(14, 8, -4),
         i_type(3, 0, 15, 8, -1), i_type(3, 5, 16, 8, -2)});
  EXPECT_EQ(m.hart.x(10), 0xFFFFFFF3u);
  EXPECT_EQ(m.hart.x(11), 0xF3u);
  EXPECT_EQ(m.hart.x(12), 0xFFFFF2F3u);
  EXPECT_EQ(m.hart.x(13), 0xF2F3u);
  EXPECT_EQ(m.hart.x(14), 0x8081F2F3u);
  EXPECT_EQ(m.hart.x(15), 0xFFFFFF80u);
  EXPECT_EQ(m.hart.x(16), 0x8081u);
  m.restart();
  m.hart.set_x(8, data + 4);
  m.hart.set_x(9, 0xAABBCCDD);
  m.run({s_type(0, 8, 9, -4), s_type(1, 8, 9, -2), sw(9, 8, 2044)});
  EXPECT_EQ(m.word(data), 0xCCDDF2DDu);
  EXPECT_EQ(m.word(data + 4), 0x11223344u);
  EXPECT_EQ(m.word(data + 2048), 0xAABBCCDDu);
}

TEST(Memory, OutsideTakesWholeWords) {
  Machine m;
  m.words[Machine::kOutside + 8] = 0x12345678;
  m.hart.set_x(8, Machine::kOutside);
  m.hart.set_x(9, 42);
  m.run({lw(10, 8, 8), sw(9, 8, 8), lw(11, 8, 8)});
  EXPECT_EQ(m.hart.x(10), 0x12345678u);
  EXPECT_EQ(m.hart.x(11), 42u);
  EXPECT_EQ(m.hart.instructions(), 3u);
}

TEST(Cycles, AreThoseOfTheClass) {
  const RiscvCosts costs{2, 3, 5, 7, 11, 13, 17, 19, 23};
  const struct {
    uint32_t instruction;
    uint64_t cycles;
  } rows[] = {{addi(1, 0, 1), 2},
              {lui(1, 1), 2},
              {r_type(0, 5, 1, 2, 3), 2},
              {lw(1, 8, 0), 3},
              {i_type(3, 4, 1, 8, 1), 3},
              {sw(1, 8, 0), 5},
              {s_type(0, 8, 1, 0), 5},
              {b_type(1, 0, 0, 8), 7},
              {b_type(0, 0, 0, 8), 7 + 11},
              {jal(1, 8), 13},
              {jalr(1, 8, 0), 13},
              {r_type(1, 0, 1, 2, 3), 17},
              {r_type(1, 3, 1, 2, 3), 17},
              {r_type(1, 4, 1, 2, 3), 19},
              {r_type(1, 7, 1, 2, 3), 19},
              {csr_read(1, 0x300), 23},
              {kFence, 23},
              {kWfi, 23},
              {kEcall, 23 + 23}};
  for (const auto &row : rows) {
    Machine m(costs);
    m.hart.set_x(8, Machine::kBase + 0x200);
    m.run({row.instruction});
    EXPECT_EQ(m.hart.cycles(), row.cycles) << std::hex << row.instruction;
  }
}

TEST(FenceI, ShowsWhatWasStored) {
  Machine m;
  const uint32_t patched = Machine::kBase + 16;
  m.hart.set_x(8, patched);
  m.hart.set_x(9, addi(10, 0, 2));
  m.put(Machine::kBase, {jal(0, 16), sw(9, 8, 0), kFenceI, jal(0, 4), addi(10, 0, 1), jal(0, -16)});
  for (int i = 0; i < 2; ++i) m.step();
  EXPECT_EQ(m.hart.x(10), 1u);
  for (int i = 0; i < 5; ++i) m.step();
  EXPECT_EQ(m.hart.x(10), 2u);
}

} // namespace
} // namespace avocet::test
