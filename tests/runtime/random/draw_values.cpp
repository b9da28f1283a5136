// SPDX-License-Identifier: Apache-2.0
// Scales, zero points and elements of operands that nobody decided otherwise.
#include <algorithm>
#include <limits>
#include <set>

#include "nnapi/operand_types.hpp"
#include "operation_draw.hpp"

namespace avocet::random_models {
namespace {

bool is_symmetric(int32_t type) {
  return type == ANEURALNETWORKS_TENSOR_QUANT8_SYMM || type == ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL ||
         type == ANEURALNETWORKS_TENSOR_QUANT16_SYMM;
}

int32_t draw_zero_point(Random& random, int32_t type) {
  if (is_symmetric(type)) return 0;
  const StoredRange range = stored_range(type);
  if (random.chance(10)) return static_cast<int32_t>(random.chance(50) ? range.low : range.high);
  if (random.chance(40)) return static_cast<int32_t>((range.low + range.high + 1) / 2);
  return static_cast<int32_t>(random.between(static_cast<int64_t>(range.low), static_cast<int64_t>(range.high)));
}

/// Numbers at the ends of a type, infinities and NaN.
double extreme_value(Random& random, const Value& like) {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kFloats[] = {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN(), 3e38, -3e38, 1e-40, 65504, -65504};
  if (is_float_type(like.type)) return to_stored(like, random.pick(kFloats));
  const StoredRange range = stored_range(like.type);
  return random.chance(50) ? range.low : range.high;
}

}  // namespace

double OperationDraw::magnitude(size_t i) {
  draw_quantisation(in[i]);
  if (!in[i].channel_scales.empty()) return 127.0 * *std::max_element(in[i].channel_scales.begin(), in[i].channel_scales.end());
  if (!is_quantised_type(in[i].type)) return 3;
  const StoredRange range = stored_range(in[i].type);
  return in[i].scale * std::max(range.high - in[i].zero_point, in[i].zero_point - range.low);
}

void OperationDraw::quantise_for(OperandDraw& operand, double magnitude) {
  if (!is_quantised_type(operand.type) || operand.quantised || operand.rule->quantisation != runtime::Quantisation::kFree) return;
  const double steps = (stored_range(operand.type).high - stored_range(operand.type).low) / 2;
  operand.quantise(static_cast<float>(magnitude / steps * std::exp2(random.real(-2, 1))), draw_zero_point(random, operand.type));
}

void OperationDraw::draw_quantisation(OperandDraw& operand) {
  using runtime::Quantisation;
  if (operand.quantised || operand.omitted || !is_quantised_type(operand.type)) return;
  operand.quantised = true;
  const runtime::OperandRule& rule = *operand.rule;
  if (operand.type == ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL) {
    operand.channel_dim = rule.channel_dim >= 0 ? static_cast<uint32_t>(rule.channel_dim) : random.below(operand.dims.size());
    for (uint32_t c = 0; c < operand.dims[operand.channel_dim]; ++c) {
      operand.channel_scales.push_back(static_cast<float>(std::exp2(random.real(-8, -3))));
    }
    return;
  }
  switch (rule.quantisation) {
    case Quantisation::kSameAsInput:
      draw_quantisation(in[rule.same_as]);
      operand.quantise(in[rule.same_as].scale, in[rule.same_as].zero_point);
      return;
    case Quantisation::kFixed:
      operand.quantise(rule.fixed_scale, operand.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED ? rule.fixed_zero_signed
                                                                                                   : rule.fixed_zero_unsigned);
      return;
    case Quantisation::kFree: break;
  }
  const double exponent = random.chance(97) ? random.real(-8, -2) : random.real(-20, 6);
  operand.quantise(static_cast<float>(std::exp2(exponent)), draw_zero_point(random, operand.type));
}

void OperationDraw::draw_values(OperandDraw& operand) {
  Value like;
  like.type = operand.type;
  if (operand.scale != 0) like.scale = double{operand.scale};
  like.zero_point = operand.zero_point;
  const StoredRange range = stored_range(operand.type);
  const bool uniform = random.chance(80), extreme = random.below(150) == 0 && !operand.low && !operand.fresh;
  const auto draw = [&]() -> double {
    if (operand.low) return to_stored(like, random.real(*operand.low, *operand.high));
    if (extreme && random.chance(30)) return extreme_value(random, like);
    if (is_float_type(operand.type)) {
      static constexpr double kSpecial[] = {0, -0.0, 1, -1, 0.5, 2, 6, -3, 3};
      return random.chance(10) ? random.pick(kSpecial) : to_stored(like, random.real(-3, 3));
    }
    if (operand.type == ANEURALNETWORKS_TENSOR_INT32 || operand.type == ANEURALNETWORKS_INT32) {
      return static_cast<double>(random.between(-20, 20));
    }
    if (!is_quantised_type(operand.type)) return random.below(2);  // BOOL
    if (random.chance(5)) return random.chance(50) ? range.low : range.high;
    if (uniform) return static_cast<double>(random.between(static_cast<int64_t>(range.low), static_cast<int64_t>(range.high)));
    return std::clamp(like.zero_point + static_cast<double>(random.between(-16, 16)), range.low, range.high);
  };
  std::set<double> used;
  for (size_t i = 0; i < count_of(operand.dims); ++i) {
    double value = draw();
    for (int attempt = 0; operand.distinct && used.contains(value) && attempt < 1000; ++attempt) value = draw();
    used.insert(value);
    operand.stored.push_back(value);
  }
}

}  // namespace avocet::random_models
