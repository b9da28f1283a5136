// SPDX-License-Identifier: Apache-2.0
// The stream as text; each command carries its layer behind it.
#include <avocet/compiler/program.hpp>
#include <avocet/isa/disassemble.hpp>
#include <set>

#include "avocet_isa.h"

namespace avocet::compiler {
namespace {

std::string describe(const Layer& layer) {
  std::string text = layer.name + " [";
  for (size_t i = 0; i < layer.shape.size(); ++i) {
    if (i > 0) text += ",";
    text += std::to_string(layer.shape[i]);
  }
  return text + "]";
}

}  // namespace

std::string disassemble(const Program& program) {
  size_t commands = 0;
  std::set<uint32_t> tags;
  std::string text = isa::disassemble(program.stream, [&](size_t, std::span<const uint32_t> command) -> std::string {
    ++commands;
    const uint32_t tag = avocet_command_tag(command[0]);
    if (avocet_command_opcode(command[0]) == AVOCET_OP_END) return {};
    tags.insert(tag);
    return tag < program.layers.size() ? describe(program.layers[tag]) : "no such layer";
  });
  text += "; " + std::to_string(commands) + " commands in " + std::to_string(program.stream.size()) + " words, " +
          std::to_string(tags.size()) + " layers, " + std::to_string(program.constant_bytes) +
          " bytes of constants, " + std::to_string(program.scratch_bytes) + " bytes of scratch memory, " +
          std::to_string(program.predicted_cycles) + " cycles predicted\n";
  return text;
}

}  // namespace avocet::compiler
