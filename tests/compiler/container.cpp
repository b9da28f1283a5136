// SPDX-License-Identifier: Apache-2.0
// The program container: round trip, versions, and bytes that someone else has made.
#include <gtest/gtest.h>

#include <cstring>

#include "avocet_isa.h"
#include "container_seal.hpp"
#include "random_graph.hpp"

namespace avocet::compiler::test {
namespace {

Program small_program() {
  GraphBuilder b(7);
  const uint32_t in = b.input({1, 6, 6, 3}, ElementType::kUint8);
  GraphBuilder::Window window;
  window.height = window.width = 3;
  const uint32_t conv = b.convolution(in, 5, window);
  b.return_tensor(b.reshape(conv, {1, 180}));
  b.return_tensor(b.add(conv, conv));
  return compile(b.graph(), avocet_256());
}

std::string refusal(const std::vector<uint8_t>& bytes) {
  try {
    Program::parse(bytes);
    return {};
  } catch (const ProgramError& error) {
    return error.what();
  }
}

TEST(Container, KeepsEverything) {
  Program program = small_program();
  program.predicted_cycles = 0x123456789ABu;
  const Program copy = Program::parse(program.serialise());
  EXPECT_EQ(copy.stream, program.stream);
  EXPECT_EQ(copy.constants, program.constants);
  EXPECT_EQ(copy.scratch_bytes, program.scratch_bytes);
  EXPECT_EQ(copy.input_bytes, program.input_bytes);
  EXPECT_EQ(copy.output_bytes, program.output_bytes);
  EXPECT_EQ(copy.device, avocet_256());
  EXPECT_EQ(copy.predicted_cycles, program.predicted_cycles);
  ASSERT_EQ(copy.outputs.size(), 2u);
  EXPECT_EQ(copy.outputs[1].offset, program.outputs[1].offset);
  EXPECT_EQ(copy.outputs[1].bytes, 180u);
  ASSERT_EQ(copy.layers.size(), 2u);
  EXPECT_EQ(copy.layers[0].name, "CONV_2D");
  EXPECT_EQ(copy.layers[0].sources, (std::vector<uint32_t>{100, 101}));
  EXPECT_EQ(copy.layers[0].shape, (std::vector<uint32_t>{1, 6, 6, 5}));
  EXPECT_EQ(copy.layers[0].macs, 6u * 6 * 5 * 27);
  EXPECT_EQ(copy.serialise(), program.serialise());
}

TEST(Container, TheTestsChecksumIsTheContainers) {
  std::vector<uint8_t> bytes = small_program().serialise();
  const std::vector<uint8_t> original = bytes;
  seal(bytes);
  EXPECT_EQ(bytes, original);
}

TEST(Container, RefusesOtherVersions) {
  std::vector<uint8_t> bytes = small_program().serialise();
  bytes[6] = static_cast<uint8_t>(AVOCET_VERSION_MAJOR + 1);
  EXPECT_NE(refusal(bytes).find("the program is for contract 2."), std::string::npos) << refusal(bytes);
  bytes = small_program().serialise();
  bytes[4] = 99;  // MINOR
  EXPECT_NE(refusal(bytes).find("1.99"), std::string::npos) << refusal(bytes);
  bytes[0] ^= 1;
  EXPECT_NE(refusal(bytes).find("no program"), std::string::npos) << refusal(bytes);
}

TEST(Container, RefusesEveryTruncationAndExtension) {
  std::vector<uint8_t> bytes = small_program().serialise();
  for (size_t size = 0; size < bytes.size(); ++size)
    ASSERT_NE(refusal({bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size)}), "") << size;
  bytes.push_back(0);
  EXPECT_NE(refusal(bytes), "");
}

TEST(Container, RefusesEveryFlippedBit) {
  const std::vector<uint8_t> bytes = small_program().serialise();
  for (size_t bit = 0; bit < bytes.size() * 8; bit += 5) {
    std::vector<uint8_t> changed = bytes;
    changed[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    ASSERT_NE(refusal(changed), "") << "bit " << bit;
  }
}

// With the checksum made right again the reader sees what a hostile writer can make: it must refuse or return a
// program, which then can be printed and written.
TEST(Container, SurvivesForgedBytes) {
  const std::vector<uint8_t> bytes = small_program().serialise();
  std::mt19937_64 random(99);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint8_t> forged = bytes;
    for (uint64_t changes = 1 + random() % 4; changes > 0; --changes) {
      const size_t at = random() % 3 == 0 ? 32 + random() % 400 : random() % forged.size();
      const uint8_t values[] = {0, 1, 0xFF, 0x7F, 0x80, static_cast<uint8_t>(random())};
      const size_t run = random() % 4 == 0 ? 4 : 1;
      for (size_t k = at; k < std::min(forged.size(), at + run); ++k) forged[k] = values[random() % std::size(values)];
    }
    if (random() % 8 == 0) forged.resize(random() % (forged.size() + 64));
    if (forged.size() < 32) forged.resize(32);
    seal(forged);
    try {
      const Program program = Program::parse(forged);
      ++accepted;
      if (i % 16 == 0) {
        EXPECT_FALSE(disassemble(program).empty());
        EXPECT_EQ(Program::parse(program.serialise()).serialise(), program.serialise());
      }
    } catch (const ProgramError& error) {
      ++refused;
      ASSERT_GT(std::strlen(error.what()), 10u);
    }
  }
  EXPECT_GT(accepted, 1000);  // streams and constants may hold anything
  EXPECT_GT(refused, 1000);
}

TEST(Container, RefusesADeviceThatCannotBe) {
  Program program = small_program();
  program.device.vector_lanes = 0;
  EXPECT_THROW((void)Program::parse(program.serialise()), ProgramError);
}

}  // namespace
}  // namespace avocet::compiler::test
