// SPDX-License-Identifier: Apache-2.0
// Constant weights and biases of convolutions and matrix products, from the format's layout and quantisation to the
// API's.
#pragma once

#include <span>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/node_context.hpp"

namespace avocet::tools::onnx {

/// A constant with its quantisation (in the quantised form), as converters rearrange it.
struct Weights {
  Tensor tensor;
  std::optional<Quantisation> quantisation;
};

/// Input i: the bytes of a dequantised constant in the quantised form, else the real numbers. Refuses what is computed.
Weights read_weights(NodeContext& context, size_t i);
/// The dimensions permuted, and the quantised axis with them.
Weights transposed(const Weights& weights, std::span<const size_t> order);

/// Weights [a, b / groups, h, w] as [a, b, h, w], with zeros where input and output are of different groups.
void make_ungrouped(Weights& weights, uint32_t groups);

/// Multiplies output channels, which lie along dimension `axis`: the numbers, or in the quantised form the scales.
void scale_channels(Weights& weights, uint32_t axis, const std::vector<double>& factors);

/// The filter of a convolution with output channels along `channel_dim`. int8 (and uint8 around 128) becomes
/// TENSOR_QUANT8_SYMM_PER_CHANNEL, also with one scale; the rest has the type of the input.
struct Filter {
  uint32_t operand = 0;
  std::vector<float> scales;  // one (per tensor) or one per channel; empty for floats
  bool per_channel = false;
};
Filter add_filter(NodeContext& context, Weights weights, uint32_t channel_dim);
/// Weights that have to be of the input's own type (fully connected): one scale.
Filter add_matching_weights(NodeContext& context, Weights weights);

/// The bias operand for `channels` outputs, zeros where the value is null. In the quantised form it is int32 with the
/// scale of input times weights. An int32 value that is no dequantised one has that scale by definition (QLinear
/// forms). What the form does to the channels behind the operation (see Form::affine) is done to the bias here.
uint32_t add_bias(NodeContext& context, Value* bias, uint32_t channels, const Filter& filter);

}  // namespace avocet::tools::onnx
