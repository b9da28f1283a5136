// SPDX-License-Identifier: Apache-2.0
// CHANNEL_SHUFFLE: the slices along an axis dealt out in groups.
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "strided_copy.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4), int32("num_groups").range(1), axis()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kOutputs};

Status plan(const OperationContext& context, size_t* axis, uint32_t* groups) {
  const Dimensions& dims = context.input(0).dims;
  const int32_t given_groups = context.scalar<int32_t>(1, 0), given_axis = context.scalar<int32_t>(2, 0);
  const auto index = normalise_axis(given_axis, dims.size());
  if (!index) return op_failed("axis ", given_axis, " is outside of a tensor of rank ", dims.size());
  *axis = *index;
  *groups = static_cast<uint32_t>(given_groups);
  if (given_groups < 1 || dims[*axis] % *groups != 0) {
    return op_failed("the extent ", dims[*axis], " of axis ", given_axis, " does not divide into ", given_groups, " groups");
  }
  return {};
}

Status infer(OperationContext& context) {
  size_t axis = 0;
  uint32_t groups = 0;
  AVOCET_RETURN_IF_FAILED(plan(context, &axis, &groups));
  return infer_same_shape(context);
}

Status execute(OperationContext& context) {
  size_t axis = 0;
  uint32_t groups = 0;
  AVOCET_RETURN_IF_FAILED(plan(context, &axis, &groups));
  const Dimensions& dims = context.input(0).dims;
  // [groups, group size] becomes [group size, groups]; the products fit because all elements together do.
  const uint32_t seen[] = {static_cast<uint32_t>(extent_product(dims, 0, axis)), groups, dims[axis] / groups,
                           static_cast<uint32_t>(extent_product(dims, axis + 1, dims.size()))};
  constexpr uint32_t kOrder[] = {0, 2, 1, 3};
  copy_permuted(context, seen, kOrder);
  return {};
}

}  // namespace

constinit const Operation kChannelShuffle =
    operation<kSignature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_CHANNEL_SHUFFLE, "CHANNEL_SHUFFLE");

}  // namespace avocet::runtime
