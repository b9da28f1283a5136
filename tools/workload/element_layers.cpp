// SPDX-License-Identifier: Apache-2.0
// Layers that work element by element or along one axis.
#include <android/NeuralNetworks.h>

#include <algorithm>

#include "nnapi/operand_types.hpp"
#include "workload/layer_types.hpp"

namespace avocet::tools {
namespace {

std::vector<uint32_t> broadcast(LayerContext& layer, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  const std::vector<uint32_t>&longer = a.size() >= b.size() ? a : b, &shorter = a.size() >= b.size() ? b : a;
  std::vector<uint32_t> dims = longer;
  for (size_t i = 0; i < shorter.size(); ++i) {
    uint32_t& extent = dims[dims.size() - 1 - i];
    const uint32_t other = shorter[shorter.size() - 1 - i];
    if (extent != other && extent != 1 && other != 1)
      layer.refuse("its inputs " + format_dimensions(a) + " and " + format_dimensions(b) + " do not go together");
    extent = std::max(extent, other);
  }
  return dims;
}

uint32_t build_binary(LayerContext& layer, int32_t code, uint32_t a, uint32_t b) {
  const auto& operands = layer.builder().description().operands;
  const uint32_t output = layer.output(broadcast(layer, operands[a].dims, operands[b].dims));
  const uint32_t activation = layer.builder().int_scalar(static_cast<int32_t>(layer.activation()));
  layer.builder().emit(code, {a, b, activation}, {output});
  return output;
}

uint32_t build_unary(LayerContext& layer, int32_t code, uint32_t output) {
  layer.builder().emit(code, {layer.inputs()[0]}, {output});
  return output;
}

/// The key axis; the last when it is not there.
uint32_t read_axis(LayerContext& layer) {
  const uint32_t last = static_cast<uint32_t>(layer.dims().size() - 1);
  return layer.keys().whole_or("axis", 0, last, last);
}

}  // namespace

uint32_t build_add(LayerContext& layer) {
  return build_binary(layer, ANEURALNETWORKS_ADD, layer.inputs()[0], layer.inputs()[1]);
}
uint32_t build_subtract(LayerContext& layer) {
  return build_binary(layer, ANEURALNETWORKS_SUB, layer.inputs()[0], layer.inputs()[1]);
}
uint32_t build_multiply(LayerContext& layer) {
  return build_binary(layer, ANEURALNETWORKS_MUL, layer.inputs()[0], layer.inputs()[1]);
}
uint32_t build_scale(LayerContext& layer) {
  return build_binary(layer, ANEURALNETWORKS_MUL, layer.inputs()[0], layer.constant({layer.dims().back()}));
}
uint32_t build_shift(LayerContext& layer) {
  return build_binary(layer, ANEURALNETWORKS_ADD, layer.inputs()[0], layer.constant({layer.dims().back()}));
}

uint32_t build_relu(LayerContext& layer) {
  return build_unary(layer, ANEURALNETWORKS_RELU, layer.output_like(layer.inputs()[0], layer.dims()));
}
uint32_t build_relu6(LayerContext& layer) {
  return build_unary(layer, ANEURALNETWORKS_RELU6, layer.output_like(layer.inputs()[0], layer.dims()));
}
uint32_t build_logistic(LayerContext& layer) {
  return build_unary(layer, ANEURALNETWORKS_LOGISTIC, layer.output_fixed(layer.dims(), 1.0f / 256, false));
}
uint32_t build_tanh(LayerContext& layer) {
  return build_unary(layer, ANEURALNETWORKS_TANH, layer.output_fixed(layer.dims(), 1.0f / 128, true));
}
uint32_t build_hard_swish(LayerContext& layer) {
  return build_unary(layer, ANEURALNETWORKS_HARD_SWISH, layer.output(layer.dims()));
}

uint32_t build_softmax(LayerContext& layer) {
  const uint32_t output = layer.output_fixed(layer.dims(), 1.0f / 256, false);
  const uint32_t beta = layer.builder().float_scalar(1.0f), axis = read_axis(layer);
  std::vector<uint32_t> inputs = {layer.inputs()[0], beta};
  if (axis + 1 != layer.dims().size()) inputs.push_back(layer.builder().int_scalar(static_cast<int32_t>(axis)));
  layer.builder().emit(ANEURALNETWORKS_SOFTMAX, std::move(inputs), {output});
  return output;
}

uint32_t build_mean(LayerContext& layer) {
  const uint32_t rank = static_cast<uint32_t>(layer.dims().size());
  const std::vector<uint32_t> axes = layer.keys().list("axes", 1, rank, 0, rank - 1);
  std::vector<uint32_t> dims = layer.dims();
  for (uint32_t axis : axes) dims[axis] = 1;
  const std::vector<int32_t> numbers(axes.begin(), axes.end());
  const uint32_t output = layer.output_like(layer.inputs()[0], std::move(dims));
  layer.builder().emit(ANEURALNETWORKS_MEAN,
                       {layer.inputs()[0], layer.builder().int_tensor(numbers), layer.builder().int_scalar(1)}, {output});
  return output;
}

uint32_t build_l2_normalise(LayerContext& layer) {
  const uint32_t output = layer.output_fixed(layer.dims(), 1.0f / 128, true);
  layer.builder().emit(ANEURALNETWORKS_L2_NORMALIZATION,
                       {layer.inputs()[0], layer.builder().int_scalar(static_cast<int32_t>(read_axis(layer)))}, {output});
  return output;
}

}  // namespace avocet::tools
