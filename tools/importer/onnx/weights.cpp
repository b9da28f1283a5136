// SPDX-License-Identifier: Apache-2.0
// Only TENSOR_QUANT8_SYMM_PER_CHANNEL has the per-channel rounding of the multiplier that int8 weights are made for.
#include "importer/onnx/weights.hpp"

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "importer/onnx/fold_functions.hpp"

namespace avocet::tools::onnx {
namespace {

bool all_equal_to(const std::vector<int32_t>& values, int32_t wanted) {
  return std::all_of(values.begin(), values.end(), [&](int32_t value) { return value == wanted; });
}

void flip_sign(Weights& weights) {
  const bool to_signed = weights.tensor.type == ElementType::uint8;
  weights.tensor.type = to_signed ? ElementType::int8 : ElementType::uint8;
  weights.tensor.bytes = with_other_sign(std::move(weights.tensor.bytes));
  for (int32_t& zero_point : weights.quantisation->zero_points) zero_point += to_signed ? -128 : 128;
}

uint32_t add_symmetric_filter(NodeContext& context, Weights& weights, uint32_t channel_dim, std::vector<float> scales) {
  Operand operand;
  operand.type = ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL;
  operand.dims = operand_dims(weights.tensor.dims);
  operand.lifetime = Lifetime::constant_copy;
  operand.channel_dim = channel_dim;
  operand.channel_scales = std::move(scales);
  context.conversion().charge(weights.tensor.bytes.size());
  operand.value = std::move(weights.tensor.bytes);
  return context.builder().add(std::move(operand));
}

int32_t to_int32(double value) {
  constexpr double kLow = std::numeric_limits<int32_t>::min();
  constexpr double kHigh = std::numeric_limits<int32_t>::max();
  return std::isnan(value) ? 0 : static_cast<int32_t>(std::llround(std::clamp(value, kLow, kHigh)));
}

/// Values that a bias of this scale has in steps of `steps`: unchanged where the scales agree as floats do.
int32_t in_steps(int64_t value, double scale, double steps) {
  const double ratio = scale / steps;
  if (std::fabs(ratio - 1) < 1e-5) return to_int32(static_cast<double>(value));
  return to_int32(static_cast<double>(value) * ratio);
}

/// One number per channel, of a constant of that many elements or of a single one.
template <typename T>
std::vector<T> per_channel(std::vector<T> values, uint32_t channels) {
  if (values.size() == 1) values.assign(channels, T(values.front()));
  if (values.size() != channels)
    refuse(std::to_string(values.size()) + " biases for " + std::to_string(channels) + " channels");
  return values;
}

/// A QLinear form's bias, or a dequantised one: both count in steps.
bool counts_in_steps(const Value& bias) {
  return (bias.quantised && bias.quantised->constant) || (bias.constant && bias.type == ElementType::int32);
}

/// The bias as int32 in steps of input scale times weight scale, exactly as the file has it where it has that.
std::vector<int32_t> integer_bias(Value& bias, uint32_t channels, const std::vector<double>& steps) {
  const bool dequantised = bias.quantised && bias.quantised->constant;
  const std::vector<int64_t> values =
      per_channel(integers_of(dequantised ? *bias.quantised->constant : *bias.constant), channels);
  std::vector<int32_t> result;
  for (uint32_t c = 0; c < channels; ++c) {
    if (dequantised) {
      const Quantisation& own = *bias.quantisation;
      const size_t at = own.per_tensor() ? 0 : c;
      result.push_back(in_steps(values[c] - own.zero_points[at], own.scales[at], steps[c]));
    } else {
      result.push_back(static_cast<int32_t>(values[c]));
    }
  }
  return result;
}

/// The bias as numbers; an integer one that is not dequantised counts in `steps`.
std::vector<double> real_bias(NodeContext& context, Value* bias, uint32_t channels, const std::vector<double>& steps) {
  if (!bias) return std::vector<double>(channels);
  const TensorPtr constant = context.conversion().constant_of(*bias);
  if (!constant && context.quantised()) throw NeedsFloats{};
  if (!constant) refuse("the bias must be a constant");
  std::vector<double> values = per_channel(reals_of(*constant), channels);
  if (is_real(constant->type)) return values;
  if (steps.empty()) refuse("an integer bias of floats");
  for (uint32_t c = 0; c < channels; ++c) values[c] *= steps[c];
  return values;
}

/// Input scale times weight scale of each channel, as the file has them; empty for floats.
std::vector<double> steps_in_file(NodeContext& context, uint32_t channels) {
  if (!context.in(0).quantised || !context.in(1).quantised) return {};
  const std::vector<float>& scales = context.quantisation(1).scales;
  if (scales.size() != 1 && scales.size() != channels) return {};
  std::vector<double> steps;
  for (uint32_t c = 0; c < channels; ++c) {
    steps.push_back(double{context.quantisation(0).scale()} * scales[scales.size() == 1 ? 0 : c]);
  }
  return steps;
}

std::vector<uint8_t> bytes_of(const std::vector<int32_t>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(int32_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

Weights read_weights(NodeContext& context, size_t i) {
  Value& value = context.in(i);
  if (context.quantised() && value.quantised && value.quantised->constant) {
    return {.tensor = *value.quantised->constant, .quantisation = value.quantisation};
  }
  if (context.quantised()) throw NeedsFloats{};
  return {.tensor = *context.constant(i), .quantisation = std::nullopt};
}

Weights transposed(const Weights& weights, std::span<const size_t> order) {
  Weights result{.tensor = transposed(weights.tensor, order), .quantisation = weights.quantisation};
  if (result.quantisation && !result.quantisation->per_tensor()) {
    const auto axis = std::find(order.begin(), order.end(), size_t{weights.quantisation->axis});
    result.quantisation->axis = static_cast<uint32_t>(axis - order.begin());
  }
  return result;
}

void make_ungrouped(Weights& weights, uint32_t groups) {
  const Dims from = weights.tensor.dims;
  if (weights.quantisation && !weights.quantisation->per_tensor() && weights.quantisation->axis != 0)
    throw NeedsFloats{};
  const size_t run = weights.tensor.bytes.size() / from[0];  // bytes of one row
  Tensor whole{.type = weights.tensor.type, .dims = {from[0], from[1] * groups, from[2], from[3]}, .bytes = {}};
  check_folded_size(whole.dims);
  const std::vector<int32_t> none = weights.quantisation ? weights.quantisation->zero_points : std::vector<int32_t>{0};
  for (uint32_t row = 0; row < from[0]; ++row) {
    const auto zero = static_cast<uint8_t>(none.size() == 1 ? none.front() : none[row]);
    whole.bytes.resize((row + size_t{1}) * groups * run, zero);
    const uint32_t group = row / (from[0] / groups);
    std::copy_n(weights.tensor.bytes.data() + row * run, run,
                whole.bytes.data() + (size_t{row} * groups + group) * run);
  }
  weights.tensor = std::move(whole);
}

void scale_channels(Weights& weights, uint32_t axis, const std::vector<double>& factors) {
  const uint32_t channels = weights.tensor.dims[axis];
  if (factors.size() != channels)
    refuse(std::to_string(factors.size()) + " factors for " + std::to_string(channels) + " channels");
  const auto inner = static_cast<size_t>(dense_steps(weights.tensor.dims)[axis]);
  if (!weights.quantisation) {
    std::vector<double> values = reals_of(weights.tensor);
    for (size_t i = 0; i < values.size(); ++i) values[i] *= factors[i / inner % channels];
    weights.tensor = make_tensor(weights.tensor.type, weights.tensor.dims, values);
    return;
  }
  // The bytes stay, so they need a scale per channel and no zero point.
  Quantisation& quantisation = *weights.quantisation;
  const bool fits = quantisation.per_tensor() || (quantisation.axis == axis && quantisation.scales.size() == channels);
  if (!fits || weights.tensor.type != ElementType::int8 || !all_equal_to(quantisation.zero_points, 0))
    throw NeedsFloats{};
  if (quantisation.per_tensor()) {
    quantisation = {.scales = std::vector<float>(channels, float{quantisation.scale()}),
                    .zero_points = std::vector<int32_t>(channels, 0),
                    .axis = axis};
  }
  for (uint32_t c = 0; c < channels; ++c) {
    quantisation.scales[c] = static_cast<float>(quantisation.scales[c] * std::fabs(factors[c]));
    if (!std::isfinite(quantisation.scales[c]) || quantisation.scales[c] <= 0) throw NeedsFloats{};
  }
  for (size_t i = 0; i < weights.tensor.bytes.size(); ++i) {
    if (factors[i / inner % channels] >= 0) continue;
    if (weights.tensor.bytes[i] == 0x80) throw NeedsFloats{};  // -128 has no negative
    weights.tensor.bytes[i] = static_cast<uint8_t>(-weights.tensor.bytes[i]);
  }
}

Filter add_filter(NodeContext& context, Weights weights, uint32_t channel_dim) {
  if (!weights.quantisation) return {.operand = context.conversion().add_constant(weights.tensor), .scales = {}};
  const uint32_t channels = weights.tensor.dims[channel_dim];
  if (!weights.quantisation->per_tensor() &&
      (weights.quantisation->axis != channel_dim || weights.quantisation->scales.size() != channels)) {
    throw NeedsFloats{};
  }
  const bool around_128 =
      weights.tensor.type == ElementType::uint8 && all_equal_to(weights.quantisation->zero_points, 128);
  const bool must_be_signed = !weights.quantisation->per_tensor() || context.byte_type() == ElementType::int8;
  if (around_128 && must_be_signed) flip_sign(weights);
  if (weights.tensor.type == ElementType::int8 && all_equal_to(weights.quantisation->zero_points, 0)) {
    std::vector<float> scales = weights.quantisation->scales;
    if (scales.size() == 1) scales.assign(channels, float{scales.front()});
    return {
        .operand = add_symmetric_filter(context, weights, channel_dim, scales), .scales = scales, .per_channel = true};
  }
  return add_matching_weights(context, std::move(weights));
}

Filter add_matching_weights(NodeContext& context, Weights weights) {
  if (!weights.quantisation) return {.operand = context.conversion().add_constant(weights.tensor), .scales = {}};
  if (!weights.quantisation->per_tensor()) throw NeedsFloats{};
  if (weights.tensor.type != context.byte_type()) flip_sign(weights);
  return {.operand = context.conversion().add_constant(weights.tensor, weights.quantisation),
          .scales = weights.quantisation->scales};
}

uint32_t add_bias(NodeContext& context, Value* bias, uint32_t channels, const Filter& filter) {
  const std::optional<ChannelAffine>& affine = context.form().affine;
  const std::vector<double> in_file = steps_in_file(context, channels);
  check_folded_size({channels});
  std::vector<double> steps;
  for (uint32_t c = 0; context.quantised() && c < channels; ++c) {
    steps.push_back(double{context.quantisation(0).scale()} * filter.scales[filter.scales.size() == 1 ? 0 : c]);
  }
  std::vector<int32_t> integers;
  if (context.quantised() && bias && !affine && counts_in_steps(*bias)) {
    integers = integer_bias(*bias, channels, steps);
  } else {
    std::vector<double> values = real_bias(context, bias, channels, in_file);
    for (uint32_t c = 0; affine && c < channels; ++c) values[c] = values[c] * affine->scales[c] + affine->offsets[c];
    if (!context.quantised()) return context.conversion().add_constant(make_tensor(context.type(), {channels}, values));
    for (uint32_t c = 0; c < channels; ++c) integers.push_back(to_int32(values[c] / steps[c]));
  }
  context.conversion().charge(integers.size() * sizeof(int32_t));
  const float scale = filter.per_channel ? 0 : context.quantisation(0).scale() * filter.scales.front();
  return context.builder().add_constant(ANEURALNETWORKS_TENSOR_INT32, {channels}, bytes_of(integers), scale);
}

}  // namespace avocet::tools::onnx
