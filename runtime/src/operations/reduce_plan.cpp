// SPDX-License-Identifier: Apache-2.0
// Reduction along axes: see reduce_plan.hpp.
#include "reduce_plan.hpp"

#include "failure.hpp"
#include "shape.hpp"

namespace avocet::runtime {

Status find_reduced_axes(const OperandView& axes, size_t rank, uint32_t* mask) {
  *mask = 0;
  const int32_t* values = axes.as<int32_t>();
  const size_t count = values ? count_of(axes) : 0;
  for (size_t i = 0; i < count; ++i) {
    const auto axis = normalise_axis(values[i], rank);
    if (!axis) return op_failed("axis ", values[i], " is outside the tensor of rank ", rank);
    *mask |= uint32_t{1} << *axis;
  }
  return {};
}

Dimensions reduced_dims(const Dimensions& dims, uint32_t mask, bool keep_dims) {
  Dimensions result;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (!((mask >> d) & 1)) {
      result.push_back(dims[d]);
    } else if (keep_dims) {
      result.push_back(1);
    }
  }
  if (result.empty()) result.push_back(1);
  return result;
}

ReducePlan::ReducePlan(const Dimensions& dims, uint32_t mask) {
  Group inner;
  Group* group = nullptr;  // the one that grows
  bool group_is_reduced = false;
  size_t kept = kept_.size(), reduced = reduced_.size(), stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    if (dims[d] == 1) continue;  // belongs to either kind
    const bool is_reduced = (mask >> d) & 1;
    if (!group || is_reduced != group_is_reduced) {
      group = is_reduced ? &reduced_[--reduced] : group ? &kept_[--kept] : &inner;
      group->stride = stride;
      group_is_reduced = is_reduced;
    }
    group->extent *= dims[d];
    stride *= dims[d];
  }
  inner_ = inner.extent;
}

}  // namespace avocet::runtime
