// SPDX-License-Identifier: Apache-2.0
// The program container: any bytes are refused with a sentence or are a program that can be printed and written again to the same
// bytes. Every second input gets the right size and checksum, so that what lies behind them is reached.
#include <avocet/compiler/program.hpp>

#include "../compiler/container_seal.hpp"
#include "input_reader.hpp"

using avocet::compiler::Program;
using avocet::compiler::ProgramError;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::vector<uint8_t> bytes(data + 1, data + size);
  if (data[0] % 2 == 1 && bytes.size() >= 32) avocet::compiler::test::seal(bytes);
  try {
    const Program program = Program::parse(bytes);
    avocet::fuzz::require(!avocet::compiler::disassemble(program).empty(), "a parsed program can be printed");
    const std::vector<uint8_t> again = program.serialise();
    avocet::fuzz::require(Program::parse(again).serialise() == again, "a parsed program is written to the same bytes");
  } catch (const ProgramError& error) {
    avocet::fuzz::require(error.what()[0] != '\0', "a refusal has a sentence");
  }
  return 0;
}
