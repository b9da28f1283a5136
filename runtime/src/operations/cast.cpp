// SPDX-License-Identifier: Apache-2.0
// CAST: stored numbers to another type, without regard to scale and zero point. Fractions are cut off; what the other type
// cannot hold becomes its nearest number, and NaN becomes 0.
#include <cmath>
#include <cstring>
#include <limits>

#include "map_elements.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kTypes[] = {{29, {kTensorFloat16, kTensorFloat16}}, {29, {kTensorFloat16, kTensorFloat32}},
                              {29, {kTensorFloat16, kTensorInt32}},   {29, {kTensorFloat16, kQuant8}},
                              {29, {kTensorFloat32, kTensorFloat16}}, {29, {kTensorFloat32, kTensorFloat32}},
                              {29, {kTensorFloat32, kTensorInt32}},   {29, {kTensorFloat32, kQuant8}},
                              {29, {kTensorInt32, kTensorFloat16}},   {29, {kTensorInt32, kTensorFloat32}},
                              {29, {kTensorInt32, kTensorInt32}},     {29, {kTensorInt32, kQuant8}},
                              {29, {kQuant8, kTensorFloat16}},        {29, {kQuant8, kTensorFloat32}},
                              {29, {kQuant8, kTensorInt32}},          {29, {kQuant8, kQuant8}},
                              {30, {kTensorBool8, kTensorBool8}},     {30, {kQuant16, kQuant16}},
                              {30, {kQuant16Symm, kQuant16Symm}},     {30, {kQuant8Signed, kQuant8Signed}},
                              {30, {kQuant8Symm, kQuant8Symm}}};
constexpr OperandRule kInput[] = {tensor("input", kColumnA)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnB)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kTypes, .inputs = kInputs, .outputs = kOutputs};

template <typename To, typename From>
To cast_number(From x) {
  if constexpr (!std::numeric_limits<To>::is_integer) {
    return static_cast<To>(x);
  } else {
    using Limits = std::numeric_limits<To>;
    const double value = static_cast<double>(x);  // exact for all types here
    if (std::isnan(value)) return 0;
    if (value <= static_cast<double>(Limits::min())) return Limits::min();
    if (value >= static_cast<double>(Limits::max())) return Limits::max();
    return static_cast<To>(value);
  }
}

template <typename From, typename To>
Status cast_all(OperationContext& context) {
  return map_elements<From, To>(context, [](From x) { return cast_number<To>(x); });
}

template <typename From>
Status cast_from(OperationContext& context) {
  switch (context.output(0).type) {
    case ANEURALNETWORKS_TENSOR_FLOAT32: return cast_all<From, float>(context);
    case ANEURALNETWORKS_TENSOR_INT32: return cast_all<From, int32_t>(context);
    default: return cast_all<From, uint8_t>(context);
  }
}

/// The types are those of the table above, with TENSOR_FLOAT16 seen as TENSOR_FLOAT32.
Status execute(OperationContext& context) {
  const OperandView& input = context.input(0);
  if (input.type == context.output(0).type) {
    std::memcpy(context.out<uint8_t>(0), context.in<uint8_t>(0), count_of(input) * element_size(input.type));
    return {};
  }
  switch (input.type) {
    case ANEURALNETWORKS_TENSOR_FLOAT32: return cast_from<float>(context);
    case ANEURALNETWORKS_TENSOR_INT32: return cast_from<int32_t>(context);
    default: return cast_from<uint8_t>(context);
  }
}

}  // namespace

constinit const Operation kCast = operation<kSignature, infer_same_shape, execute>(ANEURALNETWORKS_CAST, "CAST");

}  // namespace avocet::runtime
