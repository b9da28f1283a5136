// SPDX-License-Identifier: Apache-2.0
// Comparisons and logic of two broadcast tensors, with a TENSOR_BOOL8 result: EQUAL, GREATER, ..., LOGICAL_AND, LOGICAL_OR.
// Quantised inputs are compared by the numbers they stand for, as if both had passed through DEQUANTIZE.
#include <array>
#include <functional>

#include "broadcast.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input1", kColumnA), tensor("input2", kColumnA)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kTensorBool8)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kBoolsNumbersAndQuant8, .inputs = kInputs, .outputs = kOutputs};

constexpr TypeRow kBools[] = {{29, {kTensorBool8}}};
constexpr Signature kLogicalSignature{.level = 29, .types = kBools, .inputs = kInputs, .outputs = kOutputs};

using ByteValues = std::array<float, 256>;

/// What to compare for each byte of an operand. With one scale for both inputs that is the number of steps from zero, which
/// is exact however large or small a step is.
ByteValues byte_values(const OperandView& operand, bool same_scale) {
  ByteValues values{};
  for (int byte = 0; byte < 256; ++byte) {
    float& value = values[static_cast<size_t>(byte)];
    if (operand.type == ANEURALNETWORKS_TENSOR_BOOL8) {
      value = byte != 0;
      continue;
    }
    const bool is_signed = operand.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
    const int stored = is_signed ? static_cast<int8_t>(byte) : byte;
    value = static_cast<float>(stored - operand.zero_point) * (same_scale ? 1.0f : operand.scale);
  }
  return values;
}

template <typename T, typename Compare>
Status compare_numbers(OperationContext& context) {
  broadcast_apply(context, context.in<T>(0), context.in<T>(1), context.out<uint8_t>(0),
                  [](T x, T y) { return static_cast<uint8_t>(Compare()(x, y)); });
  return {};
}

/// `Compare` is one of the function objects of the standard library, std::less<> and so on.
template <typename Compare>
Status execute_comparison(OperationContext& context) {
  const OperandView& a = context.input(0);
  const OperandView& b = context.input(1);
  if (a.type == ANEURALNETWORKS_TENSOR_FLOAT32) return compare_numbers<float, Compare>(context);
  if (a.type == ANEURALNETWORKS_TENSOR_INT32) return compare_numbers<int32_t, Compare>(context);
  const bool same_scale = a.scale == b.scale;
  const ByteValues x_values = byte_values(a, same_scale), y_values = byte_values(b, same_scale);
  broadcast_apply(context, context.in<uint8_t>(0), context.in<uint8_t>(1), context.out<uint8_t>(0),
                  [&](uint8_t x, uint8_t y) { return static_cast<uint8_t>(Compare()(x_values[x], y_values[y])); });
  return {};
}

Status execute_and(OperationContext& context) {
  broadcast_apply(context, context.in<uint8_t>(0), context.in<uint8_t>(1), context.out<uint8_t>(0),
                  [](uint8_t x, uint8_t y) { return static_cast<uint8_t>((x != 0) & (y != 0)); });
  return {};
}

Status execute_or(OperationContext& context) {
  broadcast_apply(context, context.in<uint8_t>(0), context.in<uint8_t>(1), context.out<uint8_t>(0),
                  [](uint8_t x, uint8_t y) { return static_cast<uint8_t>((x | y) != 0); });
  return {};
}

}  // namespace

constinit const Operation kEqual =
    operation<kSignature, infer_broadcast, execute_comparison<std::equal_to<>>>(ANEURALNETWORKS_EQUAL, "EQUAL");
constinit const Operation kGreater =
    operation<kSignature, infer_broadcast, execute_comparison<std::greater<>>>(ANEURALNETWORKS_GREATER, "GREATER");
constinit const Operation kGreaterEqual =
    operation<kSignature, infer_broadcast, execute_comparison<std::greater_equal<>>>(ANEURALNETWORKS_GREATER_EQUAL, "GREATER_EQUAL");
constinit const Operation kLess =
    operation<kSignature, infer_broadcast, execute_comparison<std::less<>>>(ANEURALNETWORKS_LESS, "LESS");
constinit const Operation kLessEqual =
    operation<kSignature, infer_broadcast, execute_comparison<std::less_equal<>>>(ANEURALNETWORKS_LESS_EQUAL, "LESS_EQUAL");
constinit const Operation kNotEqual =
    operation<kSignature, infer_broadcast, execute_comparison<std::not_equal_to<>>>(ANEURALNETWORKS_NOT_EQUAL, "NOT_EQUAL");
constinit const Operation kLogicalAnd =
    operation<kLogicalSignature, infer_broadcast, execute_and>(ANEURALNETWORKS_LOGICAL_AND, "LOGICAL_AND");
constinit const Operation kLogicalOr =
    operation<kLogicalSignature, infer_broadcast, execute_or>(ANEURALNETWORKS_LOGICAL_OR, "LOGICAL_OR");

}  // namespace avocet::runtime
