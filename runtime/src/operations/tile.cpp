// SPDX-License-Identifier: Apache-2.0
// TILE: a tensor repeated along each of its axes.
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "shape_values.hpp"
#include "strided_copy.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), shaped("multiples", kTensorInt32, "rank")};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

Status infer(OperationContext& context) {
  const Dimensions& from = context.input(0).dims;
  std::vector<int32_t> multiples;
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 1, from.size(), "multiples", &multiples));
  Dimensions dims;
  for (size_t i = 0; i < from.size(); ++i) {
    if (multiples[i] < 0) return op_failed("multiples[", i, "] is ", multiples[i]);
    AVOCET_RETURN_IF_FAILED(append_extent(uint64_t{from[i]} * static_cast<uint32_t>(multiples[i]), &dims));
  }
  context.output(0).dims = std::move(dims);
  return {};
}

Status execute(OperationContext& context) {
  const Dimensions &from = context.input(0).dims, &to = context.output(0).dims;
  const std::vector<ptrdiff_t> from_steps = dense_steps(from), to_steps = dense_steps(to);
  std::vector<CopyAxis> axes;
  for (size_t i = 0; i < from.size(); ++i) {
    // The multiples follow from the shapes, which cannot have changed since infer.
    axes.push_back({to[i] / from[i], 0, to_steps[i] * static_cast<ptrdiff_t>(from[i])});
    axes.push_back({from[i], from_steps[i], to_steps[i]});
  }
  copy_strided(context, context.input(0).data, context.out<void>(0), std::move(axes), element_size(context.output(0).type));
  return {};
}

}  // namespace

constinit const Operation kTile = operation<kSignature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_TILE, "TILE");

}  // namespace avocet::runtime
