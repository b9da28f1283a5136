// SPDX-License-Identifier: Apache-2.0
// TOPK_V2: the k largest elements of each last-axis slice, and where they were. Of equal elements the one with the larger
// index comes first, as the API says. NaN comes after all numbers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), int32("k").range(1)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("values", kColumnA).quantised_as_input(0), tensor("indices", kTensorInt32)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

Status infer(OperationContext& context) {
  const int32_t k = context.scalar<int32_t>(1, 1);
  Dimensions dims = context.input(0).dims;
  if (static_cast<uint32_t>(k) > dims.back()) return op_failed("k is ", k, " but the last dimension of the input is ", dims.back());
  if (dims.back() > uint32_t{std::numeric_limits<int32_t>::max()}) {
    return op_failed("a last dimension of ", dims.back(), " has indices beyond TENSOR_INT32");
  }
  dims.back() = static_cast<uint32_t>(k);
  context.output(0).dims = dims;
  context.output(1).dims = dims;
  return {};
}

/// An integer in the order of the elements. Sorting needs a total order, which floats with NaN lack.
int32_t rank_of(float x) {
  if (std::isnan(x)) return std::numeric_limits<int32_t>::min();
  const int32_t bits = std::bit_cast<int32_t>(x + 0.0f);  // -0 becomes +0
  return bits >= 0 ? bits : std::numeric_limits<int32_t>::min() - bits;
}
int32_t rank_of(int32_t x) { return x; }

struct Entry {
  int32_t rank;
  int32_t index;
};

template <typename T>
Status largest(OperationContext& context) {
  const size_t length = context.input(0).dims.back(), k = context.output(0).dims.back();
  const size_t slices = count_of(context.input(0)) / length;
  const size_t grain = std::max<size_t>(1, 2048 / length);
  context.parallel_for(slices, grain, [&](size_t begin, size_t end) {
    std::vector<Entry> entries(length);
    const auto comes_first = [](const Entry& a, const Entry& b) { return a.rank != b.rank ? a.rank > b.rank : a.index > b.index; };
    for (size_t slice = begin; slice < end; ++slice) {
      const T* from = context.in<T>(0) + slice * length;
      for (size_t i = 0; i < length; ++i) entries[i] = {rank_of(from[i]), static_cast<int32_t>(i)};
      std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(k), entries.end(), comes_first);
      for (size_t i = 0; i < k; ++i) {
        context.out<T>(0)[slice * k + i] = from[entries[i].index];
        context.out<int32_t>(1)[slice * k + i] = entries[i].index;
      }
    }
  });
  return {};
}

Status execute(OperationContext& context) {
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_INT32: return largest<int32_t>(context);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return largest<uint8_t>(context);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: return largest<int8_t>(context);
    default: return largest<float>(context);
  }
}

}  // namespace

constinit const Operation kTopkV2 = operation<kSignature, infer, execute>(ANEURALNETWORKS_TOPK_V2, "TOPK_V2");

}  // namespace avocet::runtime
