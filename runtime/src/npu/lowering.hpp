// SPDX-License-Identifier: Apache-2.0
// From operations of an NNAPI model to the compiler's graph: parameters are looked up by the names of the signature rows,
// padding schemes become numbers, codes become the compiler's own types.
#pragma once

#include <avocet/compiler/graph.hpp>

#include <cstdint>
#include <span>

#include "model.hpp"

namespace avocet::runtime::npu {

/// Builds the graph of some operations; inputs and outputs are operand numbers. What the graph cannot express is OP_FAILED with the
/// sentence that supports() shows. The graph refers to the model's constants.
Status lower(const Model& model, std::span<const uint32_t> operations, std::span<const uint32_t> inputs,
             std::span<const uint32_t> outputs, compiler::Graph* graph);

/// lower() for one operation alone, or with those that only go together with it: variable operands are the graph's inputs.
Status lower_one(const Model& model, uint32_t operation, compiler::Graph* graph);

/// Whether lower_one() may succeed once the extents of the operands and the values of those added to `constants` are known,
/// and not all of that is known yet.
bool may_lower(const Model& model, uint32_t operation, std::vector<uint32_t>* constants);

}  // namespace avocet::runtime::npu
