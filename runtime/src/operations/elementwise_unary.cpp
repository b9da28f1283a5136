// SPDX-License-Identifier: Apache-2.0
// Element by element functions of one tensor: FLOOR, ABS, EXP, LOG, NEG, RSQRT, SIN, SQRT, LOGICAL_NOT.
#include <cmath>

#include "map_elements.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kOneTensor[] = {tensor("input", kColumnA)};
constexpr OperandRule kOneResult[] = {tensor("output", kColumnA)};
constexpr Form kOneInput[] = {{.operands = kOneTensor}};
constexpr Form kOneOutput[] = {{.operands = kOneResult}};

constexpr OperandRule kFloorInput[] = {tensor("input", kColumnA, 1, 4)};
constexpr Form kFloorInputs[] = {{.operands = kFloorInput}};
constexpr Signature kFloorSignature{.level = 27, .types = kFloats, .inputs = kFloorInputs, .outputs = kOneOutput};

constexpr Signature kFloatSignature{.level = 29, .types = kFloats, .inputs = kOneInput, .outputs = kOneOutput};

constexpr TypeRow kAbsTypes[] = {{29, {kTensorFloat32}}, {29, {kTensorFloat16}}, {30, {kTensorInt32}}};
constexpr Signature kAbsSignature{.level = 29, .types = kAbsTypes, .inputs = kOneInput, .outputs = kOneOutput};

constexpr TypeRow kNegTypes[] = {{29, {kTensorFloat32}}, {29, {kTensorFloat16}}, {29, {kTensorInt32}}};
constexpr Signature kNegSignature{.level = 29, .types = kNegTypes, .inputs = kOneInput, .outputs = kOneOutput};

constexpr TypeRow kNotTypes[] = {{29, {kTensorBool8}}};
constexpr Signature kNotSignature{.level = 29, .types = kNotTypes, .inputs = kOneInput, .outputs = kOneOutput};

template <typename Function>
Status apply_float(OperationContext& context, const Function& function) {
  return map_elements<float, float>(context, function);
}

Status execute_floor(OperationContext& context) {
  return apply_float(context, [](float x) { return std::floor(x); });
}

/// -x; the smallest integer has no positive counterpart and stays itself.
int32_t negative(int32_t x) { return static_cast<int32_t>(0u - static_cast<uint32_t>(x)); }

Status execute_abs(OperationContext& context) {
  if (context.input(0).type == ANEURALNETWORKS_TENSOR_INT32) {
    return map_elements<int32_t, int32_t>(context, [](int32_t x) { return x < 0 ? negative(x) : x; });
  }
  return apply_float(context, [](float x) { return std::abs(x); });
}

Status execute_exp(OperationContext& context) {
  return apply_float(context, [](float x) { return std::exp(x); });
}

Status execute_log(OperationContext& context) {
  return apply_float(context, [](float x) { return std::log(x); });
}

Status execute_neg(OperationContext& context) {
  if (context.input(0).type == ANEURALNETWORKS_TENSOR_INT32) {
    return map_elements<int32_t, int32_t>(context, negative);
  }
  return apply_float(context, [](float x) { return -x; });
}

Status execute_rsqrt(OperationContext& context) {
  return apply_float(context, [](float x) { return 1.0f / std::sqrt(x); });
}

Status execute_sin(OperationContext& context) {
  return apply_float(context, [](float x) { return std::sin(x); });
}

Status execute_sqrt(OperationContext& context) {
  return apply_float(context, [](float x) { return std::sqrt(x); });
}

Status execute_not(OperationContext& context) {
  return map_elements<uint8_t, uint8_t>(context, [](uint8_t x) { return static_cast<uint8_t>(x == 0); });
}

}  // namespace

constinit const Operation kFloor = operation<kFloorSignature, infer_same_shape, execute_floor>(ANEURALNETWORKS_FLOOR, "FLOOR");
constinit const Operation kAbs = operation<kAbsSignature, infer_same_shape, execute_abs>(ANEURALNETWORKS_ABS, "ABS");
constinit const Operation kExp = operation<kFloatSignature, infer_same_shape, execute_exp>(ANEURALNETWORKS_EXP, "EXP");
constinit const Operation kLog = operation<kFloatSignature, infer_same_shape, execute_log>(ANEURALNETWORKS_LOG, "LOG");
constinit const Operation kNeg = operation<kNegSignature, infer_same_shape, execute_neg>(ANEURALNETWORKS_NEG, "NEG");
constinit const Operation kRsqrt = operation<kFloatSignature, infer_same_shape, execute_rsqrt>(ANEURALNETWORKS_RSQRT, "RSQRT");
constinit const Operation kSin = operation<kFloatSignature, infer_same_shape, execute_sin>(ANEURALNETWORKS_SIN, "SIN");
constinit const Operation kSqrt = operation<kFloatSignature, infer_same_shape, execute_sqrt>(ANEURALNETWORKS_SQRT, "SQRT");
constinit const Operation kLogicalNot =
    operation<kNotSignature, infer_same_shape, execute_not>(ANEURALNETWORKS_LOGICAL_NOT, "LOGICAL_NOT");

}  // namespace avocet::runtime
