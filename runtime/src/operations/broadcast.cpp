// SPDX-License-Identifier: Apache-2.0
// Broadcasting: see broadcast.hpp.
#include "broadcast.hpp"

#include "failure.hpp"
#include "shape.hpp"

namespace avocet::runtime {
namespace {

/// Extent of axis i of a result of `rank` dimensions in a shape aligned at the end; 1 in front of it.
uint32_t aligned_extent(const Dimensions& dims, size_t i, size_t rank) {
  const size_t missing = rank - dims.size();
  return i < missing ? 1 : dims[i - missing];
}

}  // namespace

Status broadcast_shape(const Dimensions& a, const Dimensions& b, Dimensions* result) {
  const size_t rank = std::max(a.size(), b.size());
  Dimensions dims(rank);
  for (size_t i = 0; i < rank; ++i) {
    const uint32_t x = aligned_extent(a, i, rank), y = aligned_extent(b, i, rank);
    if (x != y && x != 1 && y != 1) {
      return op_failed("shapes ", dims_text(a), " and ", dims_text(b), " cannot be broadcast together");
    }
    dims[i] = x == 1 ? y : x;  // an extent of 0 wins over 1
  }
  *result = std::move(dims);
  return {};
}

Status infer_broadcast(OperationContext& context) {
  return broadcast_shape(context.input(0).dims, context.input(1).dims, &context.output(0).dims);
}

BroadcastPlan::BroadcastPlan(const Dimensions& a, const Dimensions& b, const Dimensions& result) {
  const size_t rank = result.size();
  size_t run_a = 1, run_b = 1;  // elements of the inputs from here inwards
  std::vector<Axis> inner_first;
  for (size_t i = rank; i-- > 0;) {
    const size_t x = aligned_extent(a, i, rank), y = aligned_extent(b, i, rank), extent = result[i];
    if (extent == 1) continue;
    const Axis axis{extent, x == 1 ? 0 : run_a, y == 1 ? 0 : run_b};
    // Join with the axis inside when both inputs go on where that one ends.
    if (!inner_first.empty()) {
      Axis& inside = inner_first.back();
      if (axis.stride_a == inside.stride_a * inside.extent && axis.stride_b == inside.stride_b * inside.extent) {
        inside.extent *= extent;
        run_a *= x;
        run_b *= y;
        continue;
      }
    }
    inner_first.push_back(axis);
    run_a *= x;
    run_b *= y;
  }
  if (!inner_first.empty()) {
    length_ = inner_first.front().extent;
    step_a_ = inner_first.front().stride_a;
    step_b_ = inner_first.front().stride_b;
    inner_first.erase(inner_first.begin());
  }
  for (const Axis& axis : inner_first) rows_ *= axis.extent;
  axes_.assign(inner_first.rbegin(), inner_first.rend());
}

}  // namespace avocet::runtime
