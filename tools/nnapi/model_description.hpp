// SPDX-License-Identifier: Apache-2.0
// A model as plain data, before it becomes calls of the API: what the importer and the conformance reader produce and
// what build_model() consumes. Being data, it can be changed (other outputs, other types) and built again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace avocet::tools {

enum class Lifetime {
  temporary,           // written by an operation
  input,               // of the graph
  output,              // of the graph
  constant_copy,       // setOperandValue
  constant_reference,  // setOperandValueFromMemory
  no_value,            // omitted optional operand
  subgraph,            // setOperandValueFromModel, `subgraph` says which
};

struct Operand {
  int32_t type = 0;
  std::vector<uint32_t> dims;  // empty on a tensor: unknown rank; 0: unknown extent
  float scale = 0;
  int32_t zero_point = 0;
  Lifetime lifetime = Lifetime::temporary;
  std::vector<float> channel_scales;  // TENSOR_QUANT8_SYMM_PER_CHANNEL only
  uint32_t channel_dim = 0;
  uint32_t subgraph = 0;
  /// The bytes of a constant; in a test case also of an input or the expected bytes of an output.
  std::optional<std::vector<uint8_t>> value;
  bool ignored = false;  // a test case's output that is not compared
};

struct OperationDescription {
  int32_t code = 0;
  std::vector<uint32_t> inputs;
  std::vector<uint32_t> outputs;
};

struct ModelDescription {
  std::vector<Operand> operands;
  std::vector<OperationDescription> operations;
  std::vector<uint32_t> inputs;
  std::vector<uint32_t> outputs;
  bool relaxed = false;
};

}  // namespace avocet::tools
