// SPDX-License-Identifier: Apache-2.0
// ARGMAX and ARGMIN: the index of the first largest or smallest element along an axis.
#include <limits>
#include <vector>

#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), axis()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kTensorInt32)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

Status find_axis(const OperationContext& context, size_t* axis) {
  const int32_t given = context.scalar<int32_t>(1, 0);
  const auto index = normalise_axis(given, context.input(0).dims.size());
  if (!index) return op_failed("axis ", given, " is outside the tensor of rank ", context.input(0).dims.size());
  *axis = *index;
  return {};
}

Status infer(OperationContext& context) {
  size_t axis = 0;
  AVOCET_RETURN_IF_FAILED(find_axis(context, &axis));
  Dimensions dims = context.input(0).dims;
  if (dims[axis] > uint32_t{std::numeric_limits<int32_t>::max()}) {
    return op_failed("an axis of ", dims[axis], " elements has indices beyond TENSOR_INT32");
  }
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  if (dims.empty()) dims.push_back(1);
  context.output(0).dims = dims;
  return {};
}

/// Indices of the best elements of `count` neighbouring slices, each of `length` elements `step` apart.
template <typename T, typename Better>
void best_indices(const T* from, size_t length, size_t step, size_t count, std::vector<T>& best, int32_t* indices, const Better& better) {
  for (size_t i = 0; i < count; ++i) {
    best[i] = from[i];
    indices[i] = 0;
  }
  for (size_t k = 1; k < length; ++k) {
    const T* row = from + k * step;
    for (size_t i = 0; i < count; ++i) {
      const bool is_better = better(row[i], best[i]);
      best[i] = is_better ? row[i] : best[i];
      indices[i] = is_better ? static_cast<int32_t>(k) : indices[i];
    }
  }
}

template <typename T, typename Better>
Status search(OperationContext& context, const Better& better) {
  size_t axis = 0;
  AVOCET_RETURN_IF_FAILED(find_axis(context, &axis));
  const Dimensions& dims = context.input(0).dims;
  const size_t length = dims[axis], outer = extent_product(dims, 0, axis), inner = extent_product(dims, axis + 1, dims.size());
  constexpr size_t kWidth = 1024;
  const size_t width = std::min(inner, kWidth), pieces = (inner + width - 1) / width;
  const size_t grain = std::max<size_t>(1, 32768 / (length * width));
  context.parallel_for(outer * pieces, grain, [&](size_t begin, size_t end) {
    std::vector<T> best(width);
    for (size_t item = begin; item < end; ++item) {
      const size_t slab = item / pieces, first = item % pieces * width;
      best_indices(context.in<T>(0) + slab * length * inner + first, length, inner, std::min(width, inner - first), best,
                   context.out<int32_t>(0) + slab * inner + first, better);
    }
  });
  return {};
}

template <typename Better>
Status execute(OperationContext& context, const Better& better) {
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_INT32: return search<int32_t>(context, better);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return search<uint8_t>(context, better);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: return search<int8_t>(context, better);
    default: return search<float>(context, better);
  }
}

Status execute_max(OperationContext& context) {
  return execute(context, [](auto x, auto best) { return x > best; });
}

Status execute_min(OperationContext& context) {
  return execute(context, [](auto x, auto best) { return x < best; });
}

}  // namespace

constinit const Operation kArgmax = operation<kSignature, infer, execute_max>(ANEURALNETWORKS_ARGMAX, "ARGMAX");
constinit const Operation kArgmin = operation<kSignature, infer, execute_min>(ANEURALNETWORKS_ARGMIN, "ARGMIN");

}  // namespace avocet::runtime
