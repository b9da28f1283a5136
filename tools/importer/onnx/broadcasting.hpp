// SPDX-License-Identifier: Apache-2.0
// Broadcasting for operations that do not do it themselves.
#pragma once

#include "importer/onnx/node_context.hpp"

namespace avocet::tools::onnx {

/// Emits what turns `input` into `output`, which has the same elements in another shape: RESHAPE, and for integers,
/// which it does not take, EXPAND_DIMS or GATHER where they lead there. Refuses bools that need more than a copy.
void emit_shape_change(NodeContext& context, uint32_t input, uint32_t output);
/// The operand with extents of 1 in front, up to `rank`.
uint32_t emit_aligned(NodeContext& context, uint32_t operand, size_t rank);
/// A TILE that repeats extents of 1 until `input` has `dims`.
void emit_tile(NodeContext& context, uint32_t input, const Dims& dims, uint32_t output);
/// Input i with exactly these dimensions; a constant is repeated at import.
uint32_t read_broadcast(NodeContext& context, size_t i, const Dims& dims);

}  // namespace avocet::tools::onnx
