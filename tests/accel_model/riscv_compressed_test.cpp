// SPDX-License-Identifier: Apache-2.0
// Compressed instructions against the 32-bit ones that they stand for. The encodings are the GNU assembler's.
#include <gtest/gtest.h>

#include "riscv_instruction.hpp"

namespace avocet::model {
namespace {

struct Row {
  uint16_t compressed;
  uint32_t whole;
  const char *text;
};

const Row kRows[] = {
    {0x0040, 0x00410413, "c.addi4spn x8, sp, 4"},
    {0x1FFC, 0x3FC10793, "c.addi4spn x15, sp, 1020"},
    {0x0028, 0x00810513, "c.addi4spn x10, sp, 8"},
    {0x0808, 0x01010513, "c.addi4spn x10, sp, 16"},
    {0x0088, 0x04010513, "c.addi4spn x10, sp, 64"},
    {0x0408, 0x20010513, "c.addi4spn x10, sp, 512"},
    {0x4380, 0x0007A403, "c.lw x8, 0(x15)"},
    {0x5C7C, 0x07C42783, "c.lw x15, 124(x8)"},
    {0x4144, 0x00452483, "c.lw x9, 4(x10)"},
    {0x4124, 0x04052483, "c.lw x9, 64(x10)"},
    {0x5104, 0x02052483, "c.lw x9, 32(x10)"},
    {0xC380, 0x0087A023, "c.sw x8, 0(x15)"},
    {0xDC7C, 0x06F42E23, "c.sw x15, 124(x8)"},
    {0xC144, 0x00952223, "c.sw x9, 4(x10)"},
    {0xC124, 0x04952023, "c.sw x9, 64(x10)"},
    {0x0001, 0x00000013, "c.nop"},
    {0x0085, 0x00108093, "c.addi x1, 1"},
    {0x1FFD, 0xFFFF8F93, "c.addi x31, -1"},
    {0x047D, 0x01F40413, "c.addi x8, 31"},
    {0x1401, 0xFE040413, "c.addi x8, -32"},
    {0x2009, 0x002000EF, "c.jal .+2"},
    {0x3FFD, 0xFFFFF0EF, "c.jal .-2"},
    {0x2FFD, 0x7FE000EF, "c.jal .+2046"},
    {0x3001, 0x801FF0EF, "c.jal .-2048"},
    {0x2801, 0x010000EF, "c.jal .+16"},
    {0x2005, 0x020000EF, "c.jal .+32"},
    {0x2081, 0x040000EF, "c.jal .+64"},
    {0x2041, 0x080000EF, "c.jal .+128"},
    {0x2201, 0x100000EF, "c.jal .+256"},
    {0x2401, 0x200000EF, "c.jal .+512"},
    {0x2101, 0x400000EF, "c.jal .+1024"},
    {0x4081, 0x00000093, "c.li x1, 0"},
    {0x5F81, 0xFE000F93, "c.li x31, -32"},
    {0x457D, 0x01F00513, "c.li x10, 31"},
    {0x6141, 0x01010113, "c.addi16sp sp, 16"},
    {0x7101, 0xE0010113, "c.addi16sp sp, -512"},
    {0x617D, 0x1F010113, "c.addi16sp sp, 496"},
    {0x6105, 0x02010113, "c.addi16sp sp, 32"},
    {0x6121, 0x04010113, "c.addi16sp sp, 64"},
    {0x6109, 0x08010113, "c.addi16sp sp, 128"},
    {0x6111, 0x10010113, "c.addi16sp sp, 256"},
    {0x6085, 0x000010B7, "c.lui x1, 1"},
    {0x6FFD, 0x0001FFB7, "c.lui x31, 31"},
    {0x747D, 0xFFFFF437, "c.lui x8, 0xfffff"},
    {0x7401, 0xFFFE0437, "c.lui x8, 0xfffe0"},
    {0x8005, 0x00145413, "c.srli x8, 1"},
    {0x83FD, 0x01F7D793, "c.srli x15, 31"},
    {0x8405, 0x40145413, "c.srai x8, 1"},
    {0x87FD, 0x41F7D793, "c.srai x15, 31"},
    {0x987D, 0xFFF47413, "c.andi x8, -1"},
    {0x8BFD, 0x01F7F793, "c.andi x15, 31"},
    {0x9881, 0xFE04F493, "c.andi x9, -32"},
    {0x8C1D, 0x40F40433, "c.sub x8, x15"},
    {0x8F81, 0x408787B3, "c.sub x15, x8"},
    {0x8CA9, 0x00A4C4B3, "c.xor x9, x10"},
    {0x8DD1, 0x00C5E5B3, "c.or x11, x12"},
    {0x8EF9, 0x00E6F6B3, "c.and x13, x14"},
    {0xA009, 0x0020006F, "c.j .+2"},
    {0xBFFD, 0xFFFFF06F, "c.j .-2"},
    {0xAFFD, 0x7FE0006F, "c.j .+2046"},
    {0xB001, 0x801FF06F, "c.j .-2048"},
    {0xC009, 0x00040163, "c.beqz x8, .+2"},
    {0xDFFD, 0xFE078FE3, "c.beqz x15, .-2"},
    {0xCCFD, 0x0E048F63, "c.beqz x9, .+254"},
    {0xD081, 0xF00480E3, "c.beqz x9, .-256"},
    {0xC481, 0x00048463, "c.beqz x9, .+8"},
    {0xC085, 0x02048063, "c.beqz x9, .+32"},
    {0xC0A1, 0x04048063, "c.beqz x9, .+64"},
    {0xE011, 0x00041263, "c.bnez x8, .+4"},
    {0xF381, 0xF00790E3, "c.bnez x15, .-256"},
    {0xE3C1, 0x08079063, "c.bnez x15, .+128"},
    {0x0086, 0x00109093, "c.slli x1, 1"},
    {0x0FFE, 0x01FF9F93, "c.slli x31, 31"},
    {0x4082, 0x00012083, "c.lwsp x1, 0(sp)"},
    {0x5FFE, 0x0FC12F83, "c.lwsp x31, 252(sp)"},
    {0x4412, 0x00412403, "c.lwsp x8, 4(sp)"},
    {0x5402, 0x02012403, "c.lwsp x8, 32(sp)"},
    {0x4406, 0x04012403, "c.lwsp x8, 64(sp)"},
    {0x8082, 0x00008067, "c.jr x1"},
    {0x8F82, 0x000F8067, "c.jr x31"},
    {0x80FE, 0x01F000B3, "c.mv x1, x31"},
    {0x8F86, 0x00100FB3, "c.mv x31, x1"},
    {0x9002, 0x00100073, "c.ebreak"},
    {0x9082, 0x000080E7, "c.jalr x1"},
    {0x9F82, 0x000F80E7, "c.jalr x31"},
    {0x90FE, 0x01F080B3, "c.add x1, x31"},
    {0x9F86, 0x001F8FB3, "c.add x31, x1"},
    {0xC006, 0x00112023, "c.swsp x1, 0(sp)"},
    {0xDFFE, 0x0FF12E23, "c.swsp x31, 252(sp)"},
    {0xC202, 0x00012223, "c.swsp x0, 4(sp)"},
    {0xC0A2, 0x04812023, "c.swsp x8, 64(sp)"},
};

TEST(Compressed, StandForTheWholeInstruction) {
  for (const Row &row : kRows) {
    const RiscvInstruction a = riscv_decode(row.compressed), b = riscv_decode(row.whole);
    EXPECT_EQ(a.bytes, 2) << row.text;
    EXPECT_EQ(b.bytes, 4) << row.text;
    ASSERT_NE(a.op, RiscvOp::kIllegal) << row.text;
    EXPECT_EQ(static_cast<int>(a.op), static_cast<int>(b.op)) << row.text;
    if (a.op == RiscvOp::kEbreak) continue;
    const bool has_rs2 = a.op == RiscvOp::kSw || a.op == RiscvOp::kBeq || a.op == RiscvOp::kBne ||
                         (a.op >= RiscvOp::kAdd && a.op <= RiscvOp::kRemu);
    const bool has_rs1 = a.op != RiscvOp::kLui && a.op != RiscvOp::kJal;
    EXPECT_EQ(a.rd, b.rd) << row.text;
    if (has_rs1) { EXPECT_EQ(a.rs1, b.rs1) << row.text; }
    if (has_rs2) { EXPECT_EQ(a.rs2, b.rs2) << row.text; }
    EXPECT_EQ(a.imm, b.imm) << row.text;
  }
}

TEST(Compressed, HintsDoNothing) {
  for (uint16_t hint : {0x0005 /* c.nop 1 */, 0x4005 /* c.li x0, 1 */, 0x6005 /* c.lui x0, 1 */, 0x0006 /* c.slli x0, 1 */,
                        0x800E /* c.mv x0, x3 */, 0x900E /* c.add x0, x3 */}) {
    EXPECT_NE(static_cast<int>(riscv_decode(hint).op), static_cast<int>(RiscvOp::kIllegal)) << std::hex << hint;
    EXPECT_EQ(riscv_decode(hint).rd, kRiscvSink) << std::hex << hint;
  }
}

TEST(Compressed, ReservedIsIllegal) {
  for (uint16_t bits : {0x0000 /* defined as illegal */, 0x0004 /* c.addi4spn, 0 */, 0x6081 /* c.lui x1, 0 */,
                        0x6101 /* c.addi16sp, 0 */, 0x4002 /* c.lwsp x0 */, 0x8002 /* c.jr x0 */, 0x9001 /* c.srli, bit 5 */,
                        0x9401 /* c.srai, bit 5 */, 0x1082 /* c.slli, bit 5 */, 0x9C01 /* c.subw */, 0x9C21 /* c.addw */,
                        0x9C41, 0x9C61, 0x2000 /* c.fld */, 0x6000 /* c.flw */, 0x8000, 0xA000 /* c.fsd */, 0xE000 /* c.fsw */,
                        0x2002 /* c.fldsp */, 0x6002 /* c.flwsp */, 0xA002 /* c.fsdsp */, 0xE002 /* c.fswsp */})
    EXPECT_EQ(static_cast<int>(riscv_decode(bits).op), static_cast<int>(RiscvOp::kIllegal)) << std::hex << bits;
}

// 49152 encodings; of the assembler's instructions for rv32imc those that are not reserved.
TEST(Compressed, AsManyAsThereAre) {
  uint32_t legal = 0;
  for (uint32_t bits = 0; bits < 65536; ++bits)
    if (riscv_is_compressed(bits)) legal += riscv_decode(bits).op != RiscvOp::kIllegal;
  EXPECT_EQ(legal, 28823u);
}

TEST(Whole, ReservedIsIllegal) {
  for (uint32_t bits : {0xFFFFFFFFu, 0x0000001Fu, 0x02001013u /* slli 32 */, 0x02005013u /* srli 32 */, 0x80000033u, 0x00003003u /* ld */,
                        0x00006003u /* lwu */, 0x00003023u /* sd */, 0x00002063u, 0x00003063u, 0x00001067u, 0x00000053u /* fadd */,
                        0x00000007u, 0x0000002Fu /* amo */, 0x00200073u /* uret */, 0x10200073u /* sret */, 0x00004073u,
                        0x12000073u /* sfence.vma */})
    EXPECT_EQ(static_cast<int>(riscv_decode(bits).op), static_cast<int>(RiscvOp::kIllegal)) << std::hex << bits;
}

} // namespace
} // namespace avocet::model
