// SPDX-License-Identifier: Apache-2.0
// The matrix product of a recurrent cell: rows [input | auxiliary input | hidden state] times the weights of all gates side by
// side, so that a time step is one product whatever the cell is made of.
#pragma once

#include "float_gemm.hpp"
#include "operation.hpp"

namespace avocet::runtime {

/// Weights of one gate (or of a cell without gates): [units][size] each.
struct GateWeights {
  const float* input = nullptr;
  const float* auxiliary = nullptr;  // null when its size is 0
  const float* recurrent = nullptr;
};

/// Elements of a row.
struct RowSizes {
  size_t input = 0;
  size_t auxiliary = 0;
  size_t hidden = 0;
  size_t depth() const { return input + auxiliary + hidden; }
};

/// Column gate * units + unit of the result belongs to that unit of that gate.
PackedFloatWeights pack_gates(std::span<const GateWeights> gates, size_t units, const RowSizes& sizes);

/// out[r][c] = clamp(bias[c] + rows[r] * column c), on the execution's threads. Rows are weights.depth() apart, results
/// weights.columns().
void recurrent_product(const OperationContext& context, const float* rows, size_t row_count, const PackedFloatWeights& weights,
                       const float* bias, Range<float> range, float* out);

/// Whether input i is a value fixed by the model with this shape.
bool is_constant_of_shape(const OperationContext& context, size_t i, const Dimensions& dims);

}  // namespace avocet::runtime
