// SPDX-License-Identifier: Apache-2.0
// Exceptions, interrupts, CSRs, WFI, lock-up; and garbage as a program, which must not reach beyond the hart.
#include <gtest/gtest.h>

#include <random>

#include "riscv_machine.hpp"

namespace avocet::test {
namespace {

using Stop = RiscvHart::Stop;

enum : uint32_t { kMstatus = 0x300, kMie = 0x304, kMtvec = 0x305, kMscratch = 0x340, kMepc = 0x341, kMcause = 0x342,
                  kMtval = 0x343, kMip = 0x344, kMcycle = 0xB00, kMcycleh = 0xB80, kMinstret = 0xB02, kMinstreth = 0xB82 };
enum : uint32_t { kMieBit = 8, kMpieBit = 0x80, kMpp = 0x1800, kTimer = 1u << 7, kExternal = 1u << 11 };

// A machine whose trap vector is set, by its first instruction.
struct TrapMachine : Machine {
  explicit TrapMachine(uint32_t mode = 0) {
    hart.set_x(1, kHandler | mode);
    run({csr_write(kMtvec, 1)});
  }
};

uint32_t read_csr(Machine &m, uint32_t number) {
  const uint32_t at = m.hart.pc();
  m.put(at, {csr_read(31, number)});
  m.step();
  return m.hart.x(31);
}

// The instruction at `at` traps to the handler with this cause and value.
void expect_trap(Machine &m, uint32_t at, uint32_t cause, uint32_t value) {
  m.step();
  EXPECT_EQ(m.hart.pc(), Machine::kHandler) << "cause " << cause;
  EXPECT_EQ(m.hart.cause(), cause);
  EXPECT_EQ(m.hart.exception_pc(), at) << "cause " << cause;
  EXPECT_EQ(m.hart.exception_value(), value) << "cause " << cause;
}

TEST(Exceptions, EachWithItsCauseAndValue) {
  const uint32_t at = Machine::kBase + 4, end = Machine::kBase + Machine::kBytes;
  const struct {
    uint32_t instruction, x8, cause, value;
  } rows[] = {
      {0x00000000, 0, 2, 0},
      {0xFFFFFFFF, 0, 2, 0xFFFFFFFF},
      {0x00006101, 0, 2, 0x6101}, // compressed: its own half alone
      {kEbreak, 0, 3, at},
      {kEcall, 0, 11, 0},
      {lw(9, 8, 0), Machine::kBase + 0x102, 4, Machine::kBase + 0x102},
      {lw(9, 8, 1), Machine::kBase + 0x100, 4, Machine::kBase + 0x101},
      {i_type(3, 1, 9, 8, 0), Machine::kBase + 0x101, 4, Machine::kBase + 0x101},
      {i_type(3, 5, 9, 8, 0), Machine::kBase + 0x103, 4, Machine::kBase + 0x103},
      {sw(9, 8, 0), Machine::kBase + 0x101, 6, Machine::kBase + 0x101},
      {s_type(1, 8, 9, 0), Machine::kBase + 0x101, 6, Machine::kBase + 0x101},
      {lw(9, 8, 0), Machine::kOutside + 2, 4, Machine::kOutside + 2},
      {sw(9, 8, 0), Machine::kOutside + 1, 6, Machine::kOutside + 1},
      {lw(9, 8, 0), end, 5, end},
      {lw(9, 8, 0), Machine::kBase - 4, 5, Machine::kBase - 4},
      {lw(9, 8, 0), 0, 5, 0},
      {i_type(3, 0, 9, 8, -1), 0, 5, 0xFFFFFFFF},
      {i_type(3, 4, 9, 8, 0), Machine::kOutside, 5, Machine::kOutside}, // bytes are inside only
      {i_type(3, 1, 9, 8, 0), Machine::kOutside, 5, Machine::kOutside},
      {sw(9, 8, 0), end, 7, end},
      {s_type(0, 8, 9, 0), end, 7, end},
      {s_type(0, 8, 9, 0), Machine::kOutside, 7, Machine::kOutside},
      {sw(9, 8, 0), Machine::kOutside + 4, 7, Machine::kOutside + 4},
      {csr_read(9, 0x7C0), 0, 2, csr_read(9, 0x7C0)},
      {csr_write(0xF14, 1), 0, 2, csr_write(0xF14, 1)}, // read-only
      {csr_write(0xC00, 1), 0, 2, csr_write(0xC00, 1)},
  };
  for (const auto &row : rows) {
    TrapMachine m;
    m.words[Machine::kOutside] = 7;
    m.hart.set_x(8, row.x8);
    m.hart.set_x(9, 1234);
    m.put(at, {row.instruction});
    const uint64_t before = m.hart.instructions();
    expect_trap(m, at, row.cause, row.value);
    EXPECT_EQ(m.hart.x(9), 1234u) << "a load that traps changes nothing";
    EXPECT_EQ(m.hart.instructions(), before) << "nor does it retire";
  }
}

TEST(Exceptions, LastBytesOfTheMemory) {
  const uint32_t end = Machine::kBase + Machine::kBytes;
  TrapMachine m;
  m.hart.set_x(8, end);
  m.put(Machine::kBase + 4, {lw(9, 8, -4), i_type(3, 4, 9, 8, -1), sw(9, 8, -4)});
  for (int i = 0; i < 3; ++i) m.step();
  EXPECT_EQ(m.hart.pc(), Machine::kBase + 16);
  m.put(end - 4, {kNop}); // runs, and then there is nothing
  m.put(m.hart.pc(), {jalr(0, 8, -4)});
  m.step();
  m.step();
  expect_trap(m, end, 1, end);
  TrapMachine half; // a whole instruction of which half is there
  half.hart.set_x(8, end - 2);
  half.put(end - 4, {0xFFFF0001});
  half.put(Machine::kBase + 4, {jalr(0, 8, 0)});
  half.step();
  expect_trap(half, end - 2, 1, end - 2);
}

TEST(Exceptions, StackAndReturn) {
  TrapMachine m;
  m.put(Machine::kBase + 4, {csr(6, 0, kMstatus, kMieBit), kEcall, kNop});
  m.step();
  m.step();
  EXPECT_EQ(read_csr(m, kMstatus), kMpp | kMpieBit) << "interrupts off, the old state kept";
  EXPECT_EQ(read_csr(m, kMepc), Machine::kBase + 8);
  EXPECT_EQ(read_csr(m, kMcause), 11u);
  m.put(m.hart.pc(), {kMret});
  m.step();
  EXPECT_EQ(m.hart.pc(), Machine::kBase + 8);
  EXPECT_EQ(read_csr(m, kMstatus), kMpp | kMpieBit | kMieBit);
}

TEST(Exceptions, OneInsideAnotherLocksUp) {
  TrapMachine m;
  m.put(Machine::kBase + 4, {kEcall});
  m.put(Machine::kHandler, {0});
  EXPECT_EQ(m.hart.run(1000), Stop::kLockedUp);
  const uint64_t cycles = m.hart.cycles();
  EXPECT_EQ(m.hart.run(1000), Stop::kLockedUp);
  EXPECT_EQ(m.hart.cycles(), cycles) << "until a reset";
  m.restart();
  m.put(Machine::kBase, {addi(1, 0, 5)});
  m.step();
  EXPECT_EQ(m.hart.x(1), 5u);
  Machine unset; // no vector: the first exception jumps to 0, where nothing is
  unset.put(Machine::kBase, {0});
  EXPECT_EQ(unset.hart.run(1000), Stop::kLockedUp);
  EXPECT_EQ(unset.hart.cause(), 1u);
}

TEST(Exceptions, AfterMretThereMayBeAnother) {
  TrapMachine m;
  m.put(Machine::kBase + 4, {kEcall, kEcall, kNop});
  m.put(Machine::kHandler, {csr_read(5, kMepc), addi(5, 5, 4), csr_write(kMepc, 5), kMret});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(m.step(), Stop::kBudget);
  EXPECT_EQ(m.hart.pc(), Machine::kBase + 12);
}

TEST(Csrs, SetClearSwapAndImmediates) {
  Machine m;
  m.hart.set_x(1, 0xF0F0);
  m.hart.set_x(2, 0x00FF);
  m.run({csr(1, 5, kMscratch, 1), csr(2, 6, kMscratch, 2), csr(3, 7, kMscratch, 1), csr(5, 8, kMscratch, 21),
         csr(6, 9, kMscratch, 10), csr(7, 10, kMscratch, 1), csr_read(11, kMscratch)});
  EXPECT_EQ(m.hart.x(5), 0u);
  EXPECT_EQ(m.hart.x(6), 0xF0F0u);
  EXPECT_EQ(m.hart.x(7), 0xF0FFu);
  EXPECT_EQ(m.hart.x(8), 0x000Fu);
  EXPECT_EQ(m.hart.x(9), 21u);
  EXPECT_EQ(m.hart.x(10), 31u);
  EXPECT_EQ(m.hart.x(11), 30u);
}

TEST(Csrs, KeepOnlyTheBitsTheyHave) {
  const struct {
    uint32_t number, reads;
  } rows[] = {{kMstatus, kMpp | kMpieBit}, {0x301, 1u << 30 | 1u << 2 | 1u << 8 | 1u << 12}, {kMie, 0x880 | 8},
              {kMtvec, 0xFFFFFFFD}, {kMscratch, 0xFFFFFFFF}, {kMepc, 0xFFFFFFFE}, {kMcause, 0xFFFFFFFF},
              {kMtval, 0xFFFFFFFF}, {kMip, 0}, {0x310, 0}};
  for (const auto &row : rows) {
    Machine m;
    // MIE would be set, too: it is, and taken out again for comparing.
    m.hart.set_x(1, row.number == kMstatus ? ~uint32_t{kMieBit} : 0xFFFFFFFF);
    m.run({csr_write(row.number, 1), csr_read(2, row.number)});
    EXPECT_EQ(m.hart.x(2), row.reads) << std::hex << row.number;
  }
  for (uint32_t number : {0xF11u, 0xF12u, 0xF13u, 0xF14u, 0xF15u}) {
    Machine m;
    m.hart.set_x(2, 9);
    m.run({csr_read(2, number)});
    EXPECT_EQ(m.hart.x(2), 0u);
  }
}

TEST(Csrs, CountersCountAndCanBeSet) {
  Machine m;
  m.run({kNop, kNop, csr_read(1, kMinstret), csr_read(2, 0xC02), csr_read(3, kMcycle), csr_read(4, 0xC00)});
  EXPECT_EQ(m.hart.x(1), 2u);
  EXPECT_EQ(m.hart.x(2), 3u);
  EXPECT_GE(m.hart.x(3), 4u);
  EXPECT_GT(m.hart.x(4), m.hart.x(3));
  m.restart();
  m.hart.set_x(5, 0xFFFFFFFF);
  m.run({csr_write(kMinstreth, 5), csr_write(kMinstret, 5), csr_read(6, kMinstret), csr_read(7, kMinstreth)});
  EXPECT_EQ(m.hart.x(6), 0xFFFFFFFFu) << "the write itself does not count";
  EXPECT_EQ(m.hart.x(7), 0u) << "and then it wrapped";
  m.restart();
  m.hart.set_x(5, 1000);
  m.run({csr_write(kMcycleh, 5), csr_read(6, kMcycleh), csr_read(7, 0xC80)});
  EXPECT_EQ(m.hart.x(6), 1000u);
  EXPECT_EQ(m.hart.x(7), 1000u);
}

TEST(Interrupts, AreTakenWhenEnabled) {
  for (uint32_t line : {+kTimer, +kExternal}) {
    TrapMachine m;
    m.put(Machine::kBase + 4, {csr(6, 0, kMstatus, kMieBit), kNop, csr_write(kMie, 2), kNop});
    m.hart.set_x(2, line);
    m.hart.set_pending(line);
    for (int i = 0; i < 3; ++i) m.step();
    EXPECT_EQ(m.hart.pc(), Machine::kBase + 16) << "not enabled in mie before";
    m.step();
    EXPECT_EQ(m.hart.exception_pc(), Machine::kBase + 16);
    EXPECT_EQ(m.hart.cause(), 0x80000000u | (line == kTimer ? 7 : 11));
    EXPECT_EQ(m.hart.exception_value(), 0u);
    EXPECT_EQ(read_csr(m, kMip), line);
    EXPECT_EQ(read_csr(m, kMstatus), kMpp | kMpieBit) << "no second one while the first is handled";
  }
}

TEST(Interrupts, ExternalBeforeTimerAndVectors) {
  TrapMachine m(1);
  m.hart.set_x(2, kTimer | kExternal);
  m.put(Machine::kBase + 4, {csr_write(kMie, 2), csr(6, 0, kMstatus, kMieBit)});
  m.put(Machine::kHandler + 4 * 11, {kNop});
  m.hart.set_pending(kTimer | kExternal);
  m.step();
  m.step();
  EXPECT_EQ(m.hart.pc(), Machine::kBase + 12);
  m.step();
  EXPECT_EQ(m.hart.cause(), 0x8000000Bu);
  EXPECT_EQ(m.hart.exception_pc(), Machine::kBase + 12);
  EXPECT_GE(m.hart.pc(), Machine::kHandler + 44);
  EXPECT_LE(m.hart.pc(), Machine::kHandler + 48);
  TrapMachine exception(1);
  exception.put(Machine::kBase + 4, {kEcall});
  exception.step();
  EXPECT_EQ(exception.hart.pc(), Machine::kHandler) << "exceptions go to the base";
}

TEST(Wfi, WaitsForAnEnabledInterruptTakenOrNot) {
  TrapMachine m;
  m.hart.set_x(2, kExternal);
  m.put(Machine::kBase + 4, {csr_write(kMie, 2), kWfi, addi(5, 0, 1), kWfi, addi(5, 0, 2)});
  m.step();
  EXPECT_EQ(m.hart.run(100), Stop::kWaiting);
  const uint64_t cycles = m.hart.cycles();
  EXPECT_EQ(m.hart.run(100), Stop::kWaiting);
  EXPECT_EQ(m.hart.cycles(), cycles) << "asleep";
  m.hart.set_pending(kTimer);
  EXPECT_EQ(m.hart.run(100), Stop::kWaiting) << "not enabled";
  m.hart.set_pending(kExternal);
  m.step();
  EXPECT_EQ(m.hart.x(5), 1u) << "goes on: MIE is 0";
  m.step();
  m.step();
  EXPECT_EQ(m.hart.x(5), 2u) << "pending already: no sleep";
}

TEST(Stops, WhenAsked) {
  Machine m;
  m.put(Machine::kBase, {jal(0, 0)});
  m.hart.stop();
  EXPECT_EQ(m.hart.run(1000), Stop::kAsked);
  EXPECT_EQ(m.hart.run(1000), Stop::kBudget);
  EXPECT_GE(m.hart.cycles(), 1000u);
}

// Programs of random words, half of them near instructions that exist: whatever they do, the hart returns, stays within its
// memory (the sanitizers watch), and does the same again.
TEST(Garbage, EndsAndRepeats) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    uint64_t end[2][3];
    for (auto &result : end) {
      Machine m({1, 2, 1, 1, 2, 2, 2, 34, 3});
      std::mt19937 random(seed);
      for (size_t at = 0; at < m.hart.memory().size(); at += 4) {
        uint32_t word = static_cast<uint32_t>(random());
        static const uint8_t kOpcodes[] = {0x03, 0x13, 0x23, 0x33, 0x63, 0x67, 0x6F, 0x73, 0x37, 0x17, 0x0F};
        if (word % 2 != 0) word = (word & ~0x7Fu) | kOpcodes[random() % sizeof kOpcodes];
        std::memcpy(&m.hart.memory()[at], &word, 4);
      }
      m.words[Machine::kOutside] = 1;
      m.hart.reset(Machine::kBase + seed * 64);
      for (unsigned i = 1; i < 32; ++i)
        m.hart.set_x(i, i % 3 == 0 ? Machine::kOutside : Machine::kBase + static_cast<uint32_t>(random() % 65536));
      Stop stop = Stop::kBudget;
      for (int round = 0; round < 100; ++round) {
        stop = m.hart.run(500);
        if (round % 7 == 0) m.hart.set_pending(random() & 0x888);
      }
      EXPECT_EQ(m.hart.x(0), 0u);
      EXPECT_EQ(m.hart.pc() % 2, 0u);
      result[0] = m.hart.cycles();
      result[1] = m.hart.instructions();
      result[2] = uint64_t{m.hart.pc()} << 8 | static_cast<uint64_t>(stop);
    }
    for (int i = 0; i < 3; ++i) EXPECT_EQ(end[0][i], end[1][i]) << "seed " << seed;
  }
}

} // namespace
} // namespace avocet::test
