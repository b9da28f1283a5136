// SPDX-License-Identifier: Apache-2.0
// SPLIT: equal pieces of a tensor along an axis, one output each.
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "shape_values.hpp"
#include "strided_copy.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), axis(), int32("num_splits").range(1)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("outputs", kColumnA).quantised_as_input(0).repeated()};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

/// Axis and shape of each output.
Status plan(const OperationContext& context, size_t* axis, Dimensions* dims) {
  *dims = context.input(0).dims;
  const int32_t given = context.scalar<int32_t>(1, 0), pieces = context.scalar<int32_t>(2, 0);
  const auto index = normalise_axis(given, dims->size());
  if (!index) return op_failed("axis ", given, " is outside of a tensor of rank ", dims->size());
  const size_t count = context.outputs.size();
  if (pieces < 1 || static_cast<size_t>(pieces) != count) return op_failed("num_splits is ", pieces, " for ", count, " outputs");
  uint32_t& extent = (*dims)[*index];
  if (extent % count != 0) return op_failed("the extent ", extent, " of axis ", given, " does not divide into ", count, " pieces");
  extent /= static_cast<uint32_t>(count);
  *axis = *index;
  return {};
}

Status infer(OperationContext& context) {
  size_t axis = 0;
  Dimensions dims;
  AVOCET_RETURN_IF_FAILED(plan(context, &axis, &dims));
  for (OperandView& output : context.outputs) output.dims = dims;
  return {};
}

Status execute(OperationContext& context) {
  size_t axis = 0;
  Dimensions dims;
  AVOCET_RETURN_IF_FAILED(plan(context, &axis, &dims));
  AVOCET_RETURN_IF_FAILED(check_unchanged(dims, context.output(0)));
  const size_t element = element_size(context.output(0).type);
  const size_t rows = extent_product(dims, 0, axis), run = extent_product(dims, axis, dims.size());
  const ptrdiff_t piece = static_cast<ptrdiff_t>(run), whole = piece * static_cast<ptrdiff_t>(context.outputs.size());
  for (size_t i = 0; i < context.outputs.size(); ++i) {
    copy_strided(context, context.in<uint8_t>(0) + i * run * element, context.out<void>(i), {{rows, whole, piece}, {run, 1, 1}}, element);
  }
  return {};
}

}  // namespace

constinit const Operation kSplit = operation<kSignature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_SPLIT, "SPLIT");

}  // namespace avocet::runtime
