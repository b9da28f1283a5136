// SPDX-License-Identifier: Apache-2.0
// PAD with the logical zero, and PAD_V2 with a given value.
#include <cstring>

#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "shape_values.hpp"
#include "strided_copy.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kPadInput[] = {tensor("input", kColumnA, 1, 4), shaped("paddings", kTensorInt32, "rank,2")};
constexpr Form kPadInputs[] = {{.operands = kPadInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kPadSignature{.level = 28, .types = kFloatsAndQuant8, .inputs = kPadInputs, .outputs = kOutputs};

constexpr TypeRow kPadV2Types[] = {{29, {kTensorFloat32, kFloat32}},
                                   {29, {kTensorFloat16, kFloat16}},
                                   {29, {kQuant8, kInt32}},
                                   {30, {kQuant8Signed, kInt32}}};
constexpr OperandRule kPadV2Input[] = {tensor("input", kColumnA, 1, 4), shaped("paddings", kTensorInt32, "rank,2"),
                                       scalar("pad_value", kColumnB)};
constexpr Form kPadV2Inputs[] = {{.operands = kPadV2Input}};
constexpr Signature kPadV2Signature{.level = 29, .types = kPadV2Types, .inputs = kPadV2Inputs, .outputs = kOutputs};

/// Shape of the output, and the padding in front of each dimension.
Status plan(const OperationContext& context, Dimensions* dims, std::vector<size_t>* before) {
  const Dimensions& from = context.input(0).dims;
  std::vector<int32_t> paddings;
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 1, from.size() * 2, "paddings", &paddings));
  dims->clear();
  for (size_t i = 0; i < from.size(); ++i) {
    const int32_t front = paddings[2 * i], back = paddings[2 * i + 1];
    if (front < 0 || back < 0) return op_failed("the paddings ", front, " and ", back, " of dimension ", i, " may not be negative");
    AVOCET_RETURN_IF_FAILED(append_extent(uint64_t{from[i]} + static_cast<uint32_t>(front) + static_cast<uint32_t>(back), dims));
    before->push_back(static_cast<size_t>(front));
  }
  return {};
}

/// The element to pad with, as the output stores it.
Status read_value(const OperationContext& context, uint32_t* value) {
  const OperandView& output = context.outputs[0];
  *value = 0;
  if (context.inputs.size() < 3) {  // PAD
    if (is_quant8(output.type)) *value = static_cast<uint8_t>(output.zero_point);
    return {};
  }
  const OperandView& given = context.input(2);
  if (!given.data) return op_failed("the value to pad with is not known");
  if (is_quant8(output.type)) {
    const int32_t stored = *given.as<int32_t>();
    const int32_t lowest = output.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM ? 0 : -128;
    if (stored < lowest || stored > lowest + 255) return op_failed("the value ", stored, " to pad with is no element of the tensor");
    *value = static_cast<uint8_t>(stored);
  } else {
    std::memcpy(value, given.data, element_size(given.type));
  }
  return {};
}

Status infer(OperationContext& context) {
  std::vector<size_t> before;
  Dimensions dims;
  uint32_t value = 0;
  AVOCET_RETURN_IF_FAILED(read_value(context, &value));
  AVOCET_RETURN_IF_FAILED(plan(context, &dims, &before));
  context.output(0).dims = std::move(dims);
  return {};
}

Status execute(OperationContext& context) {
  const Dimensions& from = context.input(0).dims;
  const OperandView& output = context.output(0);
  std::vector<size_t> before;
  Dimensions dims;
  uint32_t value = 0;
  AVOCET_RETURN_IF_FAILED(read_value(context, &value));
  AVOCET_RETURN_IF_FAILED(plan(context, &dims, &before));
  AVOCET_RETURN_IF_FAILED(check_unchanged(dims, output));
  const size_t element = element_size(output.type);
  if (dims != from) fill_elements(context, context.out<void>(0), count_of(output), &value, element);
  const std::vector<ptrdiff_t> from_steps = dense_steps(from), to_steps = dense_steps(dims);
  std::vector<CopyAxis> axes;
  size_t offset = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    axes.push_back({from[i], from_steps[i], to_steps[i]});
    offset += before[i] * static_cast<size_t>(to_steps[i]);
  }
  copy_strided(context, context.input(0).data, context.out<uint8_t>(0) + offset * element, std::move(axes), element);
  return {};
}

}  // namespace

constinit const Operation kPad = operation<kPadSignature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_PAD, "PAD");
constinit const Operation kPadV2 =
    operation<kPadV2Signature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_PAD_V2, "PAD_V2");

}  // namespace avocet::runtime
