// SPDX-License-Identifier: Apache-2.0
// The program container: any bytes are refused with a sentence or are a program that can be printed and written again to the same
// bytes. The first byte says what the others are: a file; one that gets a program's header, size and checksum, so that what lies
// behind them is reached; or changes to a program that the compiler has made.
#include <avocet/compiler/program.hpp>

#include "../compiler/container_seal.hpp"
#include "../compiler/random_graph.hpp"
#include "input_reader.hpp"

using avocet::compiler::Program;
using avocet::compiler::ProgramError;
using avocet::fuzz::InputReader;
using avocet::fuzz::require;

namespace {

using Bytes = std::vector<uint8_t>;
constexpr size_t kHeaderBytes = 32;

/// Programs whose containers differ: with two layers and a scratch tensor, and with hardly anything.
const std::vector<Bytes>& programs() {
  using namespace avocet::compiler::test;
  static const std::vector<Bytes> made = [] {
    GraphBuilder large(7), small(8);
    GraphBuilder::Window window;
    window.height = window.width = 3;
    const uint32_t picture = large.input({1, 6, 6, 3}, avocet::compiler::ElementType::kUint8);
    const uint32_t conv = large.convolution(picture, 5, window);
    large.return_tensor(large.reshape(conv, {1, 180}));
    large.return_tensor(large.add(conv, conv));
    const uint32_t line = small.input({1, 4}, avocet::compiler::ElementType::kInt8);
    small.return_tensor(small.add(line, line));
    return std::vector<Bytes>{avocet::compiler::compile(large.graph(), avocet_256()).serialise(),
                              avocet::compiler::compile(small.graph(), avocet_256()).serialise()};
  }();
  return made;
}

Bytes file_of(InputReader& in, size_t size) {
  const uint32_t kind = in.below(3);
  Bytes bytes;
  if (kind < 2) {
    bytes.resize(size - 1);
    in.read(bytes.data(), bytes.size());
    if (kind == 0 || bytes.size() < kHeaderBytes) return bytes;
    std::copy_n(programs()[0].begin(), kHeaderBytes, bytes.begin());
  } else {
    bytes = programs()[in.below(static_cast<uint32_t>(programs().size()))];
    while (!in.empty()) {
      const size_t at = in.take<uint16_t>() % bytes.size();
      const uint32_t value = in.take<uint32_t>(), width = 1u << in.below(3);
      for (size_t i = 0; i < width && at + i < bytes.size(); ++i) bytes[at + i] = static_cast<uint8_t>(value >> (8 * i));
    }
  }
  avocet::compiler::test::seal(bytes);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  InputReader in(data, size);
  const bool is_unchanged = size == 2 && data[0] % 3 == 2;
  try {
    const Program program = Program::parse(file_of(in, size));
    require(!avocet::compiler::disassemble(program).empty(), "a parsed program can be printed");
    const Bytes again = program.serialise();
    require(Program::parse(again).serialise() == again, "a parsed program is written to the same bytes");
  } catch (const ProgramError& error) {
    require(error.what()[0] != '\0', "a refusal has a sentence");
    require(!is_unchanged, "a program of the compiler is accepted");
  }
  return 0;
}
