// SPDX-License-Identifier: Apache-2.0
// Scales are chosen so that activations of seeded weights neither vanish nor saturate through many layers.
#include "workload/layer_context.hpp"

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "nnapi/operand_types.hpp"

namespace avocet::tools {
namespace {

constexpr float kActivationScale = 0.05f;
constexpr double kWeightDeviation = 73.6;  // of bytes that are alike from -127 to 127
constexpr double kGain = 1.5;              // makes up for what RELU takes away

}  // namespace

uint64_t checked_elements(const std::vector<uint32_t>& dims, const std::string& place) {
  uint64_t elements = 1;
  for (uint32_t extent : dims) {
    elements *= extent;
    if (elements > INT32_MAX)
      throw InputError(place + ": a tensor of " + format_dimensions(dims) + " is not allowed (at most 2147483647 elements)");
  }
  return elements;
}

const std::vector<uint32_t>& LayerContext::dims_of_rank(size_t rank) const {
  if (dims().size() != rank)
    refuse("its input " + format_dimensions(dims()) + " is not allowed (" + std::to_string(rank) + " dimensions)");
  return dims();
}

uint32_t LayerContext::activation() {
  static const std::vector<std::string> kNames = {"none", "relu", "relu1", "relu6"};
  const std::string name = keys_.word("activation", kNames);
  return static_cast<uint32_t>(std::find(kNames.begin(), kNames.end(), name) - kNames.begin());
}

Operand LayerContext::activation_operand(std::vector<uint32_t> dims) const {
  checked_elements(dims, keys_.place());
  Operand operand;
  operand.type = is_unsigned() ? ANEURALNETWORKS_TENSOR_QUANT8_ASYMM : ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
  operand.dims = std::move(dims);
  operand.scale = kActivationScale;
  operand.zero_point = is_unsigned() ? 128 : 0;
  return operand;
}

uint32_t LayerContext::output(std::vector<uint32_t> dims) {
  Operand operand = activation_operand(std::move(dims));
  operand.scale = static_cast<float>(keys_.number_or("scale", 1e-6, 1e6, operand.scale));
  if (const Json* value = keys_.find("zero_point")) {
    const int low = is_unsigned() ? 0 : -128;
    if (!value->is_number_integer() || value->get<int64_t>() < low || value->get<int64_t>() > low + 255)
      keys_.refuse("zero_point", *value, "a whole number, " + std::to_string(low) + " to " + std::to_string(low + 255));
    operand.zero_point = value->get<int32_t>();
  }
  return builder_.add(std::move(operand));
}

uint32_t LayerContext::output_like(uint32_t operand, std::vector<uint32_t> dims) {
  checked_elements(dims, keys_.place());
  return builder_.add_temporary_like(operand, std::move(dims));
}

uint32_t LayerContext::output_fixed(std::vector<uint32_t> dims, float scale, bool centred) {
  Operand operand = activation_operand(std::move(dims));
  operand.scale = scale;
  operand.zero_point = (is_unsigned() ? 0 : -128) + (centred ? 128 : 0);
  return builder_.add(std::move(operand));
}

LayerContext::Weights LayerContext::weights(const std::vector<uint32_t>& dims, uint32_t channel_axis, uint64_t products,
                                            bool channels_apart, uint32_t output) {
  checked_elements(dims, keys_.place());
  const Operand& from = input(0);
  const double ratio = kGain / (std::sqrt(static_cast<double>(products)) * kWeightDeviation);
  const float to_scale = builder_.description().operands[output].scale;
  Operand weights;
  weights.dims = dims;
  weights.scale = static_cast<float>(ratio * to_scale / from.scale);
  weights.type = is_unsigned() ? ANEURALNETWORKS_TENSOR_QUANT8_ASYMM : ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
  weights.zero_point = is_unsigned() ? 128 : 0;
  Operand bias;
  bias.type = ANEURALNETWORKS_TENSOR_INT32;
  bias.dims = {dims[channel_axis]};
  bias.scale = from.scale * weights.scale;
  if (channels_apart && !is_unsigned() && keys_.flag_or("per_channel", true)) {
    weights.type = ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL;
    weights.channel_dim = channel_axis;
    for (uint32_t channel = 0; channel < dims[channel_axis]; ++channel)
      weights.channel_scales.push_back(weights.scale * (0.75f + 0.5f * static_cast<float>(next_random() >> 40) / 16777216.0f));
    weights.scale = bias.scale = 0;
  }
  const uint32_t index = add_constant(std::move(weights), false, 0);
  return {index, add_constant(std::move(bias), true, 10 / ratio)};
}

uint32_t LayerContext::constant(std::vector<uint32_t> dims) {
  return add_constant(activation_operand(std::move(dims)), false, 0);
}

uint32_t LayerContext::add_constant(Operand operand, bool is_bias, double bias_range) {
  const size_t elements = checked_elements(operand.dims, keys_.place());
  const size_t bytes = elements * (is_bias ? 4 : 1);
  operand.lifetime = Lifetime::constant_copy;
  if (!defaults_.values) return builder_.add(std::move(operand));
  std::vector<uint8_t> value = random_bytes(bytes);
  if (is_bias) {
    for (size_t i = 0; i < elements; ++i) {
      int32_t number = 0;
      std::memcpy(&number, value.data() + 4 * i, 4);
      number = static_cast<int32_t>(bias_range * (number / 2147483648.0));
      std::memcpy(value.data() + 4 * i, &number, 4);
    }
  } else if (!is_unsigned()) {
    for (uint8_t& byte : value) byte = byte == 0x80 ? 0x81 : byte;  // symmetric: -127 to 127
  }
  operand.value = std::move(value);
  return builder_.add(std::move(operand));
}

// SplitMix64: one 64-bit state, the same on every machine.
uint64_t LayerContext::next_random() {
  uint64_t z = random_ += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::vector<uint8_t> LayerContext::random_bytes(size_t bytes) {
  std::vector<uint8_t> result(bytes);
  for (size_t at = 0; at < bytes; at += 8) {
    const uint64_t word = next_random();
    std::memcpy(result.data() + at, &word, std::min<size_t>(8, bytes - at));
  }
  return result;
}

}  // namespace avocet::tools
