// SPDX-License-Identifier: Apache-2.0
// Command stream to text, one command a line. Any words can be disassembled: what is no command becomes `.word` lines,
// so assemble(disassemble(words)) gives the same words for every input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace avocet::isa {

// Text for the comment behind a command, "" for none: a layer's name, for example. `position` is the word index in the
// stream, as fault reports give it; `command` holds all words of a command whose opcode, length and reserved bits are
// right.
using Annotator = std::function<std::string(size_t position, std::span<const uint32_t> command)>;

// Left out of a line: tag 0, flags and strides of 0, counts of 1.
std::string disassemble(std::span<const uint32_t> words, const Annotator& annotate = {});

// One whole, well-formed command, without comment and newline.
std::string disassemble_command(std::span<const uint32_t> command);

}  // namespace avocet::isa
