// SPDX-License-Identifier: Apache-2.0
// FILL: a tensor of one value; RANK: the number of dimensions of a tensor.
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "shape_values.hpp"
#include "strided_copy.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kFillTypes[] = {{30, {kTensorFloat32, kFloat32}}, {30, {kTensorFloat16, kFloat16}}, {30, {kTensorInt32, kInt32}}};
constexpr OperandRule kFillInput[] = {shaped("shape", kTensorInt32, "rank"), scalar("value", kColumnB)};
constexpr Form kFillInputs[] = {{.operands = kFillInput}};
constexpr OperandRule kFillOutput[] = {tensor("output", kColumnA)};
constexpr Form kFillOutputs[] = {{.operands = kFillOutput}};
constexpr Signature kFillSignature{.level = 30, .types = kFillTypes, .inputs = kFillInputs, .outputs = kFillOutputs};

constexpr TypeRow kRankTypes[] = {{30, {kTensorFloat32}}, {30, {kTensorFloat16}},    {30, {kTensorInt32}}, {30, {kQuant8}},
                                  {30, {kQuant16Symm}},   {30, {kTensorBool8}},      {30, {kQuant8PerChannel}},
                                  {30, {kQuant16}},       {30, {kQuant8Symm}},       {30, {kQuant8Signed}}};
constexpr OperandRule kRankInput[] = {tensor("input", kColumnA)};
constexpr Form kRankInputs[] = {{.operands = kRankInput}};
constexpr OperandRule kRankOutput[] = {int32("rank")};
constexpr Form kRankOutputs[] = {{.operands = kRankOutput}};
constexpr Signature kRankSignature{.level = 30, .types = kRankTypes, .inputs = kRankInputs, .outputs = kRankOutputs};

Status infer_fill(OperationContext& context) {
  const size_t rank = count_of(context.input(0));
  if (rank == 0) return op_failed("the shape has no dimensions");
  std::vector<int32_t> shape;
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 0, rank, "shape", &shape));
  Dimensions dims;
  for (int32_t extent : shape) {
    if (extent < 0) return op_failed("the shape has the extent ", extent);
    dims.push_back(static_cast<uint32_t>(extent));
  }
  context.output(0).dims = std::move(dims);
  return {};
}

Status execute_fill(OperationContext& context) {
  const OperandView& output = context.output(0);
  if (!context.input(1).data) return op_failed("the value to fill with is not known");
  fill_elements(context, context.out<void>(0), count_of(output), context.input(1).data, element_size(output.type));
  return {};
}

Status infer_rank(OperationContext&) { return {}; }  // a scalar

Status execute_rank(OperationContext& context) {
  *context.out<int32_t>(0) = static_cast<int32_t>(context.input(0).dims.size());
  return {};
}

}  // namespace

constinit const Operation kFill =
    operation<kFillSignature, infer_fill, execute_fill, Halves::kAsTheyAre>(ANEURALNETWORKS_FILL, "FILL");
constinit const Operation kRank =
    operation<kRankSignature, infer_rank, execute_rank, Halves::kAsTheyAre>(ANEURALNETWORKS_RANK, "RANK");

}  // namespace avocet::runtime
