// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE: the dimensions in another order.
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "shape_values.hpp"
#include "strided_copy.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4), shaped("perm", kTensorInt32, "rank").optional()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{
    .level = 28, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

/// Which dimension of the input becomes each one of the output.
Status read_order(const OperationContext& context, std::vector<uint32_t>* order) {
  const size_t rank = context.input(0).dims.size();
  if (!context.has_input(1)) {
    for (size_t i = rank; i-- > 0;) order->push_back(static_cast<uint32_t>(i));
    return {};
  }
  std::vector<int32_t> perm;
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 1, rank, "perm", &perm));
  std::vector<bool> taken(rank);
  for (size_t i = 0; i < rank; ++i) {
    if (perm[i] < 0 || static_cast<size_t>(perm[i]) >= rank) {
      return op_failed("perm[", i, "] = ", perm[i], " is no dimension of a tensor of rank ", rank);
    }
    const uint32_t dimension = static_cast<uint32_t>(perm[i]);
    if (taken[dimension]) return op_failed("perm names dimension ", dimension, " twice");
    taken[dimension] = true;
    order->push_back(dimension);
  }
  return {};
}

Dimensions permuted(const Dimensions& dims, const std::vector<uint32_t>& order) {
  Dimensions result;
  for (uint32_t dimension : order) result.push_back(dims[dimension]);
  return result;
}

Status infer(OperationContext& context) {
  std::vector<uint32_t> order;
  AVOCET_RETURN_IF_FAILED(read_order(context, &order));
  context.output(0).dims = permuted(context.input(0).dims, order);
  return {};
}

Status execute(OperationContext& context) {
  std::vector<uint32_t> order;
  AVOCET_RETURN_IF_FAILED(read_order(context, &order));
  AVOCET_RETURN_IF_FAILED(check_unchanged(permuted(context.input(0).dims, order), context.output(0)));
  copy_permuted(context, context.input(0).dims, order);
  return {};
}

}  // namespace

constinit const Operation kTranspose =
    operation<kSignature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_TRANSPOSE, "TRANSPOSE");

}  // namespace avocet::runtime
