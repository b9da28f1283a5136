// SPDX-License-Identifier: Apache-2.0
// The API quantises only floats; integer to integer is expressed so that the integer rounding stays: a depthwise 1x1
// convolution with weights of 1 has the same multiplier, double(s_in) / s_out.
#include "importer/requantise.hpp"

#include <android/NeuralNetworks.h>

#include "nnapi/operand_types.hpp"

namespace avocet::tools {
namespace {

bool is_signed(const Operand& operand) { return operand.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED; }

/// Through float to `type` with the same scale and the zero point moved by 128: exact.
void emit_sign_flip(OperandBuilder& graph, uint32_t input, uint32_t output) {
  const uint32_t real = graph.add_temporary(ANEURALNETWORKS_TENSOR_FLOAT32,
                                            std::vector<uint32_t>(graph.description().operands[input].dims));
  graph.emit(ANEURALNETWORKS_DEQUANTIZE, {input}, {real});
  graph.emit(ANEURALNETWORKS_QUANTIZE, {real}, {output});
}

/// Weights of one for each of `channels`, and a bias of zero, for an input of this scale.
std::pair<uint32_t, uint32_t> add_unit_weights(OperandBuilder& graph, bool int8, uint32_t channels, float input_scale) {
  Operand weights;
  weights.dims = {1, 1, 1, channels};
  weights.lifetime = Lifetime::constant_copy;
  weights.value.emplace(channels, uint8_t{1});
  if (int8) {
    weights.type = ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL;
    weights.channel_dim = 3;
    weights.channel_scales.assign(channels, 1.0f);
  } else {
    weights.type = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM;
    weights.scale = 1;
  }
  const uint32_t operand = graph.add(std::move(weights));
  const uint32_t bias = graph.add_constant(ANEURALNETWORKS_TENSOR_INT32, {channels}, std::vector<uint8_t>(channels * 4),
                                           int8 ? 0 : input_scale);
  return {operand, bias};
}

}  // namespace

void emit_requantise(OperandBuilder& graph, uint32_t input, uint32_t output, uint32_t activation) {
  // Copies: adding operands moves the originals.
  Operand from = graph.description().operands[input];
  const Operand to = graph.description().operands[output];
  const bool keeps_values = activation == graph.int_scalar(ANEURALNETWORKS_FUSED_NONE);
  if (is_signed(from) != is_signed(to)) {
    const int32_t zero_point = from.zero_point + (is_signed(to) ? -128 : 128);
    if (keeps_values && from.scale == to.scale && zero_point == to.zero_point) {
      return emit_sign_flip(graph, input, output);
    }
    const uint32_t flipped = graph.add_temporary(to.type, from.dims, from.scale, zero_point);
    emit_sign_flip(graph, input, flipped);
    input = flipped;
    from = graph.description().operands[input];
  }
  const uint32_t channels = from.dims.back();
  const auto elements = static_cast<uint32_t>(element_count(from.dims).value());
  const auto [weights, bias] = add_unit_weights(graph, is_signed(to), channels, from.scale);
  const bool reshaped = from.dims.size() != 4;
  const std::vector<uint32_t> dims = reshaped ? std::vector<uint32_t>{1, 1, elements / channels, channels} : from.dims;
  uint32_t source = input;
  uint32_t target = output;
  if (reshaped) {
    source = graph.add_temporary(from.type, dims, from.scale, from.zero_point);
    graph.emit_reshape(input, source);
    target = graph.add_temporary(to.type, dims, to.scale, to.zero_point);
  }
  graph.emit(ANEURALNETWORKS_DEPTHWISE_CONV_2D,
             {source, weights, bias, graph.int_scalar(ANEURALNETWORKS_PADDING_VALID), graph.int_scalar(1),
              graph.int_scalar(1), graph.int_scalar(1), activation},
             {target});
  if (reshaped) graph.emit_reshape(target, output);
}

}  // namespace avocet::tools
