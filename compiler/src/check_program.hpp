// SPDX-License-Identifier: Apache-2.0
// The checks at the compiler's two ends; each throws CompileError with a sentence.
#pragma once

#include <avocet/compiler/compiler.hpp>

#include "avocet_stream.h"

namespace avocet::compiler {

void check_device(const DeviceConfig& device);
void check_graph(const Graph& graph);

/// The emitted stream must be legal on the device with the program's regions.
void check_program(const Program& program, const DeviceConfig& device);

/// Region sizes as the stream checker takes them.
struct RegionSizes {
  uint64_t bytes[AVOCET_REGIONS] = {};
  explicit RegionSizes(const Program& program);
};

}  // namespace avocet::compiler
