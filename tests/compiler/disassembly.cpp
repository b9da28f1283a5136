// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <avocet/isa/assemble.hpp>

#include "random_graph.hpp"

namespace avocet::compiler::test {
namespace {

TEST(Disassembly, ShowsTheLayers) {
  GraphBuilder b(3);
  const uint32_t in = b.input({1, 2, 2, 4}, ElementType::kInt8);
  b.return_tensor(b.add(b.convolution(in, 4, {}), in));
  const Program program = compile(b.graph(), avocet_256());
  const std::string text = disassemble(program);
  EXPECT_NE(text.find("MATMUL"), std::string::npos);
  EXPECT_NE(text.find(" ; CONV_2D [1,2,2,4]\n"), std::string::npos);
  EXPECT_NE(text.find(" ; ADD [1,2,2,4]\n"), std::string::npos);
  EXPECT_NE(text.find("\nEND\n; "), std::string::npos);
  EXPECT_NE(text.find(" 2 layers, "), std::string::npos);
  EXPECT_EQ(text.back(), '\n');
}

TEST(Disassembly, AssemblesToTheSameStream) {
  GraphBuilder b(4);
  const uint32_t in = b.input({1, 9, 9, 3}, ElementType::kUint8);
  GraphBuilder::Window window;
  window.height = window.width = 3;
  b.return_tensor(b.pool(b.depthwise(b.convolution(in, 8, window), 1, window), true, window));
  const Program program = compile(b.graph(), avocet_256());
  EXPECT_EQ(isa::assemble(disassemble(program)), program.stream);
}

TEST(Disassembly, NeverFails) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    Program program;
    program.stream.resize(1 + random() % 60);
    for (uint32_t& word : program.stream) word = static_cast<uint32_t>(random() >> (random() % 40));
    program.layers.resize(random() % 3);
    EXPECT_FALSE(disassemble(program).empty());
  }
}

}  // namespace
}  // namespace avocet::compiler::test
