// SPDX-License-Identifier: Apache-2.0
// ELU and HARD_SWISH activations. Quantised HARD_SWISH is a table made in 16 bit fixed point, bit for bit as TensorFlow
// Lite's reference.
#include <cmath>

#include "byte_table.hpp"
#include "map_elements.hpp"
#include "rescale.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kEluInput[] = {tensor("input", kColumnA), scalar("alpha", kColumnB)};
constexpr Form kEluInputs[] = {{.operands = kEluInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kEluSignature{
    .level = 30, .types = kFloatsWithScalars, .inputs = kEluInputs, .outputs = kOutputs, .zero_sized = true};

constexpr OperandRule kSwishInput[] = {tensor("input", kColumnA)};
constexpr Form kSwishInputs[] = {{.operands = kSwishInput}};
constexpr Signature kSwishSignature{
    .level = 30, .types = kFloatsAndQuant8, .inputs = kSwishInputs, .outputs = kOutputs, .zero_sized = true};

Status execute_elu(OperationContext& context) {
  const float alpha = float_scalar(context, 1, 1.0f);
  return map_elements<float, float>(context, [alpha](float x) {
    const float tail = alpha * std::expm1(x);
    return (x < 0.0f ? 0.0f : x) + (tail < 0.0f ? tail : 0.0f);
  });
}

/// The outer pieces apart, because x * 6 or infinity * 0 would leave the range of floats there.
float hard_swish(float x) {
  if (x <= -3.0f) return 0.0f;
  return x >= 3.0f ? x : x * (x + 3.0f) / 6.0f;
}

constexpr int32_t saturate16(int64_t x) { return static_cast<int32_t>(std::clamp<int64_t>(x, -32768, 32767)); }

/// A multiplier with a 15 bit mantissa.
struct Multiplier16 {
  int32_t mantissa;
  int exponent;

  explicit Multiplier16(double real) {
    const QuantisedMultiplier wide = quantise_multiplier(real);
    exponent = wide.exponent;
    mantissa = std::min(static_cast<int32_t>((int64_t{wide.mantissa} + (1 << 15)) >> 16), 32767);
  }
};

/// High half of 2 * a * b of Q15 numbers: rounded half away from zero, and cut off towards zero.
constexpr int32_t rounded_product16(int32_t a, int32_t b) {
  const int32_t product = a * b;
  return saturate16((product + (product >= 0 ? 1 << 14 : 1 - (1 << 14))) / (1 << 15));
}
constexpr int32_t cut_product16(int32_t a, int32_t b) { return saturate16(a * b / (1 << 15)); }

class QuantisedHardSwish {
 public:
  /// Inputs are used with 7 bits below their own step.
  QuantisedHardSwish(const OperandView& input, const OperandView& output)
      : zero_in_(input.zero_point), zero_out_(output.zero_point), range_(type_range(output.type)),
        to_output_(real_multiplier(input.scale, 1.0f / 128, output.scale)),
        to_gate_(real_multiplier(input.scale, 1.0f / 128, 3.0f / 32768)) {}

  int32_t operator()(int32_t stored) const {
    const int32_t fine = (stored - zero_in_) * 128;
    const int32_t product = cut_product16(gate(fine), rounded_product16(fine, to_output_.mantissa));
    const int64_t scaled = to_output_.exponent > 0 ? int64_t{product} << to_output_.exponent
                                                   : int64_t{rounding_shift_right(product, -to_output_.exponent)};
    return static_cast<int32_t>(std::clamp<int64_t>(scaled + zero_out_, range_.low, range_.high));
  }

 private:
  /// (x + 3) / 6 held to [0, 1], as Q15: first x / 3 in [-1, 1], saturating only in the last doubling.
  int32_t gate(int32_t fine) const {
    int32_t third = fine;
    if (to_gate_.exponent > 0) third = saturate16(int64_t{third} * (int64_t{1} << (to_gate_.exponent - 1)));
    third = rounded_product16(third, to_gate_.mantissa);
    if (to_gate_.exponent > 0) third = saturate16(int64_t{third} * 2);
    if (to_gate_.exponent < 0) third = rounding_shift_right(third, -to_gate_.exponent);
    return (third + (1 << 15)) >> 1;
  }

  int32_t zero_in_, zero_out_;
  Range<int32_t> range_;
  Multiplier16 to_output_, to_gate_;
};

Status execute_swish(OperationContext& context) {
  const OperandView& input = context.input(0);
  if (!is_quant8(input.type)) return map_elements<float, float>(context, hard_swish);
  const QuantisedHardSwish function(input, context.output(0));
  const Range<int32_t> range = type_range(input.type);
  ByteTable table{};
  for (int32_t value = range.low; value <= range.high; ++value) {
    table[static_cast<uint8_t>(value)] = static_cast<uint8_t>(function(value));
  }
  apply_byte_table(context, table, context.in<uint8_t>(0), context.out<uint8_t>(0), count_of(input));
  return {};
}

}  // namespace

constinit const Operation kElu = operation<kEluSignature, infer_same_shape, execute_elu>(ANEURALNETWORKS_ELU, "ELU");
constinit const Operation kHardSwish =
    operation<kSwishSignature, infer_same_shape, execute_swish>(ANEURALNETWORKS_HARD_SWISH, "HARD_SWISH");

}  // namespace avocet::runtime
