// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION: each slice along an axis divided by its Euclidean length; a slice of zeros stays zero. Quantised in fixed
// point, bit for bit as TensorFlow Lite's reference, whose signed and unsigned kernels round in a different order.
#include <cmath>

#include "inverse_square_root.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "slices.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4).rank_before_29(1 << 4), axis().optional(-1).since(29)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as(1.0f / 128, 128, 0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kFloatsAndLaterQuant8, .inputs = kInputs, .outputs = kOutputs};
constexpr size_t kAxis = 1;  // input

/// A centred value times the inverse length, in steps of 1/128.
int32_t normalised(uint8_t, int32_t centred, QuantisedMultiplier inverse) {
  return multiply_by_quantised_multiplier(centred * 128, inverse);
}
int32_t normalised(int8_t, int32_t centred, QuantisedMultiplier inverse) {
  return multiply_by_quantised_multiplier(centred, {inverse.mantissa, inverse.exponent + 7});
}

template <typename Stored>
void normalise_quantised(const OperationContext& context, const Slices& slices, Stored* results) {
  const int32_t zero_in = context.inputs[0].zero_point, zero_out = context.outputs[0].zero_point;
  const Range<int32_t> range = type_range(context.inputs[0].type);
  const Stored* values = context.in<Stored>(0);
  slices.for_each(context, nullptr, [&](size_t first, auto) {
    int64_t sum = 0;
    for (size_t i = 0; i < slices.length; ++i) {
      const int32_t x = values[first + i * slices.step] - zero_in;
      sum += x * x;
    }
    const QuantisedMultiplier inverse = inverse_square_root(sum);
    for (size_t i = 0; i < slices.length; ++i) {
      const size_t at = first + i * slices.step;
      const int32_t stored = zero_out + normalised(Stored{}, values[at] - zero_in, inverse);
      results[at] = static_cast<Stored>(clamp_to(stored, range));
    }
  });
}

/// Squares are added in float64, where those of all float32 numbers have room.
void normalise_float(const OperationContext& context, const Slices& slices, float* results) {
  const float* values = context.in<float>(0);
  slices.for_each(context, nullptr, [&](size_t first, auto) {
    double sum = 0.0;
    for (size_t i = 0; i < slices.length; ++i) {
      const double x = values[first + i * slices.step];
      sum += x * x;
    }
    const double length = sum == 0.0 ? 1.0 : std::sqrt(sum);
    for (size_t i = 0; i < slices.length; ++i) {
      const size_t at = first + i * slices.step;
      results[at] = static_cast<float>(values[at] / length);
    }
  });
}

Status execute(OperationContext& context) {
  Slices slices;
  AVOCET_RETURN_IF_FAILED(find_slices(context, kAxis, &slices));
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: normalise_quantised(context, slices, context.out<uint8_t>(0)); break;
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: normalise_quantised(context, slices, context.out<int8_t>(0)); break;
    default: normalise_float(context, slices, context.out<float>(0));
  }
  return {};
}

}  // namespace

constinit const Operation kL2Normalization =
    operation<kSignature, infer_along_axis<kAxis>, execute>(ANEURALNETWORKS_L2_NORMALIZATION, "L2_NORMALIZATION");

}  // namespace avocet::runtime
