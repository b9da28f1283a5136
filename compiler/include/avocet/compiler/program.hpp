// SPDX-License-Identifier: Apache-2.0
// The program container: a relocatable command stream, its constants and what is needed to run and to explain it.
#pragma once

#include <avocet/compiler/device_config.hpp>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace avocet::compiler {

/// Regions of a job that programs use (the contract has room for more).
enum Region : uint32_t { kConstants = 0, kScratch = 1, kInputs = 2, kOutputs = 3 };

/// Where a graph input or output lies inside region kInputs or kOutputs.
struct Binding {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

/// One layer = one tag of the stream, index = tag.
struct Layer {
  std::string name;               // CONV_2D, CONV_2D+ADD, ...
  std::vector<uint32_t> sources;  // Operation::source of all operations fused in it
  std::vector<uint32_t> shape;    // output dimensions
  uint64_t macs = 0;              // useful multiplications
};

/// Whether a program holds the bytes of its constants. A device that moves no values needs only their places: the same stream,
/// without reading or packing the graph's constants (whose data must still not be null).
enum class ConstantBytes : uint8_t { kPacked, kOmitted };

struct ProgramError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Program {
 public:
  std::vector<uint32_t> stream;    // of several cores: one behind the other, each with its END
  uint64_t constant_bytes = 0;     // size of region kConstants
  std::vector<uint8_t> constants;  // its bytes; empty when they were omitted
  uint64_t scratch_bytes = 0;
  uint64_t input_bytes = 0;   // size of region kInputs
  uint64_t output_bytes = 0;  // size of region kOutputs
  std::vector<Binding> inputs, outputs;  // in the order of Graph::inputs / outputs
  std::vector<Layer> layers;
  DeviceConfig device;              // it was made for
  uint64_t predicted_cycles = 0;    // from the first command to the last completion, by the compiler's event model

  /// Cores that run it together: the number of streams.
  uint32_t cores() const;

  /// The container's bytes: magic, contract version, sections with sizes, checksum. Same program, same bytes.
  std::vector<uint8_t> serialise() const;
  /// Throws ProgramError with one sentence on anything truncated, corrupt, or of another MAJOR. A reader that has no use for the
  /// constants may leave them in `bytes`.
  static Program parse(std::span<const uint8_t> bytes, ConstantBytes constants = ConstantBytes::kPacked);
};

/// The stream as text with layer names; ends with a summary line. Never fails on a parsed program.
std::string disassemble(const Program& program);

}  // namespace avocet::compiler
