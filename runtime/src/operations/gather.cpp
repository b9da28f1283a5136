// SPDX-License-Identifier: Apache-2.0
// GATHER: slices of a tensor along an axis, chosen by a tensor of indices.
#include <algorithm>
#include <cstring>

#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "shape_values.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), axis(), tensor("indices", kTensorInt32)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

/// Axis and shape of the output.
Status plan(const OperationContext& context, size_t* axis, Dimensions* dims) {
  const Dimensions &from = context.input(0).dims, &indices = context.input(2).dims;
  const int32_t given = context.scalar<int32_t>(1, 0);
  const auto index = normalise_axis(given, from.size());
  if (!index) return op_failed("axis ", given, " is outside of a tensor of rank ", from.size());
  *axis = *index;
  *dims = from;
  dims->erase(dims->begin() + *index);
  dims->insert(dims->begin() + *index, indices.begin(), indices.end());
  return {};
}

Status infer(OperationContext& context) {
  size_t axis = 0;
  return plan(context, &axis, &context.output(0).dims);
}

Status execute(OperationContext& context) {
  size_t axis = 0;
  Dimensions dims;
  AVOCET_RETURN_IF_FAILED(plan(context, &axis, &dims));
  AVOCET_RETURN_IF_FAILED(check_unchanged(dims, context.output(0)));
  const Dimensions& from = context.input(0).dims;
  const size_t count = count_of(context.input(2));
  std::vector<int32_t> indices;
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 2, count, "indices", &indices));
  for (size_t i = 0; i < count; ++i) {
    if (indices[i] < 0 || static_cast<uint32_t>(indices[i]) >= from[axis]) {
      return op_failed("index ", i, " is ", indices[i], " but axis ", axis, " has the extent ", from[axis]);
    }
  }
  const size_t run = extent_product(from, axis + 1, from.size()) * element_size(context.output(0).type);
  const size_t source_step = run * from[axis];
  const uint8_t* source = context.in<uint8_t>(0);
  uint8_t* destination = context.out<uint8_t>(0);
  constexpr size_t kGrainBytes = 65536;
  context.parallel_for(extent_product(from, 0, axis) * count, std::max<size_t>(1, kGrainBytes / run), [&](size_t begin, size_t end) {
    size_t outer = begin / count, i = begin % count;
    for (size_t row = begin; row < end; ++row) {
      std::memcpy(destination + row * run, source + outer * source_step + static_cast<size_t>(indices[i]) * run, run);
      if (++i == count) ++outer, i = 0;
    }
  });
  return {};
}

}  // namespace

constinit const Operation kGather =
    operation<kSignature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_GATHER, "GATHER");

}  // namespace avocet::runtime
