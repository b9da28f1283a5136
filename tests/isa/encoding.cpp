// SPDX-License-Identifier: Apache-2.0
// Encoders, decoders and tables describe the same bits: hand-made words, then every field at its extremes and at random
// through both ways.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "avocet_isa_tables.h"

namespace {

using Words = std::vector<uint32_t>;

// Reads one command with its decoder and compares every member with the table's view of the words.
void expect_decoder_agrees(const avocet_command_info& row, const Words& words) {
  size_t compared = 0;
  auto table_value = [&](const char* name) {
    for (uint32_t i = 0; i < row.field_count; ++i)
      if (std::string_view(name) == row.fields[i].name) return avocet_field_value(&row.fields[i], words.data());
    ADD_FAILURE() << row.name << " has no field " << name << " in its table";
    return int64_t{0};
  };
#define COMPARE(COMMAND, command, field, word, lsb, bits, kind)                    \
  if (row.opcode == AVOCET_OP_##COMMAND) {                                         \
    avocet_cmd_##command decoded;                                                  \
    avocet_##command##_decode(words.data(), &decoded);                             \
    EXPECT_EQ(int64_t{decoded.field}, table_value(#field)) << #COMMAND "." #field; \
    ++compared;                                                                    \
  }
  AVOCET_FIELDS(COMPARE)
#undef COMPARE
  EXPECT_EQ(compared, row.field_count) << row.name;
}

// Decodes and encodes again.
Words reencoded(const avocet_command_info& row, const Words& words) {
  Words result(row.words, 0xDEADBEEF);
#define REENCODE(COMMAND, command, opcode_value, length, unit)                                                         \
  if (row.opcode == (opcode_value)) {                                                                                  \
    avocet_cmd_##command decoded;                                                                                      \
    avocet_##command##_decode(words.data(), &decoded);                                                                 \
    EXPECT_EQ(avocet_##command##_encode(&decoded, avocet_command_tag(words[0]), result.data()), (length)) << #COMMAND; \
  }
  AVOCET_COMMANDS(REENCODE)
#undef REENCODE
  return result;
}

Words blank(const avocet_command_info& row, uint32_t tag) {
  Words words(row.words);
  words[0] = avocet_command_header(row.opcode, row.words, tag);
  return words;
}

void expect_round_trip(const avocet_command_info& row, const Words& words) {
  expect_decoder_agrees(row, words);
  EXPECT_EQ(reencoded(row, words), words) << row.name;
}

TEST(Encoding, EveryFieldAloneAtItsExtremes) {
  for (const avocet_command_info& row : avocet_commands)
    for (uint32_t i = 0; i < row.field_count; ++i) {
      const avocet_field_info& field = row.fields[i];
      for (int64_t value : {avocet_field_minimum(&field), avocet_field_maximum(&field)}) {
        Words words = blank(row, 0);
        avocet_field_set(&field, words.data(), value);
        EXPECT_EQ(avocet_field_value(&field, words.data()), value) << row.name << "." << field.name;
        for (uint32_t w = 1; w < row.words; ++w) {
          uint32_t own = w == field.word ? avocet_place_bits(0xFFFFFFFF, field.lsb, field.bits) : 0;
          EXPECT_EQ(words[w] & ~own, 0u) << row.name << "." << field.name << " touches other bits of word " << w;
        }
        expect_round_trip(row, words);
      }
    }
}

TEST(Encoding, AllFieldsAtTheirExtremes) {
  for (const avocet_command_info& row : avocet_commands)
    for (bool maximum : {false, true}) {
      Words words = blank(row, maximum ? 0xFFFF : 0);
      for (uint32_t i = 0; i < row.field_count; ++i)
        avocet_field_set(&row.fields[i], words.data(),
                         maximum ? avocet_field_maximum(&row.fields[i]) : avocet_field_minimum(&row.fields[i]));
      expect_round_trip(row, words);
    }
}

TEST(Encoding, RandomCommandsSeeded) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i)
    for (const avocet_command_info& row : avocet_commands) {
      Words words = blank(row, random() & 0xFFFF);
      for (uint32_t w = 1; w < row.words; ++w) words[w] = random() & row.defined_bits[w];
      expect_round_trip(row, words);
    }
}

TEST(Encoding, DefinedBitsAreThoseOfTheFields) {
  for (const avocet_command_info& row : avocet_commands) {
    Words bits(row.words);
    bits[0] = 0xFFFFFFFF;
    for (uint32_t i = 0; i < row.field_count; ++i)
      bits[row.fields[i].word] |= avocet_place_bits(0xFFFFFFFF, row.fields[i].lsb, row.fields[i].bits);
    EXPECT_EQ(bits, Words(row.defined_bits, row.defined_bits + row.words)) << row.name;
  }
}

// Bits counted by hand in the reference pages.
TEST(Encoding, WordsByHand) {
  uint32_t words[AVOCET_WORDS_MAX];
  avocet_cmd_end end{};
  EXPECT_EQ(avocet_end_encode(&end, 0, words), 1u);
  EXPECT_EQ(words[0], 0x00000101u);

  avocet_cmd_wait wait{.unit = AVOCET_UNIT_VECTOR, .producer = AVOCET_UNIT_DMA0 + 1, .count = 5};
  EXPECT_EQ(avocet_wait_encode(&wait, 7, words), 3u);
  EXPECT_EQ(Words(words, words + 3), (Words{0x00070302, 0x00000092, 5}));

  avocet_cmd_requant requant{.acc = 0x12,
                             .channels = 16,
                             .parameters = 0x1000,
                             .ofm = 0x2000,
                             .x_count = 7,
                             .y_count = 0x10000,
                             .x_stride = 16,
                             .y_stride = 112,
                             .zero_point = -3,
                             .clamp_min = -128,
                             .clamp_max = 127};
  EXPECT_EQ(avocet_requant_encode(&requant, 0xABCD, words), 9u);
  EXPECT_EQ(Words(words, words + 9),
            (Words{0xABCD0921, 0x000F0012, 0x1000, 0x2000, 0xFFFF0006, 16, 112, 0x0000FFFD, 0x007FFF80}));

  avocet_cmd_add decoded;
  Words add{0x00011132, 0x00001401, 1,          2,          3,          4,          0x0000FFFF, 5,         6,
            7,          0xFF80007F, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF, 0x001EE101, 9,          0x00FF0000};
  avocet_add_decode(add.data(), &decoded);
  EXPECT_EQ(decoded.input_unsigned, 1u);
  EXPECT_EQ(decoded.left_shift, 20u);
  EXPECT_EQ(decoded.y_count, 0x10000u);
  EXPECT_EQ(decoded.a_zero_point, 127);
  EXPECT_EQ(decoded.b_zero_point, -128);
  EXPECT_EQ(decoded.a_multiplier, INT32_MIN);
  EXPECT_EQ(decoded.out_multiplier, -1);
  EXPECT_EQ(decoded.a_shift, 1);
  EXPECT_EQ(decoded.b_shift, -31);
  EXPECT_EQ(decoded.out_shift, 30);
  EXPECT_EQ(decoded.clamp_max, 255);
}

TEST(Encoding, OpcodesThatNobodyHas) {
  EXPECT_EQ(avocet_command_by_opcode[0], nullptr);
  EXPECT_EQ(avocet_command_by_opcode[255], nullptr);
  int known = 0;
  for (const avocet_command_info* row : avocet_command_by_opcode) known += row != nullptr;
  EXPECT_EQ(known, AVOCET_COMMAND_COUNT);
}

}  // namespace
