// SPDX-License-Identifier: Apache-2.0
// Shapes given as tensors: see shape_values.hpp.
#include "shape_values.hpp"

#include <limits>

#include "failure.hpp"
#include "shape.hpp"

namespace avocet::runtime {

Status read_int32s(const OperationContext& context, size_t i, size_t count, const char* name, std::vector<int32_t>* values) {
  const size_t given = count_of(context.input(i));
  if (given != count) return op_failed("input ", i, " (", name, ") has ", given, " values, needed are ", count);
  const int32_t* from = context.in<int32_t>(i);
  if (!from && count) return op_failed("the values of input ", i, " (", name, ") are not known");
  values->assign(from, from + count);
  return {};
}

Status append_extent(uint64_t extent, Dimensions* dims) {
  if (extent > std::numeric_limits<uint32_t>::max()) {
    return op_failed("dimension ", dims->size(), " of the output would have the extent ", extent, ", which is too large");
  }
  dims->push_back(static_cast<uint32_t>(extent));
  return {};
}

Status check_unchanged(const Dimensions& now, const OperandView& output) {
  if (now == output.dims) return {};
  return op_failed("an input that decides the shape of the output changed while the operation ran: ", dims_text(output.dims),
                   " became ", dims_text(now));
}

}  // namespace avocet::runtime
