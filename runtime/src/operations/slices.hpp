// SPDX-License-Identifier: Apache-2.0
// The one-dimensional slices of input 0 along an axis that is a scalar input, -1 when absent.
#pragma once

#include <algorithm>

#include "failure.hpp"
#include "operation.hpp"
#include "shape.hpp"

namespace avocet::runtime {

struct Slices {
  size_t length = 0;  // elements of a slice
  size_t step = 0;    // from one element of a slice to the next
  size_t count = 0;

  size_t first(size_t slice) const { return slice / step * step * length + slice % step; }

  /// Calls body(first element) for every slice, on the execution's threads; the slices of one piece of work share `scratch`.
  template <typename Scratch, typename Body>
  void for_each(const OperationContext& context, const Scratch& scratch, const Body& body) const {
    const size_t grain = std::max<size_t>(1, 4096 / length);
    context.parallel_for(count, grain, [&](size_t begin, size_t end) {
      Scratch own = scratch;
      for (size_t slice = begin; slice < end; ++slice) body(first(slice), own);
    });
  }
};

/// OP_FAILED when the axis is outside the tensor.
inline Status find_slices(const OperationContext& context, size_t axis_input, Slices* slices) {
  const Dimensions& dims = context.inputs[0].dims;
  const int32_t given = context.scalar<int32_t>(axis_input, -1);
  const auto axis = normalise_axis(given, dims.size());
  if (!axis) return op_failed("axis ", given, " is outside the tensor of rank ", dims.size());
  slices->length = dims[*axis];
  slices->step = extent_product(dims, *axis + 1, dims.size());
  slices->count = extent_product(dims, 0, *axis) * slices->step;
  return {};
}

/// infer of operations whose output has the shape of input 0.
template <size_t kAxisInput>
Status infer_along_axis(OperationContext& context) {
  Slices slices;
  AVOCET_RETURN_IF_FAILED(find_slices(context, kAxisInput, &slices));
  context.output(0).dims = context.input(0).dims;
  return {};
}

}  // namespace avocet::runtime
