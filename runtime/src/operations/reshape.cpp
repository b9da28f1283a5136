// SPDX-License-Identifier: Apache-2.0
// RESHAPE, SQUEEZE and EXPAND_DIMS: the same elements under other dimensions.
#include <cstring>

#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kReshapeInput[] = {tensor("input", kColumnA, 1, 4), shaped("shape", kTensorInt32, "rank")};
constexpr Form kReshapeInputs[] = {{.operands = kReshapeInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kReshapeSignature{.level = 27, .types = kFloatsAndQuant8, .inputs = kReshapeInputs, .outputs = kOutputs};

constexpr OperandRule kSqueezeInput[] = {tensor("input", kColumnA, 1, 4), shaped("axes", kTensorInt32, "axis_count").optional()};
constexpr Form kSqueezeInputs[] = {{.operands = kSqueezeInput}};
constexpr Signature kSqueezeSignature{.level = 28, .types = kFloatsAndQuant8, .inputs = kSqueezeInputs, .outputs = kOutputs};

constexpr OperandRule kExpandInput[] = {tensor("input", kColumnA), axis()};
constexpr Form kExpandInputs[] = {{.operands = kExpandInput}};
constexpr OperandRule kExpandOutput[] = {tensor("output", kColumnA, 2).quantised_as_input(0)};
constexpr Form kExpandOutputs[] = {{.operands = kExpandOutput}};
constexpr Signature kExpandSignature{
    .level = 29, .types = kFloatsInt32AndQuant8, .inputs = kExpandInputs, .outputs = kExpandOutputs};

Status copy_elements(OperationContext& context) {
  std::memcpy(context.out<void>(0), context.input(0).data, context.input(0).bytes);
  return {};
}

Status infer_reshape(OperationContext& context) {
  const int32_t* shape = context.in<int32_t>(1);
  const size_t rank = count_of(context.input(1));
  if (!shape && rank) return op_failed("the new shape is not known");
  const uint32_t count = element_count(context.input(0).dims).value_or(0);
  Dimensions dims(rank);
  uint64_t known = 1;
  std::optional<size_t> stretched;
  for (size_t i = 0; i < rank; ++i) {
    if (shape[i] == -1) {
      if (stretched) return op_failed("the new shape has more than one -1");
      stretched = i;
      continue;
    }
    if (shape[i] <= 0) return op_failed("the new shape has the extent ", shape[i]);
    dims[i] = static_cast<uint32_t>(shape[i]);
    known *= dims[i];
    if (known > UINT32_MAX) return op_failed("the new shape has too many elements");
  }
  if (stretched) {
    if (count % known) return op_failed(count, " elements cannot fill the new shape");
    dims[*stretched] = static_cast<uint32_t>(count / known);
    known = count;
  }
  if (known != count || rank == 0) return op_failed("the new shape has ", known, " elements, the input ", count);
  context.output(0).dims = std::move(dims);
  return {};
}

Status infer_squeeze(OperationContext& context) {
  const Dimensions& from = context.input(0).dims;
  std::vector<bool> dropped(from.size(), !context.has_input(1));
  if (context.has_input(1)) {
    const int32_t* axes = context.in<int32_t>(1);
    const size_t count = count_of(context.input(1));
    if (count && !axes) return op_failed("the axes are not known");
    for (size_t i = 0; i < count; ++i) {
      const auto axis = normalise_axis(axes[i], from.size());
      if (!axis) return op_failed("axis ", axes[i], " is outside the tensor of rank ", from.size());
      if (from[*axis] != 1) return op_failed("axis ", axes[i], " has the extent ", from[*axis], ", only 1 can be squeezed");
      dropped[*axis] = true;
    }
  }
  Dimensions dims;
  for (size_t i = 0; i < from.size(); ++i) {
    if (!dropped[i] || from[i] != 1) dims.push_back(from[i]);
  }
  if (dims.empty()) dims.push_back(1);
  context.output(0).dims = std::move(dims);
  return {};
}

Status infer_expand_dims(OperationContext& context) {
  Dimensions dims = context.input(0).dims;
  const int32_t axis = context.scalar<int32_t>(1, 0);
  const auto index = normalise_axis(axis, dims.size() + 1);
  if (!index) return op_failed("axis ", axis, " is outside [", -int64_t(dims.size()) - 1, ", ", dims.size(), "]");
  dims.insert(dims.begin() + *index, 1);
  context.output(0).dims = std::move(dims);
  return {};
}

}  // namespace

constinit const Operation kReshape =
    operation<kReshapeSignature, infer_reshape, copy_elements, Halves::kAsTheyAre>(ANEURALNETWORKS_RESHAPE, "RESHAPE");
constinit const Operation kSqueeze =
    operation<kSqueezeSignature, infer_squeeze, copy_elements, Halves::kAsTheyAre>(ANEURALNETWORKS_SQUEEZE, "SQUEEZE");
constinit const Operation kExpandDims =
    operation<kExpandSignature, infer_expand_dims, copy_elements, Halves::kAsTheyAre>(ANEURALNETWORKS_EXPAND_DIMS, "EXPAND_DIMS");

}  // namespace avocet::runtime
