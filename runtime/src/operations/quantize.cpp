// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and DEQUANTIZE: real numbers to stored ones and back.
#include "requantise.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kQuantizeTypes[] = {{29, {kTensorFloat32, kQuant8}},
                                      {29, {kTensorFloat16, kQuant8}},
                                      {30, {kTensorFloat32, kQuant8Signed}},
                                      {30, {kTensorFloat16, kQuant8Signed}}};
constexpr OperandRule kQuantizeInput[] = {tensor("input", kColumnA)};
constexpr Form kQuantizeInputs[] = {{.operands = kQuantizeInput}};
constexpr OperandRule kQuantizeOutput[] = {tensor("output", kColumnB)};
constexpr Form kQuantizeOutputs[] = {{.operands = kQuantizeOutput}};
constexpr Signature kQuantizeSignature{
    .level = 29, .types = kQuantizeTypes, .inputs = kQuantizeInputs, .outputs = kQuantizeOutputs, .zero_sized = true};

constexpr TypeRow kDequantizeTypes[] = {
    {27, {kQuant8, kTensorFloat32}},           {29, {kQuant8Symm, kTensorFloat32}},
    {29, {kQuant8PerChannel, kTensorFloat32}}, {30, {kQuant8Signed, kTensorFloat32}},
    {29, {kQuant8, kTensorFloat16}},           {29, {kQuant8Symm, kTensorFloat16}},
    {29, {kQuant8PerChannel, kTensorFloat16}}, {30, {kQuant8Signed, kTensorFloat16}}};
constexpr OperandRule kDequantizeInput[] = {tensor("input", kColumnA, 1, 4)};
constexpr Form kDequantizeInputs[] = {{.operands = kDequantizeInput}};
constexpr OperandRule kDequantizeOutput[] = {tensor("output", kColumnB, 1, 4)};
constexpr Form kDequantizeOutputs[] = {{.operands = kDequantizeOutput}};
constexpr Signature kDequantizeSignature{
    .level = 27, .types = kDequantizeTypes, .inputs = kDequantizeInputs, .outputs = kDequantizeOutputs, .zero_sized = true};

constexpr size_t kGrain = 8192;  // elements worth a thread

template <typename Stored>
Status quantise_all(OperationContext& context) {
  const float* from = context.in<float>(0);
  Stored* to = context.out<Stored>(0);
  const OperandView& output = context.output(0);
  context.parallel_for(count_of(output), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) to[i] = quantise<Stored>(from[i], output.scale, output.zero_point);
  });
  return {};
}

Status execute_quantize(OperationContext& context) {
  return context.output(0).type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM ? quantise_all<uint8_t>(context) : quantise_all<int8_t>(context);
}

template <typename Stored>
Status dequantise_all(OperationContext& context) {
  const Stored* from = context.in<Stored>(0);
  float* to = context.out<float>(0);
  const OperandView& input = context.input(0);
  context.parallel_for(count_of(input), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) to[i] = static_cast<float>(int32_t{from[i]} - input.zero_point) * input.scale;
  });
  return {};
}

Status dequantise_per_channel(OperationContext& context) {
  const OperandView& input = context.input(0);
  if (input.channel_dim >= input.dims.size() || input.channel_scales.size() != input.dims[input.channel_dim]) {
    return op_failed("the input has ", input.channel_scales.size(), " scales for its shape ", dims_text(input.dims));
  }
  const size_t outer = extent_product(input.dims, 0, input.channel_dim);
  const size_t inner = extent_product(input.dims, input.channel_dim + 1, input.dims.size());
  const int8_t* from = context.in<int8_t>(0);
  float* to = context.out<float>(0);
  for (size_t o = 0; o < outer; ++o) {
    for (float scale : input.channel_scales) {
      for (size_t i = 0; i < inner; ++i) *to++ = static_cast<float>(*from++) * scale;
    }
  }
  return {};
}

Status execute_dequantize(OperationContext& context) {
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return dequantise_all<uint8_t>(context);
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL: return dequantise_per_channel(context);
    default: return dequantise_all<int8_t>(context);
  }
}

}  // namespace

constinit const Operation kQuantize =
    operation<kQuantizeSignature, infer_same_shape, execute_quantize>(ANEURALNETWORKS_QUANTIZE, "QUANTIZE");
constinit const Operation kDequantize =
    operation<kDequantizeSignature, infer_same_shape, execute_dequantize>(ANEURALNETWORKS_DEQUANTIZE, "DEQUANTIZE");

}  // namespace avocet::runtime
