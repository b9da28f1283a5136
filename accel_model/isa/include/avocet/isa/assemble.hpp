// SPDX-License-Identifier: Apache-2.0
// Text to command stream. Accepts what disassemble() writes:
//   MATMUL tag=3 ifm=0x100 weights=0x4000 ...   ; comment
//   .word 0x12345678 0                          ; raw words
// Names and their order are those of the contract's rows, values natural (counts as counts), order free. tag, flags and
// strides default to 0, counts to 1, everything else must be given. Checks spelling and width, not legality: see
// avocet_stream.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace avocet::isa {

struct AssemblyError : std::runtime_error {
  AssemblyError(size_t line_number, const std::string& problem)
      : std::runtime_error("line " + std::to_string(line_number) + ": " + problem), line(line_number) {}
  size_t line;  // from 1
};

std::vector<uint32_t> assemble(std::string_view text);  // throws AssemblyError

}  // namespace avocet::isa
