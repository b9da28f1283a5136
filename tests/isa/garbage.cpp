// SPDX-License-Identifier: Apache-2.0
// Seeded random and damaged streams: the checker ends, stays inside the stream and is consistent with itself; text of
// anything assembles to the same words. Streams live in exactly sized heap blocks, so that sanitizers see any overrun.
#include <gtest/gtest.h>

#include <algorithm>

#include "avocet/isa/assemble.hpp"
#include "avocet/isa/disassemble.hpp"
#include "legal_commands.hpp"

using namespace avocet::isa_test;

namespace {

Words random_words(std::mt19937& random) {
  Words words(random() % 40);
  for (uint32_t& word : words) word = random() >> (random() % 32);
  return words;
}

// Headers of real commands with random contents.
Words random_commands(std::mt19937& random) {
  Words words;
  for (uint32_t n = random() % 4; n > 0; --n) {
    const avocet_command_info& row = avocet_commands[random() % AVOCET_COMMAND_COUNT];
    words.push_back(avocet_command_header(row.opcode, row.words, random()));
    for (uint32_t w = 1; w < row.words; ++w) words.push_back(random() & row.defined_bits[w]);
  }
  return words;
}

// A legal stream with a few bits flipped or its end cut off.
Words damaged_stream(std::mt19937& random) {
  Words words;
  auto rows = working_rows();
  for (uint32_t n = random() % 4; n > 0; --n) {
    Words command = legal_command(*rows[random() % rows.size()], random);
    words.insert(words.end(), command.begin(), command.end());
  }
  words.push_back(end_command()[0]);
  for (uint32_t n = random() % 3; n > 0; --n) words[random() % words.size()] ^= 1u << (random() % 32);
  if (random() % 4 == 0) words.resize(random() % words.size());
  return words;
}

Words garbage(int kind, std::mt19937& random) {
  Words words = kind == 0 ? random_words(random) : kind == 1 ? random_commands(random) : damaged_stream(random);
  return Words(words.begin(), words.end());  // capacity == size
}

void expect_consistent(const Words& stream, const avocet_stream_report& report) {
  ASSERT_LE(report.position, stream.size());
  ASSERT_LE(report.next, stream.size());
  ASSERT_STRNE(avocet_status_text(report.status), "?");
  if (report.status == AVOCET_STATUS_OK) {
    EXPECT_EQ(report.next, stream.size());
    EXPECT_EQ(stream[report.position] & 0xFF, AVOCET_OP_END);
    EXPECT_EQ(report.reason, nullptr);
  } else {
    EXPECT_NE(report.reason, nullptr);
  }
}

TEST(Garbage, CheckerEndsAndIsConsistent) {
  std::mt19937 random(10);
  uint64_t statuses[16] = {};
  for (int i = 0; i < 100000; ++i) {
    Words stream = garbage(i % 3, random);
    avocet_stream_report report;
    avocet_stream_check(stream.data(), stream.size(), &kLimits, &report);
    expect_consistent(stream, report);
    ++statuses[report.status & 15];
    if (HasFatalFailure()) return;
  }
  // The mixture reaches every outcome, so it tests something.
  for (uint32_t status = AVOCET_STATUS_OK; status <= AVOCET_STATUS_NO_END; ++status)
    EXPECT_GT(statuses[status], 0u) << avocet_status_text(status);
}

TEST(Garbage, TextOfAnythingAssemblesToTheSameWords) {
  std::mt19937 random(11);
  for (int i = 0; i < 30000; ++i) {
    Words stream = garbage(i % 3, random);
    std::string text = avocet::isa::disassemble(stream);
    ASSERT_EQ(avocet::isa::assemble(text), stream) << text;
  }
}

TEST(Garbage, RandomTextGetsAnErrorOrWords) {
  std::mt19937 random(12);
  const std::string pieces[] = {"MATMUL", "END", " ", "tag=",  "ifm",  "=",  "0x",  "-", "9999999999999999999",
                                "1",      "\n",  ";", ".word", "DMA0", "\t", "\xff"};
  int errors = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (uint32_t n = random() % 12; n > 0; --n) text += pieces[random() % std::size(pieces)];
    try {
      avocet::isa::assemble(text);
    } catch (const avocet::isa::AssemblyError& error) {
      ++errors;
      ASSERT_GE(error.line, 1u);
      ASSERT_LE(error.line, 1u + static_cast<size_t>(std::count(text.begin(), text.end(), '\n')));
    }
  }
  EXPECT_GT(errors, 1000);
}

}  // namespace
