// SPDX-License-Identifier: Apache-2.0
// Products of matrices that are both computed.
#pragma once

#include "importer/onnx/node_context.hpp"

namespace avocet::tools::onnx {

/// A TRANSPOSE of an operand of rank 2.
uint32_t emit_matrix_transpose(NodeContext& context, uint32_t operand);

/// MatMul of two batches of matrices, which the API multiplies one by one. Floats only; the leading extents are equal.
void emit_batched_product(NodeContext& context, const Dims& left, const Dims& right);

}  // namespace avocet::tools::onnx
