// SPDX-License-Identifier: Apache-2.0
// CONCATENATION along an axis. Quantised inputs of another scale than the output's are rescaled in float32.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "byte_table.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("inputs", kColumnA, 1, 4).repeated(), axis()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{
    .level = 27, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

size_t tensor_count(const OperationContext& context) { return context.inputs.size() - 1; }

Status find_axis(const OperationContext& context, size_t* axis) {
  const int32_t given = context.scalar<int32_t>(tensor_count(context), 0);
  const auto index = normalise_axis(given, context.input(0).dims.size());
  if (!index) return op_failed("axis ", given, " is outside tensors of rank ", context.input(0).dims.size());
  *axis = *index;
  return {};
}

Status infer(OperationContext& context) {
  size_t axis = 0;
  AVOCET_RETURN_IF_FAILED(find_axis(context, &axis));
  Dimensions dims = context.input(0).dims;
  uint64_t extent = 0;
  for (size_t i = 0; i < tensor_count(context); ++i) {
    Dimensions others = context.input(i).dims;
    if (others.size() != dims.size()) return op_failed("input ", i, " has rank ", others.size(), ", input 0 has ", dims.size());
    extent += others[axis];
    others[axis] = dims[axis];
    if (others != dims) {
      return op_failed("input ", i, " has the shape ", dims_text(context.input(i).dims), ", which differs from ", dims_text(dims),
                       " outside axis ", axis);
    }
  }
  if (extent > UINT32_MAX) return op_failed("the output is too large along axis ", axis);
  dims[axis] = static_cast<uint32_t>(extent);
  context.output(0).dims = std::move(dims);
  return {};
}

/// round(q * s + (-zero_point * s)) + output zero point with s = input scale / output scale, as TensorFlow Lite has it.
ByteTable rescale_table(const OperandView& input, const OperandView& output) {
  const float scale = input.scale * (1.0f / output.scale);
  const float bias = static_cast<float>(-input.zero_point) * scale;
  const Range<int32_t> range = type_range(output.type);
  ByteTable table{};
  for (int32_t value = range.low; value <= range.high; ++value) {
    const float steps = std::round(static_cast<float>(value) * scale + bias);
    const int32_t whole = std::isnan(steps) ? 0 : static_cast<int32_t>(std::clamp(steps, -1e6f, 1e6f));
    table[static_cast<uint8_t>(value)] = static_cast<uint8_t>(clamp_to(whole + output.zero_point, range));
  }
  return table;
}

Status execute(OperationContext& context) {
  size_t axis = 0;
  AVOCET_RETURN_IF_FAILED(find_axis(context, &axis));
  const OperandView& output = context.output(0);
  const size_t element = element_size(output.type);
  const size_t outer = extent_product(output.dims, 0, axis);
  const size_t output_run = extent_product(output.dims, axis, output.dims.size()) * element;
  uint8_t* to = context.out<uint8_t>(0);
  for (size_t i = 0; i < tensor_count(context); ++i) {
    const OperandView& input = context.input(i);
    const size_t run = extent_product(input.dims, axis, input.dims.size()) * element;
    if (run == 0) continue;
    const uint8_t* from = input.as<uint8_t>();
    const bool same = !is_quant8(output.type) || (input.scale == output.scale && input.zero_point == output.zero_point);
    const ByteTable table = same ? ByteTable{} : rescale_table(input, output);
    for (size_t o = 0; o < outer; ++o) {
      if (same) {
        std::memcpy(to + o * output_run, from + o * run, run);
      } else {
        std::transform(from + o * run, from + (o + 1) * run, to + o * output_run, [&](uint8_t byte) { return table[byte]; });
      }
    }
    to += run;
  }
  return {};
}

}  // namespace

constinit const Operation kConcatenation =
    operation<kSignature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_CONCATENATION, "CONCATENATION");

}  // namespace avocet::runtime
