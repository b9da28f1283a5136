// SPDX-License-Identifier: Apache-2.0
#include "quantisation.hpp"

#include <algorithm>
#include <cmath>

namespace avocet::compiler {

Scale scale_of(double real) {
  if (!(real > 0.0)) return {};
  int exponent = 0;
  const double mantissa = std::frexp(real, &exponent);
  auto fixed = static_cast<int64_t>(std::round(mantissa * static_cast<double>(int64_t{1} << 31)));
  if (fixed == int64_t{1} << 31) {
    fixed /= 2;
    ++exponent;
  }
  if (exponent < -31) return {};
  if (exponent > 30) return {INT32_MAX, 30};
  return {static_cast<int32_t>(fixed), exponent};
}

Clamp clamp_of(Activation activation, const Tensor& output) {
  Clamp clamp = output.type == ElementType::kUint8 ? Clamp{0, 255} : Clamp{-128, 127};
  const auto quantised = [&](float bound) {
    const float steps = std::round(bound / output.scale);
    return output.zero_point + static_cast<int32_t>(std::clamp(steps, -1e6f, 1e6f));
  };
  if (activation == Activation::kRelu || activation == Activation::kRelu6)
    clamp.min = std::max(clamp.min, quantised(0.0f));
  if (activation == Activation::kRelu1) clamp.min = std::max(clamp.min, quantised(-1.0f));
  if (activation == Activation::kRelu1) clamp.max = std::min(clamp.max, quantised(1.0f));
  if (activation == Activation::kRelu6) clamp.max = std::min(clamp.max, quantised(6.0f));
  return clamp;
}

Clamp clamp_of(const Attributes& attributes, const Tensor& output) {
  Clamp clamp = clamp_of(attributes.activation, output);
  clamp.min = std::clamp(clamp.min, attributes.clamp_min, attributes.clamp_max);
  clamp.max = std::clamp(clamp.max, attributes.clamp_min, attributes.clamp_max);
  return clamp;
}

std::vector<Scale> convolution_scales(OperationType type, const Tensor& input, const Tensor& weights,
                                      const Tensor& output, uint32_t channels) {
  const double to_output = output.scale;
  // Int8 convolutions and per-channel weights multiply in double, everything else in float first.
  const bool in_double =
      !weights.channel_scales.empty() || (type != OperationType::kFullyConnected && input.type == ElementType::kInt8);
  const auto scale = [&](float weight_scale) {
    if (in_double) return scale_of(double{input.scale} * double{weight_scale} / to_output);
    const float product = input.scale * weight_scale;
    return scale_of(double{product} / to_output);
  };
  std::vector<Scale> scales(channels, scale(weights.scale));
  for (size_t c = 0; c < weights.channel_scales.size(); ++c) scales[c] = scale(weights.channel_scales[c]);
  return scales;
}

Scale product_scale(const Tensor& a, const Tensor& b, const Tensor& output) {
  return scale_of(double{a.scale} * double{b.scale} / double{output.scale});
}

namespace {

Scale quotient_scale(float a, float b, float c) {
  const float product = a * b, real = product / c;
  if (std::isnormal(product) && std::isnormal(real)) return scale_of(double{real});
  return scale_of(double{a} * double{b} / double{c});
}

}  // namespace

Scale prelu_scale(const Tensor& input, const Tensor& output) { return quotient_scale(input.scale, 1.0f, output.scale); }
Scale prelu_scale(const Tensor& input, const Tensor& slopes, const Tensor& output) {
  return quotient_scale(input.scale, slopes.scale, output.scale);
}

AddScales add_scales(const Tensor& a, const Tensor& b, const Tensor& output) {
  const double twice_max = 2.0 * std::max(a.scale, b.scale);
  const double one = double{1u << AddScales::kLeftShift};
  return {scale_of(a.scale / twice_max), scale_of(b.scale / twice_max), scale_of(twice_max / (one * output.scale))};
}

}  // namespace avocet::compiler
