// SPDX-License-Identifier: Apache-2.0
// Convolutions, pools and matrix products: padding schemes become numbers, codes the compiler's own types.
#include <algorithm>

#include "npu/lowering_rows.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime::npu {
namespace {

using compiler::Activation;
using compiler::Attributes;
using compiler::OperationType;

/// Cells of padding before the input. Extents are at least 1.
uint32_t pad_before(uint32_t in, uint32_t out, uint32_t window, uint32_t stride, uint32_t dilation) {
  const int64_t needed = int64_t{out - 1} * stride + int64_t{window - 1} * dilation + 1 - in;
  return static_cast<uint32_t>(std::max<int64_t>(0, needed) / 2);
}

/// Strides, dilation, padding and activation of convolutions and pools over the image `input`.
Status read_geometry(OperationLowering& op, uint32_t input, bool nchw, uint32_t window_x, uint32_t window_y, Attributes* a) {
  const NamedOperands& named = op.named();
  int32_t stride_x, stride_y, dilation_x, dilation_y, activation, scheme, left, top;
  AVOCET_RETURN_IF_FAILED(named.scalar("stride_width", 1, &stride_x));
  AVOCET_RETURN_IF_FAILED(named.scalar("stride_height", 1, &stride_y));
  AVOCET_RETURN_IF_FAILED(named.scalar("dilation_width", 1, &dilation_x));
  AVOCET_RETURN_IF_FAILED(named.scalar("dilation_height", 1, &dilation_y));
  AVOCET_RETURN_IF_FAILED(named.scalar("activation", 0, &activation));
  AVOCET_RETURN_IF_FAILED(named.scalar("padding_scheme", ANEURALNETWORKS_PADDING_VALID, &scheme));
  AVOCET_RETURN_IF_FAILED(named.scalar("padding_left", 0, &left));
  AVOCET_RETURN_IF_FAILED(named.scalar("padding_top", 0, &top));
  a->stride_x = stride_x;
  a->stride_y = stride_y;
  a->dilation_x = dilation_x;
  a->dilation_y = dilation_y;
  a->activation = static_cast<Activation>(activation);
  a->pad_left = left;
  a->pad_top = top;
  if (named.has("padding_scheme") && scheme == ANEURALNETWORKS_PADDING_SAME) {
    const compiler::movements::Extents& in = op.tensor(input).dims;
    const compiler::movements::Extents out = op.output_dims(nchw);
    if (in.size() != 4 || out.size() != 4) return op_failed("its images are not of rank 4");
    a->pad_left = pad_before(in[2], out[2], window_x, a->stride_x, a->dilation_x);
    a->pad_top = pad_before(in[1], out[1], window_y, a->stride_y, a->dilation_y);
  }
  return {};
}

/// Image, weights and bias.
Status read_filtered(OperationLowering& op, bool* nchw, std::vector<uint32_t>* inputs) {
  inputs->resize(3);
  AVOCET_RETURN_IF_FAILED(op.layout(nchw));
  AVOCET_RETURN_IF_FAILED(op.constant(1, &(*inputs)[1]));
  AVOCET_RETURN_IF_FAILED(op.constant(2, &(*inputs)[2]));
  return op.image(0, *nchw, &(*inputs)[0]);
}

Status lower_filtered(OperationLowering& op, OperationType type) {
  bool nchw = false;
  std::vector<uint32_t> inputs;
  AVOCET_RETURN_IF_FAILED(read_filtered(op, &nchw, &inputs));
  const Dimensions& filter = op.named().input(1).dims;
  int32_t groups;
  AVOCET_RETURN_IF_FAILED(op.named().scalar("num_groups", 1, &groups));
  Attributes attributes;
  attributes.groups = static_cast<uint32_t>(groups);
  AVOCET_RETURN_IF_FAILED(read_geometry(op, inputs[0], nchw, filter[2], filter[1], &attributes));
  return op.emit(type, inputs, attributes, nchw);
}

Status lower_pool(OperationLowering& op, OperationType type) {
  bool nchw = false;
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(op.layout(&nchw));
  int32_t width, height;
  AVOCET_RETURN_IF_FAILED(op.named().scalar("filter_width", 1, &width));
  AVOCET_RETURN_IF_FAILED(op.named().scalar("filter_height", 1, &height));
  AVOCET_RETURN_IF_FAILED(op.image(0, nchw, &input));
  Attributes attributes;
  attributes.window_x = width;
  attributes.window_y = height;
  AVOCET_RETURN_IF_FAILED(read_geometry(op, input, nchw, attributes.window_x, attributes.window_y, &attributes));
  return op.emit(type, {input}, attributes, nchw);
}

}  // namespace

Status lower_convolution(OperationLowering& op) { return lower_filtered(op, OperationType::kConv2d); }
Status lower_depthwise(OperationLowering& op) { return lower_filtered(op, OperationType::kDepthwiseConv2d); }
Status lower_grouped(OperationLowering& op) {
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  return lower_filtered(op, OperationType::kGroupedConv2d);
}

Status lower_transposed(OperationLowering& op) {
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  bool nchw = false;
  std::vector<uint32_t> inputs;
  AVOCET_RETURN_IF_FAILED(read_filtered(op, &nchw, &inputs));
  Attributes a;
  AVOCET_RETURN_IF_FAILED(read_geometry(op, inputs[0], nchw, 1, 1, &a));
  int32_t scheme;
  AVOCET_RETURN_IF_FAILED(op.named().scalar("padding_scheme", ANEURALNETWORKS_PADDING_VALID, &scheme));
  if (op.named().has("padding_scheme")) a.pad_left = a.pad_top = 0;
  if (op.named().has("padding_scheme") && scheme == ANEURALNETWORKS_PADDING_SAME) {
    // That of the plain convolution from the output to the input.
    const Dimensions& filter = op.named().input(1).dims;
    const compiler::movements::Extents out = op.output_dims(nchw);
    const auto steps = [](uint32_t extent, uint32_t stride) { return (extent + stride - 1) / stride; };
    a.pad_top = pad_before(out[1], steps(out[1], a.stride_y), filter[1], a.stride_y, 1);
    a.pad_left = pad_before(out[2], steps(out[2], a.stride_x), filter[2], a.stride_x, 1);
  }
  return op.emit(OperationType::kTransposeConv2d, inputs, a, nchw);
}

Status lower_average_pool(OperationLowering& op) { return lower_pool(op, OperationType::kAveragePool2d); }
Status lower_max_pool(OperationLowering& op) { return lower_pool(op, OperationType::kMaxPool2d); }

Status lower_fully_connected(OperationLowering& op) {
  uint32_t input = 0, weights = 0, bias = 0;
  AVOCET_RETURN_IF_FAILED(op.constant(1, &weights));
  AVOCET_RETURN_IF_FAILED(op.constant(2, &bias));
  AVOCET_RETURN_IF_FAILED(op.input(0, &input));
  int32_t activation;
  AVOCET_RETURN_IF_FAILED(op.named().scalar("activation", 0, &activation));
  Attributes attributes;
  attributes.activation = static_cast<Activation>(activation);
  return op.emit(OperationType::kFullyConnected, {input, weights, bias}, attributes);
}

}  // namespace avocet::runtime::npu
