// SPDX-License-Identifier: Apache-2.0
// The compiler's public face: what it supports, and graph -> program. Deterministic; any thread, no shared state.
#pragma once

#include <avocet/compiler/device_config.hpp>
#include <avocet/compiler/graph.hpp>
#include <avocet/compiler/program.hpp>

#include <stdexcept>
#include <string>

namespace avocet::compiler {

struct Support {
  bool supported = false;
  std::string reason;  // a sentence when not
};

/// Whether operation `index` of the graph can run on this device. Never throws for a well-formed graph.
Support supports(const Graph& graph, uint32_t index, const DeviceConfig& device);

/// A broken graph or a fault of the compiler; what() is one sentence.
struct CompileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Compiles a graph of supported operations. Throws CompileError. Results equal the reference kernels to the bit. With `cores` above 1
/// the program is shared between so many cores of the device, or fewer, when that is predicted to be faster; results are the same.
Program compile(const Graph& graph, const DeviceConfig& device, ConstantBytes constants = ConstantBytes::kPacked,
                uint32_t cores = 1);

}  // namespace avocet::compiler
