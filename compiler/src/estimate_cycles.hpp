// SPDX-License-Identifier: Apache-2.0
// Predicts the cycles of a command stream with an event model of the device: in-order units with queues of
// AVOCET_QUEUE_DEPTH commands, WAITs, dispatch word by word, DMA channels that share the DRAM's bandwidth fairly, less what the
// stream takes.
#pragma once

#include <array>
#include <avocet/compiler/compiler.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "avocet_isa.h"

namespace avocet::compiler {

struct CycleEstimate {
  uint64_t cycles = 0;                             // from the first word to the last completion
  std::array<uint64_t, AVOCET_UNIT_COUNT> busy{};  // per unit
  struct Span {
    uint64_t first = UINT64_MAX, last = 0;
  };
  std::vector<Span> layers;  // per tag: start of its first and end of its last command
};

/// When one command began and ended.
struct CommandSpan {
  uint64_t position = 0;  // word index in the stream
  uint64_t first = 0, last = 0;
};

/// The stream must be one that avocet_stream_check accepts.
/// `commands`, when given, receives every command but WAITs and END, in the order of the stream.
CycleEstimate estimate_cycles(std::span<const uint32_t> stream, const DeviceConfig& device,
                              std::vector<CommandSpan>* commands = nullptr);

}  // namespace avocet::compiler
