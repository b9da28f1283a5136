// SPDX-License-Identifier: Apache-2.0
// The matrix product of a recurrent cell: see recurrent_product.hpp.
#include "recurrent_product.hpp"

#include <algorithm>
#include <vector>

#include "convolution_rows.hpp"

namespace avocet::runtime {

PackedFloatWeights pack_gates(std::span<const GateWeights> gates, size_t units, const RowSizes& sizes) {
  std::vector<float> columns(gates.size() * units * sizes.depth());
  float* to = columns.data();
  for (const GateWeights& gate : gates) {
    for (size_t unit = 0; unit < units; ++unit) {
      to = std::copy_n(gate.input + unit * sizes.input, sizes.input, to);
      if (sizes.auxiliary) to = std::copy_n(gate.auxiliary + unit * sizes.auxiliary, sizes.auxiliary, to);
      to = std::copy_n(gate.recurrent + unit * sizes.hidden, sizes.hidden, to);
    }
  }
  return {columns.data(), gates.size() * units, sizes.depth()};
}

void recurrent_product(const OperationContext& context, const float* rows, size_t row_count, const PackedFloatWeights& weights,
                       const float* bias, Range<float> range, float* out) {
  const size_t depth = weights.depth(), columns = weights.columns();
  for_product_blocks(context, row_count, depth * sizeof(float), weights.panels(), [&](size_t r0, size_t r1, size_t p0, size_t p1) {
    multiply_add_clamp(rows + r0 * depth, depth, r1 - r0, weights, p0, p1, bias, range, out + r0 * columns, columns);
  });
}

bool is_constant_of_shape(const OperationContext& context, size_t i, const Dimensions& dims) {
  return context.has_input(i) && context.input(i).constant && context.input(i).data && context.input(i).dims == dims;
}

}  // namespace avocet::runtime
