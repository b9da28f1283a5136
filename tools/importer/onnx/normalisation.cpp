// SPDX-License-Identifier: Apache-2.0
// Normalisations over channels and neighbours.
#include <android/NeuralNetworks.h>

#include <algorithm>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/node_context.hpp"
#include "importer/onnx/shapes.hpp"
#include "importer/onnx/window.hpp"

namespace avocet::tools::onnx {
namespace {

/// A constant with one number per channel of an input of this rank: [c, 1, 1].
uint32_t add_channels(NodeContext& context, const std::vector<double>& values, size_t rank) {
  Dims dims(rank > 1 ? rank - 1 : 1, 1);
  dims[0] = static_cast<uint32_t>(values.size());
  return context.conversion().add_constant(make_tensor(context.type(), dims, values));
}

/// input * scales + offsets, channel by channel.
void emit_affine(NodeContext& context, uint32_t input, const ChannelAffine& affine, const Dims& dims) {
  const uint32_t none = context.builder().int_scalar(ANEURALNETWORKS_FUSED_NONE);
  const uint32_t scaled = context.temporary(dims);
  context.emit(ANEURALNETWORKS_MUL, {input, add_channels(context, affine.scales, dims.size()), none}, {scaled});
  context.emit(ANEURALNETWORKS_ADD, {scaled, add_channels(context, affine.offsets, dims.size()), context.activation()},
               {context.write(dims)});
}

bool all_equal(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

}  // namespace

void convert_lrn(NodeContext& context, int32_t nnapi) {
  const int64_t size = context.attributes().integer("size", 0);
  const double alpha = context.attributes().real("alpha", 1e-4f);
  const double beta = context.attributes().real("beta", 0.75f);
  const double bias = context.attributes().real("bias", 1);
  if (size < 1 || size > INT32_MAX || size % 2 == 0)
    refuse("a neighbourhood of " + std::to_string(size) + " channels: it must be odd");
  const Dims dims = context.dims(0);
  if (dims.size() < 2) refuse("an input without channels");
  const auto radius = static_cast<int32_t>((size - 1) / 2);
  const uint32_t input = context.read(0);
  // The file's alpha is divided by the size, the API's is not.
  context.emit(nnapi,
               {input, context.builder().int_scalar(radius), context.real_scalar(bias),
                context.real_scalar(alpha / static_cast<double>(size)), context.real_scalar(beta),
                context.builder().int_scalar(1)},
               {context.write(dims)});
}

void convert_instance_normalization(NodeContext& context, int32_t nnapi) {
  const double epsilon = context.attributes().real("epsilon", 1e-5f);
  const Dims dims = context.dims(0);
  const Dims image = image_dims(dims);
  ChannelAffine affine{.scales = reals_of(*context.constant(1)), .offsets = reals_of(*context.constant(2))};
  if (affine.scales.size() != image[1] || affine.offsets.size() != image[1])
    refuse("scale and bias need a number per channel");
  const uint32_t input = context.read_as(0, image);
  const uint32_t layout = context.builder().bool_scalar(true);
  // The API has one gamma and one beta for all channels.
  const bool alike = all_equal(affine.scales) && all_equal(affine.offsets);
  const double gamma = alike ? affine.scales.front() : 1;
  const double beta = alike ? affine.offsets.front() : 0;
  const std::vector<uint32_t> inputs = {input, context.real_scalar(gamma), context.real_scalar(beta),
                                        context.real_scalar(epsilon), layout};
  if (alike) return context.emit(nnapi, inputs, {context.write_as(dims, image)});
  const uint32_t direct = context.temporary(image);
  context.emit(nnapi, inputs, {direct});
  if (dims == image) return emit_affine(context, direct, affine, dims);
  const uint32_t reshaped = context.temporary(dims);
  context.builder().emit_reshape(direct, reshaped);
  emit_affine(context, reshaped, affine, dims);
}

void convert_batch_normalization(NodeContext& context, int32_t) {
  for (const char* name : {"epsilon", "momentum", "training_mode", "spatial", "is_test"})
    context.attributes().has(name);
  const std::optional<ChannelAffine> affine = channel_affine_of(context.conversion(), context.node());
  if (!affine) refuse("only with constant parameters, one per channel, and for inference");
  const Dims dims = context.dims(0);
  if (dims.size() < 2 || affine->scales.size() != dims[1]) {
    refuse(std::to_string(affine->scales.size()) + " parameters for an input of shape " + dims_text(dims));
  }
  emit_affine(context, context.read(0), *affine, dims);
}

void convert_lp_normalization(NodeContext& context, int32_t nnapi) {
  if (context.attributes().integer("p", 2) != 2) refuse("a norm other than 2");
  const Dims dims = context.dims(0);
  const size_t axis = normal_axis(context.attributes().integer("axis", -1), dims.size());
  const uint32_t input = context.read(0);
  context.emit(nnapi, {input, context.builder().int_scalar(static_cast<int32_t>(axis))}, {context.write(dims)});
}

}  // namespace avocet::tools::onnx
