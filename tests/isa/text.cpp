// SPDX-License-Identifier: Apache-2.0
// The text form: how lines look, both directions, and errors with their line.
#include <gtest/gtest.h>

#include "avocet/isa/assemble.hpp"
#include "avocet/isa/disassemble.hpp"
#include "legal_commands.hpp"

using namespace avocet::isa_test;
using avocet::isa::assemble;
using avocet::isa::AssemblyError;
using avocet::isa::disassemble;

namespace {

TEST(Text, LinesByHand) {
  EXPECT_EQ(disassemble(Words{0x00070302, 0x00000092, 5, 0x00000101}),
            "WAIT tag=7 unit=VECTOR producer=DMA1 count=5\nEND\n");
  EXPECT_EQ(disassemble(Words{0x00000712, 0xAB02, 0x1f0, 64, 0x00010000, 0, 16}),
            "DMA_FILL channel=2 value=171 sram=0x1f0 row_bytes=64 count1=2 stride1=16\n");
}

TEST(Text, WhatIsNoCommandBecomesWords) {
  EXPECT_EQ(disassemble(Words{0, 0xFFFFFFFF}),
            ".word 0x00000000 ; unknown opcode\n.word 0xffffffff ; unknown opcode\n");
  EXPECT_EQ(disassemble(Words{0x00000377, 1, 2, 0x101}),
            ".word 0x00000377 0x00000001 0x00000002 ; unknown opcode\nEND\n");
  EXPECT_EQ(disassemble(Words{0x00000302, 1}), ".word 0x00000302 ; truncated\n.word 0x00000001 ; wrong length\n");
  EXPECT_EQ(disassemble(Words{0x00000302, 0x100, 1}), ".word 0x00000302 0x00000100 0x00000001 ; reserved bits set\n");
  EXPECT_EQ(disassemble(Words{}), "");
}

TEST(Text, RandomCommandsGoBothWays) {
  std::mt19937 random(13);
  for (int i = 0; i < 3000; ++i)
    for (const avocet_command_info& row : avocet_commands) {
      Words words(row.words);
      words[0] = avocet_command_header(row.opcode, row.words, random());
      for (uint32_t w = 1; w < row.words; ++w) words[w] = random() & row.defined_bits[w];
      std::string text = disassemble(words);
      ASSERT_EQ(text.find(".word"), std::string::npos) << text;
      ASSERT_EQ(assemble(text), words) << text;
      ASSERT_EQ(disassemble(assemble(text)), text);
    }
}

TEST(Text, EveryFieldAtItsExtremesGoesBothWays) {
  for (const avocet_command_info& row : avocet_commands)
    for (uint32_t i = 0; i < row.field_count; ++i)
      for (int64_t value : {avocet_field_minimum(&row.fields[i]), avocet_field_maximum(&row.fields[i])}) {
        Words words(row.words);
        words[0] = avocet_command_header(row.opcode, row.words, 0xFFFF);
        avocet_field_set(&row.fields[i], words.data(), value);
        EXPECT_EQ(assemble(disassemble(words)), words) << row.name << "." << row.fields[i].name;
      }
}

TEST(Text, AnnotatorSeesPositionAndCommand) {
  Words stream = assemble("WAIT unit=MAC producer=DMA0 count=1\n.word 0\nEND tag=4\n");
  auto annotate = [](size_t position, std::span<const uint32_t> command) {
    return std::to_string(position) + "\n+" + std::to_string(command.size());
  };
  std::string text = disassemble(stream, annotate);
  EXPECT_EQ(text, "WAIT unit=MAC producer=DMA0 count=1 ; 0 +3\n.word 0x00000000 ; unknown opcode\nEND tag=4 ; 4 +1\n");
  EXPECT_EQ(assemble(text), stream);
}

TEST(Text, LayoutIsFree) {
  Words expected{0x00070302, 0x00000092, 5};
  EXPECT_EQ(assemble("\n ; nothing\r\n\tWAIT  count=0x5\tproducer=9 unit=VECTOR tag=0x7;comment\r\n"), expected);
  EXPECT_EQ(assemble(".word 0x00070302 146 5"), expected);
  EXPECT_EQ(assemble(""), Words{});
}

struct BadText {
  const char* name;
  std::string text;
  std::string message;
};

void PrintTo(const BadText& bad, std::ostream* out) { *out << bad.name; }

class BadTexts : public testing::TestWithParam<BadText> {};

TEST_P(BadTexts, GetTheirLine) {
  try {
    assemble(GetParam().text);
    FAIL() << "accepted";
  } catch (const AssemblyError& error) {
    EXPECT_EQ(error.what(), GetParam().message);
  }
}

const std::string kFill = "DMA_FILL channel=0 value=0 sram=0 row_bytes=1";

const BadText kBadTexts[] = {
    {"command", "END\nHALT\n", "line 2: unknown command \"HALT\""},
    {"lower_case", "end", "line 1: unknown command \"end\""},
    {"field", "\n\nEND bogus=1", "line 3: END has no field \"bogus\""},
    {"no_equals", kFill + " count0", "line 1: \"count0\" is not field=value"},
    {"twice", kFill + " value=1", "line 1: value is given twice"},
    {"tag_twice", "END tag=1 tag=1", "line 1: tag is given twice"},
    {"missing", "DMA_FILL channel=0 value=0 sram=0", "line 1: DMA_FILL needs row_bytes"},
    {"too_large", kFill + " count0=65537", "line 1: count0: 65537 is not within 1 to 65536"},
    {"count_of_0", kFill + " count0=0", "line 1: count0: 0 is not within 1 to 65536"},
    {"negative", kFill + " stride0=-1", "line 1: stride0: -1 is not within 0 to 4294967295"},
    {"tag_too_large", "END tag=65536", "line 1: tag: 65536 is not within 0 to 65535"},
    {"not_a_number", kFill + " count0=1x", "line 1: count0: \"1x\" is no value of this field"},
    {"empty_value", kFill + " count0=", "line 1: count0: \"\" is no value of this field"},
    {"bare_prefix", kFill + " count0=0x", "line 1: count0: \"0x\" is no value of this field"},
    {"beyond_64_bits", kFill + " count0=99999999999999999999",
     "line 1: count0: \"99999999999999999999\" is no value of this field"},
    {"enum_name", "WAIT unit=GPU producer=MAC count=1", "line 1: unit: \"GPU\" is no value of this field"},
    {"name_in_a_number", kFill + " count0=MAC", "line 1: count0: \"MAC\" is no value of this field"},
    {"word_empty", ".word", "line 1: .word needs a value"},
    {"word_wide", ".word 0x100000000", "line 1: \"0x100000000\" is not a 32-bit word"},
    {"word_negative", ".word -1", "line 1: \"-1\" is not a 32-bit word"},
};

INSTANTIATE_TEST_SUITE_P(Text, BadTexts, testing::ValuesIn(kBadTexts),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
